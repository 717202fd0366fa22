import { z } from 'zod'
import { normalText } from './normal.ts'

/**
 * Identity and phone numbers in searches must not appear in the address, because proxies, browsers and logs store addresses. They are sent
 * in a header, as percent-encoded JSON with the names and values of the query.
 */
export const privateHeader = 'x-private-query'

/** Marks a query field that may contain such a number. */
export const mayHoldNumber = <T extends z.ZodType>(schema: T): T => schema.meta({ private: true }) as T

const isNumber = (value: unknown): boolean => typeof value === 'string' && /\d(?:[\s-]?\d){4}/.test(normalText(value))

const isMarked = (schema: z.ZodType | undefined, key: string): boolean => {
  const field = schema instanceof z.ZodObject && Object.hasOwn(schema.shape, key) ? (schema.shape[key] as z.ZodType) : undefined
  return field?.meta()?.private === true
}

/** The names of a query's parameters that must not appear in the address. */
export const privateKeys = (schema: z.ZodType | undefined, query: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(query).filter((key) => isMarked(schema, key) && isNumber(query[key]))

/** Splits a query into the part for the address and the part for the header; `header` is the header's value. */
export function splitQuery(
  schema: z.ZodType | undefined,
  query: Readonly<Record<string, unknown>>,
): { open: Record<string, unknown>; hidden: Record<string, unknown>; header: string | undefined } {
  const keys = privateKeys(schema, query)
  const open = Object.fromEntries(Object.entries(query).filter(([key]) => !keys.includes(key)))
  const hidden = Object.fromEntries(keys.map((key) => [key, query[key]]))
  return { open, hidden, header: keys.length ? encodeURIComponent(JSON.stringify(hidden)) : undefined }
}

/** Parses the header; only marked fields are accepted. Undefined if it is malformed. */
export function readPrivate(schema: z.ZodType | undefined, header: string): Record<string, unknown> | undefined {
  try {
    const given: unknown = JSON.parse(decodeURIComponent(header))
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
    return Object.fromEntries(Object.entries(given).filter(([key]) => isMarked(schema, key)))
  } catch {
    return undefined
  }
}
