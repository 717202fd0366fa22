import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportStatus, listExports, submitExport } from '@zhugong/contract/exports/endpoints'
import { listTodos } from '@zhugong/contract/home/endpoints'
import { getRectify } from '@zhugong/contract/rectify/calls'
import {
  changeInspection,
  createInspection,
  getInspection,
  inspectionRanking,
  inspectionTrend,
  listInspections,
  removeInspection,
} from '@zhugong/contract/scoring/inspections'
import { type InspectionAction, inspectionMoves } from '@zhugong/contract/scoring/moves'
import { grades, itemResults } from '@zhugong/contract/scoring/score'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { storedFile } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'
import { runExport } from '../exports/run-export.ts'

let world: World
let settled: CityWorld
let projectCode = ''
let contractor = ''
/** The general contractor's company scores its site; the site, its supervisor, its authority, a subcontractor and another site look on. */
const cast = {
  company: 'yunze-lu',
  site: 'hospital-pm',
  authority: 'bj-zhao',
  subcontractor: 'dingli-cheng',
  stranger: 'zhigu-pm',
} as const
type Who = keyof typeof cast | 'supervisor'
const everybody = ['company', 'site', 'supervisor', 'authority', 'subcontractor', 'stranger'] as const
const as = {} as Record<Who, Caller>
let photo = ''

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  contractor = settled.city.projects.find((p) => p.projectCode === projectCode)?.contractorCorpCode ?? ''
  for (const [who, account] of Object.entries({ ...cast, supervisor: 'hospital-jl' }) as [Who, string][])
    as[who] = await settled.as(account)
  const { rows } = await sql<{ id: string }>`select t.id from app_user u join member m on m.user_id = u.id
    join tenant t on t.id = m.group_id where u.account = ${cast.company} limit 1`.execute(world.database.kysely)
  photo = await storedFile(world, rows[0]?.id ?? '')
})
afterAll(() => world.close())

const shanghai = (days = 0) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
const query = () => ({ projectCode })
const task = (more: object = {}) => ({
  inspectType: '11',
  checkTime: `${shanghai()} 00:00:00`,
  checkers: ['陆明章', '何安'],
  part: '全场',
  sheets: [
    { sheetCode: '01', label: '', assignee: '陆明章' },
    { sheetCode: '07', label: '', assignee: '何安' },
  ],
  ...more,
})
const begin = async (more: object = {}, who: Who = 'company') =>
  (await as[who].call(createInspection, { query: query(), body: task(more) })).id
const read = (who: Who, id: string) => as[who].call(getInspection, { params: { id }, query: query() })
const change = (who: Who, id: string, body: object) => as[who].ask(changeInspection, { params: { id }, query: query(), body } as never)
type Found = { result: string; deduction?: number; note?: string; reason?: string; photos?: string[] }
/** Saves a sheet: everything right but the given items. */
async function check(id: string, index: number, wrong: Record<string, Found> = {}, who: Who = 'company') {
  const sheet = (await read(who, id)).sheets[index]
  const items = (sheet?.items ?? []).map(({ itemCode }) => ({ itemCode, ...(wrong[itemCode] ?? { result: itemResults.right }) }))
  return change(who, id, { action: 'saveSheet', version: sheet?.version, sheetId: sheet?.id, items })
}
const problem = (more: object = {}) => ({
  description: '保护零线未重复接地',
  part: '一级箱',
  itemCode: '070002',
  dangerLevel: '1',
  requirement: '末端重复接地',
  corpCode: contractor,
  deadline: shanghai(7),
  photos: [photo],
  ...more,
})
async function submit(id: string, problems: object[] = [], who: Who = 'company') {
  const { version } = await read('company', id)
  return change(who, id, { action: 'submit', version, problems })
}
/** An inspection with all sheets checked. */
async function checked(wrong: Record<string, Found> = {}) {
  const id = await begin()
  await check(id, 0)
  await check(id, 1, wrong)
  return id
}

test('goes from the task to frozen points, notices and two signatures', async () => {
  const id = await checked({
    '070003': { result: itemResults.wrong, deduction: 3.5, note: '电缆拖地' },
    '070005': { result: itemResults.wrong, deduction: 10, note: '配电室无警示', photos: [photo] },
    '070007': { result: itemResults.notApplicable, reason: '由电力公司保管' },
  })
  const before = await read('company', id)
  // 100 x 10 + (90 - 13.5) / 90 x 100 x 10, over 20: 92.5.
  expect([before.score, before.gradeName, before.doneCount]).toEqual([92.5, '优良', 2])
  expect((await submit(id)).data).toMatchObject({ field: 'problems' })
  const two = [problem({ itemCode: '070005', description: '配电室无警示标志' }), problem({ itemCode: '070003', deadline: shanghai(3) })]
  expect((await submit(id, two)).status).toBe(0)
  const file = await read('site', id)
  expect(file).toMatchObject({ score: 92.5, grade: grades.good, state: '1', problemCount: 2, openCount: 2, weakestName: '施工用电' })
  expect(file.code).toMatch(/-XJ-\d{4}-\d{3}$/)
  expect(file.reason).toBe('汇总得分 92.50 分，不低于 80 分且无零分表，评为优良')
  expect(file.categories.filter((one) => one.score !== null).map((one) => [one.code, one.score, one.points])).toEqual([
    ['01', 100, 10],
    ['07', 85, 8.5],
  ])
  // Two deadlines: two notices, which lead back to the inspection.
  const notices = new Set(file.problems.map((one) => one.notice?.id))
  expect(notices.size).toBe(2)
  const notice = await as.site.call(getRectify, { params: { id: [...notices][0] ?? '' } })
  expect(notice.source).toEqual({ title: '安全巡检', page: `/safetyInspection/details?id=${id}`, handling: null })
  for (const [who, action] of [
    ['site', 'sign'],
    ['supervisor', 'signSupervisor'],
  ] as const) {
    const { version } = await read(who, id)
    expect((await change(who, id, { action, version, opinion: '属实' })).status).toBe(0)
    const again = await change(who, id, { action, version: version + 1, opinion: '属实' })
    expect(again.message).toContain('已经签字')
  }
  const signed = await read('company', id)
  expect(signed.signs.map(({ side, opinion }) => [side, opinion])).toEqual([
    ['site', '属实'],
    ['supervisor', '属实'],
  ])
  expect(signed.timeline.map((one) => one.label)).toEqual(['开始检查', '提交', '受检单位签字', '监理签字'])
  expect(signed.actions).toEqual([])
  // Frozen: what is found later does not change it.
  expect((await check(id, 1)).status).not.toBe(0)
})

test('the site, its contractor and 监理 are told of the result', async () => {
  const id = await checked({ '070005': { result: itemResults.wrong, deduction: 10, note: '无警示' } })
  await submit(id, [problem({ itemCode: '070005', dangerLevel: '2', majorClause: '施工用电' })])
  const { rows } = await sql<{
    account: string
    title: string
  }>`select u.account, m.title from message m join app_user u on u.id = m.user_id
    where m.link like ${`/safetyInspection/%${id}`} order by 1`.execute(world.database.kysely)
  expect(new Set(rows.map((one) => one.title))).toEqual(new Set(['安全巡检发现重大隐患']))
  const recipients = rows.map((one) => one.account)
  expect(recipients).toContain('hospital-pm')
  expect(recipients).toContain('hospital-jl')
  for (const stranger of ['zhigu-pm', 'dingli-cheng', 'yunze-lu']) expect(recipients).not.toContain(stranger)
})

test('its state follows its notices, its score does not', async () => {
  const id = await checked({ '070005': { result: itemResults.wrong, deduction: 10, note: '无警示' } })
  await submit(id, [problem({ itemCode: '070005' })])
  const { score } = await read('site', id)
  const db = world.database.kysely
  for (const state of ['3', '7']) {
    await sql`update rectify set state = ${state} where source_id = ${id}`.execute(db)
    expect(await read('site', id)).toMatchObject({ state, score })
  }
})

test('the printed summary has the figures of the record, for who sees it', async () => {
  const id = await checked({ '070005': { result: itemResults.wrong, deduction: 4, note: '无警示' } })
  const body = { feature: 'safetyInspectionSheet', exportType: 'pdf' as const, query: { id } }
  const folder = mkdtempSync(join(tmpdir(), 'zg-score-'))
  const { database, config } = world
  const print = async (who: Who) => {
    const { id: file } = await as[who].call(submitExport, { body })
    const deps = {
      database,
      clock: { now: () => Date.now() },
      secrets: createSecrets(config.secretKey),
      log: createLog('test', 'warn'),
      folder,
    }
    await runExport(deps, file)
    return (await as[who].call(listExports, { query: {} })).list.find((one) => one.id === file)
  }
  expect((await print('company'))?.message).toContain('提交以后')
  await submit(id)
  const done = await print('site')
  expect(done?.exportStatus).toBe(exportStatus.done)
  expect(
    readFileSync(join(folder, `${done?.id}.pdf`))
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
  expect((await print('stranger'))?.message).toContain('不存在')
  rmSync(folder, { recursive: true })
})

test('without problems it is closed at once', async () => {
  const id = await checked()
  await submit(id)
  expect(await read('company', id)).toMatchObject({ state: '7', score: 100, problemCount: 0 })
})

test('a 保证项目 without points makes it 不合格, however high the rest', async () => {
  const id = await checked({ '070002': { result: itemResults.wrong, deduction: 20, note: '零线混用' } })
  expect((await submit(id, [problem()])).status).toBe(0)
  const file = await read('site', id)
  expect([file.score, file.gradeName]).toEqual([50, '不合格'])
  expect(file.reason).toBe('“施工用电”检查表得零分（保证项目“接地与接零保护系统”得零分），评为不合格')
  expect(file.sheets[1]?.zero).toContain('接地与接零保护系统')
})

describe('until it is submitted', () => {
  test('nobody but the checking group knows of it', async () => {
    const id = await checked()
    for (const who of everybody.filter((one) => one !== 'company')) {
      const answer = await as[who].ask(getInspection, { params: { id }, query: { projectCode: '*' } })
      expect(answer.message, who).toContain('不存在')
      const { list } = await as[who].call(listInspections, { query: { projectCode: '*', size: 1000 } })
      expect(list.map((row) => row.id)).not.toContain(id)
    }
    // The database itself hides it with all its parts.
    const { rows: groups } = await sql<{ id: string }>`select id from tenant where type = 3 and code = ${projectCode}`.execute(
      world.database.kysely,
    )
    const seen = await world.database.kysely.transaction().execute(async (tx) => {
      await sql`select set_config('role', 'zg_some', true), set_config('app.projects', ${projectCode}, true), set_config('app.limited', '', true),
        set_config('app.corps', '', true), set_config('app.group', ${groups[0]?.id ?? ''}, true), set_config('app.group_type', '3', true),
        set_config('app.governments', '', true), set_config('app.user', '', true)`.execute(tx)
      const { rows } = await sql<{ n: number }>`select (select count(*) from site_check where id = ${id})
        + (select count(*) from check_score where check_id = ${id}) + (select count(*) from check_sheet where check_id = ${id})
        + (select count(*) from check_result where check_id = ${id}) + (select count(*) from process_log where object_id = ${id})
        + (select count(*) from process_todo where object_id = ${id}) as n`.execute(tx)
      return Number(rows[0]?.n)
    })
    expect(seen).toBe(0)
  })
  test('it is on the desk of the checking group, and afterwards on those who sign', async () => {
    const id = await checked()
    const desks = async () => {
      const found: Who[] = []
      for (const who of everybody) {
        const { list } = await as[who].call(listTodos, { query: { group: '*', kind: 'safetyInspection', size: 1000 } })
        if (list.some(({ link }) => link.endsWith(id))) found.push(who)
      }
      return found
    }
    expect(await desks()).toEqual(['company'])
    await submit(id)
    expect(await desks()).toEqual(['site', 'supervisor'])
  })
  test('it can be removed, a submitted one cannot', async () => {
    const id = await begin()
    expect((await as.site.ask(removeInspection, { params: { id }, query: query() })).status).not.toBe(0)
    await as.company.call(removeInspection, { params: { id }, query: query() })
    expect((await as.company.ask(getInspection, { params: { id }, query: query() })).message).toContain('不存在')
    const other = await checked()
    await submit(other)
    expect((await as.company.ask(removeInspection, { params: { id: other }, query: query() })).message).toContain('不能删除')
  })
})

test('a subcontractor sees the notice addressed to it and not the inspection; another site sees neither', async () => {
  const unit = settled.city.projectCorps.find((one) => one.projectCode === projectCode && one.exitTime === null && one.corpType === '006')
  const id = await checked({ '070005': { result: itemResults.wrong, deduction: 8, note: '无警示' } })
  await submit(id, [problem({ itemCode: '070005', corpCode: unit?.corpCode ?? contractor })])
  expect((await as.subcontractor.ask(getInspection, { params: { id }, query: { projectCode: '*' } })).status).not.toBe(0)
  expect((await as.stranger.ask(getInspection, { params: { id }, query: { projectCode: '*' } })).status).not.toBe(0)
  expect((await read('authority', id)).score).toBe(96)
})

test('two people on two sheets do not meet; two on one sheet do not overwrite each other', async () => {
  const id = await begin()
  const [first, second] = (await read('company', id)).sheets
  const save = (sheet: typeof first, result: string, version = sheet?.version) =>
    change('company', id, { action: 'saveSheet', version, sheetId: sheet?.id, items: [{ itemCode: sheet?.items[0]?.itemCode, result }] })
  const both = await Promise.all([save(first, itemResults.right), save(second, itemResults.right)])
  expect(both.map((one) => one.status)).toEqual([0, 0])
  const late = await save(first, itemResults.notApplicable)
  expect(late.message).toMatch(/安全管理已被.+修改/)
  expect((await read('company', id)).sheets.map((one) => one.items[0]?.result)).toEqual([itemResults.right, itemResults.right])
  const race = await Promise.all([save(first, itemResults.right, 1), save(first, itemResults.right, 1)])
  expect(race.map((one) => one.status === 0).sort()).toEqual([false, true])
})

test('a repeated creation with the id of the device creates nothing more', async () => {
  const id = 'fedcba9876543210fedcba9876543210'
  const body = { id, ...task() }
  expect(await as.company.call(createInspection, { query: query(), body })).toEqual({ id })
  expect(await as.company.call(createInspection, { query: query(), body })).toEqual({ id })
  expect((await read('company', id)).sheets.length).toBe(2)
  // Not by anybody else.
  expect((await as.supervisor.ask(createInspection, { query: query(), body })).status).not.toBe(0)
})

test('what is missing is said at its field', async () => {
  const ask = async (more: object) => (await as.company.ask(createInspection, { query: query(), body: task(more) } as never)).data
  expect(await ask({ inspectType: '12' })).toMatchObject({ field: 'inspectType' })
  expect(await ask({ checkTime: `${shanghai(1)} 09:00:00` })).toMatchObject({ field: 'checkTime' })
  expect(await ask({ sheets: [{ sheetCode: '99' }] })).toMatchObject({ field: 'sheets.0.sheetCode' })
  expect(await ask({ sheets: [{ sheetCode: '01' }, { sheetCode: '01' }] })).toMatchObject({ field: 'sheets.1.label' })
  expect(await ask({ sheets: [{ sheetCode: '01', assignee: '张三' }] })).toMatchObject({ field: 'sheets.0.assignee' })
  const id = await begin({ checkers: ['陆明章'], sheets: [{ sheetCode: '01' }] })
  const wrong = async (found: Found) => (await check(id, 0, { '010001': found })).data
  expect(await wrong({ result: itemResults.wrong, deduction: 11 })).toMatchObject({ field: 'items.0.deduction' })
  expect(await wrong({ result: itemResults.wrong })).toMatchObject({ field: 'items.0.deduction' })
  expect(await wrong({ result: itemResults.notApplicable })).toMatchObject({ field: 'items.0.reason' })
  expect((await submit(id)).message).toContain('1 张检查表没有查完')
  await check(id, 0)
  expect((await submit(id)).message).toContain('至少 2 名')
  const more = await read('company', id)
  const sheets = [{ id: more.sheets[0]?.id, sheetCode: '01', label: '' }]
  expect((await change('company', id, { action: 'save', version: more.version, ...task({ sheets }) })).status).toBe(0)
  // A sheet with results stays.
  const { version } = await read('company', id)
  const dropped = await change('company', id, { action: 'save', version, ...task({ sheets: [{ sheetCode: '02' }] }) })
  expect(dropped.message).toContain('已有检查结果')
  expect((await submit(id)).status).toBe(0)
})

test('the site does not score itself here', async () => {
  expect((await as.site.ask(createInspection, { query: query(), body: task() })).status).not.toBe(0)
})

/** Whose turn an action is; everybody else is refused whatever the state. */
const hands: Record<InspectionAction, readonly Who[]> = {
  save: ['company'],
  saveSheet: ['company'],
  submit: ['company'],
  sign: ['site'],
  signSupervisor: ['supervisor'],
}

/** Every state x action x caller: whoever may, changes the state as the table says; all others change nothing. */
describe.each(Object.keys(inspectionMoves) as InspectionAction[])('%s', (action) => {
  test.each(['0', '1', '2', '3', '4', '5', '6', '7'])('in state %s', async (state) => {
    for (const who of everybody) {
      const id = await checked()
      const shown = state === '0' ? null : new Date()
      const db = world.database.kysely
      await sql`update site_check set state = ${state}, shown_at = ${shown} where id = ${id}`.execute(db)
      const stored = async () =>
        (await sql<{ state: string; version: number }>`select state, version from site_check where id = ${id}`.execute(db)).rows[0]
      const before = await stored()
      const { rows: sheets } = await sql<{ id: string; version: number }>`select id, version from check_sheet where check_id = ${id}
        order by seq`.execute(db)
      const input = {
        save: task({
          sheets: [
            { id: sheets[0]?.id, sheetCode: '01', label: '' },
            { id: sheets[1]?.id, sheetCode: '07', label: '' },
          ],
        }),
        saveSheet: { sheetId: sheets[0]?.id, items: [] },
        submit: { problems: [] },
        sign: { opinion: '属实' },
        signSupervisor: { opinion: '属实' },
      }[action]
      const version = action === 'saveSheet' ? sheets[0]?.version : before?.version
      const answer = await change(who, id, { action, version, ...input })
      const move = inspectionMoves[action]
      const allowed = hands[action].includes(who) && (move.from as readonly string[]).includes(state)
      const where = `${who}: ${answer.message}`
      if (allowed) {
        expect(answer.status, where).toBe(0)
        expect(move.to === null ? [state] : [move.to].flat(), where).toContain((await stored())?.state)
      } else {
        expect(answer.status, where).not.toBe(0)
        expect(await stored(), where).toEqual(before)
      }
    }
  })
})

test('figures of the strip are those of the lists behind them; trend and ranking have the frozen scores', async () => {
  const { counts } = await as.company.call(listInspections, { query: { ...query(), size: 1 } })
  const total = async (tab: 'open' | 'scoring') => (await as.company.call(listInspections, { query: { ...query(), tab, size: 1 } })).total
  expect(counts.open).toBe(await total('open'))
  expect(counts.scoring).toBe(await total('scoring'))
  expect(counts.daysSince).toBe(0)
  const { list } = await as.site.call(listInspections, { query: { ...query(), size: 1000 } })
  const trend = await as.site.call(inspectionTrend, { query: query() })
  const scores = (all: readonly { score: number | null }[]) => all.flatMap(({ score }) => (score === null ? [] : [score])).sort()
  expect(scores(trend.checks)).toEqual(scores(list))
  const ranking = await as.company.call(inspectionRanking, { query: { projectCode: '*' } })
  expect(ranking.sites.map((one) => one.projectCode)).toContain(projectCode)
  expect((await as.stranger.call(inspectionRanking, { query: { projectCode: '*' } })).sites).toEqual([])
})
