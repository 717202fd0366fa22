import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import { isInside, runningDay } from './day-list.ts'
import { attendanceRate, type Due, dueColumns, hasCome, sumDue } from './due.ts'
import { isWaiting } from './waiting.ts'

interface Counts extends Due {
  inPlace: number
  attended: number
  onDuty: number
}
const none: Counts = { inPlace: 0, attended: 0, onDuty: 0, expected: 0, arrived: 0 }
const add = (a: Counts, b: Counts): Counts => ({
  inPlace: a.inPlace + b.inPlace,
  attended: a.attended + b.attended,
  onDuty: a.onDuty + b.onDuty,
  ...sumDue([a, b]),
})
const toAnswer = ({ inPlace, attended, onDuty, expected, arrived }: Counts) => ({
  inPlace,
  attended,
  onDuty,
  expected,
  arrived,
  rate: attendanceRate({ expected, arrived }),
})

interface Unit extends Counts {
  corpCode: string
  corpName: string | null
  manager: boolean
}
interface Passage {
  id: string
  projectCode: string
  workerId: string | null
  name: string | null
  corpName: string | null
  teamName: string | null
  time: string
  direction: string | null
  channel: string | null
  attendType: string
  late: boolean
}
type ReadContext = Pick<Context, 'db' | 'scope'>

/**
 * People on the books now, and people expected and arrived today. The latter come from the day's rows, including people who have left
 * since.
 */
const unitsSql = (now: number, date: string, projects: readonly string[] | undefined) => sql`
  select q.corp_code as "corpCode", max(c.corp_name) as "corpName", q.manager, sum(q.in_place)::int as "inPlace", sum(q.on_duty)::int as "onDuty",
    sum(q.attended)::int as attended, sum(q.expected)::int as expected, sum(q.arrived)::int as arrived
  from (
    select pw.corp_code, (pw.work_role = '10') as manager, count(*) as in_place, count(*) filter (where ${isInside('ap', 'pw', now)}) as on_duty,
      0 as attended, 0 as expected, 0 as arrived
    from project_worker pw left join attendance_presence ap on ap.project_code = pw.project_code and ap.worker_id = pw.worker_id
    where ${allOf(...inProjects('pw.projectCode', projects))} and pw.entry_time <= ${new Date(now)}
      and (pw.exit_time is null or pw.exit_time > ${new Date(now)}) group by 1, 2
    union all
    select d.corp_code, (s.work_role = '10'), 0, 0, count(*) filter (where ${hasCome('d')}), ${dueColumns('d')}
    from attendance_day d join project_worker s on s.id = d.stay_id
    where d.work_day = ${date}::date and ${allOf(...inProjects('d.projectCode', projects))} group by 1, 2) q
    left join corporation c on c.corp_code = q.corp_code
  group by q.corp_code, q.manager order by 1, 3`

const passagesSql = (projects: readonly string[] | undefined) => sql`
  select e.id, e.project_code as "projectCode", e.worker_id as "workerId", e.time, e.direction, e.channel, e.attend_type as "attendType", e.late,
    c.corp_name as "corpName", t.team_name as "teamName",
    (select pw.worker_name from project_worker pw where pw.project_code = e.project_code and pw.worker_id = e.worker_id limit 1) as name
  from (select * from attendance_event e where e.quarantine is null and ${allOf(...inProjects('e.projectCode', projects))}
    order by e.time desc, e.id desc limit 20) e
    left join corporation c on c.corp_code = e.corp_code left join team t on t.id = e.team_id order by e.time desc, e.id desc`

/** Reads the whole overview in one query, because many screens request it every few seconds. */
async function findOverview(ctx: ReadContext, now: number, date: string, projects: readonly string[] | undefined) {
  const { rows } = await sql<{
    units: Unit[] | null
    passages: Passage[] | null
    total: number
    online: number
    waiting: number
  }>`
    select (select json_agg(u) from (${unitsSql(now, date, projects)}) u) as units, (select json_agg(p) from (${passagesSql(projects)}) p) as passages,
      g.total, g.online, (
        select count(*)::int from attendance_event e where ${allOf(isWaiting('e'), ...inProjects('e.projectCode', projects))}) as waiting
    from (select count(*)::int as total, count(*) filter (where l.online)::int as online from device v left join device_latest l on l.device_id = v.id
      where v.family = 'faceGate' and v.status = '1' and ${allOf(...inProjects('v.projectCode', projects))}) g`.execute(ctx.db)
  const { units, passages, total = 0, online = 0, waiting = 0 } = rows[0] ?? {}
  return { units: units ?? [], passages: passages ?? [], total, online, waiting }
}

/** A58-A61: the people present now. */
export async function overviewOf(ctx: Context, projectCode: string | undefined, projects: readonly string[] | undefined) {
  const now = ctx.clock.now()
  const date = await runningDay(ctx, projectCode)
  const { units, passages, total, online, waiting } = await findOverview(ctx, now, date, projects)
  const corps = [...Map.groupBy(units, (r) => r.corpCode)].map(([corpCode, list]) => ({
    corpCode,
    corpName: list[0]?.corpName ?? null,
    ...toAnswer(list.reduce<Counts>(add, none)),
  }))
  return {
    ...toAnswer(units.reduce<Counts>(add, none)),
    date,
    at: formatInstant(now),
    workers: toAnswer(units.filter((r) => !r.manager).reduce<Counts>(add, none)),
    managers: toAnswer(units.filter((r) => r.manager).reduce<Counts>(add, none)),
    corps,
    gates: { total, online },
    passages: passages.map(({ time, name, ...r }) => ({
      ...r,
      name: name ?? (r.workerId ? '未登记人员' : '陌生人'),
      date: formatInstant(new Date(time)),
    })),
    quarantined: waiting,
  }
}
