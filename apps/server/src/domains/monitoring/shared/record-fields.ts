import { sql } from 'kysely'
import { anywhere, type Condition, condition } from '#kit/list'

/** Fields of a record `r` (`device_record`) as SQL. Devices may send any type, so each accessor checks it. */
export const field = (name: string) => sql<string>`r.data ->> ${sql.lit(name)}`
export const numericField = (name: string) =>
  sql<number>`(case when jsonb_typeof(r.data -> ${sql.lit(name)}) = 'number' then (r.data ->> ${sql.lit(name)})::float8 end)`
export const isTrue = (name: string) => sql<boolean>`coalesce(r.data -> ${sql.lit(name)} = 'true'::jsonb, false)`

export const fieldContains = (name: string, value: string | undefined): Condition[] =>
  value ? [condition(sql`${field(name)} ilike ${anywhere(value)}`)] : []
export const fieldAnyOf = (name: string, values: readonly string[] | undefined): Condition[] =>
  values?.length ? [condition(sql`${field(name)} = any (${[...values]})`)] : []
export const fieldTrue = (name: string, wanted: string | undefined): Condition[] =>
  wanted === '1' ? [condition(isTrue(name))] : wanted === '0' ? [condition(sql`not ${isTrue(name)}`)] : []

export interface Range {
  low?: number | undefined
  high?: number | undefined
}
/** Condition that a value is in a range; a missing value never is. */
export const within = (value: ReturnType<typeof sql>, range: Range | undefined): Condition[] => [
  ...(range?.low === undefined ? [] : [condition(sql`${value} >= ${range.low}`)]),
  ...(range?.high === undefined ? [] : [condition(sql`${value} <= ${range.high}`)]),
]
