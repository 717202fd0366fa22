import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { declaredState, levelOf } from '@zhugong/contract/prevention/codes'
import * as contract from '@zhugong/contract/prevention/endpoints'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { seedAttendance } from '../../demo/seed-attendance.ts'
import { forgetTemperatures, keepTempAlarms } from './keep.ts'

const now = Date.parse('2026-11-20T15:30:00+08:00')
const clock = { now: () => now }
let world: World
let settled: CityWorld
let pm: Caller
let projectCode: string
let warm: string

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock })
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  await seedAttendance(world.database, settled.city, now, [projectCode])
  pm = await settled.as('hospital-pm')
  const { pool } = world.database
  await pool.query('update attendance_event set temperature = 36.5 where temperature >= 37.3')
  const { rows } = await pool.query<{ worker_id: string }>(
    `update attendance_event set temperature = 37.6 where id in (select id from attendance_event where project_code = $1 and work_day = '2026-11-20'
       and worker_id is not null order by time limit 1) returning worker_id`,
    [projectCode],
  )
  warm = rows[0]?.worker_id ?? ''
})
afterAll(() => world.close())

const keep = () => keepTempAlarms(world.database.kysely, clock)
const of = () => ({ projectCode })

test.each([
  [36.4, '1'],
  [37.2, '1'],
  [37.3, '2'],
  [37.9, '2'],
  [38, '3'],
])('a body of %d °C is of level %s', (value, level) => expect(levelOf(value, { threshold: 37.3, high: 38 })).toBe(level))

test.each([
  [{ temperature: 36.5, symptoms: null }, '1'],
  [{ temperature: 36.5, symptoms: '无' }, '1'],
  [{ temperature: null, symptoms: '咳嗽' }, '2'],
  [{ temperature: 37.4, symptoms: null }, '3'],
] as const)('a declaration %j comes to %s', (d, state) => expect(declaredState(d, 37.3)).toBe(state))

test('one row a person and day: further measurements join it, looking again changes nothing', async () => {
  expect(await keep()).toBe(1)
  expect(await keep()).toBe(0)
  await world.database.pool.query(
    `update attendance_event set temperature = 38.1 where id in (select id from attendance_event where project_code = $1 and worker_id = $2
       and work_day = '2026-11-20' and temperature < 37 limit 1)`,
    [projectCode, warm],
  )
  const joined = await keep()
  const { list, total, counts } = await pm.call(contract.listTempAlarms, { query: of() })
  expect([total, counts.open, counts.today]).toEqual([1, 1, 1])
  expect(list[0]).toMatchObject(
    joined ? { workerId: warm, temperature: 38.1, level: '3', count: 2 } : { workerId: warm, temperature: 37.6, level: '2', count: 1 },
  )
})

test('[entity-alarm-attendance-settings] a gate that measures too high is set right by its offset, and a value no body has is the device’s fault', async () => {
  const { pool } = world.database
  const other = await pool.query<{ terminal_code: string; worker_id: string }>(
    `update attendance_event set temperature = 37.5 where id in (select id from attendance_event where project_code = $1 and work_day = '2026-11-20'
       and worker_id is not null and worker_id <> $2 order by time desc limit 1) returning terminal_code, worker_id`,
    [projectCode, warm],
  )
  await pool.query(
    `update attendance_event set temperature = 44 where id in (select id from attendance_event where project_code = $1 and work_day = '2026-11-20'
       and worker_id not in ($2, $3) order by time desc limit 1)`,
    [projectCode, warm, other.rows[0]?.worker_id],
  )
  const setting = { gateOffsets: [{ terminalCode: other.rows[0]?.terminal_code ?? '', offset: -0.4 }] }
  await pm.call(contract.saveTempSetting, { body: { projectCode, setting, version: 0 } })
  const before = (await pm.call(contract.listTempAlarms, { query: of() })).total
  await keep()
  expect((await pm.call(contract.listTempAlarms, { query: of() })).total).toBe(before)
  const day = await pm.call(contract.listTemperatures, { query: { ...of(), date: '2026-11-20', size: 1 } })
  expect(day.figures.faults).toBe(1)
  const stale = await pm.ask(contract.saveTempSetting, { body: { projectCode, setting, version: 0 } })
  expect(stale.message).toContain('请刷新后再改')
  const wrong = await pm.ask(contract.saveTempSetting, { body: { projectCode, setting: { threshold: 38, high: 37.5 }, version: 1 } })
  expect(wrong.message).toContain('高热体温须高于预警体温')
})

test('taken, measured again, handled; nobody writes over somebody else', async () => {
  const [row] = (await pm.call(contract.listTempAlarms, { query: of() })).list
  const act = (body: Omit<InputFor<typeof contract.actOnTempAlarms>['body'], 'items'>) =>
    pm.ask(contract.actOnTempAlarms, { query: of(), body: { items: [{ id: row!.id, version: row!.version }], ...body } })
  expect((await act({ action: 'recheck' })).message).toBe('请填写复测体温')
  expect((await act({ action: 'recheck', value: 36.8 })).status).toBe(0)
  expect((await act({ action: 'take' })).message).toBe('记录已有变化，请刷新后再处理')
  const seen = await pm.call(contract.getTempAlarm, { params: { id: row!.id } })
  expect(seen).toMatchObject({ handleState: '1', recheck: 36.8, actions: ['recheck', 'handle', 'mistake'] })
  expect(seen.own.length).toBeGreaterThan(1)
  const done = await pm.call(contract.actOnTempAlarms, {
    query: of(),
    body: { items: [{ id: row!.id, version: seen.version }], action: 'handle', outcome: '返岗', remark: '复测正常' },
  })
  expect(done).toEqual({ done: 1, skipped: [] })
  const after = await pm.call(contract.listTempAlarms, { query: of() })
  expect(after.list[0]).toMatchObject({ handleState: '2', outcome: '返岗' })
  expect(after.counts).toMatchObject({ open: 0, recheckNormal: 100 })
})

test('declarations and the ledger of a site are opened for who may, and are figures for others', async () => {
  const { pool } = world.database
  const secrets = createSecrets(world.config.secretKey)
  const health = {
    healthStatus: '1',
    bloodType: null,
    contraindications: [],
    examDate: '2026-03-01',
    examReport: [],
    vaccinated: [{ dose: 1, date: '2025-10-01' }],
    declarations: [{ time: '2026-11-20 07:10:00', temperature: 36.6, symptoms: '咳嗽', trip: null, by: '班组长' }],
  }
  await pool.query('update worker set health = $1 where id = $2', [secrets.seal(JSON.stringify(health)), warm])
  const page = await pm.call(contract.listDeclarations, { query: of() })
  expect(page).toMatchObject({ health: true, total: 1, figures: { declared: 1, watch: 1, unwell: 0, due: 0 } })
  expect(page.list[0]).toMatchObject({ workerId: warm, symptoms: '咳嗽', stateName: '需观察' })
  const ledger = await pm.call(contract.listHealthy, { query: of() })
  expect(ledger.list.find((r) => r.workerId === warm)).toMatchObject({ doses: 1, lastDose: '2025-10-01', state: '2' })
  const contacts = await pm.call(contract.listHealthy, { query: { ...of(), contactOf: warm, since: '2026-11-10' } })
  expect(contacts.list.every((r) => r.workerId !== warm && (r.days ?? 0) > 0)).toBe(true)
  const looks = await pool.query<{ n: number }>(
    `select count(*)::int as n from audit_log where summary in ('查看健康申报', '查看人员健康台账', '查看接触人员')`,
  )
  expect(looks.rows[0]?.n).toBe(3)

  await pool.query(`update role set codes = array_remove(codes, 'personnel.health')`)
  const other = await settled.as('hospital-labour')
  const [hidden] = (await other.call(contract.listTempAlarms, { query: of() })).list
  expect(hidden).toMatchObject({ temperature: null, recheck: null, outcome: null, levelName: expect.any(String) })
  const day = await other.call(contract.listTemperatures, { query: { ...of(), temperature: '37,40', sort: '-temperature' } })
  expect(day.health).toBe(false)
  expect(day.list.every((r) => r.temperature === null)).toBe(true)
  // A filter by value reveals no values.
  expect(day.total).toBe((await other.call(contract.listTemperatures, { query: of() })).total)
  expect([day.spread, day.figures.mean]).toEqual([[], null])
  expect(await other.call(contract.listDeclarations, { query: of() })).toMatchObject({ list: [], total: 0, health: false })
  expect(await other.call(contract.listHealthy, { query: of() })).toMatchObject({ list: [], total: 0, health: false })
  // A user who sets the limits sees the bias of a gate's thermometer but no temperature; others see neither.
  const setter = await settled.as('hospital-pm')
  const { gates } = await setter.call(contract.getTempSetting, { query: of() })
  expect(gates.length).toBeGreaterThan(0)
  expect(gates.some((gate) => 'mean' in gate)).toBe(false)
  expect(gates.some(({ bias }) => bias !== null)).toBe(true)
  await pool.query(`update role set codes = array_remove(codes, 'attendance.tempSet')`)
  const reader = await settled.as('hospital-labour')
  expect((await reader.call(contract.getTempSetting, { query: of() })).gates.every(({ bias }) => bias === null)).toBe(true)
  const detail = await other.call(contract.getTempAlarm, { params: { id: hidden!.id } })
  expect(detail).toMatchObject({ own: [], gate: [], temperature: null })
  expect(detail.course.every((c) => c.text === '')).toBe(true)
})

test('values go when their days are over; what became of it stays', async () => {
  const { pool } = world.database
  await pool.query(`update attendance_event set time = time - interval '200 days' where project_code = $1 and worker_id = $2`, [
    projectCode,
    warm,
  ])
  await pool.query(`update temp_alarm set time = time - interval '200 days'`)
  await forgetTemperatures(world.database.kysely, clock)
  const left = await pool.query<{ n: number }>(
    'select count(temperature)::int as n from attendance_event where project_code = $1 and worker_id = $2',
    [projectCode, warm],
  )
  expect(left.rows[0]?.n).toBe(0)
  const alarm = await pool.query('select temperature, recheck, course, outcome from temp_alarm')
  expect(alarm.rows[0]).toEqual({ temperature: null, recheck: null, course: [], outcome: '返岗' })
})

test('the epidemic mode ends by itself after its last day', async () => {
  const current = await pm.call(contract.getTempSetting, { query: { projectCode } })
  let { version } = current
  const under = async (modeUntil: string | null) => {
    const setting = { ...current.setting, mode: true, modeReason: '流感高发', modeUntil }
    version = (await pm.call(contract.saveTempSetting, { body: { projectCode, setting, version } })).version
    const { mode, figures } = await pm.call(contract.listDeclarations, { query: { projectCode } })
    const { mode: shown } = await pm.call(contract.listTemperatures, { query: { projectCode, size: 1 } })
    return [mode.on, figures.due > 0, shown]
  }
  expect(await under(null)).toEqual([true, true, true])
  expect(await under('2026-11-20')).toEqual([true, true, true])
  expect(await under('2026-11-19')).toEqual([false, false, false])
  await pm.call(contract.saveTempSetting, { body: { projectCode, setting: current.setting, version } })
})
