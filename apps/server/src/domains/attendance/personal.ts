import type * as contract from '@zhugong/contract/attendance/days'
import type { Day } from '@zhugong/contract/attendance/facts'
import { isRestDate } from '@zhugong/contract/kit/rest-days'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { allOf, between, condition, equals, inProjects, orderBy, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import type { ListContext } from '../exports/registry.ts'
import { daysWithPeople, faceLink, type RawDay, runningDay, toDaily, tradeName, withResults } from './day-list.ts'
import { keyPostFigures, thresholdOf } from './engine/key-post.ts'
import { datesOfMonth, totalsOf } from './engine/month.ts'
import { addDays } from './engine/time.ts'
import { versionOn } from './engine/work-day.ts'
import { findVersions } from './facts-store.ts'

type PersonalQuery = NonNullable<(typeof contract.personalDays)['types']>['parsed']['query']

function periodOf(query: PersonalQuery): { from: string | undefined; to: string | undefined } {
  if (query.month) {
    const first = `${query.month}-01`
    return { from: first, to: addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1) }
  }
  return { from: query.startDate ?? query.date?.from?.slice(0, 10), to: query.endDate ?? query.date?.to?.slice(0, 10) }
}

export function personalConditions(query: PersonalQuery, projects: readonly string[] | undefined) {
  const { from, to } = periodOf(query)
  return allOf(
    condition(sql`d.worker_id = ${query.workerId}`),
    ...inProjects('d.projectCode', projects),
    ...(from ? [condition(sql`d.work_day >= ${from}::date`)] : []),
    ...(to ? [condition(sql`d.work_day <= ${to}::date`)] : []),
    ...withResults(query.results),
    ...between('d.workHours', query.workHours),
  )
}

const order = (sort: PersonalQuery['sort']) =>
  orderBy(
    sort,
    { date: 'd.workDay', workDay: 'd.workDay', firstIn: 'd.firstIn', lastOut: 'd.lastOut', workHours: 'd.workHours' },
    '-date',
    'd.projectCode',
  )

export async function findPersonal(ctx: ListContext, query: PersonalQuery, projects: readonly string[] | undefined) {
  const today = await runningDay(ctx, query.projectCode)
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<RawDay>`
    select * from (${daysWithPeople(ctx.clock.now(), today)}) d where ${personalConditions(query, projects)}
    order by ${order(query.sort)} limit ${limit} offset ${offset}`.execute(ctx.db)
  return rows.map(toDaily)
}
export async function countPersonal(ctx: ListContext, query: PersonalQuery, projects: readonly string[] | undefined): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from attendance_day d where ${personalConditions(query, projects)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

async function restDatesOf(ctx: ListContext, projectCode: string, month: string): Promise<string[]> {
  const dates = datesOfMonth(month)
  const { setting } = versionOn(await findVersions(ctx.db, projectCode), dates.at(-1)!)
  return dates.filter((date) => isRestDate(setting, date))
}

export async function personalPage(ctx: ListContext, query: PersonalQuery, projects: readonly string[] | undefined) {
  const list = await findPersonal(ctx, query, projects)
  const where = personalConditions(query, projects)
  const { rows: days } = await sql<{
    projectCode: string
    workDay: string
    attendDay: 0 | 1
    workHours: number
    overtimeHours: number
    results: Day['results']
    required: boolean
    present: boolean
  }>`
    select project_code, work_day, attend_day, work_hours, overtime_hours, results, required, present from attendance_day d where ${where}`.execute(
    ctx.db,
  )
  const stays = await sql<{
    projectCode: string
    projectName: string
    corpName: string | null
    teamName: string | null
    workRole: string
    workType: string | null
    post: string | null
    name: string
    idCardMask: string
    face: string | null
    entryTime: Date
    exitTime: Date | null
  }>`
    select pw.project_code, p.name as project_name, c.corp_name, t.team_name, pw.work_role, pw.work_type, pw.post, pw.worker_name as name, pw.id_card_mask,
      pw.entry_time, pw.exit_time, case when pw.exit_time is null then coalesce(w.face_photo, w.head_image) end as face
    from project_worker pw join project p on p.project_code = pw.project_code left join corporation c on c.corp_code = pw.corp_code
      left join team t on t.id = pw.team_id left join worker w on w.id = pw.worker_id
    where ${allOf(...equals('pw.workerId', query.workerId), ...inProjects('pw.projectCode', projects))} order by pw.entry_time desc`.execute(
    ctx.db,
  )
  const within = allOf(...equals('d.workerId', query.workerId), ...inProjects('d.projectCode', projects))
  const months = await sql<{ month: string; attendDays: number; workHours: number }>`
    select to_char(d.work_day, 'YYYY-MM') as month, sum(d.attend_day)::int as attend_days, sum(d.work_hours)::float as work_hours
    from attendance_day d where ${within} group by 1 order by 1 desc limit 12`.execute(ctx.db)
  const ever = await sql<{ n: number }>`select coalesce(sum(d.attend_day), 0)::int as n from attendance_day d where ${within}`.execute(
    ctx.db,
  )
  const newest = stays.rows[0]
  return {
    list,
    restDates: query.month && newest ? await restDatesOf(ctx, newest.projectCode, query.month) : [],
    total: days.length,
    worker: newest
      ? {
          workerId: query.workerId,
          name: newest.name,
          idCardMask: newest.idCardMask,
          photo: faceLink(ctx, newest.face),
          stays: stays.rows.map((s) => ({
            ...pick(s, 'projectCode', 'projectName', 'corpName', 'teamName'),
            workTypeName: tradeName(s),
            entryTime: formatInstant(s.entryTime),
            exitTime: s.exitTime ? formatInstant(s.exitTime) : null,
          })),
        }
      : null,
    totals: { ...totalsOf(days) },
    months: months.rows.map((m) => ({ ...m, workHours: Math.round(m.workHours * 10) / 10 })).reverse(),
    everDays: ever.rows[0]?.n ?? 0,
    keyPost: await keyPostOf(ctx, newest, days),
  }
}

/** A54-A56, if the person holds a key post. */
async function keyPostOf(
  ctx: ListContext,
  stay: { projectCode: string; post: string | null } | undefined,
  days: readonly { projectCode: string; workDay: string; required: boolean; present: boolean }[],
) {
  if (!stay?.post) return null
  const versions = await findVersions(ctx.db, stay.projectCode)
  const last = days.reduce((a, d) => (d.workDay > a ? d.workDay : a), '0001-01-01')
  const threshold = thresholdOf(stay.post, versionOn(versions, last).setting.keyPostRate)
  if (threshold === undefined) return null
  const own = days.filter((d) => d.projectCode === stay.projectCode)
  const figures = keyPostFigures(own.filter((d) => d.required).length, own.filter((d) => d.present).length, threshold)
  return { post: stay.post, postName: dictName('managerPost', stay.post) ?? stay.post, ...figures }
}
