import { liftDevice, liftStatus } from '@zhugong/contract/monitoring/lift/lift-live'
import { addLiftTest, listLiftTests, voidLiftTest } from '@zhugong/contract/monitoring/lift/lift-tests'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../../test/city.ts'
import type { Caller, World } from '../../../../test/world.ts'

/** Drop tests are due every three months after the last passed test; failed and voided tests do not count. */
const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let city: CityWorld
let site = ''
let pm: Caller
let lift = ''
const query = () => ({ projectCode: site })
const enter = (
  who: Caller,
  given: Partial<{ kind: string; testedOn: string; result: string; loadPercent: number; distanceMeters: number }> = {},
) =>
  who.ask(addLiftTest, {
    query: query(),
    body: { deviceId: lift, kind: 'drop', testedOn: '2026-11-01', result: 'pass', personName: '周大勇', ...given } as never,
  })
const due = async () => {
  const { dropTestedOn, dropTestDue, dropTestDays, dropTestFailed } = await pm.call(liftDevice, { params: { id: lift } })
  return [dropTestedOn, dropTestDue, dropTestDays, dropTestFailed]
}

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  city = await settleCity(world)
  site = city.city.personas.find((p) => p.account === 'hospital-pm')!.projectCode!
  pm = await city.as('hospital-pm')
  lift = city.city.devices.find((d) => d.projectCode === site && d.family === 'lifter' && d.behaviour === 'normal')!.id
})
afterAll(() => world.close())

test('three months from the last test passed; failed it may not run, and a wrong entry counts no more', async () => {
  expect(await due()).toEqual([null, null, null, false])
  const before = (await pm.call(liftStatus, { query: { projectCode: site } })).dropTests
  expect((await enter(pm, { testedOn: '2026-08-10' })).status).toBe(0)
  expect(await due()).toEqual(['2026-08-10', '2026-11-10', -10, false])
  expect((await pm.call(liftStatus, { query: { projectCode: site } })).dropTests).toEqual({
    ...before,
    overdue: before.overdue + 1,
    never: before.never - 1,
  })
  expect((await enter(pm, { testedOn: '2026-11-02', result: 'fail' })).status).toBe(0)
  expect(await due()).toEqual(['2026-08-10', '2026-11-10', -10, true])
  const last = await enter(pm, { testedOn: '2026-11-05', distanceMeters: 0.62 })
  expect(await due()).toEqual(['2026-11-05', '2027-02-05', 77, false])
  // A load test does not test the safety device.
  expect((await enter(pm, { kind: 'load', testedOn: '2026-11-19', result: 'fail', loadPercent: 125 })).status).toBe(0)
  expect((await due())[3]).toBe(false)
  const act = (reason: string) => pm.ask(voidLiftTest, { params: { id: last.data!.id }, query: query(), body: { reason } })
  expect((await act('错')).message).toContain('请填写作废原因')
  expect((await act('日期填错')).status).toBe(0)
  expect(await due()).toEqual(['2026-08-10', '2026-11-10', -10, true])
  expect((await act('日期填错')).message).toBe('试验记录不存在或已作废')
  const { list, due: counted } = await pm.call(listLiftTests, { query: { projectCode: site, deviceId: lift } })
  expect(list.map((one) => [one.kind, one.testedOn, one.result])).toEqual([
    ['load', '2026-11-19', 'fail'],
    ['drop', '2026-11-02', 'fail'],
    ['drop', '2026-08-10', 'pass'],
  ])
  expect(counted).toEqual({ overdue: 1, soon: 0, never: 0 })
})

test('what cannot be is refused at its field', async () => {
  const refused = async (given: Parameters<typeof enter>[1]) => (await enter(pm, given)).message
  expect(await refused({ testedOn: '2026-11-21' })).toBe('试验日期不能晚于今天')
  expect(await refused({ loadPercent: 125 })).toBe('载荷只在载荷试验中填写')
  expect(await refused({ distanceMeters: 9 })).toBe('制动距离不能超过 5 米')
  expect(await refused({ testedOn: '2026-02-30' })).toContain('日期')
})

test('others read at most: the regulator sees the tests and enters none, a stranger sees nothing', async () => {
  const officer = await city.as('bj-zhao')
  const stranger = await city.as('zhigu-pm')
  expect((await officer.call(listLiftTests, { query: { projectCode: site } })).total).toBeGreaterThan(0)
  expect((await enter(officer)).status).not.toBe(0)
  expect((await enter(stranger)).status).not.toBe(0)
  expect((await stranger.call(listLiftTests, { query: { projectCode: '*' } })).list.some((one) => one.deviceId === lift)).toBe(false)
})
