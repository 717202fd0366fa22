import { z } from 'zod'

/** What a form needs to know of a body's schema. Pure; the components are in form.tsx. */

type Path = readonly (string | number)[]

/** The object inside wrappers: optional, nullable, default, pipe. */
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

/** Schema of a field, without looking through what makes it optional. */
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

/** Must be filled in: the schema takes neither nothing nor null. */
export function isRequired(schema: z.ZodType | undefined, path: Path): boolean {
  const field = schemaAt(schema, path)
  if (!field) return false
  return !field.safeParse(undefined).success && !field.safeParse(null).success
}

/** Longest text a field takes, for the input's own limit. */
export function maxLengthOf(schema: z.ZodType | undefined, path: Path): number | undefined {
  const field = unwrap(schemaAt(schema, path))
  return field instanceof z.ZodString ? (field.maxLength ?? undefined) : undefined
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

const emptyValues = [null, [], ''] as const

/** The value by which the call is told that a field is to be emptied; undefined where its schema knows none. */
export const emptiedAs = (field: z.ZodType): unknown => emptyValues.find((empty) => field.safeParse(empty).success)

/**
 * The form's values as the schema takes them. Texts are trimmed. A field that is empty is left out, or is null where the schema wants it so.
 * A field that was filled at first and has been cleared is sent as empty: left out, the server would take it for "unchanged".
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
    // A list where the schema has none is a value the form keeps in a type of its own and converts: its empty is not the schema's.
    const isOwn = Array.isArray(value) && !(unwrap(field) instanceof z.ZodArray)
    result[name] = isEmpty(value) && field && !isOwn ? emptyFor(field, value, !isEmpty(first[name])) : value
    if (result[name] === undefined) delete result[name]
  }
  return result
}

/** What an empty field is sent as. */
function emptyFor(field: z.ZodType, value: unknown, wasFilled: boolean): unknown {
  if (value !== undefined && field.safeParse(value).success) return value
  const mayBeLeftOut = field.safeParse(undefined).success
  if (mayBeLeftOut && !wasFilled) return undefined
  const emptied = emptiedAs(field)
  return emptied === undefined && !mayBeLeftOut ? value : emptied
}

/** What stands at an empty field; one that is chosen, not written, says so (form.tsx). */
export const emptyWord = '请填写'

export const pathText = (path: Path): string => path.join('.')

/** Turns the form's values into what the call's body takes, where the two differ. */
export type Convert = (tidied: unknown) => unknown

/**
 * Messages by field path; what belongs to no field stands under ''. Judged is the body as it will be sent, so that a value which the form
 * keeps in another type than the call (a list of one file for its address, '1' for 1) is not called wrong.
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

/** A conversion may need fields that are still empty. The values are judged unconverted then, and `whole` is false: only what is missing counts. */
function converted(tidied: unknown, convert: Convert | undefined): { value: unknown; whole: boolean } {
  if (!convert) return { value: tidied, whole: true }
  try {
    return { value: convert(tidied) ?? tidied, whole: true }
  } catch {
    return { value: tidied, whole: false }
  }
}

/** Where the schema only knows "wrong type", a form says that the field is empty. */
const missing = (issue: z.core.$ZodIssue): boolean =>
  (issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.input === undefined && !/^请/.test(issue.message)

/** A message for a field covers what lies below it: `photos.0.url` belongs to `photos`. */
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

/** What is wrong at a field. A starred one that is empty says so even where the schema has not come to ask: it asks between fields last. */
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

/** For the anchors: how much of a group is filled in, how much is wrong. */
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
