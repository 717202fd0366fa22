import { dayMs, shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import * as calls from '@zhugong/contract/labour/exits'
import { exitWorkers } from '@zhugong/contract/labour/stays'
import { registerWorker } from '@zhugong/contract/personnel/workers'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { newcomer, type Site, siteOf } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
let clerk: Caller
let site: Site
const dayOf = (shift: number) => new Date(Date.now() + shanghaiOffsetMs + shift * dayMs).toISOString().slice(0, 10)
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  clerk = await settled.as('hospital-labour')
  site = await siteOf(world, settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? '')
  const db = world.database.kysely
  // Everyone else entered just now. The site's gates are online and have recorded passages before.
  await sql`insert into attendance_chain (project_code, seq, hash, days_from) values (${site.projectCode}, 0, '', current_date - 60)`.execute(
    db,
  )
  await sql`update project_worker set entry_time = now() where project_code = ${site.projectCode} and exit_time is null`.execute(db)
  await sql`delete from project_state_log where project_code = ${site.projectCode}`.execute(db)
  await sql`update device_latest set online = true where device_id in (select id from device where family = 'faceGate' and project_code = ${site.projectCode})`.execute(
    db,
  )
  await sql`insert into device_latest (device_id, online, online_since, ts, received_at, v) select id, true, now(), now(), now(), '{}'::jsonb from device where family = 'faceGate' and project_code = ${site.projectCode}
    on conflict (device_id) do update set online = true`.execute(db)
})
afterAll(() => world.close())

async function absent(days: number): Promise<string> {
  const { projectWorkerId } = await clerk.call(registerWorker, { body: newcomer(site) })
  await sql`update project_worker set entry_time = ${new Date(Date.now() - days * dayMs)} where id = ${projectWorkerId}`.execute(
    world.database.kysely,
  )
  return projectWorkerId ?? ''
}
const proposed = async () => (await clerk.call(calls.listProposedExits, { query: { projectCode: site.projectCode, size: 100 } })).list

test('who has not passed for thirty days is proposed, three days before announced, who came later is not', async () => {
  const [long, soon, fresh] = [await absent(31), await absent(28), await absent(20)]
  const list = await proposed()
  expect(list.find((p) => p.id === long)).toMatchObject({ days: 31, limit: 30, left: -1, onHold: false })
  expect(list.find((p) => p.id === soon)?.left).toBe(2)
  expect(list.map((p) => p.id)).not.toContain(fresh)
})
test('days on which the project stood still do not count', async () => {
  const db = world.database.kysely
  const id = await absent(40)
  expect((await proposed()).find((p) => p.id === id)?.days).toBe(40)
  const stop = async (state: string, daysAgo: number) =>
    sql`insert into project_state_log (id, project_code, to_state, at) values (md5(random()::text), ${site.projectCode}, ${state}, ${new Date(Date.now() - daysAgo * dayMs)})`.execute(
      db,
    )
  await stop('005', 25)
  await stop('003', 5)
  // From twenty-five days ago to five days ago: twenty days.
  expect((await proposed()).find((p) => p.id === id)?.days ?? 20).toBe(20)
  await sql`delete from project_state_log where project_code = ${site.projectCode}`.execute(db)
})
test('kept with a word why, and asked again when its day is over; confirmed by an exit with its reason', async () => {
  const id = await absent(35)
  const keep = (more: object) =>
    clerk.ask(calls.keepOnSite, { body: { ids: [id], untilDay: dayOf(10), reason: '外派学习', ...more } as never })
  expect((await keep({ untilDay: dayOf(0) })).data).toMatchObject({ field: 'untilDay' })
  expect((await keep({ untilDay: dayOf(90) })).message).toContain('最长 60 天')
  expect((await keep({ reason: '' })).status).toBe(2)
  expect((await keep({})).status).toBe(0)
  expect((await proposed()).map((p) => p.id)).not.toContain(id)
  await sql`update exit_keep set until_day = current_date - 2 where project_worker_id = ${id}`.execute(world.database.kysely)
  expect((await proposed()).map((p) => p.id)).toContain(id)
  // The system's own reason is accepted only for its proposals.
  const other = await absent(1)
  const leave = { exitTime: dayOf(0), exitReason: calls.longAbsence }
  expect((await clerk.call(exitWorkers, { body: { ids: [other], ...leave } })).failed).toMatchObject([
    { id: other, message: expect.stringContaining('不在系统拟退场名单内') },
  ])
  expect(calls.exitReasonGiven.safeParse(calls.longAbsence).success).toBe(false)
  expect(calls.exitReasonGiven.safeParse('1').success).toBe(true)
  await clerk.call(exitWorkers, { body: { ids: [id], ...leave } })
  expect((await proposed()).map((p) => p.id)).not.toContain(id)
  const { rows } = await sql<{
    source: string
  }>`select source from entry_exit_history where project_worker_id = ${id} and type = '0'`.execute(world.database.kysely)
  expect(rows[0]?.source).toBe('6')
})
test('a site whose gates are dead has its proposals on hold', async () => {
  const id = await absent(33)
  await sql`update device_latest set online = false where device_id in (select id from device where family = 'faceGate' and project_code = ${site.projectCode})`.execute(
    world.database.kysely,
  )
  expect((await proposed()).find((p) => p.id === id)?.onHold).toBe(true)
})
test('a project that has never recorded a passage proposes nobody: its silence tells nothing of the people', async () => {
  const id = await absent(33)
  expect((await proposed()).map((p) => p.id)).toContain(id)
  await sql`update attendance_chain set days_from = null where project_code = ${site.projectCode}`.execute(world.database.kysely)
  expect(await proposed()).toEqual([])
})
