import { createRole, listAudit, verifyAudit } from '@zhugong/contract/access/endpoints'
import { removeProject } from '@zhugong/contract/organisation/projects'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { admitRuntime, refuseSuperuser } from '#kit/database-logins'
import { asRuntime } from '#kit/db'
import { createLog } from '#kit/log'
import { type CityWorld, openCity, settleCity } from './city.ts'
import type { World } from './world.ts'

let world: World
let settled: CityWorld
let runtime: pg.Pool
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  runtime = new pg.Pool({ connectionString: world.config.databaseUrl, max: 2, ...asRuntime })
  runtime.on('error', () => undefined)
})
afterAll(async () => {
  await runtime.end()
  await world.close()
})
const owner = () => world.database.pool

test('every table is under row-level security, for its owner as well, but for the list of migrations and the heads of the audit chains', async () => {
  const { rows } = await owner().query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and not (relrowsecurity and relforcerowsecurity) order by 1`,
  )
  // If this fails for a new table: add zg_open, zg_by_project, zg_by_parent, zg_by_group or zg_serve to its migration.
  expect(rows.map((row) => row.name)).toEqual(['audit_chain', 'migration'])
})

test('the running product owns nothing', async () => {
  const { rows } = await owner().query(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and pg_has_role('zg_runtime', relowner, 'member')`,
  )
  expect(rows).toEqual([])
  await expect(runtime.query('drop table worker_bad')).rejects.toThrow('must be owner')
  await expect(runtime.query('alter table worker disable row level security')).rejects.toThrow('must be owner')
})

test.each(['audit_log', 'attendance_ledger', 'attendance_root'])('%s is added to, never changed or taken from', async (table) => {
  for (const text of [`update ${table} set project_code = 'x'`, `delete from ${table}`, `truncate ${table}`])
    await expect(runtime.query(text)).rejects.toThrow('permission denied')
})

test('the roles of requests reach no table around its policies, and no log either', async () => {
  for (const role of ['zg_some', 'zg_wide', 'zg_all']) {
    const client = await runtime.connect()
    try {
      await client.query('begin')
      await client.query(`set local role ${role}`)
      await expect(client.query('delete from audit_log')).rejects.toThrow('permission denied')
      await client.query('rollback')
      await client.query('begin')
      await client.query(`set local role ${role}`)
      await expect(client.query('select * from session')).rejects.toThrow('permission denied')
      await client.query('rollback')
    } finally {
      client.release()
    }
  }
})

test('a refused right stands in the log of whoever tried, once a minute', async () => {
  const labour = await settled.as('hospital-labour')
  const { projectCode } = settled.city.projects[0] ?? { projectCode: '' }
  for (let i = 0; i < 3; i++) expect((await labour.ask(removeProject, { params: { projectCode } })).http).toBe(403)
  const admin = await settled.as('admin')
  const { list } = await admin.call(listAudit, { query: { account: 'hospital-labour' } })
  const refused = list.filter((row) => row.result === 'refused')
  expect(refused.map((row) => row.action)).toEqual(['DELETE /api/v2/oa/project/:projectCode'])
})

test('a row of the audit log that is changed, taken out or put in between is found', async () => {
  const admin = await settled.as('admin')
  for (let i = 0; i < 3; i++) await admin.call(createRole, { body: { name: `核对用角色 ${i}`, codes: ['home.view'] } })
  expect((await admin.call(verifyAudit)).broken).toEqual([])
  const { rows } = await owner().query<{ id: string; seq: string; group_id: string }>(
    `select id, seq, group_id from audit_log where action = 'POST /api/v1/oa/role/' order by seq`,
  )
  const [first, second, third] = rows
  if (!first || !second || !third) throw new Error('three roles leave three rows')

  await owner().query(`update audit_log set summary = summary || '。' where id = $1`, [second.id])
  expect((await admin.call(verifyAudit)).broken.map((row) => row.seq)).toEqual([Number(second.seq)])
  await owner().query(`update audit_log set summary = left(summary, -1) where id = $1`, [second.id])
  expect((await admin.call(verifyAudit)).broken).toEqual([])

  await owner().query('create table kept as select * from audit_log where id = any ($1)', [[second.id, third.id]])
  await owner().query('delete from audit_log where id = $1', [second.id])
  expect((await admin.call(verifyAudit)).broken.map((row) => row.seq)).toEqual([Number(third.seq)])
  // The head of a chain reveals that its end was deleted.
  await owner().query('delete from audit_log where group_id = $1 and seq >= $2', [first.group_id, second.seq])
  expect((await admin.call(verifyAudit)).broken).toHaveLength(1)
})

test('a login of its own is let in by the owner; a superuser is refused in production', async () => {
  const log = createLog('logins', 'silent')
  const name = `run_${Date.now().toString(36)}`
  const admin = new pg.Client({ connectionString: inject('postgresAdminUrl') })
  await admin.connect()
  await admin.query(`create role ${name} login`)
  const url = new URL((world.config.databaseUrl ?? '').replace(/^postgres(ql)?:/, 'http:'))
  url.username = name
  const runUrl = url.href.replace(/^http:/, 'postgresql:')
  await refuseSuperuser(runUrl)
  await admitRuntime(owner(), runUrl, log)
  const pool = new pg.Pool({ connectionString: runUrl, max: 1, ...asRuntime })
  expect((await pool.query('select count(*)::int as n from project')).rows[0].n).toBe(settled.city.projects.length)
  await expect(pool.query('delete from audit_log')).rejects.toThrow('permission denied')
  await pool.end()
  url.username = 'postgres'
  await expect(refuseSuperuser(url.href.replace(/^http:/, 'postgresql:'))).rejects.toThrow('超级用户')
  await admin.query(`revoke zg_runtime from ${name}; drop role ${name}`)
  await admin.end()
})

test('an emptiness that a narrow sight feigns is no emptiness: what a unit still has is counted beyond it', async () => {
  const unit = await owner().query<{ project_code: string; corp_code: string; n: number }>(
    `select project_code, corp_code, count(*)::int as n from project_worker where exit_time is null group by 1, 2 order by 3 desc limit 1`,
  )
  const [{ project_code: projectCode, corp_code: corpCode, n } = { project_code: '', corp_code: '', n: 0 }] = unit.rows
  const client = await runtime.connect()
  try {
    await client.query('begin')
    // A company limited to its own people, while the unit belongs to another.
    await client.query(
      `select set_config('app.projects', $1, true), set_config('app.limited', $1, true), set_config('app.corps', 'ANOTHER', true), set_config('role', 'zg_some', true)`,
      [projectCode],
    )
    const seen = await client.query('select 1 from project_worker where corp_code = $1', [corpCode])
    const counted = await client.query<{ people_present: number }>('select * from zg_site_use($1, $2)', [projectCode, corpCode])
    const elsewhere = await client.query('select * from zg_site_use($1, $2)', ['another project', corpCode])
    await client.query('rollback')
    expect([seen.rowCount, counted.rows[0]?.people_present, elsewhere.rowCount]).toEqual([0, n, 0])
  } finally {
    client.release()
  }
})
