import { familyOf } from '@zhugong/contract/telemetry/families'
import { expect, test } from 'vitest'
import type { FleetDevice } from '../equipment/public.ts'
import { Presence } from './presence.ts'

const device = (id: string, family: string, protocol: string, intervalSeconds = 30) =>
  ({ id, family: familyOf(family), protocol, intervalSeconds }) as FleetDevice
const names = (list: { device: FleetDevice }[]) => list.map((l) => l.device.id)

test('silence: what the family says, and three minutes for a terminal of JT/T 808', () => {
  const presence = new Presence()
  const truck = device('truck', 'truckMonitor', 'jt808')
  const other = device('other', 'truckMonitor', 'mqtt')
  const all = [truck, other]
  for (const d of all) expect(presence.heard(d.id, 0)).toBe(true)
  expect(names(presence.leavers(all, 179_999))).toEqual([])
  expect(names(presence.leavers(all, 180_000))).toEqual(['truck'])
  expect(names(presence.leavers(all, 190_000))).toEqual([])
  expect(names(presence.leavers(all, 600_000))).toEqual(['other'])
})

test('whoever says good-bye is gone at once, and back with its next message', () => {
  const presence = new Presence()
  const truck = device('truck', 'truckMonitor', 'jt808')
  presence.heard('truck', 0)
  presence.leave('truck')
  expect(names(presence.leavers([truck], 1))).toEqual(['truck'])
  presence.confirmOffline('truck')
  expect(presence.isOnline('truck')).toBe(false)
  expect(presence.heard('truck', 2)).toBe(true)
  expect(names(presence.leavers([truck], 3))).toEqual([])
})
