import { objectTypes } from '@zhugong/contract/docking/standard'
import { sql } from 'kysely'
import type { Db } from '#kit/db'
import { newId } from '#kit/ids'
import { createLog } from '#kit/log'
import { createOutgoing, type Outgoing } from '#kit/outgoing'
import { createSecrets } from '#kit/secret'
import { testSecretKey, type World } from '../../../test/world.ts'
import type { UpperPlatform } from '../../docking-upper/upper-platform.ts'
import { fanOut, pushAgain } from './fan-out.ts'
import { takeBack, turnSending } from './sender.ts'
import type { SenderDependencies } from './sender-dependencies.ts'
import { everythingOf } from './sources.ts'

export const appKey = 'zhugong-test'
export const secret = 'known to both sides'
export const secrets = createSecrets(testSecretKey)
const systemClock = { now: () => Date.now() }

/** Creates a connection of the operator to a test platform over HTTP, without enrolled projects. */
export async function connect(db: Db, upper: Pick<UpperPlatform, 'url'>, name = '市级实名制平台'): Promise<string> {
  const id = newId()
  const operator = await db.selectFrom('tenant').select('id').where('type', '=', 0).executeTakeFirstOrThrow()
  await db
    .insertInto('dockingPlatform')
    .values({
      id,
      groupId: operator.id,
      name,
      level: '3',
      areaCode: '420200',
      profile: 'national',
      endpoint: upper.url,
      appKey,
      secret: secrets.seal(secret),
      objects: [...objectTypes],
      progress: '08',
      status: '01',
    })
    .execute()
  return id
}

export async function enrol(db: Db, platformId: string, projectCode: string): Promise<void> {
  await db.insertInto('dockingEnrol').values({ platformId, projectCode, since: new Date() }).execute()
  for (const statement of everythingOf(projectCode)) await statement.execute(db)
}

/** Inserts gate passages of a site's people in one statement, as the ingest does. */
export async function passGates(db: Db, projectCode: string, count: number, from = 0): Promise<void> {
  await sql`
    insert into attendance_event (project_code, id, dedup_key, worker_id, corp_code, team_id, time, received_at, direction, attend_type, terminal_code, source, seq)
    select ${projectCode}, 'e' || n, 'k' || n, p.worker_id, p.corp_code, p.team_id, now() + make_interval(secs => n), now(),
      case when n % 2 = 0 then '01' else '02' end, '001', 'G1', '1', n
    from (select ${from}::int + generate_series(1, ${count}::int) as n) s join lateral (
      select pw.worker_id, pw.corp_code, pw.team_id, row_number() over (order by pw.id) - 1 as i, count(*) over () as all_of from project_worker pw
      where pw.project_code = ${projectCode} and pw.exit_time is null and pw.team_id is not null) p on p.i = s.n % p.all_of`.execute(db)
}

export const innerOutgoing = (): Outgoing =>
  createOutgoing(
    {
      outgoingInside: ['127.0.0.0/8'],
      webhookInside: false,
      demo: false,
      port: 1,
      mqttPort: 1,
      mqttWsPort: 1,
      hj212Port: 1,
      jt808Port: 1,
      databaseUrl: undefined,
      mqttUrl: undefined,
    },
    'upward',
  )

export function senderFor(world: Pick<World, 'database'>, over: Partial<SenderDependencies> = {}): SenderDependencies {
  return {
    database: world.database,
    clock: systemClock,
    secrets,
    log: createLog('test', 'error'),
    outgoing: innerOutgoing(),
    askAgainMs: 40,
    probeMs: 150,
    retryMs: [20, 50, 100],
    ...over,
  }
}

/** Runs until nothing is left to send without user action. */
export async function runUntilQuiet(deps: SenderDependencies): Promise<void> {
  const waits = async () => {
    const { rows } = await sql<{ n: number }>`
      select (select count(*) from docking_record where due_at is not null)::int + (select count(*) from docking_outbox)::int as n`.execute(
      deps.database.kysely,
    )
    return rows[0]?.n ?? 0
  }
  while ((await turnSending(deps)) > 0 || (await waits()) > 0) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Simulates a sender killed after this many requests: started work is never stored. */
export async function dieAfter(world: Pick<World, 'database'>, calls: number): Promise<void> {
  const real = innerOutgoing()
  let made = 0
  let died = () => {}
  const dead = new Promise<void>((resolve) => {
    died = resolve
  })
  const outgoing: Outgoing = {
    ...real,
    async ask(requested) {
      const text = await real.ask(requested)
      if (++made < calls) return text
      died()
      return new Promise<never>(() => undefined)
    },
  }
  const deps = senderFor(world, { outgoing })
  const endless = (async () => {
    for (;;) if ((await turnSending(deps)) === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  })()
  await Promise.race([dead, endless])
  // Requests in flight still get their responses, but the sender ignores them.
  await new Promise((resolve) => setTimeout(resolve, 200))
}

/** A reproducible pseudo-random sequence. */
export function numbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const refusals = [
  { code: 'E3001', field: 'idCardNumber', message: '核验不一致' },
  { code: 'E3003', message: '照片不合格' },
  { code: 'X-77', message: 'unexpected state of person registry' },
]
const hash = (text: string) => [...text].reduce((sum, c) => (Math.imul(sum, 31) + c.charCodeAt(0)) >>> 0, 7)

export interface SendingReport {
  rows: number
  calls: number
  refusedFirst: number
  waitedBehind: number
  unexplained: string[]
  lost: number
  double: number
  outOfOrder: number
  seconds: number
}

/**
 * Sends this many records with all kinds of faults: two outages, refusals (3 %), slow, lost, repeated and delayed responses, a killed
 * sender, and incomplete documents that are completed later.
 */
export async function sendThroughFaults(world: Pick<World, 'database'>, upper: UpperPlatform, rows: number): Promise<SendingReport> {
  const db = world.database.kysely
  const begun = performance.now()
  const platformId = await connect(db, upper)
  const projects = await db.selectFrom('project').select('projectCode').orderBy('projectCode').execute()
  const [first] = await sql<{ projectCode: string }>`
    select project_code from project_worker where exit_time is null and team_id is not null group by 1 order by count(*) desc limit 1`
    .execute(db)
    .then((found) => found.rows)
  const site = first?.projectCode ?? projects[0]?.projectCode ?? ''
  await enrol(db, platformId, site)
  while ((await fanOut(db, Date.now())) > 0);
  const { rows: made } = await sql<{ n: number }>`select count(*)::int as n from docking_record`.execute(db)
  await passGates(db, site, rows - (made[0]?.n ?? 0))
  // Documents that are incomplete for any platform: detected before sending.
  await sql`update worker set expiry_date = null where id in (select worker_id from project_worker where project_code = ${site} and exit_time is null order by id limit 5)`.execute(
    db,
  )
  let outAt = Math.round(rows * 0.3)
  let outUntil = 0
  Object.assign(upper.faults, {
    isOut: () => {
      if (upper.calls() > outAt && outUntil === 0) outUntil = Date.now() + 400
      if (outUntil > 0 && Date.now() > outUntil) {
        outUntil = 0
        outAt = outAt < rows * 0.5 ? Math.round(rows * 0.7) : Number.POSITIVE_INFINITY
      }
      return outUntil > 0
    },
    refuse: (row: { key: string }) => (hash(row.key) % 100 < 3 ? refusals[hash(row.key) % refusals.length] : undefined),
    lost: 0.01,
    repeated: 0.02,
    slow: 0.01,
    slowMs: 20,
    later: 0.05,
    laterMs: 60,
    random: numbers(11),
  })
  await dieAfter(world, Math.round(rows * 0.2))
  const deps = senderFor(world)
  await takeBack(deps)
  await runUntilQuiet(deps)
  const { rows: failed } = await sql<{ id: string; errorText: string | null; behind: number }>`
    select r.id, r.error_text, (select count(*) from docking_record f where f.platform_id = r.platform_id and f.lane = r.lane and f.seq > r.seq and f.wait_for is not null)::int as behind
    from docking_record r where r.failed`.execute(db)
  const unexplained = failed.filter((row) => !/[\u4e00-\u9fff]{4}/.test(row.errorText ?? '')).map((row) => row.errorText ?? '')
  // Data fixed at the source is sent automatically; other records are retried manually until none is refused.
  await sql`update worker set expiry_date = '2036-01-01' where expiry_date is null`.execute(db)
  await sql`update worker set grant_org = '示范市公安局' where grant_org is null`.execute(db)
  await sql`update worker set real_name_state = '1' where real_name_state <> '1'`.execute(db)
  for (let i = 0; i < 20; i++) {
    await runUntilQuiet(deps)
    const { rows: again } = await sql<{ id: string }>`select id from docking_record where failed`.execute(db)
    if (again.length === 0) break
    await pushAgain(
      db,
      again.map((row) => row.id),
      Date.now(),
    )
  }
  return {
    rows,
    calls: upper.calls(),
    refusedFirst: failed.length,
    waitedBehind: failed.reduce((sum, row) => sum + row.behind, 0),
    unexplained,
    ...(await compare(db, upper)),
    seconds: Math.round((performance.now() - begun) / 100) / 10,
  }
}

/** Compares the upper platform's rows with the expected ones. */
async function compare(db: Db, upper: UpperPlatform): Promise<Pick<SendingReport, 'lost' | 'double' | 'outOfOrder'>> {
  const records = await db.selectFrom('dockingRecord').select(['id', 'lane', 'seq', 'uploadStatus']).execute()
  const above = new Map<string, number>()
  for (const one of upper.held) above.set(one.key.slice(0, 32), (above.get(one.key.slice(0, 32)) ?? 0) + 1)
  const byId = new Map(records.map((row) => [row.id, row]))
  const last = new Map<string, number>()
  let outOfOrder = 0
  for (const { key } of upper.held) {
    const row = byId.get(key.slice(0, 32))
    if (!row) continue
    if (row.seq <= (last.get(row.lane) ?? 0)) outOfOrder++
    last.set(row.lane, row.seq)
  }
  return {
    lost: records.filter((row) => above.get(row.id) === undefined || row.uploadStatus !== '1').length,
    double: [...above.values()].filter((n) => n > 1).length,
    outOfOrder,
  }
}
