import { listTodos } from '@zhugong/contract/home/endpoints'
import { changeSchedule, createScheduleTask, listSchedules, listScheduleTasks, removeScheduleTask } from '@zhugong/contract/schedule/calls'
import { shiftDay } from '@zhugong/contract/schedule/plan'
import { importPlan, planColumns } from '@zhugong/contract/schedule/plan-import'
import { getScheduleUnit, reportTask } from '@zhugong/contract/schedule/unit'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { writeXlsx } from '#kit/sheet-write'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { storedFile } from '../../../test/givens.ts'
import { type Caller, testSecretKey, type World } from '../../../test/world.ts'
import { judgeSchedules } from './nightly.ts'

let world: World
let settled: CityWorld
const now = Date.parse('2026-11-20T10:00:00+08:00')
const today = () => new Date(now + 8 * 3_600_000).toISOString().slice(0, 10)
const day = (n: number) => shiftDay('2026-11-20', n)
let projectCode = ''
let unitId = ''
const cast = {
  site: 'hospital-pm',
  company: 'yunze-lu',
  supervisor: 'hospital-jl',
  authority: 'bj-zhao',
  subcontractor: 'dingli-cheng',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const as = {} as Record<Who, Caller>
let photo = ''
const query = () => ({ projectCode })
const db = () => world.database.kysely

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === cast.site)?.projectCode ?? ''
  for (const [who, account] of Object.entries(cast) as [Who, string][]) as[who] = await settled.as(account)
  const { rows } = await sql<{
    id: string
  }>`select t.id from app_user u join member m on m.user_id = u.id join tenant t on t.id = m.group_id
    where u.account = ${cast.site} limit 1`.execute(db())
  photo = await storedFile(world, rows[0]?.id ?? '')
  unitId = newId()
  await sql`insert into unit_project (id, project_code, seq, name) values (${unitId}, ${projectCode}, 950, '试验楼')`.execute(db())
})
afterAll(() => world.close())

const add = (name: string, from: number, to: number, more: object = {}) =>
  as.site.call(createScheduleTask, {
    query: query(),
    body: { name, planStart: day(from), planEnd: day(to), weight: 50, unitId, ...more },
  } as never)
const tasks = (who: Who = 'site', more: object = {}) =>
  as[who].call(listScheduleTasks, { query: { ...query(), view: 'tasks', size: 500, ...more } } as never)
const named = async (name: string) => (await tasks()).list.find((one) => one.name === name)
async function act(who: Who, body: object) {
  const { rows } = await sql<{ version: number }>`select version from schedule where project_code = ${projectCode}`.execute(db())
  return as[who].ask(changeSchedule, { query: query(), body: { version: rows[0]?.version, ...body } } as never)
}
async function report(name: string, body: object, who: Who = 'site') {
  const task = await named(name)
  return as[who].ask(reportTask, {
    params: { id: unitId },
    query: query(),
    body: { taskId: task?.id, version: task?.version, ...body },
  } as never)
}
const todosOf = async (who: Who) => (await as[who].call(listTodos, { query: { group: '*', size: 1000 } })).list.map((one) => one.title)

test('a plan is written unseen, submitted, returned, approved by 监理, and reported', async () => {
  await add('主体结构', -30, 20)
  const parent = await named('主体结构')
  await add('1层结构', -30, -1, { parentId: parent?.id, weight: 60 })
  await add('2层结构', 0, 20, { parentId: parent?.id, weight: 30, critical: true })
  // Nobody else knows of a draft.
  for (const who of ['company', 'supervisor', 'authority'] as const) expect((await tasks(who)).list, who).toEqual([])
  const { list, head, mayPlan } = await tasks()
  expect([head?.state, head?.baseNo, mayPlan]).toEqual(['0', 0, true])
  expect(list.map((one) => [one.wbs, one.leaf, one.weightSum])).toEqual([
    ['1', false, 90],
    ['1.1', true, null],
    ['1.2', true, null],
  ])
  const early = await report('1层结构', { percent: 10, actualStart: day(-20) })
  expect(early.message).toContain('批准后才能填报')
  const second = await named('2层结构')
  const moved = [{ taskId: second?.id, planStart: day(2), planEnd: day(-2) }]
  expect((await act('site', { action: 'plan', changes: moved })).message).toContain('计划结束不能早于计划开始')
  expect((await act('site', { action: 'plan', changes: [{ ...moved[0], planStart: day(1), planEnd: day(25), weight: 40 }] })).status).toBe(
    0,
  )
  expect(await named('主体结构')).toMatchObject({ planStart: day(-30), planEnd: day(25), weightSum: null })

  expect((await act('supervisor', { action: 'submitBaseline', opinion: '' })).status).not.toBe(0)
  expect((await act('site', { action: 'submitBaseline', opinion: '' })).status).toBe(0)
  expect((await act('site', { action: 'approveBaseline', opinion: '' })).status).not.toBe(0)
  expect((await act('company', { action: 'approveBaseline', opinion: '' })).status).not.toBe(0)
  expect((await tasks('supervisor')).list).toHaveLength(3)
  expect((await todosOf('supervisor')).some((one) => one.startsWith('批准进度基准'))).toBe(true)
  expect((await act('supervisor', { action: 'returnBaseline', opinion: '主体结构工期过短' })).status).toBe(0)
  expect((await todosOf('site')).some((one) => one.includes('退回'))).toBe(true)
  expect((await act('site', { action: 'submitBaseline', opinion: '已调整' })).status).toBe(0)
  const locked = await as.site.ask(createScheduleTask, {
    query: query(),
    body: { name: '多余', planStart: day(0), planEnd: day(1), weight: 1 },
  } as never)
  expect(locked.message).toContain('待监理批准')
  expect((await act('supervisor', { action: 'approveBaseline', opinion: '同意' })).status).toBe(0)
  const after = await tasks()
  expect([after.head?.state, after.head?.baseNo, after.mayPlan]).toEqual(['2', 1, false])
  expect(after.list.every((one) => one.baseStart === one.planStart && one.baseEnd === one.planEnd)).toBe(true)
})

test('reports are refused at the field, counted, and roll up to unit and project', async () => {
  // Approved today: nothing of the 30 days before is a stop.
  expect((await report('1层结构', { percent: 40, actualStart: null })).message).toContain('实际开始')
  expect((await report('1层结构', { percent: 40, actualStart: day(-30) })).message).toContain('请填写滞后原因')
  expect((await report('1层结构', { percent: 40, actualStart: day(-30), reason: '连续降雨' }, 'supervisor')).status).not.toBe(0)
  expect((await report('1层结构', { percent: 40, actualStart: day(-30), reason: '连续降雨' }, 'stranger')).status).not.toBe(0)
  expect((await report('1层结构', { percent: 40, actualStart: day(-30), reason: '连续降雨', photos: [photo] })).status).toBe(0)
  expect(await named('1层结构')).toMatchObject({ percent: 40, delayDays: 18, delayReason: '连续降雨', state: '2' })
  expect((await report('主体结构', { percent: 40, actualStart: day(-30) })).message).toContain('由下级汇总')
  expect((await report('1层结构', { percent: 30, actualStart: day(-30) })).message).toContain('请说明原因')
  const { figures, counts, curve } = await tasks()
  expect(figures).toMatchObject({ percent: 24, delayDays: 18 })
  expect(counts).toMatchObject({ late: 1, severe: 0, unexplained: 0 })
  expect((await tasks('site', { tab: 'late' })).total).toBe(1)
  expect(curve.find((one) => one.day === today())?.actual).toBe(24)
  const unit = await as.site.call(getScheduleUnit, { params: { id: unitId }, query: query() })
  expect(unit).toMatchObject({ phaseName: '主体结构', mayReport: true })
  expect(unit.reports[0]).toMatchObject({ before: 0, percent: 40, delayDays: 18 })
  expect(unit.reports[0]?.photos).toHaveLength(1)
  const stale = await named('1层结构')
  const repeated = await as.site.ask(reportTask, {
    params: { id: unitId },
    query: query(),
    body: { taskId: stale?.id, version: 0, percent: 50, actualStart: day(-30) },
  } as never)
  expect(repeated.message).toContain('已被')
  expect((await as.stranger.ask(getScheduleUnit, { params: { id: unitId }, query: query() })).status).not.toBe(0)
  const removed = await as.site.ask(removeScheduleTask, { params: { taskId: stale?.id ?? '' }, query: query() })
  expect(removed.status).not.toBe(0)
})

test('a baseline is changed with a reason; delay is counted by the approved one until then', async () => {
  const task = await named('1层结构')
  const changes = [{ taskId: task?.id, planStart: day(-20), planEnd: day(19) }]
  expect((await act('site', { action: 'rebase', reason: '短', changes })).status).not.toBe(0)
  expect((await act('site', { action: 'rebase', reason: '设计变更，一层层高调整', changes })).status).toBe(0)
  expect(await named('1层结构')).toMatchObject({ baseStart: day(-30), planStart: day(-20), delayDays: 18 })
  expect((await act('supervisor', { action: 'approveBaseline', opinion: '' })).status).toBe(0)
  const { head } = await tasks()
  expect(head?.bases.map((one) => [one.no, one.moved, one.reason])).toEqual([
    [2, 2, '设计变更，一层层高调整'],
    [1, 0, null],
  ])
  expect(await named('1层结构')).toMatchObject({ baseStart: day(-20), delayDays: 4 })
})

test('every night delays grow; beyond 30 days the company is asked, and the project is severe', async () => {
  expect(
    await judgeSchedules({
      db: db(),
      clock: { now: () => now + 40 * 86_400_000 },
      secrets: createSecrets(testSecretKey),
      log: createLog('test', 'silent'),
    }),
  ).toBeGreaterThan(0)
  const { counts } = await tasks()
  expect(counts.severe).toBeGreaterThan(0)
  expect((await todosOf('company')).some((one) => one.startsWith('进度严重滞后'))).toBe(true)
  expect(await todosOf('site')).toContain('填报本周进度')
  const all = await as.authority.call(listSchedules, { query: { projectCode: '*', size: 100 } })
  expect(all.counts.severe).toBe(1)
  expect(all.list[0]).toMatchObject({ projectCode, state: '3' })
  expect((await as.subcontractor.call(listSchedules, { query: { projectCode: '*' } })).list).toEqual([])
})

test('a subcontractor sees only its own tasks', async () => {
  const { rows } = await sql<{
    code: string
  }>`select t.code from app_user u join member m on m.user_id = u.id join tenant t on t.id = m.group_id
    where u.account = ${cast.subcontractor} limit 1`.execute(db())
  await sql`update schedule_task set corp_code = ${rows[0]?.code} where project_code = ${projectCode} and name = '2层结构'`.execute(db())
  const own = await tasks('subcontractor')
  expect(own.list.map((one) => one.name)).toEqual(['2层结构'])
  expect([own.head, own.mayPlan]).toEqual([null, false])
  expect((await report('2层结构', { percent: 5, actualStart: today(), reason: '晚进场' }, 'subcontractor')).status).not.toBe(0)
})

test('a file is shown first, then replaces the whole plan; only who writes it may', async () => {
  const other = settled.city.personas.find((p) => p.account === cast.stranger)?.projectCode ?? ''
  const head = planColumns.map(({ title }) => title)
  const send = async (who: Caller, lines: readonly (readonly string[])[], mode: 'check' | 'save', code = other) => {
    const file = Buffer.from(await writeXlsx({ sheets: [{ name: '进度计划', rows: [head, ...lines] as never }] }))
    const payload = Buffer.concat([
      Buffer.from(`--xx\r\ncontent-disposition: form-data; name="mode"\r\n\r\n${mode}\r\n`),
      Buffer.from(
        '--xx\r\ncontent-disposition: form-data; name="file"; filename="plan.xlsx"\r\ncontent-type: application/octet-stream\r\n\r\n',
      ),
      file,
      Buffer.from('\r\n--xx--\r\n'),
    ])
    const headers = { token: who.token, group: '*', 'content-type': 'multipart/form-data; boundary=xx' }
    const url = `${importPlan.path}?projectCode=${code}`
    return (await world.api.app.inject({ method: 'POST', url, headers, payload })).json()
  }
  const sound = [
    ['1', '', '主体', '2026-03-01', '2026-06-30', '', '', '', ''],
    ['1.1', '', '1层', '2026-03-01', '2026-03-31', '40', '', '是', ''],
    ['1.2', '', '2层', '2026-04-01', '2026-06-30', '60', '', '', ''],
  ]
  const looked = await send(as.stranger, [...sound, ['2', '', '', '2026-13-01', '', '', '', '', '']], 'check')
  expect(looked.data.counts).toMatchObject({ rows: 4, faulty: 1, fresh: 3 })
  const none = await as.stranger.call(listScheduleTasks, { query: { projectCode: other, view: 'tasks' } })
  expect([none.total, none.head]).toEqual([0, null])
  expect((await send(as.site, sound, 'save')).status).not.toBe(0)
  expect((await send(as.stranger, sound, 'save')).status).toBe(0)
  const shorter = await send(as.stranger, sound.slice(0, 2), 'save')
  expect(shorter.data.counts).toMatchObject({ fresh: 0, changed: 2, removed: 1 })
  const { list, head: plan } = await as.stranger.call(listScheduleTasks, { query: { projectCode: other, view: 'tasks' } })
  expect(list.map((one) => [one.wbs, one.planEnd, one.weightSum])).toEqual([
    ['1', '2026-03-31', 40],
    ['1.1', '2026-03-31', null],
  ])
  expect(plan?.timeline.map((one) => one.label)).toEqual(['开始编制', '导入计划', '导入计划'])
  // A plan that is approved is not replaced by a file.
  expect((await send(as.site, sound, 'check', projectCode)).message).toContain('变更基准')
})
