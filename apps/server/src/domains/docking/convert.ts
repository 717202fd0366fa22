import type { MappedField } from '@zhugong/contract/docking/mapping'
import { fixedCodes, type ObjectType, objectOf } from '@zhugong/contract/docking/standard'
import { dictEntry, dictionaryOf } from '@zhugong/contract/settings/dictionaries'

/** The fields of an object as they are delivered. */
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

/** Dictionaries that have some codes of their own above: what has none there is not sent as it stands. */
const hasOwnCodes = (dictionary: string) => dictionaryOf(dictionary)?.items.some((item) => item.platformCode !== undefined) ?? false

/** Dictionaries whose codes with a parent go up as the parent: trades above know no sub-trades. */
const toParent = new Set(['workerType'])

/** Their code for ours; undefined where there is none. */
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

/** Codes of a field that people can choose and that have none above. */
export const unmappedOf = (field: Pick<MappedField, 'dict' | 'codes'>): { code: string; name: string }[] =>
  field.dict
    ? (dictionaryOf(field.dict)?.items ?? [])
        .filter((item) => item.hidden !== true && codeAbove(field.dict, item.code, field.codes) === undefined)
        .map(({ code, name }) => ({ code, name }))
    : []

export type Data = Record<string, string | number | boolean>
export interface Problem {
  code: 'L001' | 'L002'
  /** Theirs. */
  field: string
  label: string
}
export interface Converted {
  data: Data
  /** The first of what keeps it from being sent. */
  problem: Problem | undefined
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''
const plain = (value: unknown): string | number | boolean =>
  typeof value === 'number' || typeof value === 'boolean' ? value : typeof value === 'string' ? value : JSON.stringify(value)

/** One field: what goes up, or why nothing can. */
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

/** A row of ours in their words. */
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

/** First and last signs stay: a person's data in lists and drawers. */
export const maskText = (text: string): string =>
  text.length <= 1
    ? '*'
    : text.length <= 4
      ? `${text[0]}${'*'.repeat(text.length - 1)}`
      : `${text.slice(0, 2)}${'*'.repeat(text.length - 4)}${text.slice(-2)}`
