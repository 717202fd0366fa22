import { dayMs, minuteMs } from '@zhugong/contract/kit/time'
import { addDays, formatDay, startOfDay } from '#kit/clock'

/** A plan as the clock of the week reads it; nothing here asks the database. */
export interface WeekPlan {
  /** 1 Monday to 7 Sunday. */
  days: readonly number[]
  /** HH:mm in Asia/Shanghai. */
  times: readonly string[]
  minutes: number
}

const dayMinutes = 1_440
const weekMinutes = 7 * dayMinutes

const minuteOf = (time: string): number => {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return hour * 60 + minute
}
/** 1 Monday to 7 Sunday of a calendar day. */
const weekDayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7

/** When a plan is due within a span, first to last; its end is not in it. */
export function dueWithin({ days, times }: WeekPlan, from: number, to: number): number[] {
  const due: number[] = []
  for (let day = formatDay(from); startOfDay(day) < to; day = addDays(day, 1)) {
    if (!days.includes(weekDayOf(day))) continue
    for (const time of times) {
      const at = startOfDay(day) + minuteOf(time) * minuteMs
      if (at >= from && at < to) due.push(at)
    }
  }
  return due.sort((a, b) => a - b)
}

export const nextOf = (plan: WeekPlan, now: number): number | null => dueWithin(plan, now, now + 8 * dayMs)[0] ?? null

/** Minutes of the week at which each run begins. */
const startsOf = ({ days, times }: WeekPlan): number[] =>
  days.flatMap((day) => times.map((time) => (day - 1) * dayMinutes + minuteOf(time))).sort((a, b) => a - b)

const words = (minute: number) => {
  const two = (n: number) => String(n).padStart(2, '0')
  const ofDay = minute % dayMinutes
  return `周${'一二三四五六日'[Math.floor(minute / dayMinutes)]} ${two(Math.floor(ofDay / 60))}:${two(ofDay % 60)}`
}

/** The first moment at which a line would be told to run while it runs already; Sunday's end runs into Monday. */
export function clashOf(a: WeekPlan, b: WeekPlan, isSame = false): string | undefined {
  for (const one of startsOf(a))
    for (const other of startsOf(b)) {
      if (isSame && one === other) continue
      const after = (other - one + weekMinutes) % weekMinutes
      const before = (one - other + weekMinutes) % weekMinutes
      if (after < a.minutes) return words(other)
      if (before < b.minutes) return words(one)
    }
  return undefined
}
