import { normalizeIdCard } from '@zhugong/contract/kit/checks'
import { normalPhone } from '@zhugong/contract/kit/normal'
import { addYears } from '@zhugong/contract/kit/years'
import type * as contract from '@zhugong/contract/personnel/people'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { type Condition, condition, contains, equals } from '#kit/list'

type QueryOf<E extends { types?: { parsed: { query: unknown } } }> = Partial<NonNullable<E['types']>['parsed']['query']>
/** The filters common to all three views. */
export type WorkerFilters = Omit<QueryOf<typeof contract.listWorkers>, 'sort' | 'view'>
export type StayQuery = Omit<QueryOf<typeof contract.listStays>, 'view'>
export type FileQuery = Omit<QueryOf<typeof contract.listFiles>, 'view'>
export type RosterQuery = Omit<QueryOf<typeof contract.listRoster>, 'view'>
export type ListScope = Pick<Context, 'db' | 'scope' | 'scopeChecks' | 'clock' | 'secrets'>

/** ID numbers and phones are matched by keyed hash: only whole numbers can be searched, and query plans do not contain them. */
export const byIdCard = (ctx: Pick<Context, 'secrets'>, column: string, value: string | undefined): Condition[] =>
  value ? equals(column, ctx.secrets.blindIndex('id-card', normalizeIdCard(value))) : []
export const byPhone = (ctx: Pick<Context, 'secrets'>, column: string, value: string | undefined): Condition[] =>
  value ? equals(column, ctx.secrets.blindIndex('phone', normalPhone(value))) : []

/** One search box for three kinds of input, distinguished by format, so that each uses its own index. */
export function quick(ctx: Pick<Context, 'secrets'>, q: string | undefined): Condition[] {
  if (!q) return []
  const plain = q.replace(/\s/g, '')
  if (/^1\d{10}$|^\+\d/.test(plain)) return byPhone(ctx, 'w.cellPhoneHash', plain)
  if (/^[A-Za-z0-9]{8,18}$/.test(plain)) return byIdCard(ctx, 'w.idCardHash', plain)
  return contains('w.workerName', q)
}

/** Converts an age range to a range of birthdays, so that no age is computed per row. */
export function ages(
  column: string,
  range: { low?: number | undefined; high?: number | undefined } | undefined,
  today: string,
): Condition[] {
  const back = (years: number) => addYears(today, -years)
  return [
    ...(range?.low === undefined ? [] : [condition(sql`${sql.ref(column)} <= ${back(Math.ceil(range.low))}::text::date`)]),
    ...(range?.high === undefined ? [] : [condition(sql`${sql.ref(column)} > ${back(Math.floor(range.high) + 1)}::text::date`)]),
  ]
}
export const flag = (column: string, value: string | undefined): Condition[] =>
  value === undefined || value === '' ? [] : equals(column, value === '1' || value === 'true')

export const turned = <S extends string>(sort: S | 'age' | '-age' | undefined) => (sort === 'age' ? '-age' : sort === '-age' ? 'age' : sort)

/** Runs raw SQL with a cursor, so that a large export is never loaded into memory. */
export async function* cursor<T>(ctx: Pick<Context, 'db'>, raw: ReturnType<typeof sql<T>>): AsyncIterable<T> {
  const query = ctx.db.selectFrom(sql<Record<string, unknown>>`(${raw})`.as('rows')).selectAll()
  for await (const row of query.stream(1000)) yield row as T
}
