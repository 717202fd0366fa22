import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Endpoint, InputFor, OutputFor } from '@zhugong/contract/kit/endpoint'
import { privateHeader, splitQuery } from '@zhugong/contract/kit/private-query'
import pg from 'pg'
import { type Config, readConfig } from '#kit/config'
import { type Database, openDatabase } from '#kit/db'
import { createLog } from '#kit/log'
import { migrate } from '#kit/migrate'
import { startPostgres } from '#kit/postgres/launcher'
import { type Api, type ApiOptions, createApi } from '../src/api.ts'

const here = dirname(fileURLToPath(import.meta.url))
export const migrationsFolder = join(here, '../migrations')
const template = 'zg_template'

/**
 * Starts one PostgreSQL for a whole test run, with a migrated template database that every test file clones. Durability is off, because the
 * data is discarded.
 */
export async function startTestServer(): Promise<{ url: string; adminUrl: string; stop(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'zg-test-'))
  const log = createLog('test-postgres', 'warn')
  const server = await startPostgres({
    dataDir,
    log,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
  })
  const admin = new pg.Client({ connectionString: server.url })
  await admin.connect()
  await admin.query(`create database ${template}`)
  await admin.end()
  const pool = new pg.Pool({ connectionString: databaseUrl(server.url, template), max: 1 })
  await migrate(pool, migrationsFolder)
  await pool.end()
  return {
    url: server.url,
    adminUrl: server.adminUrl,
    stop: async () => {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export function databaseUrl(url: string, name: string): string {
  const changed = new URL(url.replace(/^postgres(ql)?:\/\/(?=\/)/, 'postgres://socket/'))
  return url.replace(/(\/)zhugong(?=\?|$)/, `$1${name}`) || changed.href
}

/** Clones a database from a template, or creates an empty one (`template1`); `drop` removes it. */
export async function cloneDatabase(serverUrl: string, from = template): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `t_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ connectionString: serverUrl })
  await admin.connect()
  // Copy whole files: copying page by page through the write-ahead log takes five times as long.
  await admin.query(`create database ${name} template ${from} strategy file_copy`)
  await admin.end()
  return {
    url: databaseUrl(serverUrl, name),
    drop: async () => {
      const client = new pg.Client({ connectionString: serverUrl })
      await client.connect()
      // A closed pool does not wait for its connections: give them time to end before terminating the rest.
      for (let i = 0; i < 100; i++) {
        const { rows } = await client.query<{ n: number }>(
          `select count(*)::int as n from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
          [name],
        )
        if (rows[0]?.n === 0) break
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and backend_type = 'client backend'`, [
        name,
      ])
      // Autovacuum gives way to a plain drop, but not always at once, so retry. A forced drop may be unable to terminate it.
      const tries = 5
      for (let i = 1; ; i++) {
        const refused = await client.query(`drop database if exists ${name}`).then(
          () => undefined,
          (error: Error) => error,
        )
        if (!refused) break
        if (i === tries) throw refused
      }
      await client.end()
    },
  }
}

export interface Answer<T = unknown> {
  http: number
  status: number
  message: string
  data: T
}

/** A client of the API in tests: the session's token and the project of the `group` header. */
export interface Caller {
  token: string
  group: string
  /** Returns the complete response. */
  ask<E extends Endpoint>(endpoint: E, input?: InputFor<E>): Promise<Answer<OutputFor<E>>>
  /**
   * Returns the data.
   * @throws Error when the call was refused
   */
  call<E extends Endpoint>(endpoint: E, input?: InputFor<E>): Promise<OutputFor<E>>
  at(projectCode: string): Caller
}

/** Tables written along with every change; rows in them do not show whether one was made. */
const bookkeeping = ['audit_log', 'audit_chain', 'equipment_change', 'alarm_log', 'alarm_outbox', 'permission_version']

const writtenSql = `
  select c.relname, w.n from pg_class c, lateral (
    select pg_stat_get_xact_tuples_inserted(c.oid) + pg_stat_get_xact_tuples_updated(c.oid) + pg_stat_get_xact_tuples_deleted(c.oid) as n
  ) w where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and w.n > 0`

/** Replaces every commit by a rollback and reports the tables that were written. Handlers and database constraints do not notice. */
function rollBackInstead(client: pg.PoolClient, wrote: (tables: string[], auditRows: number) => void): void {
  const query = client.query.bind(client) as (...given: unknown[]) => Promise<pg.QueryResult>
  // The counters of a session continue over transactions: compare with the values at the beginning.
  const written = async () => {
    // The same counters as pg_stat_xact_user_tables, which also reads every index and other counters.
    const { rows } = await query({ name: 'written', text: writtenSql })
    return new Map(rows.map((row: { relname: string; n: number }) => [row.relname, row.n]))
  }
  let before = new Map<string, number>()
  const begin = async (...given: unknown[]) => {
    const result = await query(...given)
    before = await written()
    return result
  }
  const leave = async () => {
    const grown = [...(await written())].map(([table, n]) => [table, n - (before.get(table) ?? 0)] as const).filter(([, n]) => n > 0)
    wrote(
      grown.flatMap(([table]) => (bookkeeping.includes(table) ? [] : [table])),
      grown.find(([table]) => table === 'audit_log')?.[1] ?? 0,
    )
    return { ...(await query('rollback')), command: 'COMMIT' }
  }
  client.query = ((...given: unknown[]) => {
    if (given[0] === 'commit') return leave()
    return typeof given[0] === 'string' && /^(begin|start transaction)/.test(given[0]) ? begin(...given) : query(...given)
  }) as never
}

export interface World {
  config: Config
  database: Database
  api: Api
  caller(token: string, group?: string): Caller
  anonymous: Caller
  /** With `keepsChanges: false`: the tables that the last request would have changed. */
  lastWrite: string[] | undefined
  /** With `keepsChanges: false`: number of audit rows that the last request would have committed; undefined when it committed nothing. */
  lastAudit: number | undefined
  close(): Promise<void>
}

export interface WorldOptions {
  /** False: every transaction of a request is rolled back, so that each request finds the same data. */
  keepsChanges?: boolean
  /** Name of the template database; by default the migrated one without data. */
  from?: string
  /** Further environment variables. */
  environment?: Record<string, string>
}

export const testSecretKey = 'a test key of at least thirty-two characters'

export async function openWorld(serverUrl: string, options: Partial<ApiOptions> = {}, how: WorldOptions = {}): Promise<World> {
  const clone = await cloneDatabase(serverUrl, how.from)
  const dataDir = mkdtempSync(join(tmpdir(), 'zg-world-'))
  const config: Config = {
    ...readConfig('test', {
      DATA_DIR: dataDir,
      DATABASE_URL: 'postgres://unused',
      SECRET_KEY: testSecretKey,
      LOG_LEVEL: 'warn',
      ...how.environment,
    }),
    databaseUrl: clone.url,
    checkAnswers: true,
  }
  const requests = openDatabase(clone.url, { max: 8 })
  let lastWrite: string[] | undefined
  let lastAudit: number | undefined
  if (how.keepsChanges === false)
    requests.pool.on('connect', (client) =>
      rollBackInstead(client, (tables, auditRows) => {
        if (tables.length) lastWrite = tables
        lastAudit = auditRows
      }),
    )
  const system = openDatabase(clone.url, { max: 8 })
  // Direct database access of tests uses the owner, so it is not restricted like the product.
  const database = openDatabase(clone.url, { max: 4, owner: true })
  const api = await createApi({
    config,
    log: createLog('test-api', 'warn'),
    requests,
    system,
    webRoot: '/nowhere',
    rateLimits: false,
    ...options,
  })
  await api.app.ready()
  const caller = (token: string, group = '*'): Caller => {
    const ask: Caller['ask'] = async (endpoint, input) => {
      const given = (input ?? {}) as { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }
      const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(given.params?.[name] ?? ''))
      const { open, header } = splitQuery(endpoint.schemas.query, given.query ?? {})
      const query = new URLSearchParams(
        Object.entries(open)
          .filter(([, v]) => v !== undefined)
          .map(([k, v]) => [k, String(v)]),
      )
      const answer = await api.app.inject({
        method: endpoint.method,
        url: query.size ? `${path}?${query}` : path,
        headers: {
          ...(token ? { token } : {}),
          group,
          ...(header ? { [privateHeader]: header } : {}),
          ...(given.body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(given.body === undefined ? {} : { payload: JSON.stringify(given.body) }),
      })
      const body = answer.headers['content-type']?.includes('json')
        ? (answer.json() as Answer)
        : { status: 0, message: '', data: answer.rawPayload }
      return { ...body, http: answer.statusCode } as never
    }
    return {
      token,
      group,
      ask,
      call: async (endpoint, input) => {
        const answer = await ask(endpoint, input)
        if (answer.status !== 0)
          throw new Error(
            `${endpoint.method} ${endpoint.path}: ${answer.http}/${answer.status} ${answer.message} ${JSON.stringify(answer.data)}`,
          )
        return answer.data as never
      },
      at: (projectCode) => caller(token, projectCode),
    }
  }
  return {
    config,
    database,
    api,
    caller,
    anonymous: caller(''),
    get lastWrite() {
      return lastWrite
    },
    set lastWrite(tables) {
      lastWrite = tables
    },
    get lastAudit() {
      return lastAudit
    },
    set lastAudit(rows) {
      lastAudit = rows
    },
    close: async () => {
      await api.app.close()
      await requests.close()
      await system.close()
      await database.close()
      await clone.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
