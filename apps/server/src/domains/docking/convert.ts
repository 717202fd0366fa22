import type { MappedField } from '@zhugong/contract/docking/mapping'
import { fixedCodes, type ObjectType, objectOf } from '@zhugong/contract/docking/standard'
import { dictEntry, dictionaryOf } from '@zhugong/contract/settings/dictionaries'

/** The default field mapping of an object. */
export const deliveredFields = (type: ObjectType): MappedField[] =>
  objectOf(type).fields.map(({ upper, label, source, required, dict, personal }) => ({
    upper,
    label,
    source,
    fixed: '',
    required: required ?? false,
    dict: dict ?? '',
    personal: personal ?? false,
    codes: {},
  }))

/** Dictionaries with platform codes of their own; entries without such a code cannot be sent. */
const hasOwnCodes = (dictionary: string) => dictionaryOf(dictionary)?.items.some((item) => item.platformCode !== undefined) ?? false

/** Dictionaries whose entries are sent as their parent: upper platforms do not know sub-trades. */
const toParent = new Set(['workerType'])

/** The upper platform's code for ours; undefined if there is none. */
export function codeAbove(dictionary: string, code: string, own: Readonly<Record<string, string>> = {}): string | undefined {
  if (own[code]) return own[code]
  const fixed = fixedCodes[dictionary]?.[code]
  if (fixed) return fixed
  const item = dictEntry(dictionary, code)
  if (!item) return undefined
  if (typeof item.platformCode === 'string') return item.platformCode
  const parent = typeof item.parent === 'string' ? item.parent : undefined
  if (parent && (item.ext === true || toParent.has(dictionary))) return codeAbove(dictionary, parent, own)
  return item.ext === true || hasOwnCodes(dictionary) ? undefined : code
}

/** Selectable codes of a field that have no upper platform code. */
export const unmappedOf = (field: Pick<MappedField, 'dict' | 'codes'>): { code: string; name: string }[] =>
  field.dict
    ? (dictionaryOf(field.dict)?.items ?? [])
        .filter((item) => item.hidden !== true && codeAbove(field.dict, item.code, field.codes) === undefined)
        .map(({ code, name }) => ({ code, name }))
    : []

export type Data = Record<string, string | number | boolean>
export interface Problem {
  code: 'L001' | 'L002'
  /** Name of the field at the upper platform. */
  field: string
  label: string
}
export interface Converted {
  data: Data
  /** The first problem that prevents sending. */
  problem: Problem | undefined
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''
const plain = (value: unknown): string | number | boolean =>
  typeof value === 'number' || typeof value === 'boolean' ? value : typeof value === 'string' ? value : JSON.stringify(value)

/** Converts one field: the value to send, or the reason why it cannot be sent. */
export function convertField(
  field: MappedField,
  values: Readonly<Record<string, unknown>>,
): { value?: string | number | boolean; problem?: Problem } {
  const ours = field.fixed || values[field.source]
  const { upper, label } = field
  if (isEmpty(ours)) return field.required ? { problem: { code: 'L001', field: upper, label } } : {}
  if (!field.dict || field.fixed) return { value: plain(ours) }
  const theirs = codeAbove(field.dict, String(ours), field.codes)
  return theirs === undefined ? { problem: { code: 'L002', field: upper, label } } : { value: theirs }
}

/** Converts a row to the upper platform's fields and codes. */
export function convert(fields: readonly MappedField[], values: Readonly<Record<string, unknown>>): Converted {
  const data: Data = {}
  let problem: Problem | undefined
  for (const field of fields) {
    const made = convertField(field, values)
    if (made.value !== undefined) data[field.upper] = made.value
    problem ??= made.problem
  }
  return { data, problem }
}

/** Masks personal data in lists and drawers; first and last characters stay. */
export const maskText = (text: string): string =>
  text.length <= 1
    ? '*'
    : text.length <= 4
      ? `${text[0]}${'*'.repeat(text.length - 1)}`
      : `${text.slice(0, 2)}${'*'.repeat(text.length - 4)}${text.slice(-2)}`
