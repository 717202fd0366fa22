import { saveSetting } from '@zhugong/contract/attendance/setting'
import { listTodos } from '@zhugong/contract/home/endpoints'
import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { labourAlarmTypeCodes } from '@zhugong/contract/labour-alarms/codes'
import * as contract from '@zhugong/contract/labour-alarms/endpoints'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { seedAttendance } from '../../demo/seed-attendance.ts'
import { keyPostWarnings } from '../attendance/public.ts'
import { keepProject } from './keep.ts'
import { ofPerson } from './look.ts'

const now = Date.parse('2026-11-20T15:30:00+08:00')
let world: World
let settled: CityWorld
let pm: Caller
let projectCode: string
const all = () => ({ projectCode })

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  await seedAttendance(world.database, settled.city, now, [projectCode])
  const { pool } = world.database
  await pool.query(`insert into device_latest (device_id, ts, received_at, v, online, online_since)
    select id, now(), now(), '{}', true, now() from device where family = 'faceGate' on conflict (device_id) do update set online = true`)
  pm = await settled.as('hospital-pm')
})
afterAll(() => world.close())

const look = (at = now) => keepProject(world.database.kysely, projectCode, at)

const someone = {
  workerId: 'w',
  stayId: 's',
  corpCode: 'C',
  teamId: null,
  registered: false,
  daysIn: 12,
  black: false,
  bad: 0,
  age: 40,
  female: false,
  idExpired: null,
  licenceExpired: null,
  noContract: false,
  untrained: false,
  absentRun: 0,
  twoSites: 0,
}
const limits = { absentAlarmDays: 7, ageMaleMax: 60, ageFemaleMax: 50, ageMin: 18 }

test.each([
  ['nothing wrong', {}, []],
  ['101', { black: true, registered: true }, ['101']],
  ['102', { bad: 2, registered: true }, ['102']],
  ['103', { age: 17, registered: true }, ['103']],
  ['104', { idExpired: '2026-01-01', registered: true }, ['104']],
  ['104 is of registration alone', { idExpired: '2026-01-01' }, []],
  ['201', { black: true }, ['201']],
  ['202', { bad: 1 }, ['202']],
  ['203 a woman at her limit', { age: 50, female: true }, []],
  ['203 a woman beyond it', { age: 51, female: true }, ['203']],
  ['203 a man of her age', { age: 51 }, []],
  ['204', { licenceExpired: '2026-10-01' }, ['204']],
  ['204 is of work alone', { licenceExpired: '2026-10-01', registered: true }, []],
  ['205 a day less', { absentRun: 6 }, []],
  ['205', { absentRun: 7 }, ['205']],
  ['207', { noContract: true }, ['207']],
  ['208', { untrained: true }, ['208']],
  ['209', { twoSites: 1 }, ['209']],
] as const)('what is told of a person: %s', (_, part, types) => {
  expect(ofPerson({ ...someone, ...part }, limits).map((f) => f.type)).toEqual(types)
})

test('206: a month in which the attendance of the site began says nothing, one after it does', async () => {
  const { kysely, pool } = world.database
  const begin = (day: string) => pool.query('update attendance_chain set days_from = $2 where project_code = $1', [projectCode, day])
  const { rows } = await pool.query('select days_from::text as day from attendance_chain where project_code = $1', [projectCode])
  const months = async () => new Set((await keyPostWarnings(kysely, projectCode, now)).map((w) => w.month))
  const running = new Date(now + shanghaiOffsetMs).toISOString().slice(0, 7)
  await begin(`${running}-02`)
  expect(await months()).toEqual(new Set())
  await begin('2026-01-01')
  expect((await months()).size).toBeGreaterThan(0)
  await begin(rows[0].day)
})

test('one row an episode: looked at again nothing comes twice, and what is over ends by itself', async () => {
  const first = await look()
  expect(first.raised).toBeGreaterThan(3)
  expect(await look()).toEqual({ raised: 0, counted: 0, ended: 0 })
  const { list, total } = await pm.call(contract.listLabourAlarms, { query: { ...all(), state: '1', size: 200 } })
  const counts = await pm.call(contract.labourAlarmCounts, { query: all() })
  expect([total, counts.byType.reduce((n, t) => n + t.open, 0)]).toEqual([counts.open, counts.open])
  expect(new Set(list.map((a) => a.workerId)).size).toBe(counts.people)
  for (const { type, open } of counts.byType) {
    const of = await pm.call(contract.listLabourAlarms, { query: { ...all(), state: '1', type, size: 1 } })
    expect([type, of.total]).toEqual([type, open])
  }
  const target = list.find((a) => a.type === '207') ?? list[0]!
  const { pool } = world.database
  await pool.query('update project_worker set has_contract = true where id = $1', [target.stayId])
  await look()
  const [after] = (await pm.call(contract.listLabourAlarms, { query: { ...all(), workerId: target.workerId, type: '207' } })).list
  expect(after).toMatchObject({ state: '2', active: false, handleRemark: '情况已消除', handlerName: null })
  // It occurs again: a new episode.
  await pool.query('update project_worker set has_contract = false where id = $1', [target.stayId])
  expect((await look()).raised).toBe(1)
  const both = await pm.call(contract.listLabourAlarms, { query: { ...all(), workerId: target.workerId, type: '207' } })
  expect(both.list.map((a) => [a.state, a.active])).toEqual([
    ['1', true],
    ['2', false],
  ])
})

test('207 is the very figure of people without a contract, and the home’s tasks are the list', async () => {
  const { rows } = await world.database.pool.query<{ n: number }>(
    'select count(distinct worker_id)::int as n from project_worker where project_code = $1 and exit_time is null and not has_contract',
    [projectCode],
  )
  const result = await pm.call(contract.listLabourAlarms, { query: { ...all(), type: '207', state: '1', size: 1 } })
  expect(result.total).toBe(rows[0]?.n)
  const { list: tasks } = await pm.call(listTodos, { query: { size: 200, kind: 'labourAlarm' } })
  expect(tasks.length).toBeGreaterThan(0)
  const counts = await pm.call(contract.labourAlarmCounts, { query: all() })
  for (const task of tasks.filter((t) => t.kind === 'labourAlarm')) {
    const type = task.id.split(':')[2] ?? ''
    expect(task.title).toContain(`${counts.byType.find((t) => t.type === type)?.open} 人`)
  }
})

test('handled and ignored with a reason, in a batch, and never over somebody else’s change', async () => {
  const { list } = await pm.call(contract.listLabourAlarms, { query: { ...all(), state: '1', size: 4, sort: '-time' } })
  const items = list.map(({ id, version }) => ({ id, version }))
  expect((await pm.ask(contract.actOnLabourAlarms, { query: all(), body: { items, action: 'ignore', remark: '' } })).message).toContain(
    '说明',
  )
  const [one, two, three] = items
  await pm.call(contract.actOnLabourAlarms, { query: all(), body: { items: [one!], action: 'ignore', remark: '班组已说明' } })
  const again = await pm.call(contract.actOnLabourAlarms, {
    query: all(),
    body: { items: [one!, two!, three!], action: 'handle', remark: '已补办' },
  })
  expect(again).toEqual({ done: 2, skipped: [{ id: one!.id, reason: '预警已有变化，请刷新后再处理' }] })
  // A condition that continues is not reported again after a decision.
  expect((await look()).raised).toBe(0)
  const stranger = await settled.as('zhigu-pm')
  const foreign = await stranger.ask(contract.actOnLabourAlarms, {
    query: { projectCode: '*' },
    body: { items: [items[3]!], action: 'handle', remark: '已补办' },
  })
  expect(foreign).toMatchObject({ message: '预警不存在或不在您的管辖范围内' })
})

test('A68: a dead gate blames nobody, a stopped site tells nothing, a kind switched off is told no more, who leaves is out of it', async () => {
  const saved = await pm.call(saveSetting, { body: { projectCode, alarmsOff: ['208'], reason: '由入场教育系统提醒' } })
  expect(saved).toMatchObject({ days: 0, changed: true })
  await look()
  const off = await pm.call(contract.listLabourAlarms, { query: { ...all(), type: '208', active: true, size: 1 } })
  expect(off.total).toBe(0)
  const { pool } = world.database
  await pool.query(`update project set prj_status = '005' where project_code = $1`, [projectCode])
  expect(await look()).toEqual({ raised: 0, counted: 0, ended: 0 })
  await pool.query(`update project set prj_status = '003' where project_code = $1`, [projectCode])
  const absent = async () => (await pm.call(contract.listLabourAlarms, { query: { ...all(), type: '205', active: true, size: 1 } })).total
  const worker = settled.city.projectWorkers.find((w) => w.projectCode === projectCode && w.exitTime === null && w.workRole === '20')!
  await pool.query(
    `update attendance_day set record_count = 0, expected = true, settled = true where project_code = $1 and worker_id = $2`,
    [projectCode, worker.workerId],
  )
  await pool.query(`update device_latest set online = false where device_id in (select id from device where project_code = $1)`, [
    projectCode,
  ])
  const before = await absent()
  await look()
  expect(await absent()).toBe(before)
  await pool.query(`update device_latest set online = true where device_id in (select id from device where project_code = $1)`, [
    projectCode,
  ])
  await look()
  expect(await absent()).toBe(before + 1)
  await pool.query(`update project_worker set exit_time = now(), stationed = '2' where project_code = $1 and worker_id = $2`, [
    projectCode,
    worker.workerId,
  ])
  await look()
  const gone = await pm.call(contract.listLabourAlarms, { query: { ...all(), workerId: worker.workerId, type: '205' } })
  expect(gone.list[0]).toMatchObject({ state: '4', stateName: '已退场', active: false })
})

test('every kind has a name in the dictionary', async () => {
  const { byType } = await pm.call(contract.labourAlarmCounts, { query: all() })
  expect(byType.map((t) => t.type)).toEqual(labourAlarmTypeCodes)
  expect(byType.every((t) => t.typeName)).toBe(true)
})
