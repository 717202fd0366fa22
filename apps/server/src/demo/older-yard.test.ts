import { dayMs } from '@zhugong/contract/kit/time'
import { buildCity } from '@zhugong/simulator/city'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { formatDay, startOfDay } from '#kit/clock'
import { openCity, settleCity } from '../../test/city.ts'
import { writeYardDay, type YardDay, yardOn } from './older-yard.ts'

const now = startOfDay(formatDay(Date.now())) + 10 * 3_600_000
const city = buildCity({ seed: 7, today: formatDay(now) })
const days: YardDay[] = []

beforeAll(() => {
  for (let i = 4; i < 13; i++) days.push(yardOn(city, now - (i + 1) * dayMs, now - i * dayMs))
})

describe('past days of the yard', () => {
  test('hold weighings, passages and loads on platforms, all within their day', () => {
    for (const record of ['weighRecord', 'accessRecord', 'unloadingRecord'])
      expect(days[0]?.records.filter((one) => one.record === record).length, record).toBeGreaterThan(5)
    for (const one of days[0]?.records ?? []) {
      expect(one.ts.getTime()).toBeGreaterThanOrEqual(now - 5 * dayMs)
      expect(one.ts.getTime()).toBeLessThan(now - 4 * dayMs)
    }
  })

  test('tell of short deliveries, unwashed lorries and overloaded platforms', () => {
    const keys = new Set(days.flatMap((day) => day.alarms.map((one) => one.alarmKey)))
    for (const key of ['shortWeight', 'notWashed', 'weightWarning', 'leak']) expect([...keys], key).toContain(key)
    expect(days.flatMap((day) => day.mended.map((one) => one.action)).sort()).toEqual(expect.arrayContaining(['save', 'void']))
  })

  test('are written once, however often', async () => {
    const world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
    try {
      const settled = await settleCity(world)
      // A ticket is corrected every fourth day.
      const day = [4, 5, 6, 7]
        .map((back) => yardOn(settled.city, now - (back + 1) * dayMs, now - back * dayMs))
        .find((one) => one.mended.length > 0)
      if (!day) throw new Error('no day with a corrected ticket')
      const client = await world.database.pool.connect()
      try {
        await writeYardDay(client, day)
        await writeYardDay(client, day)
        const { rows } = await client.query<{ n: number }>("select count(*)::int as n from device_record where id like '%:older%'")
        expect(rows[0]?.n).toBe(day.records.length)
        const tickets = await client.query<{ n: number }>('select count(*)::int as n from weigh_ticket')
        expect(tickets.rows[0]?.n).toBe(day.mended.length)
      } finally {
        client.release()
      }
    } finally {
      await world.close()
    }
  })
})
