import { sql } from 'kysely'
import { anywhere, type Condition, condition } from '#kit/list'

/** Fields of a record as SQL, `r` being `device_record`. Devices send what they like: only what is of its kind counts. */
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
/** A value within a range; one that is not there is in none. */
export const within = (value: ReturnType<typeof sql>, range: Range | undefined): Condition[] => [
  ...(range?.low === undefined ? [] : [condition(sql`${value} >= ${range.low}`)]),
  ...(range?.high === undefined ? [] : [condition(sql`${value} <= ${range.high}`)]),
]
