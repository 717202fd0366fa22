import { getDayCheck, listDayChecks } from '@zhugong/contract/daychecks/calls'
import {
  changePlan,
  createPlan,
  generatePlans,
  getPlan,
  listPlans,
  planMatrix,
  planRisk,
  removePlan,
  removePlanVisit,
} from '@zhugong/contract/plans/calls'
import type { PlanAction } from '@zhugong/contract/plans/moves'
import { explainRisk, leastVisits, proposedFrequency, windowsOf } from '@zhugong/contract/plans/risk'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { type Caller, testSecretKey, type World } from '../../../test/world.ts'
import { arrangeVisits, computeRisks } from './public.ts'

let world: World
let settled: CityWorld
let projectCode = ''
const cast = {
  officer: 'bj-zhao',
  second: 'bj-qian',
  head: 'bj-wu',
  city: 'city-fang',
  site: 'hospital-pm',
  supervisor: 'hospital-jl',
  owner: 'weijian-xia',
  subcontractor: 'dingli-cheng',
  otherDistrict: 'yd-wang',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast
const as = {} as Record<Who, Caller>
const ids = {} as Record<Who, { id: string; name: string }>
const query = () => ({ projectCode })
const deps = () => ({
  db: world.database.kysely,
  clock: { now: () => Date.now() },
  secrets: createSecrets(testSecretKey),
  log: createLog('test', 'silent'),
})

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  for (const [who, account] of Object.entries(cast) as [Who, string][]) {
    as[who] = await settled.as(account)
    const { rows } = await sql<{ id: string; name: string }>`select id, name from app_user where account = ${account}`.execute(
      world.database.kysely,
    )
    if (rows[0]) ids[who] = rows[0]
  }
})
afterAll(() => world.close())
beforeEach(async () => {
  const db = world.database.kysely
  await sql`delete from check_plan`.execute(db)
  await sql`delete from site_check where kind = 'daycheck'`.execute(db)
  await sql`update project set prj_status = '003' where project_code = ${projectCode}`.execute(db)
})

const later = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
const fields = (more: object = {}) => ({
  title: '医院项目安全监督计划',
  supervisors: [ids.officer, ids.second].map(({ id, name }) => ({ id, name })),
  startDate: later(0),
  endDate: later(99),
  frequency: [{ phase: '3', times: 4, from: later(0), to: later(99) }],
  frequencyReason: '按机构力量安排',
  mainContent: '关键岗位到岗履职\n起重机械',
  measures: '按 JGJ 59 抽查',
  focus: ['塔机'],
  ...more,
})
const draft = async (action: 'save' | 'submit' = 'submit', more: object = {}) =>
  (await as.officer.call(createPlan, { query: query(), body: { action, discipline: '1', year: 2026, ...fields(more) } as never })).id
async function act(who: Who, id: string, action: PlanAction, more: object = {}) {
  const { rows } = await sql<{ version: number }>`select version from check_plan where id = ${id}`.execute(world.database.kysely)
  return as[who].ask(changePlan, { params: { id }, query: query(), body: { version: rows[0]?.version ?? 0, action, ...more } as never })
}
const read = (who: Who, id: string) => as[who].call(getPlan, { params: { id }, query: query() })
const inForce = async () => {
  const id = await draft()
  expect(await act('head', id, 'approve')).toMatchObject({ status: 0 })
  return id
}

describe('from draft to end', () => {
  test('the head approves what another has written; a number, visits and the version are made', async () => {
    const id = await draft()
    expect((await act('officer', id, 'approve')).status).not.toBe(0)
    expect(await act('head', id, 'approve')).toMatchObject({ status: 0 })
    const plan = await read('officer', id)
    expect(plan).toMatchObject({ state: '3', planCount: 4, doneCount: 0, published: true })
    expect(plan.code).toMatch(/监计〔\d{4}〕第\d{4}号$/)
    expect(plan.visits[0]).toMatchObject({ windowStart: later(0), mark: 'due' })
  })

  test('who submitted a plan may not approve it, even as head', async () => {
    const { id } = await as.head.call(createPlan, {
      query: query(),
      body: { action: 'submit', discipline: '1', year: 2026, ...fields() } as never,
    })
    expect(await act('head', id, 'approve')).toMatchObject({ status: 4, message: expect.stringContaining('须由他人审批') })
    expect(await act('head', id, 'reject', { opinion: '内容不完整，请补充' })).toMatchObject({ status: 4 })
  })

  test('a returned plan shows the reason and goes its way again', async () => {
    const id = await draft()
    expect(await act('head', id, 'reject', { opinion: '请补充夜间抽查' })).toMatchObject({ status: 0 })
    expect(await read('officer', id)).toMatchObject({ state: '2', opinion: '请补充夜间抽查' })
    expect(await act('officer', id, 'submit', fields())).toMatchObject({ status: 0 })
  })

  test('an adjustment makes a version with differences; the site keeps the old one until it is approved', async () => {
    const id = await inForce()
    const more = { ...fields({ mainContent: '关键岗位到岗履职\n起重机械\n群塔防碰撞' }), reason: '相邻项目发生事故' }
    expect(await act('officer', id, 'adjust', more)).toMatchObject({ status: 0 })
    expect(await read('site', id)).toMatchObject({ state: '3', mainContent: '关键岗位到岗履职\n起重机械' })
    expect(await act('head', id, 'approve')).toMatchObject({ status: 0 })
    expect((await read('site', id)).mainContent).toContain('群塔防碰撞')
    expect((await read('officer', id)).versions.at(-1)?.changes).toContainEqual({ label: '主要监督内容', before: '', after: '群塔防碰撞' })
  })

  test('a second plan of the year, too few visits without reason and one officer are refused', async () => {
    await draft()
    const ask = (more: object, year = 2027) =>
      as.officer.ask(createPlan, { query: query(), body: { action: 'save', discipline: '1', year, ...fields(more) } as never })
    expect(await ask({}, 2026)).toMatchObject({ status: 4, message: expect.stringContaining('请调整原计划') })
    expect(await ask({ supervisors: [{ id: ids.officer.id, name: ids.officer.name }] })).toMatchObject({ status: 2 })
    expect(await ask({ supervisors: [ids.officer, ids.site].map(({ id, name }) => ({ id, name })) })).toMatchObject({ status: 2 })
    expect(await ask({ frequency: [{ phase: '3', times: 1, from: later(-5), to: later(9) }] })).toMatchObject({ status: 2 })
  })

  test('it cannot be finished while visits are missing, and is terminated with a reason', async () => {
    const id = await inForce()
    await sql`update check_plan set state = '4' where id = ${id}`.execute(world.database.kysely)
    expect(await act('officer', id, 'finish')).toMatchObject({ status: 4, message: expect.stringContaining('4 次检查未完成') })
    expect(await act('officer', id, 'terminate', { opinion: '项目终止监督' })).toMatchObject({ status: 0 })
    expect((await read('officer', id)).visits).toHaveLength(0)
  })

  test('a week before a window the task is made once, hidden; a stopped site waits', async () => {
    const id = await inForce()
    await sql`update project set prj_status = '005' where project_code = ${projectCode}`.execute(world.database.kysely)
    await arrangeVisits(deps())
    expect((await read('officer', id)).visits.every((one) => one.check === null)).toBe(true)
    await sql`update project set prj_status = '003' where project_code = ${projectCode}`.execute(world.database.kysely)
    await arrangeVisits(deps())
    await arrangeVisits(deps())
    const visits = (await read('officer', id)).visits.filter((one) => one.check)
    expect(visits.length).toBe(1)
    const checkId = visits[0]?.check?.id ?? ''
    expect(await as.officer.call(getDayCheck, { params: { id: checkId }, query: query() })).toMatchObject({ mine: true, planId: id })
    expect((await as.site.call(listDayChecks, { query: { projectCode: '*', page: 1, size: 20 } })).total).toBe(0)
  })

  test('drafts by risk level: a preview first, then the chosen ones', async () => {
    const body = (more: object) => ({
      dryRun: true,
      discipline: '1',
      year: 2027,
      supervisors: [ids.officer, ids.second].map(({ id, name }) => ({ id, name })),
      ...more,
    })
    const preview = await as.officer.call(generatePlans, { query: { projectCode: '*' }, body: body({}) })
    const own = preview.rows.find((one) => one.projectCode === projectCode)
    expect(own?.times).toBeGreaterThan(0)
    const rows = [{ projectCode, times: (own?.times ?? 1) + 1 }]
    expect(await as.officer.call(generatePlans, { query: { projectCode: '*' }, body: body({ dryRun: false, rows }) })).toMatchObject({
      created: 1,
    })
    const again = await as.officer.ask(generatePlans, { query: { projectCode: '*' }, body: body({ dryRun: false, rows }) as never })
    expect(again).toMatchObject({ status: 2 })
    const { list } = await as.officer.call(listPlans, { query: { projectCode, year: 2027, page: 1, size: 20 } })
    expect(list).toMatchObject([{ state: '0', planCount: 0 }])
    expect(await as.officer.ask(removePlan, { params: { id: list[0]?.id ?? '' }, query: query() })).toMatchObject({ status: 0 })
  })
})

describe('secrecy and rights', () => {
  test('the site has the plan from its approval, without windows, risk, drafts or course', async () => {
    const id = await draft()
    for (const who of ['site', 'supervisor', 'owner', 'stranger'] as const)
      expect(await as[who].ask(getPlan, { params: { id }, query: { projectCode: '*' } }), who).toMatchObject({ status: 2 })
    await act('head', id, 'approve')
    for (const who of ['site', 'supervisor', 'owner'] as const) {
      const plan = await read(who, id)
      expect(plan, who).toMatchObject({ visits: [], frequency: [], versions: [], timeline: [], riskLevel: null, nextWindow: null })
      expect(JSON.stringify(plan), who).not.toContain(later(24))
      expect((await as[who].ask(planMatrix, { query: { projectCode: '*', year: 2026, page: 1, size: 20 } })).status, who).not.toBe(0)
      expect((await as[who].ask(planRisk, { query: query() })).status, who).not.toBe(0)
    }
    expect((await as.stranger.call(listPlans, { query: { projectCode: '*', page: 1, size: 20 } })).list.map((one) => one.id)).not.toContain(
      id,
    )
    expect(await act('site', id, 'receive')).toMatchObject({ status: 0 })
    expect((await read('officer', id)).receipts).toHaveLength(1)
  })

  test('nobody of the site, another district or the city changes a plan of the district', async () => {
    const id = await draft()
    for (const who of ['site', 'owner', 'supervisor', 'otherDistrict', 'city', 'stranger'] as const) {
      expect((await act(who, id, 'approve')).status, who).not.toBe(0)
      expect((await act(who, id, 'submit', fields())).status, who).not.toBe(0)
    }
    await act('head', id, 'approve')
    const [visit] = (await read('officer', id)).visits
    const remove = (who: Who) =>
      as[who].ask(removePlanVisit, { params: { taskId: visit?.id ?? '' }, query: { ...query(), reason: '重复' } })
    expect((await remove('otherDistrict')).status).not.toBe(0)
    expect(await remove('officer')).toMatchObject({ status: 0 })
  })
})

describe('risk', () => {
  const calm = { works: 0, overWorks: 0, pits: 0, formworks: 0, cranes: 0, majors: 0, overdue: 0, lastGrade: '1', phase: '6' } as const
  test.each([
    [calm, 4],
    [{ ...calm, phase: '3' }, 3],
    [{ ...calm, cranes: 4 }, 2],
    [{ ...calm, pits: 1 }, 2],
    [{ ...calm, works: 2 }, 2],
    [{ ...calm, works: 2, overWorks: 1 }, 1],
    [{ ...calm, pits: 1, formworks: 1 }, 1],
    [{ ...calm, lastGrade: '3' }, 1],
    [{ ...calm, overdue: 1 }, 2],
    [{ ...calm, majors: 3 }, 1],
    [{ ...calm, lastGrade: null }, 3],
  ])('%o has level %i', (facts, level) => expect(explainRisk(facts).level).toBe(level))

  test('visits follow the level in proportion, one at least, and windows do not overlap', () => {
    expect([1, 2, 3, 4].map((level) => leastVisits(level as 1, '2026-01-01', '2026-12-31'))).toEqual([12, 6, 4, 2])
    expect(leastVisits(4, '2026-12-01', '2026-12-31')).toBe(1)
    const windows = windowsOf(proposedFrequency(1, '2', '2026-01-01', '2026-12-31'))
    expect(windows).toHaveLength(12)
    for (const [i, one] of windows.entries()) if (i > 0) expect(one.start > (windows[i - 1]?.end ?? '')).toBe(true)
  })

  test('levels are stored every night and are not for the site', async () => {
    await computeRisks(deps())
    const { list } = await as.officer.call(planMatrix, { query: { projectCode: '*', year: 2026, page: 1, size: 50 } })
    expect(list.find((one) => one.projectCode === projectCode)?.riskLevel).toBe((await as.officer.call(planRisk, { query: query() })).level)
  })
})
