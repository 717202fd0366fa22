import type { ScheduleTasks } from '@zhugong/contract/schedule/calls'
import { shiftDay } from '@zhugong/contract/schedule/plan'
import { saveBlob } from '#kit/call.ts'
import { colors } from '#kit/colors.ts'
import { monthsOf, scaleOf, widthOf, xOf } from './gantt-scale.ts'
import { barColors } from './schedule-words.tsx'

const [row, left, head] = [22, 260, 60]
/** Browsers draw no larger canvas. */
const mostPx = 16_000

/** Draws all rows of the chart as one picture and saves it. */
export function savePicture({ list, projectName, today, stops, figures }: ScheduleTasks): void {
  const scale = scaleOf(list, today)
  const canvas = document.createElement('canvas')
  canvas.width = Math.min(mostPx, left + scale.days * scale.px)
  canvas.height = Math.min(mostPx, head + list.length * row + 10)
  const to = canvas.getContext('2d')
  if (!to) return
  to.fillStyle = colors.white
  to.fillRect(0, 0, canvas.width, canvas.height)
  to.font = '14px sans-serif'
  to.fillStyle = colors.text
  to.fillText(`${projectName} 进度横道图 ${today}${figures ? `，计划 ${figures.planPercent}% 实际 ${figures.percent}%` : ''}`, 8, 20)
  to.font = '12px sans-serif'
  for (const stop of stops) {
    to.fillStyle = colors.sunken
    to.fillRect(left + xOf(scale, stop.from), head, widthOf(scale, stop.from, stop.until ?? today), canvas.height - head)
  }
  for (const { x, label } of monthsOf(scale)) {
    to.fillStyle = colors.hairline
    to.fillRect(left + x, head - 20, 1, canvas.height)
    to.fillStyle = colors.text2
    to.fillText(label, left + x + 3, head - 8)
  }
  for (const [i, task] of list.entries()) {
    const y = head + i * row
    to.fillStyle = task.critical ? colors.danger : colors.text
    to.fillText(`${task.wbs} ${task.name}`, 8 + Math.min(3, task.wbs.split('.').length - 1) * 10, y + 15, left - 50)
    to.fillStyle = colors.border
    to.fillRect(left + xOf(scale, task.planStart), y + 4, widthOf(scale, task.planStart, shiftDay(task.planEnd, 1)), 6)
    if (task.actualStart === null) continue
    to.fillStyle = barColors[task.state] ?? colors.primary
    to.fillRect(left + xOf(scale, task.actualStart), y + 12, widthOf(scale, task.actualStart, shiftDay(task.actualEnd ?? today, 1)), 6)
  }
  to.fillStyle = colors.danger
  to.fillRect(left + xOf(scale, today), head - 20, 1.5, canvas.height)
  canvas.toBlob((blob) => {
    if (blob) saveBlob({ blob, fileName: `进度横道图_${projectName}_${today}.png` })
  })
}
