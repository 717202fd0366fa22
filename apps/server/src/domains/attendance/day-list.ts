import type * as contract from '@zhugong/contract/attendance/days'
import { dailyRow } from '@zhugong/contract/attendance/days'
import { dayResults, keyPosts } from '@zhugong/contract/attendance/facts'
import { faults } from '@zhugong/contract/attendance/sheet'
import { peopleRow } from '@zhugong/contract/attendance/stats'
import { dayMs, hourMs } from '@zhugong/contract/kit/time'
import { workRoles } from '@zhugong/contract/labour/codes'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Db, Row } from '#kit/db'
import { allOf, anyOf, between, type Condition, condition, contains, equals, inProjects, orderBy, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { ListContext } from '../exports/registry.ts'
import { linkOf } from '../files/public.ts'
import { attendanceRate, dueColumns, hasArrived, hasCome, isDue, isMissing, sumDue } from './due.ts'
import { presenceOf } from './engine/by-hour.ts'
import { evaluate } from './engine/day.ts'
import { dateOf, startOf } from './engine/time.ts'
import { calendarOf } from './engine/work-day.ts'
import { findFacts, findVersions } from './facts-store.ts'
import type { AtClose } from './tables.ts'
import { isWaiting } from './waiting.ts'

/** The current work day (yyyy-MM-dd): by the project's own day cut, for several projects by the default one. */
export async function runningDay(ctx: Pick<Context, 'clock'> & { db: Db }, projectCode?: string): Promise<string> {
  const now = ctx.clock.now()
  if (!projectCode || projectCode === '*') return dateOf(now - 4 * hourMs)
  return calendarOf(await findVersions(ctx.db, projectCode), []).workDayOf(now)
}

export type RawDay = Row<'attendanceDay'> & {
  name: string
  workRole: string
  workType: string | null
  post: string | null
  corpName: string | null
  teamName: string | null
  teamSysNo: string | null
  projectName: string | null
  inside: boolean
  face: string | null
  fixing: boolean
}

/** SQL source: days with their people. `inside` is computed for the current day only, because it describes the present. */
export const daysWithPeople = (now: number, today: string) => sql`
  select d.*, pw.worker_name as name, pw.work_role, pw.work_type, pw.post, c.corp_name, t.team_name, t.team_sys_no::text as team_sys_no,
    p.name as project_name, case when pw.exit_time is null then coalesce(w.face_photo, w.head_image) end as face, (d.work_day = ${today}::date and ${isInside('ap', 'pw', now)}) as inside,
    exists (select 1 from attendance_correction x where x.project_code = d.project_code and x.worker_id = d.worker_id and x.work_day = d.work_day
      and x.state = '1') as fixing
  from attendance_day d join project_worker pw on pw.id = d.stay_id join project p on p.project_code = d.project_code
    left join worker w on w.id = d.worker_id left join corporation c on c.corp_code = d.corp_code left join team t on t.id = d.team_id
    left join attendance_presence ap on ap.project_code = d.project_code and ap.worker_id = d.worker_id`

/** A60 in SQL: the last counted passage was an entry within 24 hours, the person was not cleared after it, and is in place now. */
export const isInside = (presence: string, stay: string, now: number) => {
  const ap = (column: string) => sql.ref(`${presence}.${column}`)
  const pw = (column: string) => sql.ref(`${stay}.${column}`)
  return sql`coalesce(${ap('direction')} = '01' and ${ap('time')} >= ${new Date(now - dayMs)} and ${ap('time')} <= ${new Date(now + 300_000)}
    and (${ap('clearedAt')} is null or ${ap('clearedAt')} < ${ap('time')})
    and ${pw('entryTime')} <= ${new Date(now)} and (${pw('exitTime')} is null or ${pw('exitTime')} > ${new Date(now)}), false)`
}

const faultList = sql`${sql.raw(`array[${faults.join(',')}]::smallint[]`)}`

/** Condition: the holder of a key post was expected and has no record. */
const isKeyAbsent = (): Condition => condition(sql`d.post = any (${Object.keys(keyPosts)}) and ${isMissing('d')}`)

type DailyQuery = NonNullable<(typeof contract.listDaily)['types']>['parsed']['query']

export function dailyConditions(query: Partial<DailyQuery>, projects: readonly string[] | undefined, day: string): Condition {
  const chips: Record<NonNullable<DailyQuery['chip']>, Condition> = {
    wrong: condition(sql`d.results && ${faultList}`),
    absent: condition(isMissing('d')),
    inside: condition(sql`d.inside`),
    came: condition(hasArrived('d')),
    due: condition(isDue('d')),
    keyAbsent: isKeyAbsent(),
    entered: condition(hasCome('d')),
  }
  return allOf(
    condition(sql`d.work_day = ${day}::date`),
    ...inProjects('d.projectCode', projects),
    ...equals('d.corpCode', query.corpCode),
    ...equals('d.teamSysNo', query.teamSysNo),
    ...equals('d.workerId', query.workerId),
    ...contains('d.name', query.name),
    ...anyOf('d.workType', query.workType),
    ...anyOf('d.workRole', query.workRole),
    ...between('d.workHours', query.workHours),
    ...between('d.recordCount', query.recordCount),
    ...withResults(query.results),
    ...(query.chip ? [chips[query.chip]] : []),
  )
}

export function withResults(results: readonly string[] | undefined): Condition[] {
  const codes = (results ?? []).map(Number).filter((n) => n in dayResults)
  return codes.length ? [condition(sql`d.results && ${codes}::smallint[]`)] : []
}

const dailyOrder = (sort: DailyQuery['sort']) =>
  sort
    ? orderBy(
        sort,
        {
          name: 'd.name',
          firstIn: 'd.firstIn',
          lastOut: 'd.lastOut',
          workHours: 'd.workHours',
          recordCount: 'd.recordCount',
          teamName: 'd.teamName',
          corpName: 'd.corpName',
          date: 'd.workDay',
          workDay: 'd.workDay',
        },
        'name',
        'd.workerId',
      )
    : // Days with problems first, then missing people; within these by unit.
      sql`(d.results && ${faultList}) desc, ${isMissing('d')} desc, d.corp_code, d.team_sys_no nulls first, d.name, d.worker_id`

export async function findDaily(ctx: ListContext, query: DailyQuery, projects: readonly string[] | undefined, day: string, today: string) {
  const { limit, offset } = pageSlice(query)
  const from = daysWithPeople(ctx.clock.now(), today)
  const where = dailyConditions(query, projects, day)
  const { rows } =
    await sql<RawDay>`select * from (${from}) d where ${where} order by ${dailyOrder(query.sort)} limit ${limit} offset ${offset}`.execute(
      ctx.db,
    )
  return rows
}

export async function countDaily(
  ctx: ListContext,
  query: Partial<DailyQuery>,
  projects: readonly string[] | undefined,
  day: string,
  today: string,
) {
  const from = daysWithPeople(ctx.clock.now(), today)
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from (${from}) d where ${dailyConditions(query, projects, day)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** All people inside now, by team. */
export async function findInside(ctx: ListContext, projects: readonly string[], today: string) {
  const { rows } = await sql<RawDay>`
    select * from (${daysWithPeople(ctx.clock.now(), today)}) d where ${dailyConditions({ chip: 'inside' }, projects, today)}
    order by d.corp_code, d.team_sys_no nulls first, d.name, d.worker_id`.execute(ctx.db)
  return rows.map(toJudgedDay)
}

export const at = (date: Date | null): string | null => (date ? formatInstant(date) : null)
export const resultText = (results: readonly number[]): string => results.map((r) => dayResults[r as keyof typeof dayResults]).join('、')
export const tradeName = (r: { workRole: string | null; workType: string | null; post: string | null }): string | null =>
  r.workRole === workRoles.manager ? (dictName('managerPost', r.post) ?? '管理人员') : dictName('workerType', r.workType)

/** Link to the face image; null without the permission to see pictures of passages. */
export const faceLink = (ctx: Pick<Context, 'codes' | 'secrets' | 'clock'>, id: string | null): string | null =>
  ctx.codes.has('attendance.photo') ? linkOf(ctx, id) : null

/** The person of a day and its results, as shown by every list of days. */
export const toJudgedDay = (r: RawDay) =>
  rowOf(peopleRow, r, {
    id: `${r.projectCode}.${r.workerId}.${r.workDay}`,
    workTypeName: tradeName(r),
    date: r.workDay,
    firstIn: at(r.firstIn),
    lastOut: at(r.lastOut),
    resultText: resultText(r.results),
  })

export function toDaily(r: RawDay): contract.DailyRow {
  return rowOf(dailyRow, r, {
    ...toJudgedDay(r),
    atClose: r.atClose ? toClosed(r.atClose as AtClose) : null,
    bar: undefined,
    photo: undefined,
  })
}
const toClosed = (c: AtClose) => ({
  ...c,
  firstIn: c.firstIn === null ? null : formatInstant(c.firstIn),
  lastOut: c.lastOut === null ? null : formatInstant(c.lastOut),
})

/** The times people of a page were inside, for the bar of the day; in minutes since the work day's midnight. */
export async function barsOf(ctx: Pick<Context, 'db' | 'clock'>, rows: readonly RawDay[]): Promise<Map<string, [number, number][]>> {
  const bars = new Map<string, [number, number][]>()
  const now = ctx.clock.now()
  for (const [key, list] of Map.groupBy(rows, (r) => `${r.projectCode}|${r.workDay}`)) {
    const [projectCode = '', workDay = ''] = key.split('|')
    const { facts } = await findFacts(
      ctx.db,
      projectCode,
      { from: workDay, to: workDay },
      now,
      list.map((r) => r.workerId),
    )
    const midnight = startOf(workDay)
    for (const [workerId, fact] of facts) {
      const spans = presenceOf(evaluate(fact))
        .filter((s) => s.start >= midnight && s.start < midnight + 2 * dayMs)
        .map((s): [number, number] => [Math.round((s.start - midnight) / 60_000), Math.round((Math.min(s.end, now) - midnight) / 60_000)])
      const row = list.find((r) => r.workerId === workerId)
      const last = row?.lastOut ? Math.round((row.lastOut.getTime() - midnight) / 60_000) : 36 * 60
      bars.set(
        `${key}|${workerId}`,
        spans.filter(([from, to]) => from <= last && to > from),
      )
    }
  }
  return bars
}

export async function dailyPage(ctx: ListContext, query: DailyQuery, projects: readonly string[] | undefined) {
  const today = await runningDay(ctx, query.projectCode ?? ctx.projectCode)
  const day = query.date ?? today
  const rows = await findDaily(ctx, query, projects, day, today)
  const bars = rows.length <= 100 ? await barsOf(ctx, rows) : undefined
  return {
    list: rows.map((r) => ({
      ...toDaily(r),
      photo: faceLink(ctx, r.face),
      bar: bars?.get(`${r.projectCode}|${r.workDay}|${r.workerId}`),
    })),
    total: await countDaily(ctx, query, projects, day, today),
  }
}

/** Counts of a day, for the strip and the tree beside the list. */
export async function countsOf(
  ctx: ListContext,
  projectCode: string | undefined,
  requested: string | undefined,
  projects: readonly string[] | undefined,
) {
  const now = ctx.clock.now()
  const today = await runningDay(ctx, projectCode)
  const date = requested ?? today
  const where = allOf(condition(sql`d.work_day = ${date}::date`), ...inProjects('d.projectCode', projects))
  const from = daysWithPeople(now, today)
  const { rows } = await sql<{
    corpCode: string
    corpName: string | null
    teamSysNo: string | null
    teamName: string | null
    projectName: string | null
    inPlace: number
    expected: number
    arrived: number
    came: number
    inside: number
    wrong: number
    keyAbsent: number
    hours: number
  }>`
    select corp_code, max(corp_name) as corp_name, team_sys_no, max(team_name) as team_name,
      case when team_sys_no is not null then max(project_name) end as project_name, count(*)::int as in_place,
      ${dueColumns('d')}, count(*) filter (where ${hasCome('d')})::int as came, count(*) filter (where ${isKeyAbsent()})::int as key_absent,
      count(*) filter (where inside)::int as inside, count(*) filter (where results && ${faultList})::int as wrong, sum(work_hours)::float as hours
    from (${from}) d where ${where} group by corp_code, team_sys_no order by corp_code, team_sys_no nulls first`.execute(ctx.db)
  const sum = (key: 'inPlace' | 'came' | 'inside' | 'wrong' | 'keyAbsent' | 'hours') => rows.reduce((n, r) => n + r[key], 0)
  const gates = await sql<{ name: string; projectName: string | null; since: Date | null }>`
    select v.name, p.name as project_name, l.online_since as since from device v left join project p on p.project_code = v.project_code left join device_latest l on l.device_id = v.id
    where v.family = 'faceGate' and v.status = '1' and (l.device_id is null or not l.online)
      and ${allOf(...inProjects('v.projectCode', projects))} order by v.name limit 50`.execute(ctx.db)
  const waiting = await sql<{ n: number }>`
    select count(*)::int as n from attendance_event e where e.work_day = ${date}::date
      and ${allOf(isWaiting('e'), ...inProjects('e.projectCode', projects))}`.execute(ctx.db)
  const inPlace = sum('inPlace')
  const due = sumDue(rows)
  return {
    date,
    running: date === today,
    rest: inPlace > 0 && due.expected === 0,
    inPlace,
    expected: due.expected,
    attended: due.arrived,
    came: sum('came'),
    rate: attendanceRate(due),
    inside: sum('inside'),
    wrong: sum('wrong'),
    absent: due.expected - due.arrived,
    keyAbsent: sum('keyAbsent'),
    workHours: Math.round(sum('hours') * 10) / 10,
    units: rows.map(({ corpCode, corpName, teamSysNo, teamName, projectName, expected, arrived }) => ({
      corpCode,
      corpName,
      teamSysNo,
      teamName,
      projectName,
      due: expected,
      came: arrived,
    })),
    silentGates: gates.rows.map((g) => ({ ...g, since: at(g.since) })),
    quarantined: waiting.rows[0]?.n ?? 0,
  }
}
