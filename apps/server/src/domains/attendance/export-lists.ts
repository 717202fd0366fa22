import * as daysCalls from '@zhugong/contract/attendance/days'
import { dayResults } from '@zhugong/contract/attendance/facts'
import { type FixRole, fixContent, fixList, fixRoles, type listFixes } from '@zhugong/contract/attendance/fix-endpoints'
import * as monthsCalls from '@zhugong/contract/attendance/months'
import * as recordsCalls from '@zhugong/contract/attendance/records'
import { isUnkept } from '@zhugong/contract/attendance/sheet'
import * as statsCalls from '@zhugong/contract/attendance/stats'
import { projectsFor } from '#kit/context'
import {
  type ExportColumn,
  exportOf,
  type ListContext,
  type ListExport,
  listExportOf,
  pagesOf,
  registerExport,
} from '../exports/registry.ts'
import { countDaily, findDaily, runningDay, toDaily } from './day-list.ts'
import { countFixes, findFixes, toFix } from './fix-rows.ts'
import { registerMonthPrint } from './month-print.ts'
import { countSheet, findSheet } from './months.ts'
import { registerMusterPrint } from './muster-print.ts'
import { countPersonal, findPersonal } from './personal.ts'
import { registerProofPrint } from './proof-print.ts'
import { countRecords, findRecords, toRecord } from './records.ts'
import { markOf } from './sheet-marks.ts'
import { statsRank } from './stats.ts'

type Query<E> = E extends { types?: { parsed: { query: infer Q } } } ? Q : never
const wanted = (ctx: ListContext, query: { projectCode?: string | undefined }) => projectsFor(ctx, query.projectCode)
type Who = Pick<daysCalls.DailyRow, 'name' | 'corpName' | 'teamName' | 'workTypeName' | 'projectName'>
const whoCells = {
  projectName: (r: Who) => r.projectName,
  corpName: (r: Who) => r.corpName,
  teamName: (r: Who) => r.teamName,
  name: (r: Who) => r.name,
  workType: (r: Who) => r.workTypeName,
}
const whoWidths = { projectName: 28, corpName: 26, teamName: 18, name: 12, workType: 16 } as const
const who = (Object.keys(whoCells) as (keyof typeof whoCells)[]).map(
  (key): ExportColumn<Who> => ({ key, title: daysCalls.dailyList.columns[key], width: whoWidths[key], value: whoCells[key] }),
)

const dayCells = {
  ...whoCells,
  date: (r: daysCalls.DailyRow) => r.date,
  firstIn: (r: daysCalls.DailyRow) => r.firstIn,
  lastOut: (r: daysCalls.DailyRow) => r.lastOut,
  workHours: (r: daysCalls.DailyRow) => r.workHours,
  attendDay: (r: daysCalls.DailyRow) => r.attendDay,
  results: (r: daysCalls.DailyRow) => r.resultText,
  recordCount: (r: daysCalls.DailyRow) => r.recordCount,
  closeHours: (r: daysCalls.DailyRow) => r.atClose?.workHours,
  closeResults: (r: daysCalls.DailyRow) => r.atClose?.results.map((code) => dayResults[code as keyof typeof dayResults]).join('、'),
}
const dayWidths = {
  ...whoWidths,
  date: 12,
  firstIn: 20,
  lastOut: 20,
  workHours: 8,
  attendDay: 8,
  recordCount: 8,
  closeHours: 12,
  closeResults: 14,
}

type DailyQuery = Query<typeof daysCalls.listDaily>
async function* dailyRows(ctx: ListContext, query: DailyQuery) {
  const today = await runningDay(ctx, query.projectCode ?? ctx.projectCode)
  yield* pagesOf(query, async (q) => (await findDaily(ctx, q, wanted(ctx, q), q.date ?? today, today)).map(toDaily))
}
export const dailyExport = listExportOf(
  daysCalls.dailyList,
  {
    title: '日考勤',
    always: ['date'],
    widths: dayWidths,
    rows: dailyRows,
    async count(ctx, query) {
      const today = await runningDay(ctx, query.projectCode ?? ctx.projectCode)
      return countDaily(ctx, query, wanted(ctx, query), query.date ?? today, today)
    },
  },
  dayCells,
)

const dateIn = (month: string, day: number) => `${month}-${String(day).padStart(2, '0')}`

/** The columns of a month's sheet: one per day of the month. Days after `today` are empty. */
export const monthColumns = (
  days: number,
  isPast: (row: monthsCalls.MonthlyRow, day: number) => boolean,
): ExportColumn<monthsCalls.MonthlyRow>[] => [
  ...(who as readonly ExportColumn<monthsCalls.MonthlyRow>[]),
  ...Array.from(
    { length: days },
    (_, i): ExportColumn<monthsCalls.MonthlyRow> => ({
      key: `d${i + 1}`,
      title: String(i + 1),
      width: 5,
      value: (r) =>
        i < r.cells.length && isPast(r, i + 1) && !isUnkept(r.cells[i], dateIn(r.month, i + 1), r.keptFrom) ? markOf(r.cells[i]) : '',
    }),
  ),
  { key: 'attendDays', title: '出勤天数', width: 9, value: (r) => r.attendDays },
  { key: 'workHours', title: '总工时', width: 9, value: (r) => r.workHours },
  { key: 'late', title: '迟到', width: 6, value: (r) => r.late },
  { key: 'early', title: '早退', width: 6, value: (r) => r.early },
  { key: 'missing', title: '缺卡', width: 6, value: (r) => r.missing },
  { key: 'absent', title: '缺勤', width: 6, value: (r) => r.absent },
  { key: 'leave', title: '请假', width: 6, value: (r) => r.leave },
  { key: 'overtimeHours', title: '加班工时', width: 9, value: (r) => r.overtimeHours },
  { key: 'lateData', title: '补传天数', width: 9, value: (r) => r.lateData },
  { key: 'corrected', title: '补录天数', width: 9, value: (r) => r.corrected },
]

const longestMonth = 31

/** A background export may be of any month: a short month leaves the last columns empty. */
export const monthlyExport: ListExport<Query<typeof monthsCalls.listMonthly>, monthsCalls.MonthlyRow> = {
  feature: 'attendanceMonthly',
  title: '月考勤表',
  query: monthsCalls.listMonthly.schemas.query as ListExport<Query<typeof monthsCalls.listMonthly>>['query'],
  columns: monthColumns(longestMonth, (row, day) => row.cells[day - 1] !== ''),
  rows: (ctx, query) => pagesOf(query, async (q) => (await findSheet(ctx, q, wanted(ctx, q))).rows),
  count: (ctx, query) => countSheet(ctx, query, wanted(ctx, query)),
}

type RecordQuery = Query<typeof recordsCalls.listRecords>
const recordSource = {
  rows: (ctx: ListContext, query: RecordQuery) =>
    pagesOf(query, async (q) => (await findRecords(ctx, q, wanted(ctx, q))).map((r) => toRecord(ctx, r))),
  count: (ctx: ListContext, query: RecordQuery) => countRecords(ctx, query, wanted(ctx, query)),
}
const flagWords: Readonly<Record<string, string>> = {
  stranger: '陌生人',
  refused: '未放行',
  notEntered: '未进场',
  exited: '已退场',
  suspicious: '可疑',
}
const marksOf = (r: recordsCalls.RecordRow) => [...r.flags.map((f) => flagWords[f] ?? f), ...(r.lateData ? ['补传'] : [])].join('、')
const recordCells = {
  projectName: (r: recordsCalls.RecordRow) => r.projectName,
  name: (r: recordsCalls.RecordRow) => r.name,
  corpName: (r: recordsCalls.RecordRow) => r.corpName,
  teamName: (r: recordsCalls.RecordRow) => r.teamName,
  date: (r: recordsCalls.RecordRow) => r.date,
  direction: (r: recordsCalls.RecordRow) => r.directionName,
  sim: (r: recordsCalls.RecordRow) => r.sim,
  seq: (r: recordsCalls.RecordRow) => r.seq,
}

type RankQuery = Query<typeof statsCalls.corpStats.rank>
const rankSource = (scope: 'corp' | 'team') => ({
  rows: (ctx: ListContext, query: RankQuery) =>
    pagesOf(query, async (q) => (await statsRank(ctx, scope, { ...q, by: q.by ?? 'rate' }, wanted(ctx, q))).list),
  count: async (ctx: ListContext, query: RankQuery) =>
    (await statsRank(ctx, scope, { ...query, by: query.by ?? 'rate', page: 1, size: 1 }, wanted(ctx, query))).total,
})
type RankRow = Awaited<ReturnType<typeof statsRank>>['list'][number]
const rankCells = {
  rank: (r: RankRow) => r.rank,
  name: (r: RankRow) => r.name,
  inPlace: (r: RankRow) => r.inPlace,
  workers: (r: RankRow) => r.workers,
  managers: (r: RankRow) => r.managers,
  days: (r: RankRow) => r.days,
  expected: (r: RankRow) => r.expected,
  arrived: (r: RankRow) => r.arrived,
  rate: (r: RankRow) => r.rate,
  hours: (r: RankRow) => r.hours,
  hoursADay: (r: RankRow) => r.hoursADay,
  overlong: (r: RankRow) => r.overlong,
  correctedPercent: (r: RankRow) => r.correctedPercent,
  latePercent: (r: RankRow) => r.latePercent,
}

type PersonalQuery = Query<typeof daysCalls.personalDays>
const personalRows = (ctx: ListContext, query: PersonalQuery) => pagesOf(query, (q) => findPersonal(ctx, q, wanted(ctx, q)))

export function registerAttendanceExports(): void {
  registerProofPrint()
  registerMusterPrint()
  registerMonthPrint()
  registerExport(dailyExport)
  registerExport(monthlyExport)
  exportOf(
    recordsCalls.recordList,
    { title: '考勤记录', widths: { projectName: 28, name: 12, date: 20, receivedAt: 20, direction: 8, hash: 66 }, ...recordSource },
    {
      ...recordCells,
      attendType: (r) => r.attendTypeName,
      source: (r) => r.sourceName,
      marks: marksOf,
      quarantine: (r) => r.quarantineText,
    },
  )
  exportOf(
    recordsCalls.signInList,
    { title: '签到记录', widths: { projectName: 28, name: 12, date: 20, direction: 8 }, ...recordSource },
    {
      ...recordCells,
      place: (r) => r.fenceMetres,
      doubts: (r) => r.doubts.map((d) => recordsCalls.signInDoubts[d as recordsCalls.SignInDoubt]).join('、') || '正常',
      result: (r) => (r.quarantine ? r.quarantineText : '有效'),
    },
  )
  exportOf(
    fixList,
    {
      title: '考勤更正',
      widths: { projectName: 28, name: 12, content: 30, reason: 40, requestedAt: 20, approvedAt: 20 },
      rows: (ctx: ListContext, query: Query<typeof listFixes>) =>
        pagesOf(query, async (q) => (await findFixes(ctx, q)).map((r) => toFix(ctx, r, undefined))),
      count: countFixes,
    },
    {
      kind: (r) => r.kindName,
      content: fixContent,
      state: (r) => r.stateName,
      missing: (r) => r.missing.map((m) => fixRoles[m as FixRole]).join('、'),
    },
  )
  exportOf(statsCalls.unitRankList, { title: '单位考勤统计', widths: { rank: 6, name: 30 }, ...rankSource('corp') }, rankCells)
  exportOf(
    statsCalls.teamRankList,
    { title: '班组考勤统计', widths: { rank: 6, name: 18, corpName: 30 }, ...rankSource('team') },
    { ...rankCells, corpName: (r) => r.corpName },
  )
  exportOf(
    daysCalls.personalList,
    { title: '个人考勤', widths: dayWidths, rows: personalRows, count: (ctx, query) => countPersonal(ctx, query, wanted(ctx, query)) },
    dayCells,
  )
}
