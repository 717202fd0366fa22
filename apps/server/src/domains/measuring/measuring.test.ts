import { findMeasureHeat, findMeasureMatrix, findMeasurePoints } from '@zhugong/contract/measuring/records'
import { changeMeasureRule, createMeasureRule, listMeasureRules, removeMeasureRule } from '@zhugong/contract/measuring/rules'
import {
  changeMeasureTask,
  createMeasureTask,
  getMeasureTask,
  listMeasureTasks,
  measureChoices,
  removeMeasureTask,
} from '@zhugong/contract/measuring/tasks'
import { createPlaces, listPlaces } from '@zhugong/contract/places/places'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { openCity, settleCity } from '../../../test/city.ts'
import { storedFile } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let projectCode = ''
/** The site's manager (measurer), its general contractor (owner of the templates), 监理, a subcontractor, the authority, another site. */
const cast = {
  manager: 'hospital-pm',
  safety: 'hospital-safety',
  company: 'yunze-lu',
  supervisor: 'hospital-jl',
  subcontractor: 'dingli-cheng',
  authority: 'bj-zhao',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const as = {} as Record<Who, Caller>
const corps = {} as Record<Who, string>
const users = {} as Record<Who, string>
let photo = ''
let template = ''
let rooms: { id: string; parentId: string | null }[] = []
const any = { projectCode: '*' }

const rule = (more: object = {}) => ({
  itemCode: '102',
  standardName: '表面平整度',
  baseValue: null,
  judgeStart: 0,
  judgeEnd: 8,
  isAbsolute: true,
  isRange: false,
  isCustomBase: false,
  areaCount: 1,
  pointCount: 4,
  method: null,
  norm: 'GB 50204-2015',
  forbidManual: false,
  burstFactor: 1.5,
  ...more,
})

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  const settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === cast.manager)?.projectCode ?? ''
  for (const [who, account] of Object.entries(cast) as [Who, string][]) {
    as[who] = await settled.as(account)
    const { rows } = await sql<{
      user: string
      id: string
      code: string
    }>`select u.id as user, t.id, t.code from app_user u join member m on m.user_id = u.id
      join tenant t on t.id = m.group_id where u.account = ${account} order by m.is_default desc limit 1`.execute(world.database.kysely)
    corps[who] = rows[0]?.code ?? ''
    users[who] = rows[0]?.user ?? ''
    if (who === 'manager') photo = await storedFile(world, rows[0]?.id ?? '')
  }
  await as.manager.call(createPlaces, { body: { projectCode, parentId: null, building: '实测楼', from: 1, to: 2, rooms: 2 } } as never)
  const { list } = await as.manager.call(listPlaces, { query: { projectCode } })
  rooms = list.filter((one) => one.kind === 'room' && one.fullName.startsWith('实测楼'))
  template = await templateOf('主体测试', [
    rule(),
    rule({ itemCode: '108', standardName: '顶板水平度极差', isRange: true, judgeEnd: 15, pointCount: 3 }),
  ])
})
afterAll(() => world.close())

async function templateOf(name: string, rules: object[]): Promise<string> {
  const { id } = await as.company.call(createMeasureRule, {
    query: any,
    body: { action: 'createTemplate', name, stage: '1', targetRate: 90 },
  })
  for (const one of rules)
    await as.company.call(createMeasureRule, { query: any, body: { action: 'create', templateId: id, ...one } } as never)
  return id
}
const assign = (more: object = {}, who: Who = 'manager') =>
  as[who].ask(createMeasureTask, {
    query: { projectCode },
    body: {
      action: 'assign',
      id: newId(),
      taskName: '主体实测',
      templateId: template,
      placeIds: [rooms[0]?.id],
      unitCorp: corps.subcontractor,
      memberId: users.manager,
      deadline: null,
      ...more,
    },
  } as never)
const idOf = (answer: { data?: unknown }): string => (answer.data as { ids: string[] }).ids[0] ?? ''
async function act(who: Who, id: string, body: object) {
  const { rows } = await sql<{ version: number }>`select version from measure_task where id = ${id}`.execute(world.database.kysely)
  return as[who].ask(changeMeasureTask, { query: any, body: { id, version: rows[0]?.version ?? 0, ...body } } as never)
}
const area = (itemNo: number, values: (number | null)[], more: object = {}) => ({
  placeId: rooms[0]?.id,
  itemNo,
  areaNo: 1,
  designValue: null,
  values,
  photos: {},
  pin: null,
  ...more,
})
const detail = (who: Who, id: string) => as[who].call(getMeasureTask, { params: { id }, query: any })
async function started(): Promise<string> {
  const id = idOf(await assign())
  expect((await act('manager', id, { action: 'start' })).status).toBe(0)
  return id
}

test('assigned, measured, mended by the subcontractor, measured again by 监理', async () => {
  const id = await started()
  const whole = [area(1, [3, 8, 9, 2]), area(2, [0, 10, 4])]
  expect((await act('manager', id, { action: 'submit', areas: whole, instrumentNo: null })).status).toBe(0)
  const file = await detail('manager', id)
  expect([file.state, file.currentPoints, file.qualifiedPoints, file.passRate, file.firstRate]).toEqual(['4', 7, 6, 85.71, 85.71])
  expect((await detail('subcontractor', id)).actions.map((one) => one.action)).toEqual(['fix'])
  expect((await act('subcontractor', id, { action: 'fix', note: '已打磨修补完成' })).status).toBe(0)
  const missing = await act('supervisor', id, { action: 'retest', retests: [] })
  expect(missing.message).toContain('还有 1 个不合格点未复测')
  const again = { placeId: rooms[0]?.id, itemNo: 1, areaNo: 1, values: [null, null, 4, null] }
  expect((await act('supervisor', id, { action: 'retest', retests: [again] })).status).toBe(0)
  const done = await detail('manager', id)
  expect([done.state, done.passRate, done.firstRate]).toEqual(['6', 100, 85.71])
  expect(done.timeline.map((one) => one.action)).toEqual(['create', 'start', 'submit', 'fix', 'retest'])
})

test('the one who mended does not measure it again', async () => {
  const id = await started()
  await act('manager', id, { action: 'submit', areas: [area(1, [9, 9, 9, 9])], instrumentNo: null })
  expect((await act('manager', id, { action: 'fix', note: '项目自行修补完成' })).status).toBe(0)
  const again = { placeId: rooms[0]?.id, itemNo: 1, areaNo: 1, values: [1, 1, 1, 1] }
  expect((await act('manager', id, { action: 'retest', retests: [again] })).message).toBe('整改人不能复测自己的整改')
})

test('a burst point needs a photograph, a spread its last point', async () => {
  const id = await started()
  const bare = await act('manager', id, { action: 'submit', areas: [area(1, [13, 1, 1, 1])], instrumentNo: null })
  expect(bare.message).toBe('1 个爆点缺照片：表面平整度测区 1 测点 1')
  const half = await act('manager', id, { action: 'submit', areas: [area(2, [0, 10])], instrumentNo: null })
  expect(half.message).toContain('极差要测完全部测点')
  const shown = [area(1, [13, 1, 1, 1], { photos: { 1: [photo] } })]
  expect((await act('manager', id, { action: 'submit', areas: shown, instrumentNo: null })).status).toBe(0)
  const file = await detail('manager', id)
  expect([file.state, file.burstPoints]).toEqual(['4', 1])
  expect(file.areas[0]?.points[0]?.photos).toHaveLength(1)
})

test('points sent twice or late change nothing more, and leave the version alone', async () => {
  const id = await started()
  const body = { action: 'saveRecords', areas: [area(1, [1, 2, null, null])], instrumentNo: 'LS-1' }
  const before = await detail('manager', id)
  expect((await act('manager', id, body)).status).toBe(0)
  expect((await act('manager', id, body)).status).toBe(0)
  expect((await act('manager', id, { ...body, areas: [area(1, [1, null, 3, null])] })).status).toBe(0)
  const after = await detail('manager', id)
  expect(after.version).toBe(before.version)
  expect(after.areas[0]?.points.map((one) => [one.pointNo, one.value, one.result])).toEqual([
    [1, 1, '1'],
    [3, 3, '1'],
  ])
  expect(after.currentPoints).toBe(2)
})

test('a floor each gets a task, and the repeated request none more', async () => {
  const id = newId()
  const body = { id, perFloor: true, placeIds: rooms.map((one) => one.id) }
  const first = await assign(body)
  expect((first.data as { ids: string[] }).ids).toHaveLength(2)
  expect((await assign(body)).data).toEqual(first.data)
  const { list } = await as.manager.call(listMeasureTasks, { query: { projectCode, tab: 'mine', size: 100 } })
  const names = list.filter((one) => (first.data as { ids: string[] }).ids.includes(one.id)).map((one) => one.taskName)
  expect(names.sort()).toEqual(['主体实测 实测楼 1层', '主体实测 实测楼 2层'])
  for (const one of (first.data as { ids: string[] }).ids) await as.manager.call(removeMeasureTask, { params: { id: one } })
})

describe('who may', () => {
  test.each([
    ['manager', 0],
    ['company', 0],
    ['safety', 7],
    ['supervisor', 7],
    ['subcontractor', 7],
    ['authority', 7],
    ['stranger', 7],
  ] as const)('%s assigns', async (who, status) => {
    const answer = await assign({}, who)
    if (status === 0) expect(answer.status).toBe(0)
    else expect(answer.status).not.toBe(0)
  })
  test('only the measurer measures, also beside the same code', async () => {
    const id = await started()
    const body = { action: 'saveRecords', areas: [area(1, [1, 2, 3, 4])], instrumentNo: null }
    for (const who of ['company', 'safety', 'supervisor', 'subcontractor', 'authority', 'stranger'] as const)
      expect((await act(who, id, body)).status, who).not.toBe(0)
    expect((await act('manager', id, body)).status).toBe(0)
  })
  test('a measurer is an account with the code on this site', async () => {
    expect((await assign({ memberId: users.stranger })).message).toBe('该人员没有本项目的实测实量录入权限')
    const { members } = await as.manager.call(measureChoices, { query: { projectCode } })
    expect(members.map((one) => one.id)).toContain(users.manager)
    expect(members.map((one) => one.id)).not.toContain(users.stranger)
  })
  test('a subcontractor sees his own lines only, another site nothing', async () => {
    const own = await started()
    const other = idOf(await assign({ unitCorp: null }))
    const seen = async (who: Who) => (await as[who].call(listMeasureTasks, { query: { ...any, size: 1000 } })).list.map((one) => one.id)
    expect(await seen('subcontractor')).toContain(own)
    expect(await seen('subcontractor')).not.toContain(other)
    expect(await seen('stranger')).not.toContain(own)
    expect(await seen('supervisor')).toEqual(expect.arrayContaining([own, other]))
  })
})

test('the instrument alone: a number of it is asked', async () => {
  const only = await templateOf('仅仪器', [rule({ forbidManual: true })])
  const id = idOf(await assign({ templateId: only }))
  await act('manager', id, { action: 'start' })
  const typed = await act('manager', id, { action: 'saveRecords', areas: [area(1, [1, 2, 3, 4])], instrumentNo: null })
  expect(typed.message).toContain('仅允许仪器录入')
  expect((await act('manager', id, { action: 'saveRecords', areas: [area(1, [1, 2, 3, 4])], instrumentNo: 'LS-7' })).status).toBe(0)
})

describe('rules', () => {
  const rulesOf = async (templateId: string, who: Who = 'company') =>
    (await as[who].call(listMeasureRules, { query: { ...any, templateId, size: 100 } })).list
  test('a used rule becomes a new revision; the task keeps what it began with, and the rule cannot be removed', async () => {
    const own = await templateOf('修订', [rule()])
    const id = idOf(await assign({ templateId: own }))
    const [before] = await rulesOf(own)
    await as.company.call(changeMeasureRule, {
      query: any,
      body: { action: 'edit', id: before?.id ?? '', version: before?.version ?? 0, ...rule({ judgeEnd: 5 }) },
    } as never)
    const [after] = await rulesOf(own)
    expect([after?.revision, after?.judgeEnd, after?.taskCount]).toEqual([2, 5, 1])
    expect((await detail('manager', id)).items[0]?.judgeEnd).toBe(8)
    const refused = await as.company.ask(removeMeasureRule, { params: { id: after?.id ?? '' } })
    expect(refused.message).toMatch(/^规则已用于 1 个任务（CL-\d{4}-\d{4}），不能删除$/)
  })
  test('wider than the norm is told; the library brings the tolerances of the norm', async () => {
    const own = await templateOf('宽', [rule({ judgeEnd: 10 })])
    expect((await rulesOf(own))[0]?.wider).toBe(true)
    const { created } = await as.company.call(createMeasureRule, {
      query: any,
      body: { action: 'import', templateId: own, itemCodes: ['102', '103', '108'] },
    })
    expect(created).toBe(2)
    const added = (await rulesOf(own)).find((one) => one.itemCode === '108')
    expect([added?.judgeEnd, added?.isRange, added?.wider]).toEqual([15, true, false])
  })
  test('the site of the company sees its templates and does not change them; another site sees none', async () => {
    const [first] = await rulesOf(template, 'manager')
    expect(first).toBeDefined()
    const edit = { action: 'edit', id: first?.id ?? '', version: first?.version ?? 0, ...rule() }
    expect((await as.manager.ask(changeMeasureRule, { query: any, body: edit } as never)).status).not.toBe(0)
    expect(await rulesOf(template, 'stranger')).toEqual([])
    expect(await rulesOf(template, 'subcontractor')).toEqual([])
  })
  test.each([
    [{ judgeStart: 9 }, 'judgeEnd'],
    [{ isRange: true, pointCount: 1 }, 'pointCount'],
    [{ itemCode: '1' }, 'itemCode'],
    [{ isCustomBase: true, baseValue: 3 }, 'baseValue'],
  ])('refused at the field: %j', async (more, field) => {
    const answer = await as.company.ask(createMeasureRule, {
      query: any,
      body: { action: 'create', templateId: template, ...rule({ standardName: newId(), ...more }) },
    } as never)
    expect(answer.status).not.toBe(0)
    expect(JSON.stringify(answer)).toContain(field)
  })
})

test('views count the same points; what is not measured has no rate', async () => {
  const query = { projectCode, size: 1 }
  const { counts } = await as.manager.call(findMeasurePoints, { query })
  const matrix = await as.manager.call(findMeasureMatrix, { query: { projectCode, view: 'matrix' } })
  const heat = await as.manager.call(findMeasureHeat, { query: { projectCode, view: 'heat' } })
  expect(matrix.list.reduce((n, one) => n + one.measured, 0)).toBe(counts.measured)
  expect(heat.list.reduce((n, one) => n + one.measured, 0)).toBe(counts.measured)
  const floors = heat.list.find((one) => one.name === '实测楼')?.floors ?? []
  expect(floors.map((one) => one.floorName)).toEqual(['2层', '1层'])
  expect(heat.cells.some((one) => one.placeId === rooms.at(-1)?.id)).toBe(false)
  const open = await as.manager.call(findMeasurePoints, { query: { ...query, open: true } })
  expect(open.total).toBe(counts.open)
})
