import { dayMs, startOfShanghaiDay } from '@zhugong/contract/kit/time'

/** Seconds of the day in Asia/Shanghai, [from, to). */
export type Schedule = readonly (readonly [number, number])[]

/** The working day of a site where nothing else is set. */
const workHours: Schedule = [[6 * 3600, 19 * 3600]]

export function scheduleOf(given: unknown): Schedule | null {
  if (given === 'workHours') return workHours
  if (!Array.isArray(given) || given.length === 0) return null
  return given as Schedule
}

/** Whether a moment lies in one of the periods. */
export function inSchedule(schedule: Schedule | null, time: number): boolean {
  if (!schedule) return true
  const second = (time - startOfShanghaiDay(time)) / 1000
  return schedule.some(([from, to]) => second >= from && second < to)
}

const isWholeDay = (schedule: Schedule) => {
  let covered = 0
  for (const [from, to] of [...schedule].sort((a, b) => a[0] - b[0])) if (from <= covered) covered = Math.max(covered, to)
  return covered >= 86_400
}

/** When the period a moment lies in began; periods that touch, at midnight too, are one. */
export function periodStart(schedule: Schedule | null, time: number): number {
  if (!schedule || isWholeDay(schedule)) return Number.NEGATIVE_INFINITY
  let start = time
  for (let found = true; found; ) {
    found = false
    for (const day of [startOfShanghaiDay(start), startOfShanghaiDay(start) - dayMs]) {
      for (const [from, to] of schedule) {
        const [a, b] = [day + from * 1000, day + to * 1000]
        if (a < start && start <= b) {
          start = a
          found = true
        }
      }
    }
  }
  return start
}

/** When the period a moment lies in ends; infinite for a whole day, the moment itself when it lies in none. */
export function periodEnd(schedule: Schedule | null, time: number): number {
  if (!schedule || isWholeDay(schedule)) return Number.POSITIVE_INFINITY
  let end = time
  for (let found = true; found; ) {
    found = false
    const day = startOfShanghaiDay(end)
    for (const [from, to] of schedule) {
      const [a, b] = [day + from * 1000, day + to * 1000]
      if (a <= end && end < b) {
        end = b
        found = true
      }
    }
  }
  return end
}

/** 22:00 to 06:00, for how often people would be woken. */
export const isNight = (time: number) => {
  const second = (time - startOfShanghaiDay(time)) / 1000
  return second < 6 * 3600 || second >= 22 * 3600
}
