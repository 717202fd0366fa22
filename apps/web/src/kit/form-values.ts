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

/** Cleared fields leave as the schema wants them: not at all, or as null. Texts are trimmed. */
export function tidy(values: unknown, schema: z.ZodType | undefined): unknown {
  if (Array.isArray(values)) {
    const inner = unwrap(schema)
    return values.map((one) => tidy(one, inner instanceof z.ZodArray ? (inner.element as z.ZodType) : undefined))
  }
  if (!isPlain(values)) return typeof values === 'string' ? values.trim() : values
  const result: Record<string, unknown> = {}
  const inner = unwrap(schema)
  const known = inner instanceof z.ZodObject ? Object.keys(inner.shape) : []
  for (const name of new Set([...Object.keys(values), ...known])) {
    const given = values[name]
    const field = schemaAt(schema, [name])
    const value = tidy(given, field)
    if (value === undefined) {
      if (field && !field.safeParse(undefined).success && field.safeParse(null).success) result[name] = null
      continue
    }
    if ((value === '' || value === null) && field && !field.safeParse(value).success) {
      if (field.safeParse(undefined).success) continue
      if (field.safeParse(null).success) {
        result[name] = null
        continue
      }
    }
    result[name] = value
  }
  return result
}

/** What stands at an empty field; one that is chosen, not written, says so (form.tsx). */
export const emptyWord = '请填写'

export const pathText = (path: Path): string => path.join('.')

/** Messages by field path; what belongs to no field stands under ''. */
export function problemsOf(schema: z.ZodType | undefined, values: unknown): Map<string, string> {
  const problems = new Map<string, string>()
  if (!schema) return problems
  const result = schema.safeParse(tidy(values, schema))
  if (result.success) return problems
  for (const issue of result.error.issues) {
    const at = pathText(issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step)))
    if (!problems.has(at)) problems.set(at, missing(issue) ? emptyWord : issue.message)
  }
  return problems
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
export function problemAt(schema: z.ZodType | undefined, values: unknown, path: Path, needed: boolean): string | undefined {
  const problem = problemFor(problemsOf(schema, values), path)
  if (problem || !needed) return problem
  const value = path.reduce<unknown>((at, step) => (at as Record<string | number, unknown> | null | undefined)?.[step], values)
  return isEmpty(value) ? emptyWord : undefined
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
