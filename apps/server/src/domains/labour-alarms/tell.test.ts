import { saveSetting } from '@zhugong/contract/attendance/setting'
import { listMessages } from '@zhugong/contract/notify/endpoints'
import { isQuiet } from '@zhugong/contract/notify/telling'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { tellTempAlarms } from '../prevention/public.ts'
import { tellLabourAlarms } from './tell.ts'

const noon = Date.parse('2026-11-20T12:00:00+08:00')
const night = Date.parse('2026-11-20T23:00:00+08:00')
let world: World
let settled: CityWorld
let projectCode: string
let stays: { worker_id: string; id: string; corp_code: string }[]

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => noon } })
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  stays = (
    await world.database.pool.query(
      'select worker_id, id, corp_code from project_worker where project_code = $1 and exit_time is null limit 4',
      [projectCode],
    )
  ).rows
})
afterAll(() => world.close())

test.each([
  ['12:00', '20:00', '07:00', false],
  ['20:00', '20:00', '07:00', true],
  ['06:59', '20:00', '07:00', true],
  ['07:00', '20:00', '07:00', false],
  ['12:30', '12:00', '13:00', true],
  ['12:00', '12:00', '12:00', false],
])('at %s, quiet from %s to %s: %s', (at, from, to, quiet) => expect(isQuiet(at, from, to)).toBe(quiet))

const warn = (i: number, type: string) =>
  world.database.pool.query(
    `insert into labor_alarm (id, project_code, worker_id, stay_id, corp_code, type, content, time, last_time) values ($1, $2, $3, $4, $5, $6, '—', now(), now())`,
    [`L${i}${type}`, projectCode, stays[i]?.worker_id, stays[i]?.id, stays[i]?.corp_code, type],
  )
const tell = (at: number) => tellLabourAlarms(world.database, { now: () => at })
const reportedOf = async (who: Caller, kind: string) =>
  (await who.call(listMessages, { query: { kind, size: 50 } })).list.map(({ title, text, link }) => ({ title, text, link }))

test('what is new is one message to the roles of the setting, once, and not at night', async () => {
  const [pm, officer, safety] = await Promise.all(['hospital-pm', 'hospital-labour', 'hospital-safety'].map((one) => settled.as(one)))
  await warn(0, '207')
  await warn(1, '207')
  await warn(2, '205')
  expect(await tell(night)).toBe(0)
  expect(await reportedOf(officer!, 'person')).toEqual([])
  expect(await tell(noon)).toBe(1)
  expect(await tell(noon)).toBe(0)
  const message = {
    title: '人员预警 3 条',
    text: expect.stringMatching(/：长期未考勤 1 条、未签合同已进场 2 条$/),
    link: '/alarmSet?tab=records&state=1',
  }
  expect(await reportedOf(officer!, 'person')).toEqual([message])
  expect(await reportedOf(pm!, 'person')).toEqual([message])
  expect(await reportedOf(safety!, 'person')).toEqual([])
  await pm!.call(saveSetting, { body: { projectCode, tellRoles: ['安全员'], quietFrom: '00:00', quietTo: '00:00', reason: '安全员负责' } })
  await warn(3, '208')
  expect(await tell(night)).toBe(1)
  expect((await reportedOf(safety!, 'person')).map((m) => m.title)).toEqual(['人员预警 1 条'])
  expect(await reportedOf(officer!, 'person')).toEqual([message])
  // Neither log rows nor messages name the person.
  const { rows } = await world.database.pool.query('select text from exec_log union select text from message')
  const { rows: names } = await world.database.pool.query<{ worker_name: string }>(
    'select worker_name from project_worker where id = any ($1)',
    [stays.map((s) => s.id)],
  )
  for (const { worker_name } of names) expect(rows.some((r) => r.text.includes(worker_name))).toBe(false)
})

test('nobody is told by nobody, and a way that does not exist is refused at its field', async () => {
  const pm = await settled.as('hospital-pm')
  const none = await pm.ask(saveSetting, { body: { projectCode, tellRoles: [], reason: '谁也不告诉' } })
  expect(none).toMatchObject({ message: expect.stringContaining('请至少选择一个接收角色') })
  const carrier = await pm.ask(saveSetting, { body: { projectCode, tellChannels: ['9'], reason: '换一种方式' } as never })
  expect(carrier).toMatchObject({ message: expect.stringContaining('通知方式不正确') })
})

test('a temperature is told at once, again when it rises to a fever, and not after it was taken', async () => {
  const safety = await settled.as('hospital-safety')
  const { pool } = world.database
  const warm = (i: number, level: string, state = '0') =>
    pool.query(
      `insert into temp_alarm (id, project_code, worker_id, work_day, temperature, threshold, level, time, last_time, terminal_code, handle_state)
       values ($1, $2, $3, '2026-11-20', 37.8, 37.3, $4, now(), now(), 'T', $5) on conflict (project_code, worker_id, work_day) do update set level = excluded.level`,
      [`T${i}`, projectCode, stays[i]?.worker_id, level, state],
    )
  const titles = async () => (await reportedOf(safety, 'person')).map((m) => m.title).filter((t) => t.startsWith('体温'))
  const at = { now: () => night }
  await warm(0, '2')
  await warm(1, '2', '1')
  await tellTempAlarms(world.database, at)
  await tellTempAlarms(world.database, at)
  expect(await titles()).toEqual(['体温预警：发热 1 人'])
  await warm(0, '3')
  await tellTempAlarms(world.database, at)
  expect((await titles()).toSorted()).toEqual(['体温预警：发热 1 人', '体温预警：高热 1 人'])
})
