import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as daysCalls from '@zhugong/contract/attendance/days'
import * as fixes from '@zhugong/contract/attendance/fix-endpoints'
import * as monthsCalls from '@zhugong/contract/attendance/months'
import * as statsCalls from '@zhugong/contract/attendance/stats'
import { submitExport } from '@zhugong/contract/exports/endpoints'
import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { siteOf, storedFile } from '../../../test/givens.ts'
import type { Caller, World } from '../../../test/world.ts'
import { seedAttendance } from '../../demo/seed-attendance.ts'
import { runExport } from '../exports/run-export.ts'
import { verifyStored } from './ledger-views.ts'
import { closedMonth, differencesOf, sheetHash } from './month-closing.ts'
import { lineOf, sheetColumns } from './month-print.ts'
import { recomputeDirty } from './recompute.ts'

const now = Date.parse('2026-11-20T15:30:00+08:00')
let world: World
let settled: CityWorld
let labour: Caller
let pm: Caller
let company: Caller
let supervisor: Caller
let projectCode: string

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  projectCode = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  await seedAttendance(world.database, settled.city, now, [projectCode])
  labour = await settled.as('hospital-labour')
  pm = await settled.as('hospital-pm')
  company = await settled.as('yunze-lu')
  supervisor = await settled.as('hospital-jl')
})
afterAll(() => world.close())

const reason = '闸机断电，班组长与监控为证'
const of = () => ({ projectCode })
/** A worker with a settled day of the given result. */
async function someone(date: string, result: number, skip: readonly string[] = []) {
  const { list } = await labour.call(daysCalls.listDaily, { query: { date, results: String(result), workRole: '20', size: 200 } })
  return list.find((r) => r.settled && !skip.includes(r.workerId))!
}
const dayOf = async (workerId: string, date: string) => (await labour.call(daysCalls.listDaily, { query: { date, workerId } })).list[0]!

test('补卡 and 请假 keep the files that go along, as the upload answered them', async () => {
  const day = await someone('2026-11-18', 4)
  const { groupId } = await siteOf(world, projectCode)
  const id = await storedFile(world, groupId)
  const link = `/api/v1/file/show?id=${id}&until=1795795200000&signature=${'f'.repeat(64)}`
  for (const body of [
    { kind: 'add' as const, time: '2026-11-18 18:05:00', direction: '02' as const },
    { kind: 'leave' as const, fromDay: '2026-11-23', toDay: '2026-11-24' },
  ]) {
    const answer = await labour.ask(fixes.createFix, { query: of(), body: { ...body, workerIds: [day.workerId], reason, files: [link] } })
    expect([body.kind, answer.status, answer.message]).toEqual([body.kind, 0, answer.message])
    const fixId = answer.data?.ids[0] ?? ''
    const seen = await pm.call(fixes.getFix, { params: { id: fixId }, query: of() })
    expect(seen.files.map((file) => file.includes(id))).toEqual([true])
    await labour.call(fixes.actOnFix, { params: { id: fixId }, query: of(), body: { action: 'withdraw', version: 0 } })
  }
})

test('补卡: asked, seen before and after, approved by another, in the ledger, and the day follows', async () => {
  const day = await someone('2026-11-19', 4)
  const answer = await labour.call(fixes.createFix, {
    query: of(),
    body: { kind: 'add', workerIds: [day.workerId], time: '2026-11-19 18:05:00', direction: '02', reason },
  })
  expect(answer).toMatchObject({ needs: ['site'], remark: '等待项目审批' })
  const id = answer.ids[0]!
  const seen = await pm.call(fixes.getFix, { params: { id }, query: of() })
  expect(seen).toMatchObject({ state: '1', missing: ['site'], actions: ['pass', 'reject'] })
  const preview = seen.days.find((d) => d.workDay === '2026-11-19')!
  expect(preview.before.results).toContain(4)
  expect(preview.after.results).toContain(11)
  // Nothing has changed yet, and the applicant cannot decide.
  expect(await dayOf(day.workerId, '2026-11-19')).toMatchObject({ fixing: true, results: expect.arrayContaining([4]) })
  const own = await labour.ask(fixes.actOnFix, { params: { id }, query: of(), body: { action: 'pass', version: 0 } })
  expect(own.status).not.toBe(0)
  const done = await pm.call(fixes.actOnFix, { params: { id }, query: of(), body: { action: 'pass', version: 0, opinion: '属实' } })
  expect(done).toMatchObject({ state: '2', missing: [] })
  await recomputeDirty(world.database.kysely, { now: () => now })
  const after = await dayOf(day.workerId, '2026-11-19')
  expect(after).toMatchObject({ workHours: preview.after.workHours, results: preview.after.results, fixing: false })
  expect(after.atClose?.results).toContain(4)
  const chained = await pm.call(fixes.getFix, { params: { id }, query: of() })
  expect(chained.seq).toBeGreaterThan(1000)
  const verified = await verifyStored(world.database.kysely, projectCode, undefined, undefined, true)
  expect(verified.findings).toEqual([])
  const again = await pm.ask(fixes.actOnFix, { params: { id }, query: of(), body: { action: 'pass', version: 1 } })
  expect(again).toMatchObject({ message: '此更正已办结' })
})

test('rejected and withdrawn ones leave no trace; a rejection says why', async () => {
  const day = await someone('2026-11-18', 4)
  const ask = () =>
    labour.call(fixes.createFix, {
      query: of(),
      body: { kind: 'add', workerIds: [day.workerId], time: '2026-11-18 18:05:00', direction: '02', reason },
    })
  const rejected = (await ask()).ids[0]!
  const noWord = await pm.ask(fixes.actOnFix, { params: { id: rejected }, query: of(), body: { action: 'reject', version: 0 } })
  expect(noWord).toMatchObject({ message: expect.stringContaining('驳回原因') })
  await pm.call(fixes.actOnFix, { params: { id: rejected }, query: of(), body: { action: 'reject', version: 0, opinion: '监控不符' } })
  const withdrawn = (await ask()).ids[0]!
  await labour.call(fixes.actOnFix, { params: { id: withdrawn }, query: of(), body: { action: 'withdraw', version: 0 } })
  await recomputeDirty(world.database.kysely, { now: () => now })
  expect(await dayOf(day.workerId, '2026-11-18')).toMatchObject({ workHours: day.workHours, results: day.results })
})

test('the same asked for twice is refused while it waits and while it holds, and the day says what waits', async () => {
  const day = await someone('2026-11-18', 4)
  const query = { ...of(), workerId: day.workerId, date: '2026-11-18' }
  const ask = (body: object) => labour.ask(fixes.createFix, { query: of(), body: { workerIds: [day.workerId], reason, ...body } as never })
  const card = { kind: 'add', time: '2026-11-18 18:11:00', direction: '02' }
  const first = (await ask(card)).data as { ids: string[] }
  expect(await ask({ ...card, time: '2026-11-18 18:11:40' })).toMatchObject({ status: 4, message: expect.stringContaining('正在审批') })
  const waiting = (await labour.call(daysCalls.dayAccount, { query })).fixes
  expect(waiting.map((f) => [f.kind, f.kindName, f.content])).toEqual([['add', '补卡', '2026-11-18 18:11:00 出场']])
  // The badge of the tab equals the total of its list, before and after a decision.
  const badge = async () => {
    const shown = await labour.call(fixes.listFixes, { query: { ...of(), state: '1', size: 1 } })
    expect(shown.waiting).toBe(shown.total)
    return shown.waiting
  }
  const many = await badge()
  await pm.call(fixes.actOnFix, { params: { id: first.ids[0]! }, query: of(), body: { action: 'pass', version: 0 } })
  expect(await badge()).toBe(many - 1)
  expect(await ask(card)).toMatchObject({ status: 4, message: expect.stringContaining('已生效') })
  expect((await labour.call(daysCalls.dayAccount, { query })).fixes).toEqual([])
  const leave = { kind: 'leave', fromDay: '2026-11-17', toDay: '2026-11-18' }
  const left = await ask(leave)
  expect(left.status).toBe(0)
  expect(await ask({ ...leave, fromDay: '2026-11-18', toDay: '2026-11-19' })).toMatchObject({ status: 4 })
  // A withdrawn correction may be requested again.
  const away = (left.data as { ids: string[] }).ids[0]!
  await labour.call(fixes.actOnFix, { params: { id: away }, query: of(), body: { action: 'withdraw', version: 0 } })
  const once = await ask(leave)
  expect(once.status).toBe(0)
  await labour.call(fixes.actOnFix, {
    params: { id: (once.data as { ids: string[] }).ids[0]! },
    query: of(),
    body: { action: 'withdraw', version: 0 },
  })
})

test('a day without any passage takes one asking with both times', async () => {
  const day = await someone('2026-11-18', 4)
  const both = { kind: 'add' as const, workerIds: [day.workerId], time: '2026-11-18 07:21:00', direction: '01' as const, reason }
  const ask = (more: object) => labour.ask(fixes.createFix, { query: of(), body: { ...both, ...more } })
  expect(await ask({ leftTime: '2026-11-18 07:00:00' })).toMatchObject({ status: 2, message: expect.stringContaining('晚于入场') })
  expect(await ask({ direction: '02', leftTime: '2026-11-18 17:00:00' })).toMatchObject({ status: 2 })
  const { ids } = await labour.call(fixes.createFix, { query: of(), body: { ...both, leftTime: '2026-11-18 17:31:00' } })
  expect(ids).toHaveLength(2)
  const account = await labour.call(daysCalls.dayAccount, { query: { ...of(), workerId: day.workerId, date: '2026-11-18' } })
  expect(account.fixes.map((f) => f.content)).toEqual(['2026-11-18 07:21:00 入场', '2026-11-18 17:31:00 出场'])
  for (const id of ids) await labour.call(fixes.actOnFix, { params: { id }, query: of(), body: { action: 'withdraw', version: 0 } })
})

test('after the window the company’s word is needed besides, and says so', async () => {
  const day = await someone('2026-11-10', 4)
  const answer = await labour.call(fixes.createFix, {
    query: of(),
    body: { kind: 'add', workerIds: [day.workerId], time: '2026-11-10 18:05:00', direction: '02', reason },
  })
  expect(answer).toMatchObject({ needs: ['site', 'company'], remark: '已过补录期限（可申请至 2026-11-13），须经企业同意' })
  const id = answer.ids[0]!
  const half = await pm.call(fixes.actOnFix, { params: { id }, query: of(), body: { action: 'pass', version: 0 } })
  expect(half).toMatchObject({ state: '1', missing: ['company'] })
  const wrongRole = await supervisor.ask(fixes.actOnFix, { params: { id }, query: of(), body: { action: 'pass', version: 1 } })
  expect(wrongRole).toMatchObject({ message: '此更正等待企业审批' })
  const whole = await company.call(fixes.actOnFix, { params: { id }, query: of(), body: { action: 'pass', version: 1 } })
  expect(whole).toMatchObject({ state: '2', missing: [] })
  await recomputeDirty(world.database.kysely, { now: () => now })
  expect((await dayOf(day.workerId, '2026-11-10')).results).toContain(11)
})

test('a key post’s correction needs the supervisor or the owner besides', async () => {
  const { list } = await labour.call(statsCalls.statsList, { params: { type: 'keyPost' }, query: { month: '2026-11', size: 20 } })
  const workerId = list[0]!.code
  const answer = await labour.call(fixes.createFix, {
    query: of(),
    body: { kind: 'leave', workerIds: [workerId], fromDay: '2026-11-20', toDay: '2026-11-21', reason: '回公司开会两天' },
  })
  expect(answer.needs).toEqual(['site', 'review'])
  const id = answer.ids[0]!
  await pm.call(fixes.actOnFix, { params: { id }, query: of(), body: { action: 'pass', version: 0 } })
  const done = await supervisor.call(fixes.actOnFix, { params: { id }, query: of(), body: { action: 'pass', version: 1 } })
  expect(done).toMatchObject({ state: '2', keyPost: true })
  await recomputeDirty(world.database.kysely, { now: () => now })
  expect((await dayOf(workerId, '2026-11-20')).results).toContain(6)
})

test('a false swipe does not count, and taking the correction back brings it in again', async () => {
  const { list } = await labour.call(daysCalls.listDaily, { query: { date: '2026-11-19', chip: 'came', workRole: '20', size: 20 } })
  const day = list.find((r) => r.settled && r.recordCount === 2 && !r.results.includes(11))!
  const account = await labour.call(daysCalls.dayAccount, { query: { workerId: day.workerId, date: '2026-11-19' } })
  const last = account.records.at(-1)!
  const { ids } = await labour.call(fixes.createFix, { query: of(), body: { kind: 'void', target: last.id, reason } })
  await pm.call(fixes.actOnFix, { params: { id: ids[0]! }, query: of(), body: { action: 'pass', version: 0 } })
  await recomputeDirty(world.database.kysely, { now: () => now })
  expect((await dayOf(day.workerId, '2026-11-19')).recordCount).toBe(1)
  const back = await labour.call(fixes.createFix, { query: of(), body: { kind: 'revoke', target: ids[0]!, reason } })
  await pm.call(fixes.actOnFix, { params: { id: back.ids[0]! }, query: of(), body: { action: 'pass', version: 0 } })
  await recomputeDirty(world.database.kysely, { now: () => now })
  expect(await dayOf(day.workerId, '2026-11-19')).toMatchObject({ recordCount: 2, workHours: day.workHours })
})

test.each([
  ['no direction', { kind: 'add', workerIds: ['w'], time: '2026-11-19 18:00:00' }, '补卡须填写方向'],
  ['a time to come', { kind: 'add', workerIds: ['w'], time: '2026-11-20 18:00:00', direction: '02' }, '补卡时间不能晚于现在'],
  ['no record', { kind: 'void' }, '须指明记录'],
  [
    'an end before the beginning',
    { kind: 'leave', workerIds: ['w'], fromDay: '2026-11-20', toDay: '2026-11-19' },
    '结束日期不能早于开始日期',
  ],
  ['nobody', { kind: 'leave', fromDay: '2026-11-20' }, '请选择人员'],
  ['somebody who is not here', { kind: 'leave', workerIds: ['nobody'], fromDay: '2026-11-20' }, '所选人员当日不在场'],
] as const)('refused with a word at the field: %s', async (_, body, message) => {
  const answer = await labour.ask(fixes.createFix, {
    query: of(),
    body: { reason, ...body, workerIds: 'workerIds' in body ? [...body.workerIds] : [] },
  })
  expect(answer).toMatchObject({ message })
})

test('A75 a correction that is written over after its approval is named by the check of the ledger', async () => {
  const { pool } = world.database
  const check = () => verifyStored(world.database.kysely, projectCode, undefined, undefined, true)
  expect((await check()).findings).toEqual([])
  const { rows } = await pool.query<{ id: string; seq: string }>(
    `select id, seq from attendance_correction where project_code = $1 and state = '2' and kind = 'add' order by seq limit 1`,
    [projectCode],
  )
  const target = rows[0]!
  for (const [what, undo] of [
    [`value = jsonb_set(value, '{time}', '1795000000000')`, `value = (select v from kept)`],
    [`reason = '另有原因，如上所述'`, `reason = (select r from kept)`],
    [`state = '3'`, `state = '2'`],
  ]) {
    await pool.query('drop table if exists kept')
    await pool.query('create table kept as select value as v, reason as r from attendance_correction where id = $1', [target.id])
    await pool.query(`update attendance_correction set ${what} where id = $1`, [target.id])
    expect([what, (await check()).findings]).toMatchObject([what, [{ kind: 'rowDiffers', seq: Number(target.seq), row: target.id }]])
    await pool.query(`update attendance_correction set ${undo} where id = $1`, [target.id])
  }
  await pool.query('drop table kept')
  expect((await check()).findings).toEqual([])
})

test('the month comes on A3 and A4 across, a team a page; whoever is inside comes as a list to tick', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'zg-month-'))
  const { database, config } = world
  const deps = { database, clock: { now: () => now }, secrets: createSecrets(config.secretKey), log: createLog('test', 'warn'), folder }
  const paper = async (feature: string, query: object) => {
    const { id } = await pm.call(submitExport, { body: { feature, exportType: 'pdf' as const, query: { projectCode, ...query } } })
    await runExport(deps, id)
    return readFileSync(join(folder, `${id}.pdf`), 'latin1')
  }
  const sizes = { A3: '1190.55 841.89', A4: '841.89 595.28' }
  for (const size of ['A3', 'A4'] as const) {
    const pdf = await paper('attendanceMonthly', { month: '2026-11', paper: size })
    const pages = pdf.match(/MediaBox \[[^\]]*\]/g) ?? []
    expect(pages.length).toBeGreaterThan(5)
    expect(new Set(pages)).toEqual(new Set([`MediaBox [0 0 ${sizes[size]}]`]))
  }
  expect((await paper('attendanceMuster', {})).length).toBeGreaterThan(10_000)
  rmSync(folder, { recursive: true })
})

test('on the printed sheet a worker signs his line, and days before the first records of the site are left blank', async () => {
  const { list } = await pm.call(monthsCalls.listMonthly, { query: { projectCode, month: '2026-11', size: 1 } })
  const row = { ...list[0]!, cells: ['', ...list[0]!.cells.slice(1)] }
  const dates = row.cells.map((_, i) => `2026-11-${String(i + 1).padStart(2, '0')}`)
  expect(sheetColumns(dates, '2026-11-20').at(-1)).toMatchObject({ title: '本人签字' })
  expect(lineOf(dates)({ ...row, keptFrom: '2026-11-02' }).texts[0]).toBe('')
  expect(lineOf(dates)({ ...row, keptFrom: null }).texts[0]).toBe('')
  expect(lineOf(dates)({ ...row, keptFrom: '2026-10-02' }).texts[0]).toBe('—')
})

test('A46: a month is agreed to by its teams, closed with a hash, differs when facts come later, and is opened again by the company', async () => {
  const month = '2026-10'
  const state = await pm.call(fixes.getMonth, { query: { projectCode, month } })
  expect(state).toMatchObject({ closed: false, version: 0, over: true, waitingFixes: 0 })
  expect(state.hindrances).toEqual([`还有 ${state.teams.length} 个班组未确认`])
  type Turn = Pick<InputFor<typeof fixes.actOnMonth>['body'], 'action'> & Partial<InputFor<typeof fixes.actOnMonth>['body']>
  const put = (who: Caller, body: Turn) => who.ask(fixes.actOnMonth, { query: of(), body: { month, version: 0, ...body } })
  expect((await put(pm, { action: 'close' })).message).toContain('个班组未确认')
  const teamSysNos = state.teams.map((t) => t.teamSysNo)
  expect((await put(labour, { action: 'confirm', teamSysNos })).status).toBe(0)
  expect((await put(pm, { action: 'close' })).status).toBe(0)
  const closed = await pm.call(fixes.getMonth, { query: { projectCode, month } })
  // The clerk who confirmed is not the team's leader, so both are named.
  const led = closed.teams.find((t) => t.leaderName !== null)!
  expect(led).toMatchObject({ confirmedFor: led.leaderName, confirmedName: expect.not.stringMatching(led.leaderName!) })
  expect(closed).toMatchObject({ closed: true, version: 1, differences: [], hindrances: [] })
  const wages = await closedMonth(world.database.kysely, projectCode, month)
  expect(wages?.hash).toBe(closed.hash)
  expect(sheetHash(projectCode, month, 1, wages!.rows)).toBe(closed.hash)
  expect(sheetHash(projectCode, month, 1, wages!.rows.toReversed())).toBe(closed.hash)
  // Later facts change the days, but not the closed figures.
  const { pool } = world.database
  const target = wages!.rows.find((r) => r.attendDays > 3)!
  await pool.query(
    `update attendance_day set attend_day = 0, parts = '[]' where project_code = $1 and worker_id = $2 and work_day = (
       select max(work_day) from attendance_day where project_code = $1 and worker_id = $2 and attend_day = 1 and work_day < '2026-11-01')`,
    [projectCode, target.workerId],
  )
  const later = await pm.call(fixes.getMonth, { query: { projectCode, month } })
  expect(later.differences).toHaveLength(1)
  expect(later.differences[0]).toMatchObject({ workerId: target.workerId, closedDays: target.attendDays, days: target.attendDays - 1 })
  expect((await closedMonth(world.database.kysely, projectCode, month))?.rows).toEqual(wages?.rows)
  expect((await put(pm, { action: 'reopen', version: 1, reason: '补传到齐，重新核对' })).message).toBe(
    '重开已封账的月份须由总包或建设单位中有月度封账权限的人办理',
  )
  // Only the role named by the rule may reopen the month.
  const mayReopen = async (who: Caller) => (await who.call(fixes.getMonth, { query: { projectCode, month } })).mayReopen
  expect([await mayReopen(pm), await mayReopen(labour), await mayReopen(supervisor)]).toEqual([false, false, false])
  const admin = await settled.as('yunze-lu')
  expect(await mayReopen(admin)).toBe(true)
  expect((await put(admin, { action: 'reopen', version: 1 })).message).toContain('重开原因')
  expect((await put(admin, { action: 'reopen', version: 1, reason: '补传到齐，重新核对' })).status).toBe(0)
  expect(await closedMonth(world.database.kysely, projectCode, month)).toBeUndefined()
  const open = await pm.call(fixes.getMonth, { query: { projectCode, month } })
  expect(open).toMatchObject({ closed: false, version: 1, mayReopen: false })
  expect(open.hindrances).toEqual(['还有 1 个班组未确认'])
})

test('a difference is of a person, whatever unit he stands under', () => {
  const row = (workerId: string, teamSysNo: string, attendDays: number) => ({
    workerId,
    name: workerId,
    corpCode: 'C',
    teamSysNo,
    teamName: teamSysNo,
    attendDays,
    workHours: attendDays * 9,
    overtimeHours: 0,
  })
  expect(differencesOf([row('a', '1', 3), row('a', '2', 2)], [row('a', '2', 5)])).toEqual([])
  expect(differencesOf([row('a', '1', 3)], [row('a', '1', 4), row('b', '1', 1)]).map((d) => [d.workerId, d.closedDays, d.days])).toEqual([
    ['a', 3, 4],
    ['b', 0, 1],
  ])
})

test('附表: one line a marked day, with who put it right, when and why; and nothing for whoever does not see the people', async () => {
  const day = await someone('2026-11-19', 4)
  const { ids } = await labour.call(fixes.createFix, {
    query: of(),
    body: { kind: 'add', workerIds: [day.workerId], time: '2026-11-19 18:05:00', direction: '02', reason },
  })
  await pm.call(fixes.actOnFix, { params: { id: ids[0]! }, query: of(), body: { action: 'pass', version: 0, opinion: '属实' } })
  await recomputeDirty(world.database.kysely, { now: () => now })
  const open = async (caller: Caller, query: object = {}) => {
    const bytes = await caller.call(monthsCalls.exportMonthly, { query: { projectCode, month: '2026-11', annex: true, ...query } })
    const { sheets } = await readXlsx(new Uint8Array(bytes as never))
    return sheets.map(({ name, rows: [head = [], ...rows] }) => ({
      name,
      rows: rows.map((row) => Object.fromEntries(head.map((title, i) => [String(title), row[i] ?? '']))),
    }))
  }
  const [sheet, annex] = await open(labour)
  expect([sheet?.name, annex?.name]).toEqual(['月考勤表', '附表'])
  expect(sheet?.rows.length).toBeGreaterThan(50)
  const line = annex?.rows.find((row) => row.姓名 === day.name && row.日期 === '2026-11-19')
  expect(line).toMatchObject({ 班组: day.teamName, 末次出场: '2026-11-19 18:05:00', 更正原因: reason })
  expect(line?.异常).toContain('补录')
  expect(line?.更正).toBe('补卡 2026-11-19 18:05:00 出场')
  expect([line?.申请人, line?.审批人].every((one) => typeof one === 'string' && one.length > 1)).toBe(true)
  expect(line?.审批时间).toMatch(/^2026-11-20 /)
  // One line for each person and day with such a mark in the daily lists, and each mark is in the sheet.
  let days = 0
  for (let at = 1; at <= 20; at++) {
    const date = `2026-11-${String(at).padStart(2, '0')}`
    days += (await labour.call(daysCalls.listDaily, { query: { date, results: monthsCalls.annexResults.join(','), size: 1 } })).total
  }
  expect(annex?.rows).toHaveLength(days)
  for (const row of annex?.rows.slice(0, 200) ?? []) {
    const cells = sheet?.rows.filter((one) => one.姓名 === row.姓名 && (one.班组 || '管理人员') === row.班组)
    expect(cells?.map((one) => one[String(Number(String(row.日期).slice(8)))])).toContain(row.记号)
  }
  // The sheet's filters apply to both worksheets.
  const [, ofOne] = await open(labour, { name: day.name })
  expect(ofOne?.rows.every((row) => String(row.姓名).includes(day.name))).toBe(true)
  // Without the annex there is one worksheet; another site's project is refused.
  const plain = await labour.call(monthsCalls.exportMonthly, { query: { projectCode, month: '2026-11' } })
  expect((await readXlsx(new Uint8Array(plain as never))).sheets).toHaveLength(1)
  const stranger = await settled.as('zhigu-pm')
  const refused = await stranger.ask(monthsCalls.exportMonthly, { query: { projectCode, month: '2026-11', annex: true } })
  expect([refused.status, refused.message]).toEqual([2, '项目不存在或不在您的管辖范围内'])
})
