import { z } from 'zod'
import { normalText } from './normal.ts'

/**
 * ID numbers and telephones that somebody is looked for by never stand in an address: addresses are written down by proxies, browsers and
 * logs. They travel in a header, as percent-encoded JSON of the query's own names and values.
 */
export const privateHeader = 'x-private-query'

/** Marks a query field that may hold such a number. */
export const mayHoldNumber = <T extends z.ZodType>(schema: T): T => schema.meta({ private: true }) as T

const isNumber = (value: unknown): boolean => typeof value === 'string' && /\d(?:[\s-]?\d){4}/.test(normalText(value))

const isMarked = (schema: z.ZodType | undefined, key: string): boolean => {
  const field = schema instanceof z.ZodObject && Object.hasOwn(schema.shape, key) ? (schema.shape[key] as z.ZodType) : undefined
  return field?.meta()?.private === true
}

/** The names in a query that must not stand in the address. */
export const privateKeys = (schema: z.ZodType | undefined, query: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(query).filter((key) => isMarked(schema, key) && isNumber(query[key]))

/** What of a query goes into the address, and what into the header; `header` is its value. */
export function splitQuery(
  schema: z.ZodType | undefined,
  query: Readonly<Record<string, unknown>>,
): { open: Record<string, unknown>; hidden: Record<string, unknown>; header: string | undefined } {
  const keys = privateKeys(schema, query)
  const open = Object.fromEntries(Object.entries(query).filter(([key]) => !keys.includes(key)))
  const hidden = Object.fromEntries(keys.map((key) => [key, query[key]]))
  return { open, hidden, header: keys.length ? encodeURIComponent(JSON.stringify(hidden)) : undefined }
}

/** What the header says of a query: only fields that are marked are taken from it. Undefined when it cannot be read. */
export function readPrivate(schema: z.ZodType | undefined, header: string): Record<string, unknown> | undefined {
  try {
    const given: unknown = JSON.parse(decodeURIComponent(header))
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
    return Object.fromEntries(Object.entries(given).filter(([key]) => isMarked(schema, key)))
  } catch {
    return undefined
  }
}
