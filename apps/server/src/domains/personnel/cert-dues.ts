import { dayMs } from '@zhugong/contract/kit/time'
import {
  type CertDueRow,
  certDueRow,
  type DueState,
  dueKinds,
  type Urgency,
  watchedDays,
} from '@zhugong/contract/personnel/certificate-model'
import type { listCertDues } from '@zhugong/contract/personnel/certificates'
import { licencesFor, licenceTypes, papersByPost } from '@zhugong/contract/personnel/rules'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { projectsFor } from '#kit/context'
import { allOf, anyOf, between, type Condition, condition, contains, daysBetween, equals, inProjects, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { joinLicence, licenceIs } from '../labour/public.ts'
import { cursor, flag, type ListScope } from './people-filters.ts'

type Parsed = NonNullable<(typeof listCertDues)['types']>['parsed']['query']
export type DueQuery = Partial<Omit<Parsed, 'view'>>

/** A document of a person in place that has expired or expires within the watched days, without a later one of its kind. */
interface RawDue {
  projectWorkerId: string
  workerId: string
  name: string
  projectCode: string
  projectName: string | null
  corpCode: string
  corpName: string | null
  teamId: string | null
  teamName: string | null
  workType: string | null
  post: string | null
  attendEnabled: boolean
  formalStatus: string
  subject: string
  kind: CertDueRow['kind']
  certId: string | null
  certType: string | null
  specialType: string | null
  title: string
  certNo: string | null
  validEnd: string | null
  state: DueState
  reminded: Date[] | null
  ignoreReason: string | null
  ignoreBy: string | null
  ignoreTime: Date | null
  lastPass: Date | null
}

const stayColumns = sql`w.id as project_worker_id, w.worker_id, w.worker_name as name, w.project_code, w.corp_code, w.team_id, w.work_type, w.post,
  w.attend_enabled, w.formal_status`

/** All three kinds of due documents, without their handling. `within` restricts the stays `w`. */
function thingsDue(within: Condition, today: string): RawBuilder<unknown> {
  const last = addDays(today, watchedDays)
  return sql`
    select ${stayColumns}, 'cert:' || c.id || ':' || c.valid_end as subject, 'cert' as kind, c.id as cert_id, c.cert_type, c.special_type, c.name as title,
      c.cert_no, c.valid_end,
      exists (select 1 from worker_cert n where n.worker_id = c.worker_id and n.cert_type = c.cert_type
        and n.special_type is not distinct from c.special_type and n.audit_status = '0') as pending
    from worker_cert c join project_worker w on w.worker_id = c.worker_id
    where w.exit_time is null and ${within} and c.audit_status = '1' and c.status in ('1', '4') and c.valid_end <= ${last}::date
      and not exists (select 1 from worker_cert n where n.worker_id = c.worker_id and n.cert_type = c.cert_type
        and n.special_type is not distinct from c.special_type and n.audit_status = '1' and n.status = '1'
        and coalesce(n.valid_end, 'infinity'::date) > c.valid_end)
    union all
    select ${stayColumns}, 'missing:' || w.work_type, 'missing', null, '7', null, '特种作业操作资格证', null, null, coalesce(lic.pending, false)
    from project_worker w ${joinLicence('w')}
    where w.exit_time is null and ${within} and lic.ends is null and (${licenceIs('w', 'missing', today)} or ${licenceIs('w', 'pending', today)})
    union all
    select ${stayColumns}, 'idCard:' || p.expiry_date, 'idCard', null, null, null, '身份证件', null, p.expiry_date, false
    from worker p join project_worker w on w.worker_id = p.id
    where w.exit_time is null and ${within} and not p.deleted and p.expiry_date <= ${last}::date`
}

/** The due documents with their state: ignored, in review, reminded, or open. */
export function duesWith(within: Condition, today: string): RawBuilder<unknown> {
  return sql`
    select t.*, n.reminded, n.ignore_reason, n.ignore_by, n.ignore_time, t.valid_end - ${today}::date as days_left,
      case when t.valid_end is null then 'missing' when t.valid_end < ${today}::date then 'expired' when t.valid_end <= ${today}::date + 30 then '30'
        when t.valid_end <= ${today}::date + 60 then '60' else '90' end as urgency,
      case when n.ignore_time is not null then 'ignored' when t.pending then 'review' when n.reminded is not null then 'reminded' else 'open' end as state
    from (${thingsDue(within, today)}) t
    left join lateral (
      select array_agg(x.create_time order by x.create_time) filter (where x.kind = 'remind') as reminded,
        max(x.create_time) filter (where x.kind = 'ignore') as ignore_time,
        (array_agg(x.reason order by x.create_time desc) filter (where x.kind = 'ignore'))[1] as ignore_reason,
        (array_agg(x.create_name order by x.create_time desc) filter (where x.kind = 'ignore'))[1] as ignore_by
      from cert_notice x where x.project_worker_id = t.project_worker_id and x.subject = t.subject
    ) n on true`
}

function within(ctx: ListScope, query: DueQuery): Condition {
  return allOf(
    ...inProjects('w.projectCode', projectsFor(ctx, query.projectCode)),
    ...contains('w.workerName', query.name),
    ...equals('w.corpCode', query.corpCode),
    ...equals('w.teamId', query.teamId),
    ...anyOf('w.workType', query.workType),
    ...flag('w.attendEnabled', query.attendEnabled),
    ...(query.q ? contains('w.workerName', query.q) : []),
  )
}
function dueConditions(query: DueQuery): Condition {
  return allOf(
    ...anyOf('d.urgency', query.urgency),
    ...anyOf('d.kind', query.dueKind),
    // Ignored items are listed only when the filter names that state.
    ...(query.dueState?.length ? anyOf('d.state', query.dueState) : [condition(sql`d.state <> 'ignored'`)]),
    ...anyOf('d.certType', query.certType),
    ...contains('d.title', query.title),
    ...contains('d.certNo', query.certNo),
    ...daysBetween('d.validEnd', query.validEnd),
    ...between('d.daysLeft', query.daysLeft),
    ...(query.lastPass
      ? [
          condition(sql`exists (select 1 from attendance_event e where e.project_code = d.project_code and e.worker_id = d.worker_id
            and ${allOf(...daysBetween('e.time', query.lastPass))})`),
        ]
      : []),
  )
}
/** People without any document come first: they have no expiry date to sort by. */
const dueOrder = (sort: DueQuery['sort']) =>
  orderBy(sort, { validEnd: sql`coalesce(d.valid_end, '-infinity'::date)`, name: 'd.name' }, 'validEnd', 'd.projectWorkerId')

const shown = (ctx: ListScope, query: DueQuery, today: string) => sql`
  (select d.* from (${duesWith(within(ctx, query), today)}) d where ${dueConditions(query)} order by ${dueOrder(query.sort)}, d.subject`
const shownColumns = sql`d.*, c.corp_name, t.team_name, pr.name as project_name, pass.time as last_pass`
const shownJoins = sql`
  left join corporation c on c.corp_code = d.corp_code left join team t on t.id = d.team_id left join project pr on pr.project_code = d.project_code
  left join lateral (select e.time from attendance_event e
    where e.project_code = d.project_code and e.worker_id = d.worker_id order by e.time desc limit 1) pass on true`

export async function dueRows(ctx: ListScope, query: DueQuery, page: { limit: number; offset: number }): Promise<CertDueRow[]> {
  const today = formatDay(ctx.clock.now())
  const { rows } = await sql<RawDue>`
    select ${shownColumns} from ${shown(ctx, query, today)} limit ${page.limit} offset ${page.offset}) d ${shownJoins}
    order by ${dueOrder(query.sort)}, d.subject`.execute(ctx.db)
  return rows.map((row) => toDue(row, today))
}
export async function countDues(ctx: ListScope, query: DueQuery): Promise<number> {
  const today = formatDay(ctx.clock.now())
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (${duesWith(within(ctx, query), today)}) d where ${dueConditions(query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}
export async function* streamDues(ctx: ListScope, query: DueQuery): AsyncIterable<CertDueRow> {
  const today = formatDay(ctx.clock.now())
  const raw = sql<RawDue>`select ${shownColumns} from ${shown(ctx, query, today)}) d ${shownJoins} order by ${dueOrder(query.sort)}, d.subject`
  for await (const row of cursor<RawDue>(ctx, raw)) yield toDue(row, today)
}

/** Whether the trade or post of a stay requires this document. */
export function isRequested(
  stay: { workType: string | null; post: string | null },
  certType: string | null,
  specialType: string | null,
): boolean {
  if (!certType) return false
  if ((licenceTypes as readonly string[]).includes(certType)) return licencesFor(stay.workType).includes(specialType?.slice(0, 2) ?? '')
  return stay.post !== null && (papersByPost[stay.post] ?? []).includes(certType)
}

export const daysUntil = (day: string, today: string): number => Math.round((Date.parse(day) - Date.parse(today)) / dayMs)
function urgencyOf(validEnd: string | null, today: string): Urgency {
  if (!validEnd) return 'missing'
  const left = daysUntil(validEnd, today)
  return left < 0 ? 'expired' : left <= 30 ? '30' : left <= 60 ? '60' : '90'
}

export const workName = (w: { workType: string | null; post: string | null }) =>
  w.workType ? dictName('workerType', w.workType) : dictName('managerPost', w.post)

function toDue(d: RawDue, today: string): CertDueRow {
  return rowOf(certDueRow, d, {
    id: `${d.projectWorkerId}:${d.subject}`,
    workTypeName: workName(d),
    certTypeName: d.certType ? dictName('certType', d.certType) : dueKinds[d.kind],
    daysLeft: d.validEnd ? daysUntil(d.validEnd, today) : null,
    urgency: urgencyOf(d.validEnd, today),
    required: d.kind !== 'cert' || isRequested(d, d.certType, d.specialType),
    reminded: (d.reminded ?? []).map((at) => formatInstant(at)),
    ignored: d.ignoreTime ? { reason: d.ignoreReason ?? '', by: d.ignoreBy ?? '', time: formatInstant(d.ignoreTime) } : null,
    lastPass: d.lastPass ? formatInstant(d.lastPass) : null,
  })
}
