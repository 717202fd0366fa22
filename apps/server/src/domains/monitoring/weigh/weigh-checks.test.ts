import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { checkTicket, listWeighChecks } from '@zhugong/contract/monitoring/weigh/weigh-checks'
import { findTickets } from '@zhugong/contract/monitoring/weigh/weigh-lists'
import { correctTicket } from '@zhugong/contract/monitoring/weigh/weighing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../../test/city.ts'
import type { Caller, World } from '../../../../test/world.ts'

/** Checks of doubtful weighings: a shortage has a deduction, a repeated weighing is linked. */
const now = Date.parse('2026-11-20T16:00:00+08:00')
const hour = 3_600_000
let world: World
let city: CityWorld
let pm: Caller
let stranger: Caller
let site = ''
let bridge = ''

const weigh = (id: string, at: number, data: Record<string, unknown>) =>
  world.database.pool.query(
    `insert into device_record (device_id, project_code, ts, id, record, data, received_at) values ($1, $2, $3, $4, 'weighRecord', $5, $3)`,
    [bridge, site, new Date(at), id, JSON.stringify({ recordNo: id, plateNo: '鄂B2C661', direction: '1', ...data })],
  )
const idOf = async (billNo: string) => {
  const { list } = await pm.call(findTickets, { query: { projectCode: site, billNo, startTime: '2026-11-18', size: 5 } })
  return list[0]?.id ?? ''
}
type Body = InputFor<typeof checkTicket>['body']
const check = (ticketId: string, given: Partial<Body>, who = pm) =>
  who.ask(checkTicket, { query: { projectCode: site }, body: { ticketId, outcome: 'wrong', reason: '现场核对', ...given } })

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  city = await settleCity(world)
  pm = await city.as('hospital-pm')
  stranger = await city.as('zhigu-pm')
  site = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  bridge = city.city.devices.find((d) => d.family === 'weighbridge' && d.projectCode === site)?.id ?? ''
  await weigh('C-1', now - 8 * hour, { grossWeight: 40, tareWeight: 14, plannedWeight: 27.5 })
  await weigh('C-2', now - 7 * hour, { grossWeight: 40.4, tareWeight: 14, plannedWeight: 26 })
  await weigh('C-3', now - 7 * hour, { grossWeight: 41, tareWeight: 14, plateNo: '鄂B77777' })
  await weigh('C-4', now - 6 * hour, { grossWeight: 40 })
})
afterAll(() => world.close())

test('what was missing is worth its price; where nothing is missing nothing is taken off', async () => {
  const [short, full, half] = [await idOf('C-1'), await idOf('C-2'), await idOf('C-4')]
  expect((await check(short, { outcome: 'short' })).message).toContain('请填写单价')
  expect((await check(short, { outcome: 'short', unitPrice: -1 })).message).toContain('单价应大于 0')
  expect((await check(short, { reason: ' ' })).message).toContain('核实说明')
  expect((await check(full, { outcome: 'short', unitPrice: 480 })).message).toContain('没有可扣的短斤')
  expect((await check(half, {})).message).toContain('还没有完成两次过磅')
  expect((await check(short, { outcome: 'short', unitPrice: 480 })).data).toMatchObject({ shortWeight: 1.5, unitPrice: 480, amount: 720 })
  expect((await check(short, {}, stranger)).status).not.toBe(0)
})

test('weighed again is the same lorry, afterwards; each look is kept', async () => {
  const [first, again, other] = [await idOf('C-1'), await idOf('C-2'), await idOf('C-3')]
  expect((await check(first, { outcome: 'reweighed' })).message).toContain('请选择复磅的磅单')
  expect((await check(first, { outcome: 'reweighed', againId: first })).message).toContain('另一张磅单')
  expect((await check(first, { outcome: 'reweighed', againId: other })).message).toContain('鄂B77777')
  expect((await check(again, { outcome: 'reweighed', againId: first })).message).toContain('24 小时内')
  expect((await check(first, { outcome: 'reweighed', againId: again })).data).toMatchObject({ againId: again, againWeight: 26.4 })
  const query = { projectCode: site, ticketId: first }
  const { list, total } = await pm.call(listWeighChecks, { query })
  expect([total, list[0]?.outcome, list[1]?.outcome]).toEqual([2, 'reweighed', 'short'])
  expect((await stranger.ask(listWeighChecks, { query: { ...query, projectCode: '*' } })).status).not.toBe(0)
  await pm.call(correctTicket, { params: { id: first }, body: { action: 'void', reason: '重复' } })
  expect((await check(first, {})).message).toBe('磅单已作废')
})
