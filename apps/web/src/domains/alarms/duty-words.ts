import { dayMs, shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { day, epoch } from '#kit/format.ts'

/** Weekdays of a duty list, in Asia/Shanghai. */

export const weekdays = ['周一', '周二', '周三', '周四', '周五', '周六', '周日'] as const

export interface Shift {
  id: string
  userName: string
  fromTime: string
  untilTime: string
}

/** Dates Monday to Sunday of the week containing `now`, shifted by whole weeks. */
export function weekOf(now: number, shift = 0): string[] {
  const today = Date.parse(`${day(now)}T00:00:00Z`)
  const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * dayMs + shift * 7 * dayMs
  return Array.from({ length: 7 }, (_, i) => new Date(monday + i * dayMs).toISOString().slice(0, 10))
}

const startOf = (date: string): number => epoch(`${date} 00:00:00`) ?? 0

/** Shifts overlapping a day, each with its part of that day as HH:mm. */
export function shiftsOn<S extends Shift>(date: string, shifts: readonly S[]): { shift: S; from: string; until: string }[] {
  const [begin, end] = [startOf(date), startOf(date) + dayMs]
  return shifts
    .flatMap((shift) => {
      const [from, until] = [epoch(shift.fromTime) ?? 0, epoch(shift.untilTime) ?? 0]
      if (until <= begin || from >= end) return []
      return [{ shift, at: from, from: from <= begin ? '00:00' : clock(from), until: until >= end ? '24:00' : clock(until) }]
    })
    .sort((a, b) => a.at - b.at)
    .map(({ at: _, ...rest }) => rest)
}

const clock = (at: number): string => new Date(at + shanghaiOffsetMs).toISOString().slice(11, 16)

/** Hours of a day without anybody on duty, from the moment `after`. */
export function gapsOn(date: string, shifts: readonly Shift[], after = 0): { from: string; until: string }[] {
  const end = startOf(date) + dayMs
  let at = Math.max(startOf(date), after)
  const gaps: { from: string; until: string }[] = []
  const reported = (from: number, until: number) => gaps.push({ from: clock(from), until: until >= end ? '24:00' : clock(until) })
  const spans = shifts.map((shift) => [epoch(shift.fromTime) ?? 0, epoch(shift.untilTime) ?? 0] as const).sort((a, b) => a[0] - b[0])
  for (const [from, until] of spans) {
    if (until <= at) continue
    if (from >= end) break
    if (from > at) reported(at, from)
    at = Math.max(at, until)
  }
  if (at < end) reported(at, end)
  return gaps
}

export const onDutyNow = <S extends Shift>(shifts: readonly S[], now: number): S[] =>
  shifts.filter((shift) => (epoch(shift.fromTime) ?? 0) <= now && now < (epoch(shift.untilTime) ?? 0))
