import { dayMs, hourMs, shanghaiOffsetMs } from '../kit/time.ts'

/** Hours after the end of a day from which a log of it counts as written late (补记). */
const lateHours = 48

/** Whether a log of this day, written now, is a late one. */
export const isLate = (day: string, now: number): boolean =>
  now >= Date.parse(`${day}T00:00:00Z`) - shanghaiOffsetMs + dayMs + lateHours * hourMs

/** From this share on, a head count that differs from the attendance is shown beside it. */
const differingShare = 0.2

/** Whether a written head count differs from the attendance by more than a fifth. */
export function countDiffers(written: number | null, attended: number | null): boolean {
  if (written === null || attended === null || written === attended) return false
  return Math.abs(written - attended) > differingShare * attended
}

/** Lowest wind speed of each force from 1 on, in m/s (GB/T 28591). */
const forces = [0.3, 1.6, 3.4, 5.5, 8, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7, 37, 41.5, 46.2, 51, 56.1] as const

/** The wind force of a speed in m/s. */
export const windForce = (speed: number): number => forces.filter((least) => speed >= least).length

/**
 * What a day of a site is for its logs: written, written late, missing, stopped, not yet due today, and nothing to write (before the works,
 * after them, in the future).
 */
export const dayMarks = { w: '已写', l: '补记', m: '缺', s: '停工', t: '今日待写', '-': '' } as const
export type DayMark = keyof typeof dayMarks
export const marksDue: readonly DayMark[] = ['w', 'l', 'm', 't']
/** Days without a log, one after the other, after which a site is named. */
export const silentDays = 3
