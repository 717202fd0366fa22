import { AppError } from '@zhugong/contract/kit/errors'
import { type RawBuilder, sql } from 'kysely'
import { formatDay, formatInstant } from './clock.ts'
import { type Context, found } from './context.ts'
import type { Db, Row, RowUpdate, Tables, Tx } from './db.ts'

type Writer = Pick<Context, 'clock'> & { db: Db | Tx }
type Columns = Readonly<Record<string, unknown>>

interface Change<Where, Values> {
  /** The columns that identify the row. */
  key: Where
  /** Further conditions on the row, for example its state. */
  where?: Where
  /** The version that the caller read; null when the change is valid whatever else has changed. */
  version: number | null
  /** Undefined values are not changed. `version` is set in addition; with `by` also `update_by` and `update_time`. */
  values: Values
  /** Name of the record in error messages, for example 班组. */
  noun: string
}
type Values<T extends keyof Tables> = {
  [K in Exclude<keyof RowUpdate<T>, 'version' | 'updateBy'>]?: RowUpdate<T>[K] | RawBuilder<unknown>
}
/**
 * The value for `update_by`: the id or the name of the user. Null keeps the last editor, because a decision about the row is not an edit.
 */
type Editor<T extends keyof Tables> = Tables[T] extends { updateBy: unknown } ? { by: string | null } : { by?: never }
type ChangeOf<T extends string> = T extends keyof Tables
  ? Tables[T] extends { version: unknown }
    ? Change<Partial<Row<T>>, Values<T>> & Editor<T>
    : never
  : // A table that no `tables.ts` declares.
    Change<Columns, Columns> & { by?: string }

/**
 * Changes one row if it still has the version that the caller read, and returns its new version.
 * @throws AppError `conflict`, naming who changed the row and when, if it was changed meanwhile; `notFound` if it no longer exists
 */
export async function changeRow<T extends string>(ctx: Writer, table: T, change: ChangeOf<T>): Promise<number> {
  const { key, where, version, values, noun, by }: Change<Columns, Columns> & { by?: string | null } = change
  const trail = by === undefined || by === null ? {} : { updateBy: by, updateTime: new Date(ctx.clock.now()) }
  const set = Object.entries({ ...values, ...trail }).flatMap(([name, value]) =>
    value === undefined ? [] : [sql`${sql.ref(name)} = ${value}`],
  )
  const { rows } = await sql<{ version: number }>`update ${sql.table(table)} set ${sql.join([...set, sql`version = version + 1`])}
    where ${matches({ ...key, ...where, ...(version === null ? {} : { version }) })} returning version`.execute(ctx.db)
  if (!rows[0]) throw await conflictOf(ctx, table, key, noun)
  return rows[0].version
}

/**
 * Builds the `conflict` error of `changeRow`, for writes that cannot use `changeRow`.
 * @throws AppError `notFound` when the row no longer exists
 */
export async function conflictOf(ctx: Writer, table: string, key: Columns, noun: string): Promise<AppError> {
  // Row-level security applies to accounts too: the query finds the names of colleagues only.
  const { rows } = await sql<{ version: number; at: string | null; by: string | null; name: string | null }>`
    select t.version, to_jsonb(t) ->> 'update_time' as at, to_jsonb(t) ->> 'update_by' as by,
      (select u.name from app_user u where u.id = to_jsonb(t) ->> 'update_by') as name
    from ${sql.table(table)} t where ${matches(key)}`.execute(ctx.db)
  const { version, at, by, name } = found(rows[0], noun)
  const who = name ?? (by && !isId.test(by) ? by : '他人')
  const when = at ? `于 ${momentOf(Date.parse(at), ctx.clock.now())} ` : ''
  return changedMeanwhile(noun, { by: `${who}${when}`, version })
}

/** Builds the same error without a query, for a transaction in which a statement has already failed. */
export const changedMeanwhile = (noun: string, { by = '他人', version }: { by?: string; version?: number } = {}): AppError =>
  new AppError('conflict', `${noun}已被${by}修改，请刷新后再改`, version === undefined ? undefined : { version })

const isId = /^[0-9a-f]{32}$/
const momentOf = (at: number, now: number) => formatInstant(at).slice(formatDay(at) === formatDay(now) ? 11 : 5, 16)

const matches = (where: Columns) =>
  sql.join(
    Object.entries(where).map(([name, value]) => (value === null ? sql`${sql.ref(name)} is null` : sql`${sql.ref(name)} = ${value}`)),
    sql` and `,
  )
