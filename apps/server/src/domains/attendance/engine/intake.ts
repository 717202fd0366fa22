import type { Direction, QuarantineReason } from '@zhugong/contract/attendance/facts'
import { gateModes } from '@zhugong/contract/attendance/rehearsal'
import { dayMs, hourMs, minuteMs } from '@zhugong/contract/kit/time'
import { cutToSecond } from './time.ts'

export { parseDeviceTime } from '@zhugong/contract/attendance/time'

/** A4: a gate's 0/1 and the dictionary's 01/02; anything else is no direction. */
export function directionOf(raw: string | number | null | undefined): Direction | null {
  const v = raw === null || raw === undefined ? '' : String(raw).trim()
  return v === '0' || v === '01' ? '01' : v === '1' || v === '02' ? '02' : null
}

/** A4: a gate's mode 1-5, or a code of the dictionary as it stands; unknown = 011 其他方式. */
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

/** A6-A8, A10. Exactly 5 min and exactly 30 days still count. A manual event is never asked. */
export function quarantineReason(event: Received): QuarantineReason | undefined {
  const ahead = cutToSecond(event.time) - cutToSecond(event.receivedAt)
  if (ahead > clockToleranceMs) return 'clockAhead'
  if (-ahead > oldestMs) return 'tooOld'
  if (event.clockOffsetMs !== null && Math.abs(event.clockOffsetMs) > clockToleranceMs) return 'clockOffset'
  return event.outsideFence ? 'outsideFence' : undefined
}

/** A9: by the times as received, whatever a release stated later. `late` = source 2, no push as live; `lateData` = result 10. */
export function lateness(event: { time: number; receivedAt: number }): { late: boolean; lateData: boolean } {
  const delay = cutToSecond(event.receivedAt) - cutToSecond(event.time)
  return { late: delay > lateAfterMs, lateData: delay > lateDataAfterMs }
}

/** A11: a score below the threshold counts all the same, and is spot-checked. */
export const isSuspicious = (score: number | null, faceThreshold: number): boolean => score !== null && score < faceThreshold
