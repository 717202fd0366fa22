import { dayMs, startOfShanghaiDay } from '@zhugong/contract/kit/time'

/** Seconds of the day in Asia/Shanghai, [from, to). */
export type Schedule = readonly (readonly [number, number])[]

/** Default working hours of a site. */
const workHours: Schedule = [[6 * 3600, 19 * 3600]]

export function scheduleOf(given: unknown): Schedule | null {
  if (given === 'workHours') return workHours
  if (!Array.isArray(given) || given.length === 0) return null
  return given as Schedule
}

/** Whether a time lies in one of the periods. */
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

/** Start of the period that contains a time; adjacent periods are merged, also across midnight. */
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

/** End of the period that contains a time; infinity for a whole day, the time itself if it lies in no period. */
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

/** 22:00 to 06:00; used to count alarms at night. */
export const isNight = (time: number) => {
  const second = (time - startOfShanghaiDay(time)) / 1000
  return second < 6 * 3600 || second >= 22 * 3600
}
