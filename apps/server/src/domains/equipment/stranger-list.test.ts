import { listUnregistered } from '@zhugong/contract/equipment/device-tools'
import { listGateways } from '@zhugong/contract/equipment/gateway-endpoints'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
/** One gateway for each of two sites. */
const gateways = new Map<string, string>()
const accounts = ['hospital-pm', 'dongwan-pm'] as const

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  for (const account of accounts) {
    const { list } = await (await settled.as(account)).call(listGateways, { query: { size: 1 } })
    gateways.set(account, list[0]?.id ?? '')
  }
  const knocks = [...gateways.values(), null].map((gatewayId, i) => [`KNOCK-${i}`, gatewayId] as const)
  for (const [identifier, gatewayId] of knocks)
    await world.database.pool.query(
      `insert into unregistered_device (identifier, protocol, address, gateway_id, reason, count, first_time, last_time, sample)
       values ($1, 'mqtt', '10.0.0.9', $2, 'wrongClientId', 3, now(), now(), '{"name":"somebody"}')`,
      [identifier, gatewayId],
    )
})
afterAll(() => world.close())

const knocking = async (account: string) =>
  (await (await settled.as(account)).call(listUnregistered, { query: { identifier: 'KNOCK-', size: 100, sort: 'identifier' } })).list

test.each(accounts)('%s reads who was refused at its own gateway, why, and not what was sent', async (account) => {
  const rows = await knocking(account)
  expect(rows.map(({ gatewayId, reasonText, sample, count }) => ({ gatewayId, reasonText, sample, count }))).toEqual([
    { gatewayId: gateways.get(account), reasonText: '客户端标识错误', sample: null, count: 3 },
  ])
  const who = await settled.as(account)
  const { list, counts } = await who.call(listGateways, { query: { size: 100 } })
  expect(list.find((one) => one.id === gateways.get(account))?.refused24h).toBe(3)
  expect(counts.refused).toBe(1)
})

test('the platform reads all of them; another site none of these', async () => {
  const all = await knocking('admin')
  expect(all.map((one) => [one.identifier, one.sample !== null])).toEqual([
    ['KNOCK-0', true],
    ['KNOCK-1', true],
    ['KNOCK-2', true],
  ])
  expect(await knocking('tunnel-pm')).toEqual([])
})
