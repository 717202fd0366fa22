import { type HomeTask, listTodos, longestSnoozeHours, snoozeTodo } from '@zhugong/contract/home/endpoints'
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
  several: null,
  due: 'today',
  dueDay: null,
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
  // 企业管理员 in the company, 项目只读 in the project: contracts and device reviews are the company's tasks.
  const { list } = await (await settled.as('yunze-lu')).call(listTodos, { query: { group: '*', size: 100 } })
  const groupTypeOf = new Map((await kysely.selectFrom('tenant').select(['id', 'type']).execute()).map((one) => [one.id, one.type]))
  const kinds = (type: number) => new Set(list.filter((one) => groupTypeOf.get(one.groupId) === type).map((one) => one.kind))
  expect([...kinds(2)]).toContain('contract')
  expect([...kinds(3)]).not.toContain('contract')
})

test('what one puts off is gone until then, from his own list alone; never what may cost a life, never what is another’s', async () => {
  const [boss, other] = [await settled.as('yunze-lu'), await settled.as('chuyuan-li')]
  const all = { query: { group: '*', size: 100 } } as const
  const before = await boss.call(listTodos, all)
  const task = before.list.find((one) => one.level !== 1)
  if (!task) throw new Error('there is nothing to put off')
  const at = { groupId: task.groupId, task: task.id }
  const others = await other.call(listTodos, all)
  const { until } = await boss.call(snoozeTodo, { body: { ...at, hours: 2 } })
  expect(until).toMatch(/^\d{4}-/)
  const after = await boss.call(listTodos, all)
  expect([after.total, after.snoozed]).toEqual([before.total - 1, before.snoozed + 1])
  expect(after.groups.find((one) => one.groupId === task.groupId)?.count).toBe(
    (before.groups.find((one) => one.groupId === task.groupId)?.count ?? 0) - 1,
  )
  expect(after.list.map((one) => `${one.groupId} ${one.id}`)).not.toContain(`${task.groupId} ${task.id}`)
  const off = await boss.call(listTodos, { query: { ...all.query, snoozed: true } })
  expect(off.list.map((one) => [one.id, one.snoozedUntil])).toContainEqual([task.id, until])
  expect((await other.call(listTodos, all)).total).toBe(others.total)
  // A task cannot be snoozed from another user's list, nor in a group where it does not exist.
  expect((await other.ask(snoozeTodo, { body: { ...at, hours: 2 } })).status).not.toBe(0)
  expect((await boss.ask(snoozeTodo, { body: { ...at, task: 'alarm:none', hours: 2 } })).status).not.toBe(0)
  expect(await boss.ask(snoozeTodo, { body: { ...at, hours: longestSnoozeHours + 1 } })).toMatchObject({
    http: 400,
    data: { field: 'hours' },
  })
  const grave = before.list.find((one) => one.level === 1)
  if (grave) expect((await boss.ask(snoozeTodo, { body: { groupId: grave.groupId, task: grave.id, hours: 2 } })).status).not.toBe(0)
  await boss.call(snoozeTodo, { body: { ...at, hours: 0 } })
  expect((await boss.call(listTodos, all)).total).toBe(before.total)
  // The due categories add up to the total.
  const parts = await Promise.all(
    (['overdue', 'today', 'week', 'later'] as const).map((dueIn) => boss.call(listTodos, { query: { ...all.query, dueIn } })),
  )
  expect(parts.reduce((sum, one) => sum + one.total, 0)).toBe(before.total)
  expect(before.dueToday).toBe(parts[1]?.total)
  // The calendar's counts equal the number of listed tasks with a due date.
  expect(before.days.reduce((sum, one) => sum + one.count, 0)).toBe(before.list.filter((one) => one.dueDay).length)
  const [first] = before.days
  if (!first) throw new Error('nothing has a last day')
  const then = await boss.call(listTodos, { query: { ...all.query, dueOn: first.day } })
  expect([then.total, then.list.every((one) => one.dueDay === first.day)]).toEqual([first.count, true])
})

test('an alarm that is raised to level 1 while it is put off stands in the list again', async () => {
  const { pool } = world.database
  const hospital = settled.city.projects[0]?.projectCode ?? ''
  await pool.query(
    `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, start_time, fire_time)
     select 'put off', project_code, id, name, family, 'put off', '风速', 2, 2, now(), now() from device where project_code = $1 limit 1`,
    [hospital],
  )
  const site = await settled.as('hospital-pm')
  const all = { query: { group: '*', size: 100 } } as const
  const alarm = (await site.call(listTodos, all)).list.find((one) => one.id === 'alarm:put off')
  if (!alarm) throw new Error('there is no alarm to put off')
  await site.call(snoozeTodo, { body: { groupId: alarm.groupId, task: alarm.id, hours: 2 } })
  const before = await site.call(listTodos, all)
  expect([before.snoozed, before.list.some((one) => one.id === alarm.id)]).toEqual([1, false])
  await pool.query(`update alarm set level = 1, max_level = 1 where id = 'put off'`)
  const raised = await site.call(listTodos, all)
  expect([raised.snoozed, raised.list.some((one) => one.id === alarm.id)]).toEqual([0, true])
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
