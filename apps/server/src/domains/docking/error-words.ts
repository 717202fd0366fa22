import { type ErrorMeaning, knownErrors, unknownErrorText } from '@zhugong/contract/docking/codes'
import { type ObjectType, objectOf } from '@zhugong/contract/docking/standard'

/** The Chinese name of an upper platform's field. */
export const fieldLabel = (type: ObjectType, field: string | null | undefined): string =>
  objectOf(type).fields.find((one) => one.upper === field)?.label ?? field ?? ''

interface Said {
  code?: string | undefined
  field?: string | undefined
  label?: string | undefined
  message?: string | undefined
}

/** The explanation of an error code: the platform's own text if edited, else the default one. */
export function wordsFor(
  type: ObjectType,
  { code = '', field, label, message }: Said,
  own?: ErrorMeaning,
): ErrorMeaning & { known: boolean } {
  const meaning = own ?? knownErrors[code]
  if (!meaning) return { text: `${unknownErrorText}${message ? `：${message}` : ` ${code}`}`, mender: '平台管理员核实', known: false }
  return { text: meaning.text.replace('{field}', label || fieldLabel(type, field) || '数据'), mender: meaning.mender, known: true }
}
export const meaningOf = (type: ObjectType, said: Said): string => wordsFor(type, said).text
