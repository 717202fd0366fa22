import { listDrills, listSuppressions } from '@zhugong/contract/alarms/endpoints'
import { getTrigger, listTriggers, ruleBase } from '@zhugong/contract/rules/endpoints'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { deliverDefaultRules } from '#domains/rules/defaults'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { World } from '../../test/world.ts'
import { seedTemplates } from './seed-templates.ts'

let world: World
let city: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  await deliverDefaultRules(world.database.kysely)
  await world.database.kysely.transaction().execute((tx) => seedTemplates(tx, city.city, Date.now()))
})
afterAll(() => world.close())

test('the demonstration has templates: sites with drift, one on an old version, locks, a window of work and a drill', async () => {
  const admin = await city.as('admin')
  const { list } = await admin.call(listTriggers, { query: { template: true, size: 50 } })
  expect(list).toHaveLength(6)
  const crane = list.find((one) => one.template && one.name === '塔机标准')
  expect(crane).toMatchObject({ template: true, version: 3, sites: 4, drifted: 2, outdated: 1 })
  const detail = await admin.call(getTrigger, { params: { id: crane?.id ?? '' } })
  if (!detail.template) throw new Error('a template')
  expect(detail.applied.flatMap((site) => site.differences.map((one) => [one.alarmKey, one.strictness])).sort()).toEqual([
    ['tiltWarning', 'looser'],
    ['windWarning', 'stricter'],
  ])
  const pit = list.find((one) => one.template && one.name === '一级基坑')
  if (!pit?.template) throw new Error('a template')
  // Design values differ by point, so the template contains shares of them instead of millimetres.
  const conditions = pit.triggers.flatMap((one) => one.levels.flatMap((l) => (l.condition.of as object[] | undefined) ?? [l.condition]))
  expect(conditions.filter((c) => 'value' in c || 'clearValue' in c)).toEqual([])
  expect(pit.triggers.find((one) => one.alarmKey === 'deepHorizontalAlarm')?.summary).toContain('累计控制值的 85 %')
  expect(pit.triggers.find((one) => one.alarmKey === 'waterLevelRate')?.summary).toContain('速率控制值(每日)')
  const base = await admin.call(ruleBase, { query: { size: 1000 } })
  expect(base.list.filter((one) => one.locked)).toHaveLength(6)
  const project = await city.as('hospital-pm')
  expect((await project.call(listSuppressions, { query: { projectCode: '*', active: true } })).total).toBe(1)
  expect((await project.call(listDrills, { query: {} })).total).toBe(1)
})
