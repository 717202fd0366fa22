import { normalizeIdCard } from '@zhugong/contract/kit/checks'
import { normalPhone } from '@zhugong/contract/kit/normal'
import { addYears } from '@zhugong/contract/kit/years'
import type * as contract from '@zhugong/contract/personnel/people'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { type Condition, condition, contains, equals } from '#kit/list'

type QueryOf<E extends { types?: { parsed: { query: unknown } } }> = Partial<NonNullable<E['types']>['parsed']['query']>
/** What all three views are filtered by. */
export type WorkerFilters = Omit<QueryOf<typeof contract.listWorkers>, 'sort' | 'view'>
export type StayQuery = Omit<QueryOf<typeof contract.listStays>, 'view'>
export type FileQuery = Omit<QueryOf<typeof contract.listFiles>, 'view'>
export type RosterQuery = Omit<QueryOf<typeof contract.listRoster>, 'view'>
export type ListScope = Pick<Context, 'db' | 'scope' | 'scopeChecks' | 'clock' | 'secrets'>

/** Whole ID numbers and telephones are matched by their keyed hash: parts of them cannot be searched, and stay out of the query plan. */
export const byIdCard = (ctx: Pick<Context, 'secrets'>, column: string, value: string | undefined): Condition[] =>
  value ? equals(column, ctx.secrets.blindIndex('id-card', normalizeIdCard(value))) : []
export const byPhone = (ctx: Pick<Context, 'secrets'>, column: string, value: string | undefined): Condition[] =>
  value ? equals(column, ctx.secrets.blindIndex('phone', normalPhone(value))) : []

/** One box for three things, told apart by their shape, so that each meets its own index. */
export function quick(ctx: Pick<Context, 'secrets'>, q: string | undefined): Condition[] {
  if (!q) return []
  const plain = q.replace(/\s/g, '')
  if (/^1\d{10}$|^\+\d/.test(plain)) return byPhone(ctx, 'w.cellPhoneHash', plain)
  if (/^[A-Za-z0-9]{8,18}$/.test(plain)) return byIdCard(ctx, 'w.idCardHash', plain)
  return contains('w.workerName', q)
}

/** An age range as a range of birthdays, so that no row's age is reckoned. */
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

/** Runs raw SQL through the pool's cursor: a large export never stands in memory. */
export async function* cursor<T>(ctx: Pick<Context, 'db'>, raw: ReturnType<typeof sql<T>>): AsyncIterable<T> {
  const query = ctx.db.selectFrom(sql<Record<string, unknown>>`(${raw})`.as('rows')).selectAll()
  for await (const row of query.stream(1000)) yield row as T
}
