import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import type { z } from 'zod'

type RowSchema<Out> = z.core.$ZodType<Out>
/** Null becomes undefined when the contract declares a key as optional but not nullable. */
type Fits<From, To> = From extends To ? true : undefined extends To ? (Exclude<From, null> extends To ? true : false) : false
type Copied<Out, Raw> = {
  [K in keyof Out & keyof Raw]-?: [Fits<Raw[K], Out[K]>] extends [true] ? K : never
}[keyof Out & keyof Raw]
/** Keys that the raw row lacks or has with another type. Optional keys are included: omitting one must be written explicitly. */
type Own<Out, Raw> = { [K in Exclude<keyof Out, Copied<Out, Raw>>]: Out[K] | (undefined extends Out[K] ? undefined : never) } & {
  [K in Copied<Out, Raw>]?: Out[K]
}

/**
 * Builds a response row from a database row. Its keys come from the contract. Values come from `own`, otherwise from the raw row's key of
 * the same name. A key that is missing in both, or has another type, does not compile.
 */
export function rowOf<Out extends object, Raw extends object>(schema: RowSchema<Out>, raw: Raw, own: Own<Out, Raw>): Out {
  const row: Record<string, unknown> = {}
  const from = raw as Readonly<Record<string, unknown>>
  for (const { key, dropsNull } of keysOf(schema)) {
    if (key in own) continue
    const value = from[key]
    row[key] = value === null && dropsNull ? undefined : value
  }
  return Object.assign(row, own) as Out
}

interface Key {
  key: string
  dropsNull: boolean
}
const known = new WeakMap<z.core.$ZodType, readonly Key[]>()

function keysOf(schema: z.core.$ZodType): readonly Key[] {
  const before = known.get(schema)
  if (before) return before
  const { def } = (schema as z.core.$ZodObject)._zod
  if (def.type !== 'object') throw new Error(`rowOf knows the keys of an object, not of ${def.type as string}`)
  const keys = Object.entries(def.shape).map(([key, one]) => ({ key, dropsNull: takes(one, undefined) && !takes(one, null) }))
  known.set(schema, keys)
  return keys
}
const takes = (schema: z.core.$ZodType, value: unknown) => (schema as z.ZodType).safeParse(value).success

/** The schema of one row of a list response. */
export function rowSchemaOf<Row>(list: Endpoint<unknown, unknown, { list: Row[]; total: number }>): RowSchema<Row> {
  const response = list.schemas.response as z.ZodObject<{ list: z.ZodArray }> | undefined
  if (!response) throw new Error(`${list.path} answers no list`)
  return response.shape.list.element as unknown as RowSchema<Row>
}
