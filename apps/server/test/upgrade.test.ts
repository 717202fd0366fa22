import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exportStatus, listExports } from '@zhugong/contract/exports/endpoints'
import { login } from '@zhugong/contract/identity/endpoints'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { listUnits } from '@zhugong/contract/labour/units'
import { listProjects, switchProjectStatus } from '@zhugong/contract/organisation/projects'
import { listWorkers } from '@zhugong/contract/personnel/people'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { freePort } from '#domains/telemetry/mosquitto-for-test'
import { type Database, openDatabase } from '#kit/db'
import { createLog } from '#kit/log'
import { type RunningPostgres, startPostgres } from '#kit/postgres/launcher'
import { type CityWorld, openCity, settleCity } from './city.ts'
import { furnish } from './furnish.ts'
import { fillPrevious, oldToken, waitingExport } from './previous-version.ts'
import type { World } from './world.ts'

const main = join(dirname(fileURLToPath(import.meta.url)), '../src/main.ts')
/** Three processes must start on a loaded machine. */
const patience = { timeout: 120_000, interval: 100 }

let world: World
let people: CityWorld
/** A separate cluster: roles are per cluster, and the previous version had one fewer. */
let server: RunningPostgres
let admin: Database
let folder: string
let product: ChildProcess | undefined
let output = ''
let url = ''

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  people = await settleCity(world)
  await furnish(world.database.pool, people.city)
  folder = mkdtempSync(join(tmpdir(), 'zg-upgrade-'))
  // PostgreSQL's own user must be able to read the folder.
  chmodSync(folder, 0o755)
  server = await startPostgres({
    dataDir: join(folder, 'database'),
    log: createLog('upgrade', 'warn'),
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  })
  const adminUrl = server.adminUrl.replace('/postgres?', '/zhugong?')
  admin = openDatabase(adminUrl, { max: 2, owner: true })
  await fillPrevious(server.url, adminUrl, world)
})
afterAll(async () => {
  await stop()
  await admin.close()
  await server.destroy()
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

/** `npm run serve` as in production, with the given logins. */
async function serve(logins: { DATABASE_URL: string; DATABASE_OWNER_URL?: string }): Promise<void> {
  const PORT = String(await freePort())
  const env = {
    ...process.env,
    DATABASE_OWNER_URL: '',
    ...logins,
    PORT,
    MQTT_PORT: '0',
    MQTT_WS_PORT: '0',
    HJ212_PORT: '0',
    JT808_PORT: '0',
    DATA_DIR: join(folder, 'data'),
    SECRET_KEY: world.config.secretKey,
    ZHUGONG_CHECK_ANSWERS: '1',
    DEMO: '0',
  }
  output = ''
  const child = spawn(process.execPath, [main, 'serve'], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  product = child
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  url = `http://127.0.0.1:${PORT}`
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status, output.slice(-2_000)).toBe(200), patience)
}

async function stop(): Promise<void> {
  const child = product
  product = undefined
  if (!child || child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

async function ask<T>(endpoint: Endpoint, token: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${url}${endpoint.path}`, {
    method: endpoint.method,
    headers: { token, group: '*', ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const result = (await answer.json()) as { status: number; message: string; data: T }
  if (result.status !== 0) throw new Error(`${endpoint.path}: ${result.status} ${result.message}`)
  return result.data
}

async function signIn(account: string): Promise<string> {
  const password = people.accounts.find((a) => a.account === account)?.password
  return (await ask<{ token: string }>(login, '', { account, password })).token
}

async function rows<T>(text: string): Promise<T[]> {
  return (await admin.pool.query(text)).rows as T[]
}

/** Number of rows per table; a difference after the upgrade means lost data. */
async function counts(tables: readonly string[]): Promise<Record<string, number>> {
  const out: Record<string, number> = {}
  for (const table of tables)
    out[table] = (await rows<{ n: number }>(`select count(*)::int as n from ${pg.escapeIdentifier(table)}`))[0]?.n ?? 0
  return out
}
const kept = [
  'project',
  'project_corp',
  'corporation',
  'government',
  'tenant',
  'member',
  'app_user',
  'worker',
  'worker_cert',
  'project_worker',
  'team',
]
const keptToo = ['device', 'gateway', 'device_due', 'device_repair', 'jt808_terminal', 'duty_shift', 'linkage_run']
/** The running product adds rules and alarms: these queries count those from before. */
const rulesOfBefore = `select count(*)::int as n from rule_trigger where name = '隔离测试'`
const alarmsOfBefore = `select count(*)::int as n from alarm where id in (select md5('alarm ' || project_code) from project)`

test('a database of the version before comes through with its data, and the product answers on it with the one login it had', async () => {
  const tables = [...kept, ...keptToo]
  const before = await counts(tables)
  const rules = await rows(rulesOfBefore)
  expect(rules).not.toEqual([{ n: 0 }])
  const alarms = await rows(alarmsOfBefore)
  expect(alarms).not.toEqual([{ n: 0 }])
  for (const table of tables) expect(before[table], table).toBeGreaterThan(0)
  const protocols = await rows<{ protocol: string }>('select distinct protocol from device order by 1')
  expect(protocols.map((p) => p.protocol)).toEqual(['hj212', 'http', 'jt808', 'mqtt', 'poll'])

  await serve({ DATABASE_URL: server.url })
  // Each service date of a device has become a due item.
  const [served] = await rows<{ n: number }>('select count(*)::int as n from device where due_date is not null')
  expect(await counts(tables)).toEqual({ ...before, device_due: (before.device_due ?? 0) + (served?.n ?? 0) })
  expect(await rows(rulesOfBefore)).toEqual(rules)
  expect(await rows(alarmsOfBefore)).toEqual(alarms)
  expect(output).toContain('owns the tables as well')

  // Existing sessions stay valid; new ones see their own data.
  expect((await ask<{ total: number }>(listProjects, oldToken)).total).toBe(before.project)
  const projectCode = people.city.projects[0]?.projectCode
  await ask(switchProjectStatus, oldToken, { projectCode, status: '1' })
  const leader = await signIn('yunze-lu')
  expect((await ask<{ total: number }>(listProjects, leader)).total).toBeGreaterThan(0)
  const site = await signIn('hospital-pm')
  expect((await ask<{ total: number }>(listWorkers, site)).total).toBeGreaterThan(0)
  expect((await ask<{ total: number }>(listUnits, site)).total).toBeGreaterThan(0)
  // The queue now belongs to the runtime role, with its waiting jobs.
  await vi.waitFor(async () => {
    const { list } = await ask<{ list: { id: string; exportStatus: number; message: string }[] }>(listExports, oldToken)
    expect(list.find((e) => e.id === waitingExport)).toMatchObject({ exportStatus: exportStatus.done })
  }, patience)
  await stop()
})

test('terminals that had registered stay registered, the others and those that might again have a day for it', async () => {
  const found = await rows<{ kind: string; opened: boolean; n: number }>(`
    select case when t.device_id is null or t.code_hash is null then 'none' else 'registered' end as kind, r.device_id is not null as opened, count(*)::int as n
    from device d left join jt808_terminal t on t.device_id = d.id left join jt808_registration r on r.device_id = d.id
    where d.protocol = 'jt808' group by 1, 2 order by 1, 2`)
  expect(found.find((f) => f.kind === 'none' && !f.opened)).toBeUndefined()
  expect(found.find((f) => f.kind === 'registered' && !f.opened)?.n).toBeGreaterThan(0)
  expect(found.find((f) => f.kind === 'registered' && f.opened)?.n).toBeGreaterThan(0)
})

test('codes that a kind of group may no longer hold have left its own roles, and nothing else has', async () => {
  const found = await rows<{ type: number; codes: string[] }>(
    `select groups_type as type, codes from role where id like 'old-%' order by 1`,
  )
  expect(found).toEqual([1, 2, 3].map((type) => ({ type, codes: ['home.view'] })))
})

test('rows of the audit log from before stand as they were; those since are a whole chain', async () => {
  const [found] = await rows<{ old: number; fresh: number }>(
    `select count(*) filter (where id like 'old-%' and seq is null)::int as old, count(*) filter (where seq is not null)::int as fresh from audit_log`,
  )
  expect(found?.old).toBe(await rows<{ n: number }>('select count(*)::int as n from member').then((r) => r[0]?.n))
  expect(found?.fresh).toBeGreaterThan(0)
  expect(await rows('select * from audit_broken()')).toEqual([])
})

test('with a login of its own the product runs on, and can neither rewrite what is written once nor alter a table', async () => {
  await serve({ DATABASE_URL: server.runUrl, DATABASE_OWNER_URL: server.url })
  const site = await signIn('hospital-pm')
  expect((await ask<{ total: number }>(listWorkers, site)).total).toBeGreaterThan(0)
  const working = await rows<{ login: string }>(
    `select distinct usename as login from pg_stat_activity where application_name like 'zhugong-%'`,
  )
  expect(working.map((w) => w.login)).toEqual(['zhugong_run'])
  const own = new pg.Client({ connectionString: server.runUrl })
  await own.connect()
  try {
    await own.query('set role zg_runtime')
    await expect(own.query(`update audit_log set summary = '别的'`)).rejects.toThrow(/permission denied/)
    await expect(own.query('alter table device disable row level security')).rejects.toThrow(/must be owner/)
  } finally {
    await own.end()
  }
  expect(output).not.toContain('owns the tables as well')
  expect(output).not.toMatch(/"level":(50|60)/)
  await stop()
})

test('migrating lets the runtime login in, and refuses a superuser for it by the variable’s name', async () => {
  await admin.pool.query('revoke zg_runtime from zhugong_run')
  const run = (DATABASE_URL: string) =>
    spawnSync(process.execPath, [main, 'migrate'], {
      env: {
        ...process.env,
        DATABASE_URL,
        DATABASE_OWNER_URL: server.url,
        DATA_DIR: join(folder, 'data'),
        SECRET_KEY: world.config.secretKey,
      },
      encoding: 'utf8',
    })
  const refused = run(server.adminUrl.replace('/postgres?', '/zhugong?'))
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('DATABASE_URL 的账号 postgres 是超级用户')])
  expect(run(server.runUrl).status).toBe(0)
  expect(await rows(`select pg_has_role('zhugong_run', 'zg_runtime', 'member') as admitted`)).toEqual([{ admitted: true }])
})
