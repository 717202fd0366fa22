import { CamelCasePlugin, type Insertable, Kysely, PostgresDialect, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import { asTransaction } from './inside-transaction.ts'
import { connectionSeconds, isOutdated, nameOften, scopeMark } from './prepared.ts'

/** Each domain adds its tables here by declaration merging (`declare module '#kit/db'`), so that joins stay typed. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the domains
export interface Tables {}

/**
 * The queries of the database or of a transaction. Not kysely's classes: comparing `Transaction` with `Kysely` makes the compiler relate all
 * pairs of tables, which are more than it accepts.
 */
export type Db = Pick<
  Kysely<Tables>,
  | 'selectFrom'
  | 'selectNoFrom'
  | 'insertInto'
  | 'updateTable'
  | 'deleteFrom'
  | 'with'
  | 'fn'
  | 'getExecutor'
  | 'transaction'
  | 'isTransaction'
>
/** The queries of a transaction. The compiler does not tell it from `Db`. */
export type Tx = Db
export type Row<T extends keyof Tables> = Selectable<Tables[T]>
export type NewRow<T extends keyof Tables> = Insertable<Tables[T]>
export type RowUpdate<T extends keyof Tables> = Updateable<Tables[T]>

/** What a principal may see. Written into the settings of the transaction, where row-level security reads it. */
export interface Scope {
  /** Sees every project; `projects` is then empty. */
  all: boolean
  projects: readonly string[]
  /** Projects of `projects` in which only the people of `corps` are seen (a subcontractor's view). */
  limited: readonly string[]
  /** Projects of `projects` that are visible completely, but only for review (a supervisor's view). */
  supervised: readonly string[]
  /** The principal's company and its subcontractors in these projects. */
  corps: readonly string[]
  governments: readonly string[]
  groupId: string
  /** 0 platform, 1 government, 2 corporation, 3 project; -1 before a group is chosen. */
  groupType: number
  userId: string
}

/** The empty scope, from which every scope is built. */
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

/**
 * Above this number of projects the policy that hashes the list is cheaper than the one that searches it linearly. Measured with 200 codes
 * over 800,000 rows: 0.3 s against 2.4 s.
 */
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
 * Database role of the running product: owns nothing, is subject to row-level security, cannot change append-only tables. Every connection
 * switches to it, whatever login the URL names. Only migrations, backups and restores keep the owner.
 */
export const asRuntime = { options: '-c role=zg_runtime' } as const

export interface DatabaseOptions {
  max?: number
  name?: string
  /** Keep the login of the URL (the owner of the tables) instead of switching to `zg_runtime`. */
  owner?: boolean
  onError?: (error: Error) => void
}

/** Marks its transactions, so that `refuseInTransaction` can refuse to wait for another server inside one. */
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
  // When the server closes the connection of an idle client, the pool emits `error`; without a listener the process would end.
  pool.on('error', (error) => options.onError?.(error))
  // A checked-out client emits its own `error`. Without a listener a connection lost between two statements would end the process.
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
    // Kysely ends the pool only if it has used the pool itself.
    if (!pool.ending) await pool.end()
  }
  return { kysely, pool, close }
}

export const databaseRoles = { some: 'zg_some', wide: 'zg_wide', all: 'zg_all' } as const

/** The database role for a scope. `all` has a plain `true` policy, because an `or` in the shared policy would prevent index use. */
export function roleFor(scope: Scope): string {
  if (scope.all) return databaseRoles.all
  return scope.projects.length > wideScope ? databaseRoles.wide : databaseRoles.some
}

/**
 * Sets the role and scope of a transaction until its end. `statementMs`, if given, limits each of its statements and marks a request. A
 * request runs without parallel workers: otherwise one account with two large lists would occupy all cores of a small machine.
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
 * Yields the rows of a query in slices of `size`, from a database cursor. Other statements of the transaction may run between slices; only
 * one slice is in memory. `name` is a plain identifier, used by one cursor at a time in a transaction.
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

/** Replaces the list of visible projects of a transaction; its role stays. */
export async function widenScope(tx: Tx, projects: readonly string[]): Promise<void> {
  await sql`select set_config('app.projects', ${projects.join(',')}, true)`.execute(tx)
}

/** Runs `fn` in one transaction under row-level security; `statementMs`, if given, limits each of its statements. */
export function inScope<T>(db: Db, scope: Scope, fn: (tx: Tx) => Promise<T>, statementMs?: number): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await enterScope(tx, scope, statementMs)
    return fn(tx)
  })
}

/** SQLSTATE unique_violation. */
export const uniqueViolation = '23505'
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return error instanceof pg.DatabaseError && error.code === uniqueViolation && (!constraint || error.constraint === constraint)
}

/** Whether PostgreSQL aborted the transaction because of a deadlock (40P01) or a serialization failure (40001). */
export const isDeadlock = (error: unknown): boolean => error instanceof pg.DatabaseError && ['40P01', '40001'].includes(error.code ?? '')

/** Attempts at a transaction. Enough for several users and one batch; more would mean that a transaction keeps its locks for long. */
const deadlockTries = 3

/**
 * Runs a transaction again after a deadlock, a serialization failure or a changed result type of a prepared statement. `mayTryAgain` stops
 * this, for example when the client has gone.
 */
export async function againAfterDeadlock<T>(work: () => Promise<T>, mayTryAgain: () => boolean): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(isDeadlock(error) || isOutdated(error)) || tries >= deadlockTries || !mayTryAgain()) throw error
    }
  }
}

/** Whether an error means that the database server is unreachable or restarting, so that a retry makes sense. */
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
