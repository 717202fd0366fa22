import * as causes from '@zhugong/contract/docking/causes'
import * as connections from '@zhugong/contract/docking/connections'
import * as overview from '@zhugong/contract/docking/overview'
import * as queue from '@zhugong/contract/docking/queue'
import { sql } from 'kysely'
import { connect, enrol } from '../src/domains/docking/sending-for-test.ts'
import { openCity, settleCity } from '../test/city.ts'
import { startTestServer } from '../test/world.ts'

const rows = Number(process.env.DOCKING_ROWS ?? 1_000_000)
const turns = 5

/**
 * Measures the docking pages over a table of a million rows: median and maximum of several runs, in milliseconds. `node bench/docking.ts`
 */
const server = await startTestServer()
const world = await openCity(server.url)
const settled = await settleCity(world)
const db = world.database.kysely
const platforms = [await connect(db, { url: 'http://127.0.0.1:9' }), await connect(db, { url: 'http://127.0.0.1:9' }, '区级平台')]
const projects = (
  await sql<{ code: string }>`select project_code as code from project where prj_status = '003' order by 1`.execute(db)
).rows.map((row) => row.code)
for (const id of platforms)
  for (const code of projects)
    await db.insertInto('dockingEnrol').values({ platformId: id, projectCode: code, since: new Date() }).execute()
void enrol
console.log(`${projects.length} projects, seeding ${rows} rows`)
const begun = performance.now()
await sql`
  insert into docking_record (id, platform_id, object_type, rank, source_id, project_code, corp_code, lane, biz_name, op, upload_status, attempts, error_code, error_field,
    error_text, queued_time, receipt_no, receipt_time, due_at)
  select 'bench' || lpad(n::text, 27, '0'), (${platforms}::text[])[1 + n % 2], case when n % 10 < 8 then 'attendanceRecord' when n % 10 = 8 then 'workerBase' else 'projectWorker' end,
    case when n % 10 < 8 then 11 when n % 10 = 8 then 5 else 7 end, 's' || n, p.code, c.code, 'worker:' || n % 20000, '王** ' || n % 1000 || ' 入场',
    case when n % 500 = 0 then '3' else '1' end, case when n % 200 = 0 then '-1' when n % 100 = 1 then '0' else '1' end, 1,
    case when n % 200 = 0 then 'E300' || n % 3 end, case when n % 200 = 0 then 'idCardNumber' end, case when n % 200 = 0 then '身份证号与姓名核验不一致' end,
    now() - make_interval(secs => n * 5), 'R' || n, now() - make_interval(secs => n * 5 - 3), null
  from generate_series(1, ${rows}::int) n
    join lateral (select (${projects}::text[])[1 + n % ${projects.length}::int] as code) p on true
    left join lateral (select pc.corp_code as code from project_corp pc where pc.project_code = p.code order by pc.id offset n % 3 limit 1) c on true`.execute(
  db,
)
await sql`
  insert into docking_day (platform_id, project_code, object_type, day, corp_code, accepted, refused)
  select pl, p, o, current_date - d, c, 100, 3 from unnest(${platforms}::text[]) pl, unnest(${projects}::text[]) p,
    unnest(array['attendanceRecord','workerBase','projectWorker','entryExitHistory']) o, generate_series(0, 365) d, unnest(array['a','b','c']) c`.execute(
  db,
)
await sql`vacuum analyze docking_record`.execute(db)
await sql`vacuum analyze docking_day`.execute(db)
console.log(`seeded in ${Math.round((performance.now() - begun) / 1000)} s`)

async function measure(name: string, work: () => Promise<unknown>): Promise<void> {
  const took: number[] = []
  for (let i = 0; i < turns; i++) {
    const at = performance.now()
    await work()
    took.push(performance.now() - at)
  }
  took.sort((a, b) => a - b)
  console.log(`${name.padEnd(48)} ${String(Math.round(took[turns >> 1] ?? 0)).padStart(6)} ms  worst ${Math.round(took.at(-1) ?? 0)} ms`)
}
const who = { platform: await settled.as('admin'), government: await settled.as('city-fang'), site: await settled.as('hospital-pm') }
for (const [name, client] of Object.entries(who)) {
  const list = (query: object) => () => client.call(queue.listRecords, { query: { size: 20, ...query } })
  await measure(`${name}: list`, list({}))
  await measure(`${name}: list, page 500`, list({ page: 500 }))
  await measure(`${name}: list, failed`, list({ uploadStatus: '-1' }))
  await measure(`${name}: list, stored`, list({ uploadStatus: '1' }))
  await measure(`${name}: list, objects`, list({ objectType: 'workerBase,projectWorker' }))
  await measure(`${name}: list, deletions`, list({ op: '3' }))
  await measure(`${name}: list, name`, list({ bizName: '** 77' }))
  await measure(`${name}: list, receipt`, list({ receiptNo: 'R99999' }))
  await measure(`${name}: list, reason`, list({ errorText: '核验' }))
  await measure(`${name}: list, days`, list({ queuedTime: '2026-11-20,2026-11-21' }))
  await measure(`${name}: list, by tries`, list({ sort: '-attempts' }))
  await measure(`${name}: list, oldest first`, list({ sort: 'queuedTime' }))
  await measure(`${name}: figures`, () => client.call(overview.getFreshness, { query: {} }))
  await measure(`${name}: causes`, () => client.call(causes.listErrors, { query: {} }))
  await measure(`${name}: connections`, () => client.call(connections.listPlatforms, { query: {} }))
  await measure(`${name}: state on a page`, () =>
    client.call(queue.queueStates, { query: { objectType: 'attendanceRecord', sourceId: 's5' } }),
  )
  if (name !== 'government')
    await measure(`${name}: push, counted`, () =>
      client.call(queue.pushRecords, { body: { range: { from: '2026-10-01', to: '2026-11-30' }, preview: true } }),
    )
}
await measure('compare: a day of ours', () =>
  sql`select object_type, sum(accepted)::int from docking_day where platform_id = ${platforms[0]} and day = current_date - 1 group by 1`.execute(
    db,
  ),
)
await measure('compared days', async () => who.platform.call(connections.listCompare, { params: { id: platforms[0] ?? '' }, query: {} }))
await world.close()
await server.stop()
process.exit(0)
