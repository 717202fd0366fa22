import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { colors } from './colors.ts'
export const dash = '--'
export type Moment = number | string | Date | null | undefined

/** Times without a zone are in Asia/Shanghai. Not shared with the contract's checks, which would load zod on the login page. */
function parse(text: string): number | undefined {
  if (/^\d{12,14}$/.test(text)) return Number(text)
  const local = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?))?$/.exec(text)
  const at = local ? Date.parse(`${local[1]}T${local[2] ?? '00:00:00'}+08:00`) : Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}

function parts(moment: Moment): string | undefined {
  if (moment === null || moment === undefined || moment === '') return undefined
  const at = typeof moment === 'number' ? moment : moment instanceof Date ? moment.getTime() : parse(moment)
  if (at === undefined || Number.isNaN(at)) return undefined
  // The product displays Asia/Shanghai everywhere, whatever the browser's time zone.
  return new Date(at + shanghaiOffsetMs).toISOString()
}

/** yyyy-MM-dd HH:mm:ss */
export const time = (moment: Moment, empty = dash): string => parts(moment)?.slice(0, 19).replace('T', ' ') ?? empty
/** yyyy-MM-dd */
export const day = (moment: Moment, empty = dash): string => parts(moment)?.slice(0, 10) ?? empty
/** yyyy-MM */
export const month = (moment: Moment, empty = dash): string => parts(moment)?.slice(0, 7) ?? empty
/** yyyy */
export const year = (moment: Moment, empty = dash): string => parts(moment)?.slice(0, 4) ?? empty
/** HH:mm:ss */
export const timeOfDay = (moment: Moment, empty = dash): string => parts(moment)?.slice(11, 19) ?? empty
/** HH:mm */
export const minuteOfDay = (moment: Moment, empty = dash): string => parts(moment)?.slice(11, 16) ?? empty

/** HH:mm:ss for today, MM-dd HH:mm for another day, with the year for another year. For lists that span several days. */
export function shortTime(moment: Moment, now: number = Date.now(), empty = dash): string {
  const iso = parts(moment)
  if (iso === undefined) return empty
  if (iso.slice(0, 10) === day(now)) return iso.slice(11, 19)
  return iso.slice(iso.slice(0, 4) === year(now) ? 5 : 0, 16).replace('T', ' ')
}

/** 日 to 六, of the day in Shanghai. */
export const weekday = (moment: Moment, empty = dash): string => {
  const iso = parts(moment)
  return iso === undefined ? empty : ('日一二三四五六'[new Date(iso).getUTCDay()] ?? empty)
}

/** A server time as epoch milliseconds, for calculations. */
export const epoch = (moment: Moment): number | undefined => {
  const iso = parts(moment)
  return iso === undefined ? undefined : Date.parse(iso) - shanghaiOffsetMs
}

/** A duration: 45 秒, 3 分钟, 2 小时, 5 天. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds} 秒`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} 分钟`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} 小时`
  return `${Math.floor(seconds / 86_400)} 天`
}

/** Time elapsed until `now`; show the full time in a tooltip. */
export function age(moment: Moment, now: number = Date.now(), empty = dash): string {
  const at = epoch(moment)
  if (at === undefined) return empty
  if (now - at < 1000) return '刚刚'
  return `${span(now - at)}前`
}

/** Whole Shanghai days from today until a day; negative if past. */
export function daysUntil(moment: Moment, now: number = Date.now()): number | undefined {
  const to = day(moment, '')
  if (!to) return undefined
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${day(now)}T00:00:00Z`)) / 86_400_000)
}

/** 剩 12 天, 今天到期, 已过期 3 天. */
export function daysLeft(moment: Moment, now: number = Date.now(), empty = dash): string {
  const days = daysUntil(moment, now)
  if (days === undefined) return empty
  if (days === 0) return '今天到期'
  return days > 0 ? `剩 ${days} 天` : `已过期 ${-days} 天`
}

/** Groups of four digits from the right: 138 1234 5678. Masked numbers too. */
export function phone(value: string | null | undefined, empty = dash): string {
  const plain = (value ?? '').replace(/\s/g, '')
  if (!plain) return empty
  return plain.replace(/(?=(?:.{4})+$)(?!^)/g, ' ')
}

export function thousands(value: number | string | null | undefined, decimals?: number, empty = dash): string {
  if (value === null || value === undefined || value === '' || Number.isNaN(Number(value))) return empty
  const rounded = decimals === undefined ? String(value) : Number(value).toFixed(decimals)
  const text = Number(rounded) === 0 ? rounded.replace('-', '') : rounded
  const [whole = '', fraction] = text.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** Yuan with two decimals, from cents; fractions of a cent are rounded up. */
export function yuan(cents: number | null | undefined, empty = '0.00'): string {
  if (cents === null || cents === undefined || Number.isNaN(cents)) return empty
  // 0.1 + 0.2 cents must not be rounded up because of a binary floating-point error.
  const whole = Math.ceil(Number(cents.toFixed(6)))
  return (whole / 100).toFixed(2)
}

/** Yuan with thousands separators: 12,345.60 */
export const amount = (cents: number | null | undefined, empty = '0.00'): string => {
  const plain = yuan(cents, '')
  return plain ? thousands(plain) : empty
}

/** A fraction (0.9093) as a percentage with two decimals: 90.93% */
export function ratio(share: number | null | undefined, empty = dash): string {
  return share === null || share === undefined || !Number.isFinite(share) ? empty : `${(share * 100).toFixed(2)}%`
}

/** Part of a whole as a percentage; empty if the whole is 0. */
export const ratioOf = (part: number, whole: number, empty = dash): string => (whole === 0 ? empty : ratio(part / whole, empty))

/** 实到 of 应到 with its percentage, wherever an attendance rate is shown. */
export const dueWords = ({ expected, arrived }: { expected: number; arrived: number }): string =>
  expected === 0 ? '无应到人员' : `实到 ${thousands(arrived)} / ${thousands(expected)}（${ratioOf(arrived, expected)}）`

/** Zero counts as a value, an empty list does not. */
export function nonEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  return value === 0 || Boolean(value)
}

/** @public */
export function orDash<T>(value: T, empty = dash): T | string {
  return nonEmpty(value) || (typeof value === 'boolean' && value) ? value : empty
}

/** 99+ for counts of at least `limit` (100). */
export function countCap(count: number | null | undefined, limit = 100): string {
  if (!count) return '0'
  return count >= limit ? `${limit - 1}+` : String(count)
}

/** Display width of a text in columns: one for codes 0 to 255, two for any other character. */
export function charWidth(text: string): number {
  let width = 0
  for (const character of text) width += (character.codePointAt(0) ?? 0) <= 255 ? 1 : 2
  return width
}

/** Replaces the characters from `from` (included) to `to` (excluded). */
export function mask(text: string, from: number, to: number, star = '*'): string {
  const characters = [...text]
  return characters.map((c, i) => (i >= from && i < to ? star : c)).join('')
}

/** 1234 -> 1.2 KB */
export function fileSize(bytes: number | null | undefined, empty = dash): string {
  if (bytes === null || bytes === undefined) return empty
  if (bytes < 1024) return `${bytes} B`
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(1)} KB`
  return bytes < 1024 ** 3 ? `${(bytes / 1024 ** 2).toFixed(1)} MB` : `${(bytes / 1024 ** 3).toFixed(1)} GB`
}

/** A measured value with a fixed number of decimals; the caller adds the unit. */
export function measure(value: number | null | undefined, decimals = 2, empty = dash): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return empty
  const text = value.toFixed(decimals)
  // A value that rounds to -0 is shown as 0.
  return Number(text) === 0 ? text.replace('-', '') : text
}

/** Last path segment of an address, without query. */
export function fileNameFrom(address: string): string {
  const path = address.split(/[?#]/)[0] ?? ''
  const last = path.split('/').filter(Boolean).at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

export type System = 'Windows' | 'MacOS' | 'Linux' | 'Unix' | 'other'

export function systemOf(userAgent: string): System {
  if (/windows|win32|win64/i.test(userAgent)) return 'Windows'
  if (/mac os|macintosh|macintel/i.test(userAgent)) return 'MacOS'
  if (/linux|android/i.test(userAgent)) return 'Linux'
  if (/x11|unix|bsd|sunos/i.test(userAgent)) return 'Unix'
  return 'other'
}

/** Address of the screen designer, which is on the same host as the server. @public */
export const designerAddress = (serverHost: string): string => `${serverHost.replace(/\/+$/, '')}/designer`

/** Risk levels 1 to 4: number, word and colour are always shown together. */
export const riskLevels = {
  1: { name: '重大', ground: colors.danger, ink: colors.white, line: colors.danger, text: colors.danger },
  2: { name: '较大', ground: '#F08C1B', ink: colors.text, line: colors.orange, text: '#8A4500' },
  3: { name: '一般', ground: '#FFD21F', ink: colors.text, line: '#A97F00', text: '#7A5C00' },
  4: { name: '低', ground: colors.primary, ink: colors.white, line: colors.primary, text: colors.primary },
} as const
export type RiskLevel = keyof typeof riskLevels
export const isRiskLevel = (level: unknown): level is RiskLevel => [1, 2, 3, 4].includes(Number(level))
