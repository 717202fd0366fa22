import * as daysCalls from '@zhugong/contract/attendance/days'
import { listTodos } from '@zhugong/contract/home/endpoints'
import { setFormal } from '@zhugong/contract/personnel/workers'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, settleCity } from '../../../test/city.ts'
import { type Caller, openWorld, type World } from '../../../test/world.ts'
import { seedAttendance } from '../../demo/seed-attendance.ts'
import { recomputeDirty } from './recompute.ts'

const at = (time: string) => Date.parse(`2026-11-20T${time}+08:00`)
const today = '2026-11-20'
let now = at('06:00:00')
const clock = { now: () => now }
let world: World
let settled: CityWorld
let manager: Caller
let projectCode = ''

beforeAll(async () => {
  world = await openWorld(inject('postgresUrl'), { clock })
  settled = await settleCity(world, today)
  await seedAttendance(world.database, settled.city, now)
  manager = await settled.as('hospital-pm')
  projectCode = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
})
afterAll(() => world.close())

const pauses = async (id: string) =>
  (
    await sql<{ fromAt: Date; untilAt: Date | null }>`
      select s.from_at, s.until_at from stay_pause s join project_worker w using (project_code, worker_id) where w.id = ${id} order by 1`.execute(
      world.database.kysely,
    )
  ).rows.map((p) => [p.fromAt.getTime(), p.untilAt?.getTime() ?? null])

test('whoever is suspended is not due from that day on, is missing nowhere, and is due again when the suspension ends', async () => {
  const { kysely } = world.database
  const { rows } = await sql<{ id: string; workerId: string }>`
    select w.id, w.worker_id from project_worker w
    where w.project_code = ${projectCode} and w.exit_time is null and w.formal_status = '1' and w.work_role = '20' and w.entry_time < '2026-10-01'
    order by w.id limit 1`.execute(kysely)
  const stay = rows[0]
  if (!stay) throw new Error('nobody is formal there')
  await sql`insert into attendance_dirty (project_code, worker_id, work_day) values (${projectCode}, ${stay.workerId}, ${today}::date)`.execute(
    kysely,
  )
  await recomputeDirty(kysely, clock)
  const day = async () => {
    await recomputeDirty(kysely, clock)
    const counts = await manager.call(daysCalls.dailyCounts, { query: { date: today } })
    const { list } = await manager.call(daysCalls.listDaily, { query: { date: today, workerId: stay.workerId } })
    const own = list.find((row) => row.workerId === stay.workerId)
    return { due: counts.expected, expected: own?.expected, results: own?.results }
  }
  const before = await day()
  expect(before).toMatchObject({ expected: true, results: [] })
  await manager.call(setFormal, { body: { ids: [stay.id], status: '2', reason: '安全检查不合格' } })
  expect(await pauses(stay.id)).toEqual([[at('06:00:00'), null]])
  expect(await day()).toEqual({ due: before.due - 1, expected: false, results: [12] })
  now = at('06:20:00')
  // Every way of resuming work writes the same column.
  await sql`update project_worker set formal_status = '1', update_time = ${new Date(now)} where id = ${stay.id}`.execute(kysely)
  expect(await pauses(stay.id)).toEqual([[at('06:00:00'), at('06:20:00')]])
  expect(await day()).toEqual(before)
})

test('the to-do of an ended licence says what is: who is suspended has been since then, nobody has to be stopped', async () => {
  const { list } = await manager.call(listTodos, { query: { size: 100 } })
  const { rows } = await sql<{ name: string; day: string }>`
    select w.worker_name as name, (s.from_at at time zone 'Asia/Shanghai')::date::text as day from stay_pause s
    join project_worker w using (project_code, worker_id) where w.project_code = ${projectCode} and w.exit_time is null and s.until_at is null`.execute(
    world.database.kysely,
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const { name, day } of rows) {
    const task = list.find((one) => one.kind === 'certificate' && one.title.startsWith(name))
    expect(task?.reason, name).toContain(`已于 ${day} 暂停作业`)
    expect([task?.reason.includes('应暂停'), task?.overdue]).toEqual([false, false])
  }
})
