import { getAlarm } from '@zhugong/contract/alarms/endpoints'
import { storedOrder } from '@zhugong/contract/telemetry/families'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { givenAlarm } from '../../../test/givens.ts'
import type { World } from '../../../test/world.ts'

const start = Date.parse('2026-11-20T09:00:00+08:00')
const seconds = 60
let world: World
let city: CityWorld
let site: string
let cranes: { id: string; name: string }[]

/** Two cranes of equal height, 60 m apart. One points at the other, which turns towards it within a minute. */
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => start + 3_600_000 } })
  city = await settleCity(world)
  site = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  cranes = city.city.devices.filter((d) => d.projectCode === site && d.family === 'towerCrane').slice(0, 2)
  const { pool } = world.database
  for (const [i, crane] of cranes.entries())
    await pool.query('update device set params = params || $2 where id = $1', [
      crane.id,
      JSON.stringify({ originX: i * 60, originY: 0, baseElevation: 0, towerHeight: 40, jibLength: 50, counterJibLength: 12 }),
    ])
  await pool.query(
    `insert into rule_trigger (id, name, family, alarm_key, scope, levels) values ('near', '群塔碰撞预警', 'towerCrane', 'collisionWarning', '{"kind":"all"}',
       '[{"level":2,"condition":{"type":"craneClearance","op":"<","value":5,"predictSeconds":0}}]')`,
  )
})
afterAll(() => world.close())

async function report(crane: string, at: number, values: Record<string, number>) {
  const order = storedOrder('towerCrane')?.narrow ?? []
  await world.database.pool.query(
    'insert into telemetry (device_id, ts, seq, received_at, schema_ver, v) values ($1, $2, 0, $2, 1, $3) on conflict do nothing',
    [crane, new Date(at), order.map((key) => values[key] ?? null)],
  )
}
const alarmOf = (id: string, used: object) =>
  givenAlarm(world, {
    id,
    projectCode: site,
    device: { id: cranes[0]?.id ?? '', name: cranes[0]?.name ?? '', family: 'towerCrane' },
    at: new Date(start),
    alarmKey: 'collisionWarning',
    active: false,
    clearTime: new Date(start + seconds * 1000),
    ruleId: 'near',
    valuesUsed: JSON.stringify(used),
  })
const approachOf = async (id: string) =>
  (await (await city.as('hospital-pm')).call(getAlarm, { params: { id }, query: { projectCode: '*' } })).approach

test('a collision shows how near the two cranes came, from the readings of both', async () => {
  const [one, other] = cranes.map(({ id }) => id) as [string, string]
  await alarmOf('pair', { otherCrane: cranes[1]?.name, clearance: 4 })
  expect(await approachOf('pair')).toMatchObject({ otherCrane: cranes[1]?.name, points: [] })
  for (let second = 0; second <= seconds; second += 2) {
    const at = start + second * 1000
    await report(one, at, { slewAngle: 90, radius: 30, hookHeight: 20, slewSpeed: 0 })
    await report(other, at + 100, { slewAngle: 180 + (90 * second) / seconds, radius: 30, hookHeight: 20, slewSpeed: 0 })
  }
  const approach = await approachOf('pair')
  expect(approach).toMatchObject({ otherCrane: cranes[1]?.name, seconds: 0 })
  const meters = approach?.points.map((point) => point.meters) ?? []
  // The first reading of one crane is before the first of the other, so no clearance is known there.
  expect(meters).toHaveLength(seconds / 2)
  expect(meters[0]).toBeCloseTo(10, 1)
  expect(meters.at(-1)).toBeLessThan(1)
  expect(meters.every((value, i) => i === 0 || value <= (meters[i - 1] ?? 0))).toBe(true)
})

test('an alarm of one crane has no such curve', async () => {
  await alarmOf('alone', { windSpeed: 13 })
  expect(await approachOf('alone')).toBeNull()
})
