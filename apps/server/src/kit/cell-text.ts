import { normalCell } from '@zhugong/contract/kit/normal'

/** Prefix of a number whose last digits Excel has lost. */
export const lostDigits = '≈'
/** Error values that Excel shows for a formula it could not compute. */
const failedFormula = /^#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!)$/

/** Converts a cell to text: full-width characters become narrow, invisible characters and outer spaces are removed. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString().slice(0, 10)
  return normalCell(String(value)).slice(0, longestText)
}
const longestText = 300

/** Explains why a cell's text cannot be what the user typed, in any column. Undefined when it is readable. */
export function unreadable(text: string): string | undefined {
  if (text.startsWith(lostDigits)) return '号码在 Excel 中被存成数字，末几位已丢失，请把单元格设为文本后重新填写'
  return failedFormula.test(text) ? `公式没有算出结果（${text}），请改成文字后重新填写` : undefined
}
