import * as deviceToolsCalls from '@zhugong/contract/equipment/device-tools'
import * as docking from '@zhugong/contract/equipment/docking-endpoints'
import * as devices from '@zhugong/contract/equipment/endpoints'
import * as library from '@zhugong/contract/equipment/library-endpoints'
import * as modelCalls from '@zhugong/contract/equipment/model-endpoints'
import * as service from '@zhugong/contract/equipment/service-endpoints'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { World } from '../../test/world.ts'
import { equipmentSamples, seedEquipment } from './seed-equipment.ts'

let world: World
let city: CityWorld
/** The city's own day, from which due dates are counted. */
const now = Date.parse('2026-11-20T10:00:00+08:00')
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  city = await settleCity(world)
  await world.database.kysely.transaction().execute((tx) => seedEquipment(tx, city.city, createSecrets(world.config.secretKey), now))
})
afterAll(() => world.close())

test('the demonstration has a library, services and dockings that agree with its devices', async () => {
  const admin = await city.as('admin')
  const makers = await admin.call(library.listFactories, { query: { with: 'quality', size: 100 } })
  expect(makers.total).toBe(9)
  expect(makers.counts).toMatchObject({ passed: 6, lapsed: 1 })
  expect(makers.list[0]?.quality?.onlinePercent).toBeGreaterThan(60)
  const brands = await admin.call(library.listBrands, { query: { with: 'quality', size: 100 } })
  expect(brands.total).toBe(14)
  expect(brands.duplicates.length).toBeGreaterThanOrEqual(2)
  expect((await admin.call(modelCalls.listModels, { query: { size: 100 } })).total).toBeGreaterThanOrEqual(25)
  expect(await admin.call(library.listFactories, { query: { kind: 'provider' } })).toMatchObject({
    total: 7,
    counts: { expiring: 2, slow: 1 },
  })
  const waiting = await admin.call(devices.listDevices, { query: { auditState: '0', with: 'checks', size: 100 } })
  expect(waiting.total).toBeGreaterThanOrEqual(12)
  expect(waiting.list.some((d) => d.pending.length > 0)).toBe(true)
  expect((await admin.call(deviceToolsCalls.listUnregistered, { query: {} })).total).toBe(3)
  const dues = await admin.call(service.listDues, { query: { size: 1000 } })
  // A device's service date is a due item; the other items are eighteen.
  const serviced = dues.list.filter((due) => due.kind === 'service')
  expect(serviced.length).toBeGreaterThan(100)
  expect(dues).toMatchObject({ total: serviced.length + 18, counts: { overdue: 2 } })
  expect((await admin.call(docking.listDockings, { query: {} })).total).toBe(4)
  expect((await admin.call(docking.listExternalDevices, { query: { size: 100 } })).counts).toMatchObject({ gone: 1, conflicts: 2 })
  for (const [path, query] of Object.entries(equipmentSamples(city.city))) expect([path, query.length > 8]).toEqual([path, true])
  const model = equipmentSamples(city.city)['/model/details']?.slice(4) ?? ''
  expect((await admin.call(modelCalls.getModel, { params: { id: model } })).versions).toHaveLength(2)
})
