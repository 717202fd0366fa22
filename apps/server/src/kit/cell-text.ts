/** In front of a number whose last digits Excel has lost. */
export const lostDigits = '≈'

/** A cell as text: full-width signs made narrow, invisible ones and outer spaces gone. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString().slice(0, 10)
  return String(value)
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, longestText)
}
const longestText = 300
