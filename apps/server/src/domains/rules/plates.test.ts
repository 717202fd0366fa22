import type pg from 'pg'
import { expect, test } from 'vitest'
import { Plates } from './plates.ts'

test('a plate is in the register when a vehicle of the project carries it or a gate knows it', async () => {
  let requests = 0
  const pool = {
    query: async (text: string) => {
      requests++
      if (text.includes('vehicle_registry'))
        return {
          rows: [
            { project_code: 'P4', plate: '鄂E00001', kind: 'known' },
            { project_code: 'P4', plate: '鄂E00002', kind: 'black' },
          ],
        }
      if (text.includes('device_record')) return { rows: [{ project_code: 'P1', plate: '鄂A00001' }] }
      return {
        rows: [
          { project_code: 'P1', plate: '鄂B00001' },
          { project_code: 'P3', plate: '鄂B00003' },
        ],
      }
    },
  } as unknown as pg.Pool
  const plates = new Plates()
  expect(plates.isRegistered('P1', '鄂B00001')).toBeUndefined()
  await plates.refresh(pool, 0)
  await plates.refresh(pool, 1000)
  expect(requests).toBe(3)
  const known = (plate: unknown, project = 'P1') => plates.isRegistered(project, plate)
  expect(['鄂A00001', '鄂B00001', '鄂C00001', '', 7].map((p) => known(p))).toEqual([true, true, false, undefined, undefined])
  expect([plates.isRegistered('P3', '鄂B00003'), plates.isRegistered('P3', '鄂X00003')]).toEqual([true, undefined])
  // Without a register it is unknown whether a vehicle is registered.
  expect(known('鄂A00001', 'P2')).toBeUndefined()
  // Registrations and bans of a site apply to that site only.
  expect([known('鄂E00001', 'P4'), known('鄂X00001', 'P4')]).toEqual([true, false])
  expect(['鄂E00002', '鄂E00001', ''].map((plate) => plates.isListed('P4', 'vehicleBlack', plate))).toEqual([true, false, undefined])
  expect([plates.isListed('P1', 'vehicleBlack', '鄂E00002'), plates.isListed('P4', 'laborBlack', '鄂E00002')]).toEqual([false, undefined])
  expect(plates.seen('P4', { plateNo: '鄂E00001', registered: false })).toEqual({ plateNo: '鄂E00001', registered: true })
  expect(plates.seen('P4', { plateNo: '鄂E00009', registered: false })).toEqual({ plateNo: '鄂E00009', registered: false })
  plates.passed('P2', { plateNo: '鄂C00001', registered: true })
  plates.passed('P2', { plateNo: '鄂D00001', registered: false })
  expect([known('鄂C00001', 'P2'), known('鄂D00001', 'P2')]).toEqual([true, false])
  // The gates' lists are read once and then updated from passages.
  await plates.refresh(pool, 600_000)
  expect(requests).toBe(5)
  expect(known('鄂A00001')).toBe(true)
})
