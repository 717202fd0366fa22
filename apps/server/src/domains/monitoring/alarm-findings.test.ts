import { findAlarms } from '@zhugong/contract/alarms/lists'
import { listFindings, stateFinding } from '@zhugong/contract/monitoring/alarm-findings'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'

const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let city: CityWorld
let pm: Caller
let supervisor: Caller
let stranger: Caller
let officer: Caller
let site = ''

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  city = await settleCity(world)
  pm = await city.as('hospital-pm')
  supervisor = await city.as('hospital-jl')
  stranger = await city.as('zhigu-pm')
  officer = await city.as('city-fang')
  site = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  for (const [id, family, key] of [
    ['leak', 'electricMeter', 'residualAlarm'],
    ['dark', 'electricMeter', 'offline'],
    ['pit', 'foundationPit', 'displacementRate'],
    ['crane', 'towerCrane', 'momentAlarm'],
  ])
    await world.database.pool.query(
      `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, active, start_time, fire_time)
       select $1, $2, d.id, d.name, $3, $4, '样例', 2, 2, true, $5, $5 from device d where d.project_code = $2 and d.family = $3 limit 1`,
      [id, site, family, key, new Date(now - 3_600_000)],
    )
})
afterAll(() => world.close())

const say = (who: Caller, given: object = {}) =>
  who.ask(stateFinding, { query: { projectCode: site }, body: { alarmId: 'leak', code: 'damp', text: '雨后箱体进水', ...given } })

test('what was found at a meter is said by the site, as often as more is known; the list is asked by it', async () => {
  expect((await say(pm, { text: ' ' })).status).toBe(2)
  expect((await say(pm, { code: 'eccentric' })).message).toContain('潮湿、破损、接线')
  expect((await say(pm, { alarmId: 'dark' })).message).toContain('不登记原因或决定')
  expect((await say(pm, { alarmId: 'crane' })).message).toContain('不登记原因或决定')
  expect((await say(stranger)).status).not.toBe(0)
  expect((await say(officer)).http).toBe(403)
  expect((await say(pm, { code: 'wiring', text: '零线接错' })).status).toBe(0)
  expect((await say(pm)).status).toBe(0)
  const { list } = await officer.call(listFindings, { query: { projectCode: site, alarmId: 'leak' } })
  expect([list.map((one) => one.code).sort(), list.every((one) => one.byName !== '' && one.person === null)]).toEqual([
    ['damp', 'wiring'],
    true,
  ])
  expect((await stranger.ask(listFindings, { query: { projectCode: site, alarmId: 'leak' } })).status).not.toBe(0)
  const rows = async (query: object) => (await pm.call(findAlarms, { query: { projectCode: site, ...query } })).list.map((one) => one.id)
  expect(await rows({ family: 'electricMeter', finding: 'damp,wiring' })).toEqual(['leak'])
  expect(await rows({ family: 'electricMeter', finding: '-9999' })).not.toContain('leak')
})

test('a decision at a pit is whoever supervises to take as well: it names a person, and how often is measured', async () => {
  const denser = { alarmId: 'pit', code: 'denser', text: '该断面加密', person: '周立新', everyHours: 4 }
  expect((await say(supervisor, { ...denser, person: null })).message).toBe('请填写责任人')
  expect((await say(supervisor, { ...denser, everyHours: null })).message).toBe('加密监测应填写间隔')
  expect((await say(supervisor, { ...denser, everyHours: 0 })).message).toContain('1 到 168 小时')
  expect((await say(supervisor, denser)).status).toBe(0)
  const { list } = await pm.call(listFindings, { query: { projectCode: site, alarmId: 'pit' } })
  expect(list[0]).toMatchObject({ code: 'denser', person: '周立新', everyHours: 4 })
})
