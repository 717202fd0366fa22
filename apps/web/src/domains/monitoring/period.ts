import { dayMs } from '@zhugong/contract/kit/time'
import { day, time } from '#kit/format.ts'
import { replayIn, type Span } from './replay.ts'

const midnight = (date: string) => Date.parse(`${date}T00:00:00+08:00`)

/** A period as a URL parameter: days including today (`1`, `7`), two days (`2026-07-01,2026-07-07`), or two moments (`from-to` in ms). */
export interface Period extends Span {
  text: string
  /** Ends now: calls are made without an end. */
  open: boolean
}

export function periodIn(text: string, now: number): Period | undefined {
  const moments = replayIn(text)
  if (moments) return { ...moments, text, open: false }
  if (/^\d{1,3}$/.test(text)) {
    const days = Number(text)
    return days > 0 ? { from: midnight(day(now)) - (days - 1) * dayMs, to: now, text, open: true } : undefined
  }
  const match = /^(\d{4}-\d{2}-\d{2}),(\d{4}-\d{2}-\d{2})$/.exec(text)
  const from = midnight(match?.[1] ?? '')
  const to = midnight(match?.[2] ?? '') + dayMs
  return Number.isNaN(from) || Number.isNaN(to) || to <= from ? undefined : { from, to, text, open: false }
}

/** Query of a period: an open one has no end, so that the cache key is stable. */
export const periodQueryOf = ({ from, to, open }: Period): { startTime: string; endTime?: string } => ({
  startTime: time(from),
  ...(open ? {} : { endTime: time(to) }),
})

/** The preceding period of equal length. */
export const before = ({ from, to }: Span): Period => {
  const length = Math.ceil((to - from) / dayMs) * dayMs
  return { from: from - length, to: from, text: '', open: false }
}

/** 2026-07-01 至 2026-07-07, with times if it does not consist of whole days. */
export function periodWords({ from, to, open }: Period): string {
  const whole = from === midnight(day(from)) && (open || to === midnight(day(to - 1)) + dayMs)
  if (!whole) return `${time(from)} 至 ${time(to)}`
  return day(from) === day(to - 1) ? day(from) : `${day(from)} 至 ${day(to - 1)}`
}
