import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as daysCalls from '@zhugong/contract/attendance/days'
import * as ledgerCalls from '@zhugong/contract/attendance/ledger'
import * as monthsCalls from '@zhugong/contract/attendance/months'
import * as presenceCalls from '@zhugong/contract/attendance/presence'
import * as recordsCalls from '@zhugong/contract/attendance/records'
import * as settingCalls from '@zhugong/contract/attendance/setting'
import { decodeCell } from '@zhugong/contract/attendance/sheet'
import * as statsCalls from '@zhugong/contract/attendance/stats'
import { exportStatus, listExports, submitExport } from '@zhugong/contract/exports/endpoints'
import { readXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { seedAttendance } from '../../demo/seed-attendance.ts'
import { runExport } from '../exports/run-export.ts'
import { rootHash } from './engine/ledger.ts'
import { verifyProof } from './engine/verify.ts'
import { ranked } from './stats.ts'

const now = Date.parse('2026-11-20T15:30:00+08:00')
let world: World
let settled: CityWorld
let labour: Caller
let projectCode: string

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  await seedAttendance(world.database, settled.city, now)
  labour = await settled.as('hospital-labour')
  projectCode = settled.city.personas.find((p) => p.account === 'hospital-labour')?.projectCode ?? ''
})
afterAll(() => world.close())

test('the day: who came, what is wrong, and the figures lead to their people', async () => {
  const { list, total } = await labour.call(daysCalls.listDaily, { query: { size: 100 } })
  const counts = await labour.call(daysCalls.dailyCounts, { query: {} })
  expect(counts).toMatchObject({ date: '2026-11-20', running: true, inPlace: total })
  expect(counts.units.reduce((n, u) => n + u.came, 0)).toBe(counts.attended)
  expect(list[0]).toMatchObject({ projectCode, workDay: '2026-11-20' })
  expect(list.some((r) => (r.bar?.length ?? 0) > 0)).toBe(true)
  for (const chip of ['wrong', 'absent', 'inside'] as const) {
    const chosen = await labour.call(daysCalls.listDaily, { query: { chip } })
    expect([chip, chosen.total]).toEqual([chip, counts[chip]])
  }
  const late = await labour.call(daysCalls.listDaily, { query: { date: '2026-11-19', results: '2' } })
  expect(late.list.every((r) => r.results.includes(2) && r.resultText.includes('迟到'))).toBe(true)
})

test('one day in full: every record with its number in the ledger, and the reckoning', async () => {
  const { list } = await labour.call(daysCalls.listDaily, { query: { date: '2026-11-19', chip: 'came' } })
  const worker = list.find((r) => r.recordCount > 2 && r.settled)!
  const account = await labour.call(daysCalls.dayAccount, { query: { workerId: worker.workerId, date: '2026-11-19' } })
  expect(account.records.filter((r) => r.countsOn === '2026-11-19')).toHaveLength(worker.recordCount)
  expect(account.chain).toMatchObject({ ok: true, checked: account.records.length })
  expect(account.day?.workHours).toBe(worker.workHours)
  expect(account.words.at(-1)).toMatch(/^结果：/)
  const records = await labour.call(recordsCalls.listRecords, { query: { workerId: worker.workerId, date: '2026-11-19,2026-11-19' } })
  expect(records.list.every((r) => r.standing !== null && r.hash.length === 64)).toBe(true)
})

test('a face stands beside a name, and a gate’s picture only where it is a file of the same project', async () => {
  const { pool } = world.database
  const { list } = await labour.call(daysCalls.listDaily, { query: { date: '2026-11-19', chip: 'came' } })
  const worker = list.find((r) => r.recordCount > 2)!
  expect(worker.photo).toBeNull()
  const own = `insert into stored_file (id, project_code, group_id, name, mime, bytes, sha256, create_by)
    select $1, $2, t.id, 'f.png', 'image/png', 1, 'x', 't' from tenant t where t.type = 3 and t.code = $2`
  const foreign = settled.city.projects.find((p) => p.projectCode !== projectCode)!.projectCode
  await pool.query(own, ['own-face', projectCode])
  await pool.query(own, ['foreign-face', foreign])
  await pool.query("update worker set face_photo = 'own-face' where id = $1", [worker.workerId])
  // A gate may name any file, so foreign ones must not be shown.
  await pool.query(
    `update attendance_event set picture = case when direction = '01' then 'own-face' else 'foreign-face' end
     where project_code = $1 and worker_id = $2 and work_day = '2026-11-19'`,
    [projectCode, worker.workerId],
  )
  const again = await labour.call(daysCalls.listDaily, { query: { date: '2026-11-19', workerId: worker.workerId } })
  expect(again.list[0]?.photo).toContain('id=own-face')
  const { records } = await labour.call(daysCalls.dayAccount, { query: { workerId: worker.workerId, date: '2026-11-19' } })
  for (const r of records) expect(r.picture?.includes('id=own-face') ?? false).toBe(r.direction === '01')
})

test('the month adds up: cells, rows, columns and totals', async () => {
  const sheet = await labour.call(monthsCalls.listMonthly, { query: { month: '2026-11', size: 1000 } })
  expect(sheet.list).toHaveLength(sheet.total)
  expect(sheet.perDay).toHaveLength(30)
  for (const row of sheet.list) {
    const cells = row.cells.map(decodeCell)
    expect(row.cells).toHaveLength(30)
    expect(cells.filter((c) => c?.attended)).toHaveLength(row.attendDays)
    expect(Math.round(cells.reduce((n, c) => n + (c?.workHours ?? 0), 0) * 10) / 10).toBe(row.workHours)
    expect(cells.slice(20).every((c) => c === undefined)).toBe(true)
  }
  const sum = sheet.list.reduce((n, r) => n + r.attendDays, 0)
  expect(sheet.attendDays).toBe(sum)
  expect(sheet.perDay.reduce((a, b) => a + b, 0)).toBe(sum)
  expect(Math.round(sheet.list.reduce((n, r) => n + r.workHours * 10, 0)) / 10).toBe(sheet.workHours)
  const person = sheet.list.find((r) => r.attendDays > 10)!
  const own = await labour.call(daysCalls.personalDays, { query: { workerId: person.workerId, month: '2026-11', size: 50 } })
  expect(own.totals).toMatchObject({ attendDays: person.attendDays, workHours: person.workHours, late: person.late, night: person.night })
  const bytes = await labour.call(monthsCalls.exportMonthly, { query: { month: '2026-11' } })
  expect(
    Buffer.from(bytes as never)
      .subarray(0, 2)
      .toString(),
  ).toBe('PK')
})

test('a district’s month of all its sites is read within the limit of a statement', async () => {
  await world.database.pool.query('analyze attendance_day')
  const district = await settled.as('bj-zhao')
  // Took more than a minute, and was refused as too large, while the days were grouped for each stay.
  const sheet = await district.call(monthsCalls.listMonthly, { query: { projectCode: '*', month: '2026-11', size: 1000 } })
  expect(new Set(sheet.list.map((row) => row.projectCode)).size).toBeGreaterThan(1)
  // May view, but not export.
  const refused = await district.ask(monthsCalls.exportMonthly, { query: { projectCode: '*', month: '2026-11', annex: true } })
  expect([refused.http, refused.message]).toEqual([403, expect.stringContaining('attendance.export')])
})

test('the exported sheet has the days of its month, says nothing of days to come, and is named after project and month', async () => {
  const answer = await world.api.app.inject({
    method: 'GET',
    url: '/api/v1/attendance/monthly/export?month=2026-11',
    headers: { token: labour.token, group: projectCode },
  })
  const name = settled.city.projects.find((p) => p.projectCode === projectCode)?.name ?? ''
  expect(decodeURIComponent(String(answer.headers['content-disposition']))).toContain(`月考勤表_${name}_2026-11.xlsx`)
  const [head, ...rows] = (await readXlsx(new Uint8Array(answer.rawPayload))).sheets[0]?.rows ?? []
  const days = (head ?? []).filter((title) => /^\d+$/.test(String(title)))
  expect(days.map(String)).toEqual(Array.from({ length: 30 }, (_, i) => String(i + 1)))
  const at = (day: number) => (head ?? []).map(String).indexOf(String(day))
  expect(rows.length).toBeGreaterThan(50)
  for (const row of rows) for (let day = 21; day <= 30; day++) expect(row[at(day)] ?? '').toBe('')
  expect(rows.some((row) => row[at(19)] === '√')).toBe(true)
})

test('statistics agree with the lists behind them', async () => {
  const range = { startDate: '2026-11-16', endDate: '2026-11-20' }
  const days = await labour.call(statsCalls.inPlaceStats.byDay, { query: range })
  expect(days.list.map((d) => d.date)).toEqual(['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'])
  const corps = await labour.call(statsCalls.corpStats.byDay, { query: { ...range, size: 1000 } })
  for (const day of days.list) {
    const parts = corps.list.filter((c) => c.date === day.date)
    expect(parts.reduce((n, c) => n + c.attended, 0)).toBe(day.attended)
    for (const state of ['attended', 'late', 'absent', 'night', 'inPlace'] as const) {
      const people = await labour.call(statsCalls.inPlaceStats.queryperson, { query: { date: day.date, state, size: 20 } })
      expect([day.date, state, people.total]).toEqual([day.date, state, day[state]])
    }
  }
  const overview = await labour.call(presenceCalls.realtimeOverview, { query: {} })
  const onDuty = await labour.call(statsCalls.inPlaceStats.queryperson, { query: { state: 'onDuty' } })
  expect(overview.onDuty).toBe(onDuty.total)
  expect(overview.inPlace).toBe(overview.workers.inPlace + overview.managers.inPlace)
  expect(overview.attended).toBe(days.list.at(-1)?.entered)
  expect(overview.passages).toHaveLength(20)
  const hours = await labour.call(statsCalls.inPlaceStats.byHour, { query: { date: '2026-11-19' } })
  expect(hours.list[0]?.hours.map((h) => h.hour).slice(0, 3)).toEqual(['04', '05', '06'])
  expect(hours.list[0]?.hours.find((h) => h.hour === '10')?.onDuty).toBeGreaterThan(300)
  const teams = await labour.call(statsCalls.teamStats.byHour, { query: { date: '2026-11-19', size: 100 } })
  const trades = await labour.call(statsCalls.inPlaceStats.byWorkType, { query: { ...range, size: 100 } })
  expect(trades.list.reduce((n, t) => n + t.personDays, 0)).toBe(days.list.reduce((n, d) => n + d.attended, 0))
  expect(teams.total).toBeGreaterThan(5)
  const rank = await labour.call(statsCalls.teamStats.rank, { query: { ...range, by: 'hours' } })
  expect(rank.list[0]).toMatchObject({ rank: 1 })
  const posts = await labour.call(statsCalls.statsList, { params: { type: 'keyPost' }, query: { month: '2026-11', size: 100 } })
  expect(posts.list.every((p) => p.postName && p.required !== null)).toBe(true)
  const totals = await labour.call(statsCalls.statsTotals, { params: { type: 'team' }, query: { month: '2026-11' } })
  expect(totals.units).toBeGreaterThan(5)
})

test('who is equal in all figures shares a rank', () => {
  const row = (code: string, rate: number, days: number, hours: number) => ({ code, rate, days, hours })
  const rows = [row('c', 90, 9, 80), row('a', 90, 9, 80), row('b', 95, 9, 80), row('d', 90, 8, 90)]
  expect(ranked(rows, 'rate').map((r) => [r.rank, r.code])).toEqual([
    [1, 'b'],
    [2, 'a'],
    [2, 'c'],
    [4, 'd'],
  ])
})

test('a subcontractor sees only its own people, in every call', async () => {
  const sub = await settled.as('dingli-cheng')
  const corp = settled.city.personas.find((p) => p.account === 'dingli-cheng')?.corpCode ?? ''
  const own = new Set(settled.city.projectWorkers.filter((p) => p.corpCode === corp).map((p) => p.workerId))
  const below = new Set([corp, ...settled.city.projectCorps.filter((c) => c.parentCorpCode === corp).map((c) => c.corpCode)])
  const days = await sub.call(daysCalls.listDaily, { query: { date: '2026-11-19', size: 1000 } })
  expect(days.total).toBeGreaterThan(20)
  expect(days.list.every((r) => below.has(r.corpCode))).toBe(true)
  const all = await (await settled.as('admin')).call(daysCalls.listDaily, { query: { date: '2026-11-19', size: 20 } })
  expect(all.total).toBeGreaterThan(days.total)
  const sheet = await sub.call(monthsCalls.listMonthly, { query: { month: '2026-11', size: 1000 } })
  expect(sheet.list.every((r) => below.has(r.corpCode))).toBe(true)
  const records = await sub.call(recordsCalls.listRecords, { query: { size: 200 } })
  expect(records.list.every((r) => r.workerId !== null)).toBe(true)
  const stranger = settled.city.projectWorkers.find((p) => p.projectCode === projectCode && !below.has(p.corpCode) && !own.has(p.workerId))!
  const theirs = await sub.call(daysCalls.personalDays, { query: { workerId: stranger.workerId } })
  expect(theirs).toMatchObject({ total: 0, worker: null, everDays: 0 })
  expect(
    (await sub.ask(daysCalls.dayAccount, { query: { projectCode, workerId: stranger.workerId, date: '2026-11-19' } })).status,
  ).not.toBe(0)
  expect((await sub.ask(ledgerCalls.ledgerProof, { query: { projectCode, workerId: stranger.workerId } })).status).not.toBe(0)
  const overview = await sub.call(presenceCalls.realtimeOverview, { query: {} })
  expect(overview.corps.every((c) => below.has(c.corpCode))).toBe(true)
})

test('the chain is verified, and one person’s proof holds without the database', async () => {
  const supervisor = await settled.as('bj-zhao')
  const verified = await supervisor.call(ledgerCalls.verifyLedger, { query: { projectCode } })
  expect(verified).toMatchObject({ ok: true, findings: [] })
  expect(verified.copies).toBeGreaterThan(40)
  const period = await supervisor.call(ledgerCalls.verifyLedger, { query: { projectCode, from: '2026-11-10', to: '2026-11-12' } })
  expect(period).toMatchObject({ ok: true, roots: 3 })
  expect(period.entries).toBeLessThan(verified.entries)
  const roots = await supervisor.call(ledgerCalls.ledgerRoots, { query: { projectCode, size: 100 } })
  expect(roots.list.every((r) => r.copyHash === r.hash)).toBe(true)
  const workerId = settled.city.projectWorkers.find((p) => p.projectCode === projectCode && p.exitTime === null)?.workerId ?? ''
  const proof = await (await settled.as('hospital-pm')).call(ledgerCalls.ledgerProof, { query: { projectCode, workerId } })
  expect(proof.entries.length).toBeGreaterThan(20)
  const trusted = new Map(roots.list.map((r) => [r.date, r.hash]))
  expect(verifyProof(proof, { trusted })).toEqual([])
  expect(proof.roots.every((r) => rootHash(r) === trusted.get(r.date))).toBe(true)
})

test('the proof comes on paper for who may verify, and for one’s own site only', async () => {
  const workerId = settled.city.projectWorkers.find((p) => p.projectCode === projectCode && p.exitTime === null)?.workerId ?? ''
  const query = { projectCode, workerId, from: '2026-11-01', to: '2026-11-12' }
  const body = { feature: 'attendanceProof', exportType: 'pdf' as const, query }
  const { id } = await (await settled.as('hospital-pm')).call(submitExport, { body })
  const folder = mkdtempSync(join(tmpdir(), 'zg-proof-'))
  const { database, config } = world
  const make = (task: string) =>
    runExport(
      { database, clock: { now: () => now }, secrets: createSecrets(config.secretKey), log: createLog('test', 'warn'), folder },
      task,
    )
  await make(id)
  const paper = readFileSync(join(folder, `${id}.pdf`))
  expect(paper.subarray(0, 5).toString()).toBe('%PDF-')
  // The PDF contains a header, facts, some days, and passages with their hashes.
  expect(paper.length).toBeGreaterThan(20_000)
  const stranger = await settled.as('zhigu-pm')
  const foreign = await stranger.call(submitExport, { body })
  await make(foreign.id)
  const [result] = (await stranger.call(listExports, { query: {} })).list
  expect(result).toMatchObject({ id: foreign.id, exportStatus: exportStatus.failed, message: '项目不存在或不在您的管辖范围内' })
  expect(existsSync(join(folder, `${foreign.id}.pdf`))).toBe(false)
  rmSync(folder, { recursive: true })
})

test('a new version of the setting changes days from its own day on', async () => {
  const admin = await settled.as('hospital-pm')
  const before = await admin.call(settingCalls.getSetting, { query: {} })
  const tried = await admin.call(settingCalls.trySetting, { body: { workStart: '06:30', date: '2026-11-19' } })
  expect(tried.trial.late).toBeGreaterThan(tried.present.late)
  const counted = await admin.call(statsCalls.statsTotals, {
    params: { type: 'corp' },
    query: { startDate: '2026-11-18', endDate: '2026-11-18' },
  })
  const saved = await admin.call(settingCalls.saveSetting, {
    body: { workStart: '06:30', effectiveFrom: '2026-11-19', reason: '夏令作息' },
  })
  expect(saved.days).toBeGreaterThan(500)
  const days = await admin.call(statsCalls.inPlaceStats.byDay, { query: { startDate: '2026-11-18', endDate: '2026-11-19' } })
  expect(days.list.map((d) => d.late)).toEqual([counted.late, tried.trial.late])
  expect((await admin.call(settingCalls.getSetting, { query: {} })).versions).toHaveLength(before.versions.length + 1)
  const refused = await admin.ask(settingCalls.saveSetting, { body: { workEnd: '05:00' } })
  expect(refused).toMatchObject({ http: 400, message: '下班时间早于上班时间时须勾选跨零点' })
  expect((await admin.ask(settingCalls.saveSetting, { body: { effectiveFrom: '2026-01-01' } })).status).toBe(4)
})

test('a rehearsal answers what the rules say, and stores nothing', async () => {
  const answer = await labour.call(settingCalls.rehearseDays, {
    body: {
      setting: {},
      project: { states: [{ state: '003', from: '2026-01-01 00:00:00' }] },
      gates: {},
      worker: { workerId: 'w', rows: [{ entryTime: '2026-02-01 08:00:00', corpCode: 'C', teamSysNo: 'T' }] },
      events: [
        { id: '1', time: '2026-03-02 19:00:00', receivedAt: '2026-03-02 19:00:01', direction: '01', gate: 'G', type: '001' },
        { id: '2', time: '2026-03-03 07:00:00', receivedAt: '2026-03-03 07:00:01', direction: '02', gate: 'G', type: '001' },
      ],
      corrections: [],
      from: '2026-03-02',
      to: '2026-03-03',
      now: '2026-03-10 12:00:00',
    },
  })
  expect(answer.days[0]).toEqual({
    workDay: '2026-03-02',
    firstIn: '2026-03-02 19:00:00',
    lastOut: '2026-03-03 07:00:00',
    workHours: 12,
    attendDay: 1,
    results: [1, 9],
    recordCount: 2,
    parts: [{ corpCode: 'C', teamSysNo: 'T', workHours: 12, attendDay: 1 }],
  })
  expect(answer.days[1]?.results).toEqual([5])
})
