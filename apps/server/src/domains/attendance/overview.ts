import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import { kept } from '#kit/db'
import { allOf, inProjects } from '#kit/list'
import { isInside, runningDay } from './day-list.ts'
import { percentOf } from './engine/rate.ts'
import { unratedOn } from './rest-days.ts'
import { isWaiting } from './waiting.ts'

interface Counts {
  inPlace: number
  attended: number
  onDuty: number
  /** In projects that neither stand still nor rest today: rates leave the others out. */
  ratedInPlace: number
  ratedAttended: number
}
const none: Counts = { inPlace: 0, attended: 0, onDuty: 0, ratedInPlace: 0, ratedAttended: 0 }
const add = (a: Counts, b: Counts): Counts => ({
  inPlace: a.inPlace + b.inPlace,
  attended: a.attended + b.attended,
  onDuty: a.onDuty + b.onDuty,
  ratedInPlace: a.ratedInPlace + b.ratedInPlace,
  ratedAttended: a.ratedAttended + b.ratedAttended,
})
const toAnswer = (c: Counts) => ({
  inPlace: c.inPlace,
  attended: c.attended,
  onDuty: c.onDuty,
  rate: percentOf(c.ratedAttended, c.ratedInPlace),
})

/** A58-A61: who is here now. */
export async function overviewOf(ctx: Context, projectCode: string | undefined, projects: readonly string[] | undefined) {
  const now = ctx.clock.now()
  const date = await runningDay(ctx, projectCode)
  const within = allOf(...inProjects('pw.projectCode', projects))
  const rated = sql`not (pw.project_code = any (array(${unratedOn(date, projects)})))`
  const { rows } = await sql<Counts & { corpCode: string; corpName: string | null; manager: boolean }>`${kept(ctx.scope)}
    select pw.corp_code, max(c.corp_name) as corp_name, (pw.work_role = '10') as manager, count(*)::int as in_place,
      count(*) filter (where d.first_in is not null)::int as attended,
      count(*) filter (where ${isInside('ap', 'pw', now)})::int as on_duty,
      count(*) filter (where ${rated})::int as rated_in_place, count(*) filter (where ${rated} and d.first_in is not null)::int as rated_attended
    from project_worker pw left join corporation c on c.corp_code = pw.corp_code
      left join attendance_day d on d.project_code = pw.project_code and d.worker_id = pw.worker_id and d.work_day = ${date}::date
      left join attendance_presence ap on ap.project_code = pw.project_code and ap.worker_id = pw.worker_id
    where ${within} and pw.entry_time <= ${new Date(now)} and (pw.exit_time is null or pw.exit_time > ${new Date(now)})
    group by pw.corp_code, (pw.work_role = '10') order by 1, 3`.execute(ctx.db)
  const corps = [...Map.groupBy(rows, (r) => r.corpCode)].map(([corpCode, list]) => ({
    corpCode,
    corpName: list[0]?.corpName ?? null,
    ...toAnswer(list.reduce<Counts>(add, none)),
  }))
  const gates = await sql<{ total: number; online: number; waiting: number }>`${kept(ctx.scope)}
    select count(*)::int as total, count(*) filter (where l.online)::int as online, (
      select count(*)::int from attendance_event e where ${allOf(isWaiting('e'), ...inProjects('e.projectCode', projects))}) as waiting
    from device v left join device_latest l on l.device_id = v.id
    where v.family = 'faceGate' and v.status = '1' and ${allOf(...inProjects('v.projectCode', projects))}`.execute(ctx.db)
  const { total = 0, online = 0, waiting = 0 } = gates.rows[0] ?? {}
  const passages = await sql<{
    id: string
    projectCode: string
    workerId: string | null
    name: string | null
    corpName: string | null
    teamName: string | null
    time: Date
    direction: string | null
    channel: string | null
    attendType: string
    late: boolean
  }>`${kept(ctx.scope)}
    select e.id, e.project_code, e.worker_id, e.time, e.direction, e.channel, e.attend_type, e.late, c.corp_name, t.team_name,
      (select pw.worker_name from project_worker pw where pw.project_code = e.project_code and pw.worker_id = e.worker_id limit 1) as name
    from (select * from attendance_event e where e.quarantine is null and ${allOf(...inProjects('e.projectCode', projects))}
      order by e.time desc, e.id desc limit 20) e
      left join corporation c on c.corp_code = e.corp_code left join team t on t.id = e.team_id order by e.time desc, e.id desc`.execute(
    ctx.db,
  )
  return {
    ...toAnswer(rows.reduce<Counts>(add, none)),
    date,
    at: formatInstant(now),
    workers: toAnswer(rows.filter((r) => !r.manager).reduce<Counts>(add, none)),
    managers: toAnswer(rows.filter((r) => r.manager).reduce<Counts>(add, none)),
    corps,
    gates: { total, online },
    passages: passages.rows.map(({ time, name, ...r }) => ({
      ...r,
      name: name ?? (r.workerId ? '未登记人员' : '陌生人'),
      date: formatInstant(time),
    })),
    quarantined: waiting,
  }
}
