import { isRealDate } from '../kit/checks.ts'

/**
 * Parses a time from a device or person to epoch milliseconds, truncated to seconds; undefined when it is not a time. A time without a zone
 * is Asia/Shanghai (fixed +08:00). `24:00:00` is the first second of the next date.
 */
export function parseDeviceTime(v: string | number): number | undefined {
  if (typeof v === 'number' || /^\d{12,13}$/.test(v)) return wholeSecond(Number(v))
  const parts = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s?(Z|[+-]\d{2}:?\d{2})?$/i.exec(v.trim())
  if (!parts) return undefined
  const [, date, hour, minute, second = '00', zone = '+08:00'] = parts
  if (!isRealDate(date!)) return undefined
  const [h, m, s] = [Number(hour), Number(minute), Number(second)]
  if (h > 24 || m > 59 || s > 59 || (h === 24 && (m > 0 || s > 0))) return undefined
  return Date.parse(`${date}T00:00:00Z`) + (h * 3600 + m * 60 + s) * 1000 - zoneMs(zone)
}

const zoneMs = (zone: string) => {
  if (zone === 'Z' || zone === 'z') return 0
  const digits = zone.replace(':', '')
  return (digits[0] === '-' ? -1 : 1) * (Number(digits.slice(1, 3)) * 60 + Number(digits.slice(3, 5))) * 60_000
}

/** Truncates to seconds, which is done before any rule. */
export const wholeSecond = (at: number): number | undefined => (Number.isFinite(at) ? Math.floor(at / 1000) * 1000 : undefined)

/** Epoch milliseconds of a time or date that was validated before. */
export const instantOf = (v: string): number => parseDeviceTime(isRealDate(v) ? `${v} 00:00:00` : v) ?? Number.NaN
