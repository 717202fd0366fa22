import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openCity, settleCity } from '../../../test/city.ts'
import type { World } from '../../../test/world.ts'
import { startUpperPlatform, type UpperPlatform } from '../../docking-upper/upper-platform.ts'
import { appKey, secret, sendThroughFaults } from './sending-for-test.ts'

let world: World
let upper: UpperPlatform

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  await settleCity(world)
  upper = await startUpperPlatform({ appKey, secret })
})
afterAll(async () => {
  await upper.stop()
  await world.close()
})

test('a thousand rows through outages, refusals, lost and repeated answers and a killed sender: each once above, in order, none lost', {
  timeout: 180_000,
}, async () => {
  const result = await sendThroughFaults(world, upper, 1_000)
  console.log(JSON.stringify(result))
  expect(result).toMatchObject({ lost: 0, double: 0, outOfOrder: 0, unexplained: [] })
  expect(result.refusedFirst).toBeGreaterThan(5)
  expect(result.waitedBehind).toBeGreaterThan(0)
})
