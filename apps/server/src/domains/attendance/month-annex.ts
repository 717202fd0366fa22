import { dailyList } from '@zhugong/contract/attendance/days'
import { type CorrectionKind, correctionKinds, type DayResult, dayResults } from '@zhugong/contract/attendance/facts'
import { fixContent, fixStates } from '@zhugong/contract/attendance/fix-endpoints'
import { annexResults, type listMonthly, mostAnnexRows } from '@zhugong/contract/attendance/months'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { allOf, anyOf, contains, equals, inProjects } from '#kit/list'
import type { ExportColumn } from '../exports/registry.ts'
import { at, resultText, tradeName, withResults } from './day-list.ts'
import { inForce } from './engine/corrections.ts'
import { datesOfMonth } from './engine/month.ts'
import type { SheetContext } from './months.ts'
import { marksOf } from './sheet-marks.ts'
import type { AtClose, CorrectionValue } from './tables.ts'

type Query = ParsedFor<typeof listMonthly>['query']

interface MarkedDay {
  projectCode: string
  projectName: string | null
  corpName: string | null
  teamName: string | null
  workerId: string
  name: string
  workRole: string
  workType: string | null
  post: string | null
  workDay: string
  firstIn: Date | null
  lastOut: Date | null
  workHours: number
  attendDay: number
  results: DayResult[]
  atClose: AtClose | null
}

interface DayFix {
  id: string
  projectCode: string
  workerId: string | null
  kind: CorrectionKind
  value: CorrectionValue
  workDay: string | null
  reason: string | null
  requestedName: string | null
  requestedAt: Date
  approvedName: string | null
  approvedAt: Date
}

export type AnnexLine = MarkedDay & { fixes: readonly DayFix[] }

/**
 * The details behind a month's sheet: each marked day with its passages, and the corrections with author, time and reason. Throws above
 * `mostAnnexRows` days.
 */
export async function findAnnex(ctx: SheetContext, query: Query & { month: string }, projects: readonly string[] | undefined) {
  const dates = datesOfMonth(query.month)
  const [first, last] = [dates[0] ?? '', dates.at(-1) ?? '']
  const within = allOf(...inProjects('d.projectCode', projects))
  const where = allOf(
    ...equals('d.corpCode', query.corpCode),
    ...equals('d.teamSysNo', query.teamSysNo),
    ...contains('d.name', query.name),
    ...anyOf('d.workRole', query.workRole),
    ...withResults(query.results),
  )
  const { rows } = await sql<MarkedDay>`
    select d.* from (
      select d.project_code, p.name as project_name, c.corp_name, t.team_name, t.team_sys_no::text as team_sys_no, d.worker_id, d.corp_code,
        pw.worker_name as name, pw.work_role, pw.work_type, pw.post, d.work_day, d.first_in, d.last_out, d.work_hours, d.attend_day,
        d.results, d.at_close
      from attendance_day d
        cross join lateral (select w.worker_name, w.work_role, w.work_type, w.post from project_worker w where w.id = d.stay_id limit 1) pw
        left join project p on p.project_code = d.project_code left join corporation c on c.corp_code = d.corp_code left join team t on t.id = d.team_id
      where ${within} and d.work_day between ${first}::date and ${last}::date and d.results && ${[...annexResults]}::smallint[]) d
    where ${where}
    order by d.corp_name nulls last, d.corp_code, d.team_name nulls first, d.team_sys_no, d.name, d.worker_id, d.project_code, d.work_day
    limit ${mostAnnexRows + 1}`.execute(ctx.db)
  if (rows.length > mostAnnexRows) throw new AppError('refused', `附表最多 ${mostAnnexRows} 行，请按项目、单位或班组分别导出`)
  const fixes = await fixesOf(ctx, first, last, projects)
  return rows.map((row): AnnexLine => ({ ...row, fixes: fixes(row) }))
}

/** The corrections in force in a month, by the day concerned. */
async function fixesOf({ db }: SheetContext, first: string, last: string, projects: readonly string[] | undefined) {
  const { rows } = await sql<DayFix>`
    select x.id, x.project_code, x.worker_id, x.kind, x.value, x.work_day, x.reason, x.requested_name, x.requested_at, x.approved_name, x.approved_at
    from attendance_correction x
    where ${allOf(...inProjects('x.projectCode', projects))} and x.state = ${fixStates.passed} and x.approved_at is not null
      and (x.kind = 'revoke' or x.work_day between ${first}::date and ${last}::date
        or ((x.value ->> 'fromDay')::date <= ${last}::date and (x.value ->> 'toDay')::date >= ${first}::date))`.execute(db)
  const current = inForce(
    rows.map((row) => ({
      ...row,
      target: row.value.target ?? null,
      requestedAt: row.requestedAt.getTime(),
      approvedAt: row.approvedAt.getTime(),
      row,
    })),
  ).flatMap(({ row }) => (row.kind === 'revoke' ? [] : row))
  // A stop day applies to everyone on the site.
  const byPerson = Map.groupBy(current, (fix) => `${fix.projectCode}|${fix.workerId ?? ''}`)
  return ({ projectCode, workerId, workDay }: MarkedDay) =>
    [...(byPerson.get(`${projectCode}|${workerId}`) ?? []), ...(byPerson.get(`${projectCode}|`) ?? [])].filter((fix) =>
      speaksOf(fix, workDay),
    )
}

const speaksOf = ({ value: { fromDay, toDay }, workDay }: DayFix, day: string): boolean =>
  fromDay && toDay ? fromDay <= day && day <= toDay : workDay === day

const contentOf = ({ kind, value }: DayFix): string =>
  `${correctionKinds[kind]} ${fixContent({
    kind,
    time: typeof value.time === 'number' ? formatInstant(value.time) : null,
    direction: value.direction ?? null,
    fromDay: value.fromDay ?? null,
    toDay: value.toDay ?? null,
  })}`.trim()

/** Joins the texts of a day's corrections in their order. */
const ofFixes = (say: (fix: DayFix) => string | null) => (line: AnnexLine) => line.fixes.map((fix) => say(fix) ?? '—').join('；')
const marked = (results: readonly DayResult[]) => results.filter((one) => one !== normal)
const normal = 1

const { projectName, corpName, teamName, name, workType, date, firstIn, lastOut, workHours, closeHours, closeResults } = dailyList.columns

export const annexColumns: readonly ExportColumn<AnnexLine>[] = [
  { key: 'projectName', title: projectName, width: 28, value: (r) => r.projectName },
  { key: 'corpName', title: corpName, width: 26, value: (r) => r.corpName },
  { key: 'teamName', title: teamName, width: 18, value: (r) => r.teamName ?? '管理人员' },
  { key: 'name', title: name, width: 12, value: (r) => r.name },
  { key: 'workType', title: workType, width: 16, value: tradeName },
  { key: 'date', title: date, width: 12, value: (r) => r.workDay },
  { key: 'mark', title: '记号', width: 6, value: (r) => marksOf(r.results, r.attendDay === 1) },
  { key: 'results', title: '异常', width: 18, value: (r) => resultText(marked(r.results)) },
  { key: 'firstIn', title: firstIn, width: 20, value: (r) => at(r.firstIn) },
  { key: 'lastOut', title: lastOut, width: 20, value: (r) => at(r.lastOut) },
  { key: 'workHours', title: workHours, width: 8, value: (r) => r.workHours },
  { key: 'fixes', title: '更正', width: 30, value: ofFixes(contentOf) },
  { key: 'requestedName', title: '申请人', width: 12, value: ofFixes((fix) => fix.requestedName) },
  { key: 'requestedAt', title: '申请时间', width: 20, value: ofFixes((fix) => formatInstant(fix.requestedAt)) },
  { key: 'approvedName', title: '审批人', width: 12, value: ofFixes((fix) => fix.approvedName) },
  { key: 'approvedAt', title: '审批时间', width: 20, value: ofFixes((fix) => formatInstant(fix.approvedAt)) },
  { key: 'reason', title: '更正原因', width: 40, value: ofFixes((fix) => fix.reason) },
  { key: 'closeHours', title: closeHours, width: 12, value: (r) => r.atClose?.workHours },
  {
    key: 'closeResults',
    title: closeResults,
    width: 14,
    value: (r) => r.atClose?.results.map((one) => dayResults[one as DayResult]).join('、'),
  },
]
