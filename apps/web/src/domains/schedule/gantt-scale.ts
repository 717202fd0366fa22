import type { TaskRow } from '@zhugong/contract/schedule/calls'
import { dayNumber, dayOf } from '@zhugong/contract/schedule/plan'

export const rowHeight = 36
/** Days before and after the plan. */
const margin = 14
const year = 370

/** Days drawn, and pixels of a day: a plan of several years is drawn smaller. */
export function scaleOf(tasks: readonly Pick<TaskRow, 'planStart' | 'planEnd' | 'actualStart'>[], today: string) {
  const starts = tasks.map((one) => dayNumber(one.actualStart && one.actualStart < one.planStart ? one.actualStart : one.planStart))
  const from = Math.min(dayNumber(today), ...starts) - margin
  const to = Math.max(dayNumber(today), ...tasks.map((one) => dayNumber(one.planEnd))) + margin
  const days = to - from + 1
  return { from, days, px: days <= year ? 6 : days <= year * 2 ? 4 : 2 }
}
type Scale = ReturnType<typeof scaleOf>

export const xOf = ({ from, px }: Scale, day: string): number => (dayNumber(day) - from) * px
export const widthOf = ({ px }: Scale, from: string, until: string): number => Math.max(px, (dayNumber(until) - dayNumber(from)) * px)

/** First days of months, with the year where it begins. */
export function monthsOf({ from, days, px }: Scale): { x: number; label: string }[] {
  const months: { x: number; label: string }[] = []
  for (let n = from; n < from + days; n++) {
    const day = dayOf(n)
    if (!day.endsWith('-01')) continue
    const month = Number(day.slice(5, 7))
    // Every third one where a month is narrow.
    if (px < 4 && month % 3 !== 1) continue
    months.push({ x: (n - from) * px, label: months.length === 0 || month === 1 ? `${day.slice(0, 4)} 年 ${month} 月` : `${month} 月` })
  }
  return months
}
