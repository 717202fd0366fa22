import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as helmetMedia from '@zhugong/contract/monitoring/helmet/helmet-media'
import * as helmetStatistics from '@zhugong/contract/monitoring/helmet/helmet-statistics'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openCity, settleCity } from '../../test/city.ts'
import type { Caller, World } from '../../test/world.ts'
import { seedHelmets } from './seed-helmets.ts'

const now = Date.now()
let world: World
let pm: Caller
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  const settled = await settleCity(world)
  const folder = mkdtempSync(join(tmpdir(), 'zg-files-'))
  await seedHelmets(world.database, settled.city, now, folder)
  // A second run adds nothing.
  await seedHelmets(world.database, settled.city, now, folder)
  pm = await settled.as('hospital-pm')
})
afterAll(() => world.close())

test('a month of pictures, alarms and wearing stands behind the pages of helmets', async () => {
  const projectCode = '*'
  const shots = await pm.call(helmetMedia.helmetSnaps, { query: { projectCode, size: 100 } })
  expect(shots.total).toBeGreaterThanOrEqual(198)
  expect(shots.list.every((one) => one.photo !== null && one.at !== null)).toBe(true)
  const late = shots.list.filter((one) => one.late).length
  expect(late).toBeGreaterThan(0)
  expect(late).toBeLessThan(shots.list.length / 4)
  const alarms = await pm.call(helmetStatistics.helmetAlarms, { query: { projectCode, size: 100 } })
  expect(alarms.list.filter((one) => one.alarmKey === 'sos')).toHaveLength(3)
  const pie = await pm.call(helmetStatistics.helmetAlarmPie, { query: { projectCode } })
  expect(pie.list.find((one) => one.alarmKey === 'fall')).toMatchObject({ count: 8, falseCount: 6 })
  const analysis = await pm.call(helmetStatistics.helmetAnalysis, { query: { projectCode } })
  expect(analysis.coverage).toBeGreaterThan(50)
  expect(analysis.figures.wearingPercent).toBeLessThan(100)
})
