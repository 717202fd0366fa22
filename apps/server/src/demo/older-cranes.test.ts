import { dayMs } from '@zhugong/contract/kit/time'
import { buildCity } from '@zhugong/simulator/city'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { formatDay, startOfDay } from '#kit/clock'
import { openCity, settleCity } from '../../test/city.ts'
import { type CraneDay, cranesOn, writeCraneDay } from './older-cranes.ts'

const now = startOfDay(formatDay(Date.now())) + 10 * 3_600_000
const city = buildCity({ seed: 7, today: formatDay(now) })
let day: CraneDay

beforeAll(() => {
  day = cranesOn(city, now - 5 * dayMs, now - 4 * dayMs, now)
})

describe('a past day of the cranes', () => {
  test('holds lifts of many cranes, some of nobody known, all within the day', () => {
    const lifts = day.records.filter((one) => one.record === 'workingCycle')
    expect(lifts.length).toBeGreaterThan(100)
    expect(new Set(lifts.map((one) => one.device_id)).size).toBeGreaterThan(5)
    const unknown = lifts.filter((one) => one.data.driverName === undefined)
    expect(unknown.length).toBeGreaterThan(0)
    expect(unknown.length).toBeLessThan(lifts.length / 5)
    expect(day.records.every((one) => one.ts.getTime() < now - 4 * dayMs + dayMs / 2)).toBe(true)
  })

  test('tells every silence by its end, and nobody lifts without current', () => {
    const reported = day.events.toSorted((a, b) => a.ts.getTime() - b.ts.getTime())
    const power = reported.filter((one) => one.kind === 'offline')
    expect(power.length).toBeGreaterThan(0)
    for (const off of power) {
      const back = reported.find((one) => one.kind === 'online' && one.device_id === off.device_id && one.ts > off.ts)
      expect(back).toBeDefined()
      const since = Number(off.data.since)
      const cut = day.records.some((one) => one.device_id === off.device_id && one.record === 'powerEvent' && one.ts.getTime() === since)
      const meanwhile = day.records.filter(
        (one) =>
          one.device_id === off.device_id && one.record === 'workingCycle' && one.ts.getTime() > since && one.ts < (back?.ts ?? off.ts),
      )
      if (cut) expect(meanwhile).toEqual([])
      else expect(meanwhile.every((one) => one.received_at.getTime() > (back?.ts.getTime() ?? 0))).toBe(true)
      const read = day.readings.filter(
        (one) => one.device.id === off.device_id && one.reading.time >= since && one.reading.time < (back?.ts.getTime() ?? 0),
      )
      expect(read).toEqual([])
    }
  })

  test('is written once, however often', async () => {
    const world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
    try {
      const settled = await settleCity(world)
      const own = cranesOn(settled.city, now - 5 * dayMs, now - 4 * dayMs, now)
      const client = await world.database.pool.connect()
      try {
        await writeCraneDay(client, own)
        await writeCraneDay(client, own)
        const { rows } = await client.query<{ n: number }>(`select count(*)::int as n from device_record where id like '%:older%'`)
        expect(rows[0]?.n).toBe(own.records.length)
      } finally {
        client.release()
      }
    } finally {
      await world.close()
    }
  })
})
