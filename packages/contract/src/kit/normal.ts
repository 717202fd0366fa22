import { dayMs } from './time.ts'

/**
 * Normalisation of text that users type, paste and import. Used by forms, sheets, pasted tables and searches, so that a value stored by one
 * is found by the others. Text copied from chats and lists contains invisible and full-width characters.
 */

/** Removes zero-width and direction marks, which Windows and chat programs add when copying. */
export const withoutMarks = (text: string): string => text.replace(/\p{Cf}/gu, '')
/** Removes invisible marks, converts full-width characters (NFKC) and trims. */
export const normalText = (text: string): string => withoutMarks(text).normalize('NFKC').trim()
/** Normalises a cell of a sheet: also replaces control characters, including line breaks. */
export const normalCell = (text: string): string => normalText(text.replace(/\p{Cc}/gu, (c) => (c === '\t' ? ' ' : '')))

export const normalIdNumber = (text: string): string => normalText(text).replace(/\s/g, '').toUpperCase()
export const normalBankCard = (text: string): string => normalText(text).replace(/[\s-]/g, '')

/** Mainland mobile numbers as 11 digits without country code; foreign numbers as +country-number; others without spaces. */
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

/** Uses one kind of dot in minority names. No spaces between Chinese characters (lists pad names with them), one between words. */
export const normalName = (text: string): string =>
  withoutMarks(text)
    .trim()
    .replace(anyDot, '·')
    .replace(fullStop, '·')
    .replace(/。|．/g, (c) => (c === '。' ? '·' : '.'))
    .replace(blankBetween, '')
    .replace(/\s+/g, ' ')

/** Normalises a search text: a name, the beginning of one, or a whole number. */
export function normalSearch(text: string): string {
  const plain = normalText(text)
  if (/^\+?[\d\s-]+[xX]?$/.test(plain)) return normalPhone(plain).toUpperCase()
  return normalName(plain).replace(lastStop, '·')
}

/** Day 0 of Excel's dates. Excel treats 1900 as a leap year, so this is correct from March 1900. */
const excelEpoch = Date.UTC(1899, 11, 30)

/** A date in common notations: 2026-3-1, 2026.3.1, 2026/3/1, 2026年3月1日, 20260301, Excel's day number. Undefined if it is not a date. */
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
