import type { Direction, QuarantineReason } from '@zhugong/contract/attendance/facts'
import { gateModes } from '@zhugong/contract/attendance/rehearsal'
import { dayMs, hourMs, minuteMs } from '@zhugong/contract/kit/time'
import { cutToSecond } from './time.ts'

export { parseDeviceTime } from '@zhugong/contract/attendance/time'

/** A4: direction from a gate's 0/1 or the dictionary's 01/02; null for anything else. */
export function directionOf(raw: string | number | null | undefined): Direction | null {
  const v = raw === null || raw === undefined ? '' : String(raw).trim()
  return v === '0' || v === '01' ? '01' : v === '1' || v === '02' ? '02' : null
}

/** A4: attendance type from a gate's mode 1-5 or a dictionary code; unknown = 011 其他方式. */
export function attendTypeOf(raw: string | number | null | undefined): string {
  const v = raw === null || raw === undefined ? '' : String(raw).trim()
  if (/^\d$/.test(v)) return gateModes[Number(v)] ?? '011'
  return /^0(0[1-9]|1[0-4])$/.test(v) ? v : '011'
}

const clockToleranceMs = 5 * minuteMs
const oldestMs = 30 * dayMs
const lateAfterMs = 10 * minuteMs
const lateDataAfterMs = 48 * hourMs

interface Received {
  time: number
  receivedAt: number
  clockOffsetMs: number | null
  outsideFence: boolean
}

/** A6-A8, A10. Limits are inclusive: exactly 5 min and exactly 30 days still count. Does not apply to manual events. */
export function quarantineReason(event: Received): QuarantineReason | undefined {
  const ahead = cutToSecond(event.time) - cutToSecond(event.receivedAt)
  if (ahead > clockToleranceMs) return 'clockAhead'
  if (-ahead > oldestMs) return 'tooOld'
  if (event.clockOffsetMs !== null && Math.abs(event.clockOffsetMs) > clockToleranceMs) return 'clockOffset'
  return event.outsideFence ? 'outsideFence' : undefined
}

/** A9: from the times as received, ignoring later releases. `late` = source 2, not pushed as live; `lateData` = result 10. */
export function lateness(event: { time: number; receivedAt: number }): { late: boolean; lateData: boolean } {
  const delay = cutToSecond(event.receivedAt) - cutToSecond(event.time)
  return { late: delay > lateAfterMs, lateData: delay > lateDataAfterMs }
}

/** A11: an event with a score below the threshold still counts, but is marked for spot checks. */
export const isSuspicious = (score: number | null, faceThreshold: number): boolean => score !== null && score < faceThreshold
