import * as presenceCalls from '@zhugong/contract/attendance/presence'
import * as recordsCalls from '@zhugong/contract/attendance/records'
import * as statsCalls from '@zhugong/contract/attendance/stats'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import { seedAttendance } from '../../demo/seed-attendance.ts'

const now = Date.parse('2026-11-20T15:30:00+08:00')
const range = { startDate: '2026-11-16', endDate: '2026-11-20' }
let world: World
let settled: CityWorld
let labour: Caller

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  const projectCode = settled.city.personas.find((p) => p.account === 'hospital-labour')?.projectCode ?? ''
  await seedAttendance(world.database, settled.city, now, [projectCode])
  labour = await settled.as('hospital-labour')
})
afterAll(() => world.close())

test('A66: who was inside as an hour ended are as many as its figure says, of every unit', async () => {
  const date = '2026-11-19'
  for (const scope of ['inPlace', 'corp'] as const) {
    const { list } = await labour.call(statsCalls.statsByScope[scope].byHour, { query: { date, size: 100 } })
    for (const unit of list.slice(0, 3)) {
      for (const hour of ['10', '02']) {
        const people = await labour.call(statsCalls.statsByScope[scope].queryperson, {
          query: { date, hour, corpCode: unit.corpCode ?? undefined, size: 1 },
        })
        expect([scope, unit.corpCode, hour, people.total]).toEqual([
          scope,
          unit.corpCode,
          hour,
          unit.hours.find((h) => h.hour === hour)?.onDuty,
        ])
      }
    }
  }
})

test('A65: workers and managers are ranked apart, and every column leads to its people', async () => {
  const all = await labour.call(statsCalls.corpStats.rank, { query: { ...range, size: 100 } })
  const workers = await labour.call(statsCalls.corpStats.rank, { query: { ...range, workRole: '20', size: 100 } })
  const managers = await labour.call(statsCalls.corpStats.rank, { query: { ...range, workRole: '10', size: 100 } })
  const days = (list: readonly { days: number }[]) => list.reduce((n, r) => n + r.days, 0)
  expect(days(workers.list) + days(managers.list)).toBe(days(all.list))
  expect(managers.list.every((r) => r.workers === 0 && r.managers === r.inPlace)).toBe(true)
  expect(all.list.some((r) => r.overlong > 0)).toBe(true)
  for (const unit of all.list) {
    expect(unit.hoursADay).toBe(unit.days ? Math.round((unit.hours / unit.days) * 10) / 10 : null)
    const overlong = await labour.call(statsCalls.corpStats.queryperson, {
      query: { ...range, state: 'overlong', corpCode: unit.code, size: 100 },
    })
    expect([unit.code, overlong.total]).toEqual([unit.code, unit.overlong])
    expect(overlong.list.every((r) => r.workHours > statsCalls.overlongHours)).toBe(true)
  }
})

test('A64: days due and days entered lead to their people', async () => {
  const [day] = (await labour.call(statsCalls.inPlaceStats.byDay, { query: { startDate: '2026-11-19', endDate: '2026-11-19' } })).list
  for (const state of ['expected', 'entered', 'leave', 'missing', 'early'] as const) {
    const people = await labour.call(statsCalls.inPlaceStats.queryperson, { query: { date: '2026-11-19', state, size: 1 } })
    expect([state, people.total]).toEqual([state, day?.[state]])
  }
})

test('figures above the records are the records', async () => {
  const counts = await labour.call(recordsCalls.recordCounts, { query: { date: '2026-11-19' } })
  const request = { date: '2026-11-19,2026-11-19', size: 1 }
  const totals = await Promise.all(
    [{}, { late: 'true' as const }, { suspicious: true }, { stranger: true }].map((more) =>
      labour.call(recordsCalls.listRecords, { query: { ...request, ...more } }).then((r) => r.total),
    ),
  )
  expect(totals).toEqual([counts.total, counts.late, counts.suspicious, counts.stranger])
  expect(counts.total).toBeGreaterThan(500)
  expect(counts.byHour.reduce((n, h) => n + h.inCount + h.outCount, 0)).toBe(counts.total)
  expect(counts.gates.reduce((n, g) => n + g.count, 0)).toBe(counts.total)
  const waiting = await labour.call(recordsCalls.listRecords, { query: { waiting: true, size: 1 } })
  expect(waiting.total).toBe(counts.waiting)
  const overview = await labour.call(presenceCalls.realtimeOverview, { query: {} })
  expect(overview.quarantined).toBe(counts.waiting)
})

test('what a gate measured of a body stands in no record for who may not see health data', async () => {
  const admin = await settled.as('admin')
  const { list } = await admin.call(recordsCalls.listRecords, { query: { size: 20 } })
  expect(list.some((r) => r.temperature !== null)).toBe(true)
  await world.database.pool.query(`update role set codes = array_remove(codes, 'personnel.health')`)
  const again = await (await settled.as('hospital-pm')).call(recordsCalls.listRecords, { query: { size: 20 } })
  expect(again.list.length).toBeGreaterThan(10)
  expect(again.list.every((r) => r.temperature === null)).toBe(true)
})

test('A63: trades add up to the days of attendance, and managers are one row', async () => {
  const trades = await labour.call(statsCalls.inPlaceStats.byWorkType, { query: { ...range, size: 100 } })
  const days = await labour.call(statsCalls.inPlaceStats.byDay, { query: range })
  expect(trades.list.reduce((n, t) => n + t.personDays, 0)).toBe(days.list.reduce((n, d) => n + d.attended, 0))
  expect(trades.list.filter((t) => t.workType === 'manager')).toHaveLength(1)
  expect(new Set(trades.list.map((t) => t.workType)).size).toBe(trades.list.length)
  for (const trade of trades.list.slice(0, 3)) {
    const who = trade.workType === 'manager' ? { workRole: '10' } : { workType: trade.workType, workRole: '20' }
    const people = await labour.call(statsCalls.inPlaceStats.queryperson, { query: { ...range, ...who, state: 'attended', size: 1 } })
    expect([trade.workType, people.total]).toEqual([trade.workType, trade.personDays])
  }
})

test('A67: the totals of a period are the sum of its rows, of every kind', async () => {
  for (const type of statsCalls.statsTypes) {
    const request = { params: { type }, query: { month: '2026-11' } }
    const totals = await labour.call(statsCalls.statsTotals, request)
    const { list, total } = await labour.call(statsCalls.statsList, { ...request, query: { ...request.query, size: 1000 } })
    expect([type, total]).toEqual([type, totals.units])
    for (const key of ['personDays', 'late', 'missing', 'absent', 'leave'] as const)
      expect([type, key, list.reduce((n, r) => n + r[key], 0)]).toEqual([type, key, totals[key]])
  }
})

test('A24: a day on one site says nothing of another', async () => {
  const { pool } = world.database
  const before = await labour.call(statsCalls.inPlaceStats.byDay, { query: range })
  const stay = settled.city.projectWorkers.find((w) => w.exitTime === null && w.projectCode !== settled.city.projects[0]!.projectCode)!
  await pool.query(
    `insert into attendance_day (project_code, worker_id, work_day, stay_id, corp_code, attend_day, work_hours, rules_version, setting_version)
     select w.project_code, w.worker_id, '2026-11-18', w.id, w.corp_code, 1, 9, 'x', 'x' from project_worker w
     where w.project_code = $1 and w.worker_id = $2 limit 1`,
    [stay.projectCode, stay.workerId],
  )
  expect(await labour.call(statsCalls.inPlaceStats.byDay, { query: range })).toEqual(before)
})

test('A74: roots are kept by the authority and the contractor, and the site cannot write there', async () => {
  const { pool } = world.database
  const { rows } = await pool.query<{ type: number; n: number }>(
    `select t.type, count(*)::int as n from attendance_root_copy c join tenant t on t.id = c.group_id group by 1 order by 1`,
  )
  expect(rows.map((r) => r.type)).toEqual([1, 2])
  expect(rows.every((r) => r.n > 40)).toBe(true)
  expect(await written('attendance_root_copy')).toEqual([])
})

test('A1, A79: records, ledger and roots can be changed or taken away by no request', async () => {
  for (const table of ['attendance_event', 'attendance_ledger', 'attendance_root', 'attendance_chain', 'attendance_day'])
    expect([table, await written(table)]).toEqual([table, []])
})

/** The privileges of the request roles on a table other than reading. */
async function written(table: string): Promise<string[]> {
  const { rows } = await world.database.pool.query<{ what: string }>(
    `select role || ' ' || act as what from unnest(array['zg_some', 'zg_wide', 'zg_all']) role, unnest(array['insert', 'update', 'delete']) act
     where has_table_privilege(role, $1, act)`,
    [table],
  )
  return rows.map((r) => r.what)
}
