import { dayMs } from './time.ts'

/**
 * One spelling of what people type, paste and import: used by forms, sheets, pasted tables and searches alike, so that what one of them
 * kept is found by the others. Characters nobody sees and full-width forms come along with every copy from a chat or a list.
 */

/** Zero-width and direction marks: copied along by Windows and chat programs, meant by nobody. */
export const withoutMarks = (text: string): string => text.replace(/\p{Cf}/gu, '')
/** On one line, full-width signs narrow, no mark. */
export const normalText = (text: string): string => withoutMarks(text).normalize('NFKC').trim()
/** As a cell of a sheet: no control character either, line breaks included. */
export const normalCell = (text: string): string => normalText(text.replace(/\p{Cc}/gu, (c) => (c === '\t' ? ' ' : '')))

export const normalIdNumber = (text: string): string => normalText(text).replace(/\s/g, '').toUpperCase()
export const normalBankCard = (text: string): string => normalText(text).replace(/[\s-]/g, '')

/** Mainland numbers bare, whatever stands between their digits or before them; others as +country-number. */
export function normalPhone(text: string): string {
  const bare = normalText(text)
    .replace(/[‐‑‒–—―−]/g, '-')
    .replace(/\s/g, '')
  const digits = bare.replace(/-/g, '')
  const mainland = /^(?:\+86|0086|86)?(1[3-9]\d{9})$/.exec(digits)
  if (mainland?.[1]) return mainland[1]
  const abroad = /^(?:\+|00)([1-9]\d{0,3})-([\d-]+)$/.exec(bare)
  return abroad ? `+${abroad[1]}-${abroad[2]?.replace(/-/g, '')}` : bare
}

const dots = '•‧・･∙⋅●·'
const anyDot = new RegExp(`\\s*[${dots}]\\s*`, 'gu')
const han = '\\p{Script=Han}'
const fullStop = new RegExp(`(?<=${han})\\s*[.。．]\\s*(?=${han})`, 'gu')
const lastStop = new RegExp(`(?<=${han})[.。．]$`, 'u')
const blankBetween = new RegExp(`(?<=${han})\\s+(?=${han})`, 'gu')

/** One dot in minority names; no blank between Chinese characters (lists are lined up with them), one between words. */
export const normalName = (text: string): string =>
  withoutMarks(text)
    .trim()
    .replace(anyDot, '·')
    .replace(fullStop, '·')
    .replace(/。|．/g, (c) => (c === '。' ? '·' : '.'))
    .replace(blankBetween, '')
    .replace(/\s+/g, ' ')

/** What is looked for: a name, the beginning of one, or a whole number. */
export function normalSearch(text: string): string {
  const plain = normalText(text)
  if (/^\+?[\d\s-]+[xX]?$/.test(plain)) return normalPhone(plain).toUpperCase()
  return normalName(plain).replace(lastStop, '·')
}

/** Excel counts days from here; 1900 is no leap year, whatever it believes. */
const excelEpoch = Date.UTC(1899, 11, 30)

/** A date as people write it: 2026-3-1, 2026.3.1, 2026/3/1, 2026年3月1日, 20260301, Excel's count of days. Undefined when it is none. */
export function normalDay(text: string): string | undefined {
  const count = /^\d{5}(\.\d+)?$/.test(text) ? Math.floor(Number(text)) : undefined
  if (count !== undefined) return new Date(excelEpoch + count * dayMs).toISOString().slice(0, 10)
  const parts =
    /^(\d{4})(\d{2})(\d{2})$/.exec(text) ??
    /^(\d{4})\s*[-./年]\s*(\d{1,2})\s*[-./月]\s*(\d{1,2})\s*日?(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?$/.exec(text)
  if (!parts) return undefined
  const day = `${parts[1]}-${parts[2]?.padStart(2, '0')}-${parts[3]?.padStart(2, '0')}`
  const at = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day) ? day : undefined
}
