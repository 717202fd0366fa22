import { dayMs, minuteMs } from '@zhugong/contract/kit/time'
import { addDays, formatDay, startOfDay } from '#kit/clock'

/** A weekly spray plan; the functions here are pure. */
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

/** Epoch ms at which a plan is due from `from` (inclusive) to `to` (exclusive), in order. */
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

/** Start times in minutes of the week. */
const startsOf = ({ days, times }: WeekPlan): number[] =>
  days.flatMap((day) => times.map((time) => (day - 1) * dayMinutes + minuteOf(time))).sort((a, b) => a - b)

const words = (minute: number) => {
  const two = (n: number) => String(n).padStart(2, '0')
  const ofDay = minute % dayMinutes
  return `周${'一二三四五六日'[Math.floor(minute / dayMinutes)]} ${two(Math.floor(ofDay / 60))}:${two(ofDay % 60)}`
}

/** The first time at which the line would be started while it is already running; undefined if none. The week is cyclic. */
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
