import { dayMs } from '@zhugong/contract/kit/time'
import { formatInstant } from './clock.ts'
import type { Pdf } from './pdf.ts'

interface Curve {
  height: number
  unit: string
  /** Ordered by time (epoch ms). */
  points: readonly { time: number; value: number }[]
  /** Points further apart than this are not connected by a line. */
  gapMs: number
  marks: readonly number[]
}

const colours = { line: '#1558d6', grid: '#d9dde4', mark: '#c62828', text: '#5c6370' }
const labels = { left: 34, foot: 14, size: 7 }
const steps = 4
const ticks = 6

/** Draws one value over time, with a vertical red line at each marked moment. */
export function drawCurve(pdf: Pdf, { height, unit, points, gapMs, marks }: Curve): void {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || first.time === last.time) return
  pdf.room(height)
  const d = pdf.document
  const top = d.y
  const [x0, width, deep] = [pdf.left + labels.left, pdf.width - labels.left, height - labels.foot]
  const highest = Math.max(1, ...points.map((one) => one.value))
  const most = Math.ceil(highest / (steps * 5)) * steps * 5
  const span = last.time - first.time
  const x = (time: number) => x0 + ((time - first.time) / span) * width
  const y = (value: number) => top + deep - (value / most) * deep
  d.fontSize(labels.size).fillColor(colours.text).lineWidth(0.4)
  for (let i = 0; i <= steps; i++) {
    const value = (most / steps) * i
    d.moveTo(x0, y(value))
      .lineTo(x0 + width, y(value))
      .stroke(colours.grid)
    const words = i === steps ? `${value} ${unit}` : String(value)
    d.text(words, pdf.left - 8, y(value) - 4, { width: labels.left + 4, align: 'right', lineBreak: false })
  }
  for (let i = 0; i < ticks; i++) {
    const time = first.time + (span / ticks) * i
    const clock = formatInstant(time)
    d.text(span > dayMs ? clock.slice(5, 16) : clock.slice(11, 16), x(time), top + deep + 3, { lineBreak: false })
  }
  for (const time of marks)
    if (time >= first.time && time <= last.time)
      d.moveTo(x(time), top)
        .lineTo(x(time), top + deep)
        .stroke(colours.mark)
  d.lineWidth(0.7)
  let before: number | undefined
  for (const { time, value } of points) {
    if (before === undefined || time - before > gapMs) d.moveTo(x(time), y(value))
    else d.lineTo(x(time), y(value))
    before = time
  }
  d.stroke(colours.line)
  d.lineWidth(0.5).strokeColor(colours.grid).fillColor('#1f2329')
  d.x = pdf.left
  d.y = top + height
}
