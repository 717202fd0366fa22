import { z } from 'zod'

/** What a form derives from the schema of a body. Pure; the components are in form.tsx. */

type Path = readonly (string | number)[]

/** The inner schema of wrappers: optional, nullable, default, pipe. */
export function unwrap(schema: z.ZodType | undefined): z.ZodType | undefined {
  let at = schema
  for (let depth = 0; at && depth < 12; depth++) {
    if (at instanceof z.ZodOptional || at instanceof z.ZodNullable || at instanceof z.ZodDefault || at instanceof z.ZodPrefault) {
      at = at.unwrap() as z.ZodType
    } else if (at instanceof z.ZodPipe) at = at.in as z.ZodType
    else return at
  }
  return at
}

/** Schema of a field, with its optional or nullable wrapper. */
export function schemaAt(schema: z.ZodType | undefined, path: Path): z.ZodType | undefined {
  let at = schema
  for (const step of path) {
    const inner = unwrap(at)
    if (inner instanceof z.ZodObject) at = (inner.shape as Record<string, z.ZodType>)[String(step)]
    else if (inner instanceof z.ZodArray) at = inner.element as z.ZodType
    else return undefined
  }
  return at
}

/** Whether the field is required: the schema accepts neither undefined nor null. */
export function isRequired(schema: z.ZodType | undefined, path: Path): boolean {
  const field = schemaAt(schema, path)
  if (!field) return false
  return !field.safeParse(undefined).success && !field.safeParse(null).success
}

/** Maximum text length of a field, for the input's `maxLength`. */
export function maxLengthOf(schema: z.ZodType | undefined, path: Path): number | undefined {
  const field = unwrap(schemaAt(schema, path))
  return field instanceof z.ZodString ? (field.maxLength ?? undefined) : undefined
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

const emptyValues = [null, [], ''] as const

/** The value that tells the server to clear a field; undefined if its schema accepts none. */
export const emptiedAs = (field: z.ZodType): unknown => emptyValues.find((empty) => field.safeParse(empty).success)

/**
 * Prepares the form's values for the schema. Texts are trimmed. Empty fields are left out, or sent as null if the schema requires it. A
 * field that had a value and was cleared is sent as empty: if it were left out, the server would keep the old value.
 */
export function tidy(values: unknown, schema: z.ZodType | undefined, initial?: unknown): unknown {
  if (Array.isArray(values)) {
    const inner = unwrap(schema)
    return values.map((one) => tidy(one, inner instanceof z.ZodArray ? (inner.element as z.ZodType) : undefined))
  }
  if (!isPlain(values)) return typeof values === 'string' ? values.trim() : values
  const result: Record<string, unknown> = {}
  const inner = unwrap(schema)
  const known = inner instanceof z.ZodObject ? Object.keys(inner.shape) : []
  const first = isPlain(initial) ? initial : {}
  for (const name of new Set([...Object.keys(values), ...known])) {
    const field = schemaAt(schema, [name])
    const value = tidy(values[name], field, first[name])
    // A list where the schema has none is a form-internal value that is converted later, so its empty value is not the schema's.
    const isOwn = Array.isArray(value) && !(unwrap(field) instanceof z.ZodArray)
    result[name] = isEmpty(value) && field && !isOwn ? emptyFor(field, value, !isEmpty(first[name])) : value
    if (result[name] === undefined) delete result[name]
  }
  return result
}

/** The value to send for an empty field. */
function emptyFor(field: z.ZodType, value: unknown, wasFilled: boolean): unknown {
  if (value !== undefined && field.safeParse(value).success) return value
  const mayBeLeftOut = field.safeParse(undefined).success
  if (mayBeLeftOut && !wasFilled) return undefined
  const emptied = emptiedAs(field)
  return emptied === undefined && !mayBeLeftOut ? value : emptied
}

/** Message at an empty required field; for fields that are picked rather than typed see form.tsx. */
export const emptyWord = '请填写'

export const pathText = (path: Path): string => path.join('.')

/** Converts the form's values to the request body, where the two differ. */
export type Convert = (tidied: unknown) => unknown

/**
 * Validation messages by field path; '' holds those that belong to no field. Validates the body as it will be sent. A form-internal type (a
 * list of one file for its address, '1' for 1) is therefore not reported as wrong.
 */
export function problemsOf(schema: z.ZodType | undefined, values: unknown, convert?: Convert): Map<string, string> {
  const problems = new Map<string, string>()
  if (!schema) return problems
  const tidied = tidy(values, schema)
  const body = converted(tidied, convert)
  const result = schema.safeParse(body.value)
  if (result.success) return problems
  for (const issue of result.error.issues) {
    const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))
    if (!body.whole && !isEmpty(valueAt(tidied, path))) continue
    const at = pathText(path)
    if (!problems.has(at)) problems.set(at, missing(issue) ? emptyWord : issue.message)
  }
  return problems
}

const valueAt = (values: unknown, path: Path): unknown =>
  path.reduce<unknown>((at, step) => (at as Record<string | number, unknown> | null | undefined)?.[step], values)

/**
 * A conversion may need fields that are still empty. The values are then validated unconverted, `whole` is false, and only missing fields
 * are reported.
 */
function converted(tidied: unknown, convert: Convert | undefined): { value: unknown; whole: boolean } {
  if (!convert) return { value: tidied, whole: true }
  try {
    return { value: convert(tidied) ?? tidied, whole: true }
  } catch {
    return { value: tidied, whole: false }
  }
}

/** Where the schema only reports "wrong type", the form says that the field is empty. */
const missing = (issue: z.core.$ZodIssue): boolean =>
  (issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.input === undefined && !/^请/.test(issue.message)

/** The message for a field, including those of nested paths: `photos.0.url` belongs to `photos`. */
export function problemFor(problems: ReadonlyMap<string, string>, path: Path): string | undefined {
  const name = pathText(path)
  const own = problems.get(name)
  if (own !== undefined) return own
  for (const [at, message] of problems) if (at.startsWith(`${name}.`)) return message
  return undefined
}

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

/** The message for a field. An empty required field gets one even if the schema stopped earlier: cross-field checks run last. */
export function problemAt(
  { schema, convert }: { schema: z.ZodType | undefined; convert?: Convert | undefined },
  values: unknown,
  path: Path,
  needed: boolean,
): string | undefined {
  const problem = problemFor(problemsOf(schema, values, convert), path)
  if (problem || !needed) return problem
  return isEmpty(valueAt(values, path)) ? emptyWord : undefined
}

export interface GroupState {
  filled: number
  total: number
  errors: number
}

/** For the anchors: number of fields of a group that are filled in, and number with errors. */
export function groupState(names: readonly string[], values: Readonly<Record<string, unknown>>, errors: ReadonlySet<string>): GroupState {
  const valueAt = (name: string) =>
    name
      .split('.')
      .reduce<unknown>((at, step) => (isPlain(at) || Array.isArray(at) ? (at as Record<string, unknown>)[step] : undefined), values)
  const has = (value: unknown) => value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
  return {
    total: names.length,
    filled: names.filter((name) => has(valueAt(name))).length,
    errors: names.filter((name) => errors.has(name)).length,
  }
}
