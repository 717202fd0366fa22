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

/** One PostgreSQL for a whole test run, with a migrated template database that every test file clones. Durability off: it is thrown away. */
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

/** A database of one's own, cloned from a template, or with nothing in it (`template1`); dropped at the end. */
export async function cloneDatabase(serverUrl: string, from = template): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `t_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ connectionString: serverUrl })
  await admin.connect()
  // Files copied whole: page by page through the log takes five times as long.
  await admin.query(`create database ${name} template ${from} strategy file_copy`)
  await admin.end()
  return {
    url: databaseUrl(serverUrl, name),
    drop: async () => {
      const client = new pg.Client({ connectionString: serverUrl })
      await client.connect()
      // A pool that has ended does not wait for its connections: they may leave by themselves before the rest are cut off.
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
      // The server's own cleaning of tables gives way to a plain drop, not always at once; a forced one may not cut it off.
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

/** A caller of the API in tests: the session's token, the project chosen in the header. */
export interface Caller {
  token: string
  group: string
  /** The whole answer. */
  ask<E extends Endpoint>(endpoint: E, input?: InputFor<E>): Promise<Answer<OutputFor<E>>>
  /** The data; throws when the call was refused. */
  call<E extends Endpoint>(endpoint: E, input?: InputFor<E>): Promise<OutputFor<E>>
  at(projectCode: string): Caller
}

/** Rows of these stand beside every change and say nothing about whether one was made. */
const bookkeeping = ['audit_log', 'audit_chain', 'equipment_change', 'alarm_log', 'alarm_outbox', 'permission_version']

const writtenSql = `
  select c.relname, w.n from pg_class c, lateral (
    select pg_stat_get_xact_tuples_inserted(c.oid) + pg_stat_get_xact_tuples_updated(c.oid) + pg_stat_get_xact_tuples_deleted(c.oid) as n
  ) w where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and w.n > 0`

/** Whatever would be committed is rolled back, and told if it had written anything; handlers and the database's own checks notice nothing. */
function rollBackInstead(client: pg.PoolClient, wrote: (tables: string[], auditRows: number) => void): void {
  const query = client.query.bind(client) as (...given: unknown[]) => Promise<pg.QueryResult>
  // The counters of a session go on from one transaction to the next: what it has written is the difference.
  const written = async () => {
    // As pg_stat_xact_user_tables has it, which looks up every index and other counters besides.
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
  /** Where nothing is kept: the tables that the last request would have changed. */
  lastWrite: string[] | undefined
  /** Where nothing is kept: how many audit rows the last request would have committed with its changes; undefined where it committed nothing. */
  lastAudit: number | undefined
  close(): Promise<void>
}

export interface WorldOptions {
  /** False: every request's transaction is rolled back in the end, so that each finds the same world. */
  keepsChanges?: boolean
  /** The database this one is cloned from. */
  from?: string
  /** What the deployment sets beside what every test has. */
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
  // What tests look at and bring about themselves is not held by what holds the product.
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
