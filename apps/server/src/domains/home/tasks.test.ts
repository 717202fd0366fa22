import { type HomeTask, listTodos } from '@zhugong/contract/home/endpoints'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { World } from '../../../test/world.ts'
import { dueOf, inOrder } from './tasks.ts'

let world: World
let settled: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
})
afterAll(() => world.close())

const task = (id: string, more: Partial<HomeTask>): HomeTask => ({
  id,
  kind: 'alarm',
  kindName: '告警',
  level: null,
  title: id,
  reason: '',
  time: '2026-11-20 08:00:00',
  projectCode: null,
  projectName: null,
  active: false,
  overdue: false,
  due: 'today',
  action: '处理',
  link: '/',
  ...more,
})

test('a dozen alarms do not hide what has run out', () => {
  const alarms = Array.from({ length: 12 }, (_, i) => task(`alarm ${i}`, { level: 2 }))
  const rest = [
    task('contract', { kind: 'contract', overdue: true }),
    task('certificate', { kind: 'certificate', overdue: true }),
    task('approval', { kind: 'approval' }),
  ]
  const first = inOrder([task('grave', { level: 1 }), ...alarms, ...rest])
    .slice(0, 8)
    .map((one) => one.id)
  expect(first.slice(0, 3)).toEqual(['grave', 'contract', 'certificate'])
  expect(first).toContain('approval')
  expect(inOrder([task('seen', { level: 1, action: '查看' }), task('mine', { kind: 'contract', overdue: true })])[0]?.id).toBe('mine')
})

test('what one may do for one group says nothing about another', async () => {
  const { kysely } = world.database
  const hospital = settled.city.projects[0]?.projectCode ?? ''
  await kysely.updateTable('projectWorker').set({ hasContract: false }).where('projectCode', '=', hospital).execute()
  // 企业管理员 in the company, 项目只读 in the project: contracts are the company's business, reviewing devices too.
  const { list } = await (await settled.as('yunze-lu')).call(listTodos, { query: { group: '*', size: 100 } })
  const groupTypeOf = new Map((await kysely.selectFrom('tenant').select(['id', 'type']).execute()).map((one) => [one.id, one.type]))
  const kinds = (type: number) => new Set(list.filter((one) => groupTypeOf.get(one.groupId) === type).map((one) => one.kind))
  expect([...kinds(2)]).toContain('contract')
  expect([...kinds(3)]).not.toContain('contract')
})

test('what is dangerous at this moment stands before what is due in some days, however much of it there is', () => {
  const alarms = Array.from({ length: 9 }, (_, i) => task(`alarm ${i}`, { level: 2, active: true }))
  const order = inOrder([
    ...alarms,
    task('certificate', { kind: 'certificate', due: 'week' }),
    task('expired', { kind: 'certificate', overdue: true }),
  ])
  const ids = order.map((one) => one.id)
  expect(ids.indexOf('certificate')).toBeGreaterThan(ids.indexOf('alarm 8'))
  expect(ids.indexOf('expired')).toBeLessThan(4)
})

test.each([
  ['2026-11-19', 'overdue'],
  ['2026-11-20', 'today'],
  ['2026-11-21', 'week'],
  ['2026-11-22', 'week'],
  ['2026-11-23', 'later'],
])('on Friday 20 November what is due on %s stands under %s', (day, due) => expect(dueOf(day, '2026-11-20')).toBe(due))
test('on a Sunday the week is over', () => expect(dueOf('2026-11-23', '2026-11-22')).toBe('later'))
