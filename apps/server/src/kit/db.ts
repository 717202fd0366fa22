import {
  CamelCasePlugin,
  type Insertable,
  Kysely,
  PostgresDialect,
  type RawBuilder,
  type Selectable,
  sql,
  type Transaction,
  type Updateable,
} from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import { asTransaction } from './inside-transaction.ts'
import { connectionSeconds, isOutdated, nameOften, scopeMark } from './prepared.ts'

/** Every domain adds its tables here by declaration merging (`declare module '#kit/db'`), so that joins stay typed. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the domains
export interface Tables {}

export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>
export type Row<T extends keyof Tables> = Selectable<Tables[T]>
export type NewRow<T extends keyof Tables> = Insertable<Tables[T]>
export type RowUpdate<T extends keyof Tables> = Updateable<Tables[T]>

/** What a principal may see. Written into the transaction's settings, where row-level security reads it. */
export interface Scope {
  /** Sees every project; `projects` is then empty. */
  all: boolean
  projects: readonly string[]
  /** Projects of `projects` in which only the people of `corps` are seen (a subcontractor's view). */
  limited: readonly string[]
  /** Projects of `projects` that are seen whole but only reviewed (a supervisor's view). */
  supervised: readonly string[]
  /** One's own company and its subcontractors there. */
  corps: readonly string[]
  governments: readonly string[]
  groupId: string
  /** 0 platform, 1 government, 2 corporation, 3 project; -1 before a group is chosen. */
  groupType: number
  userId: string
}

/** Sees nothing at all: what every scope begins with. */
export const seesNothing = (group: { id: string; type: number }, userId: string): Scope => ({
  all: false,
  projects: [],
  limited: [],
  supervised: [],
  corps: [],
  governments: [],
  groupId: group.id,
  groupType: group.type,
  userId,
})

/** Above this many projects a policy that searches a list linearly costs more than hashing it: measured at 200 codes over 800,000 rows 2.4 s against 0.3 s. */
export const wideScope = 50

const types = pg.types
types.setTypeParser(types.builtins.INT8, Number)
types.setTypeParser(types.builtins.NUMERIC, Number)
types.setTypeParser(types.builtins.DATE, (v) => v)

export interface Database {
  kysely: Db
  pool: pg.Pool
  close(): Promise<void>
}

/**
 * What the running product works as: owns nothing, held by row-level security, may not change what is written once. Whoever the address
 * names becomes it with the connection. Migrations, backups and restores alone stay the owner.
 */
export const asRuntime = { options: '-c role=zg_runtime' } as const

export interface DatabaseOptions {
  max?: number
  name?: string
  /** The owner of the tables instead of `zg_runtime`. */
  owner?: boolean
  onError?: (error: Error) => void
}

/** Its transactions know that they are ones: nobody else's server is waited for inside. */
class MarkedKysely extends Kysely<Tables> {
  override transaction() {
    const builder = super.transaction()
    const execute = builder.execute.bind(builder)
    builder.execute = (work) => execute((tx) => asTransaction(() => work(tx)))
    return builder
  }
}

export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    ...(options.owner ? {} : asRuntime),
    max: options.max ?? 20,
    application_name: options.name ?? 'zhugong',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds: connectionSeconds,
  })
  // A server that goes away breaks idle clients; without a listener that would end the process.
  pool.on('error', (error) => options.onError?.(error))
  // One that is taken out is nobody's of the pool: ended between two statements, it would end the process instead of the request.
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    nameOften(client)
  })
  const kysely = new MarkedKysely({
    dialect: new PostgresDialect({ pool, cursor: Cursor }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
  const close = async () => {
    await kysely.destroy()
    // Kysely ends the pool only when it has been asked something itself.
    if (!pool.ending) await pool.end()
  }
  return { kysely, pool, close }
}

export const databaseRoles = { some: 'zg_some', wide: 'zg_wide', all: 'zg_all' } as const

/** The database role for a scope: `all` has a plain `true` policy, since an `or` for it would cost the index. */
export function roleFor(scope: Scope): string {
  if (scope.all) return databaseRoles.all
  return scope.projects.length > wideScope ? databaseRoles.wide : databaseRoles.some
}

/**
 * Narrows a transaction to what the scope may see, for as long as it lasts; each of its statements may take `statementMs`, if given, and
 * is then somebody's request: it works on one core, or one account with two large lists would hold a small machine's cores alone.
 */
export async function enterScope(tx: Tx, scope: Scope, statementMs?: number): Promise<void> {
  const timeout =
    statementMs === undefined
      ? sql``
      : sql`, set_config('statement_timeout', ${String(statementMs)}, true), set_config('max_parallel_workers_per_gather', '0', true)`
  await sql`${sql.raw(scopeMark)} select set_config('role', ${roleFor(scope)}, true), set_config('app.projects', ${scope.projects.join(',')}, true),
    set_config('app.limited', ${scope.limited.join(',')}, true), set_config('app.corps', ${scope.corps.join(',')}, true),
    set_config('app.governments', ${scope.governments.join(',')}, true), set_config('app.group', ${scope.groupId}, true),
    set_config('app.group_type', ${String(scope.groupType)}, true), set_config('app.user', ${scope.userId}, true)${timeout}`.execute(tx)
}

/**
 * What a query gives, so many rows at a time, from a cursor of the database's own: other statements of the transaction may run between
 * them, and nothing but one slice is held here. `name` is a plain word, of one cursor at a time in a transaction.
 */
export async function* slices<T>(tx: Tx, name: string, query: RawBuilder<T>, size: number): AsyncGenerator<T[]> {
  const cursor = sql.id(name)
  await sql`declare ${cursor} no scroll cursor for ${query}`.execute(tx)
  for (;;) {
    const { rows } = await sql<T>`fetch forward ${sql.lit(size)} from ${cursor}`.execute(tx)
    if (rows.length > 0) yield rows
    if (rows.length < size) break
  }
  await sql`close ${cursor}`.execute(tx)
}

/** Adds projects to a transaction's scope; the role stays. */
export async function widenScope(tx: Tx, projects: readonly string[]): Promise<void> {
  await sql`select set_config('app.projects', ${projects.join(',')}, true)`.execute(tx)
}

/** Runs `fn` in one transaction under row-level security; each of its statements may take `statementMs`, if given. */
export function inScope<T>(db: Db, scope: Scope, fn: (tx: Tx) => Promise<T>, statementMs?: number): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await enterScope(tx, scope, statementMs)
    return fn(tx)
  })
}

/** PostgreSQL's own codes for "the same key exists" and "somebody still points here". */
export const uniqueViolation = '23505'
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return error instanceof pg.DatabaseError && error.code === uniqueViolation && (!constraint || error.constraint === constraint)
}

/** PostgreSQL gave up one of several transactions that waited for each other (40P01), or that did not fit in any order (40001). */
export const isDeadlock = (error: unknown): boolean => error instanceof pg.DatabaseError && ['40P01', '40001'].includes(error.code ?? '')

/** Several people and one batch: more turns than this mean that something holds its rows for long. */
const deadlockTries = 3

/** The whole transaction anew where it was given up: the one that it waited for has gone on meanwhile, or a table has its new columns. */
export async function againAfterDeadlock<T>(work: () => Promise<T>, mayTryAgain: () => boolean): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(isDeadlock(error) || isOutdated(error)) || tries >= deadlockTries || !mayTryAgain()) throw error
    }
  }
}

/** True for errors that mean the server is away or restarting, after which a retry makes sense. */
export function isConnectionLoss(error: unknown): boolean {
  const code = (error as { code?: string } | undefined)?.code ?? ''
  return (
    /^(08|57P0)/.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT'].includes(code) ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/.test(
      (error as Error | undefined)?.message ?? '',
    )
  )
}
