import { type AlarmRow, alarmRow, type EpisodeMember, type listAlarms } from '@zhugong/contract/alarms/endpoints'
import type { InputFor } from '@zhugong/contract/kit/endpoint'
import type { Sort, SortName } from '@zhugong/contract/kit/list'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Tx } from '#kit/db'
import { allOf, anyInt, anyOf, contains, equals, inProjects, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { Veil } from '../readings/public.ts'
import { awaits } from './awaiting.ts'
import { episodesOf } from './episodes.ts'
import { type FamilyFilter, familyColumns, familyWhere, type OfFamily } from './of-family.ts'
import { toUrging, type UrgingRecord, urgedWhere, urgingColumn } from './urging.ts'
import { type WornRecord, wornColumn } from './worn.ts'

interface Silence {
  from: number
  until: number
  personName: string
}

export interface AlarmRecord extends OfFamily {
  id: string
  projectCode: string
  projectName: string
  deviceId: string
  deviceName: string
  ownerCorp: string | null
  point: string
  family: string
  alarmKey: string
  label: string
  level: number
  maxLevel: number
  state: string
  active: boolean
  stale: boolean
  flapping: boolean
  simulated: boolean
  historical: boolean
  startTime: Date
  fireTime: Date
  clearTime: Date | null
  clearReason: string | null
  peakValue: number | null
  peakTime: Date | null
  metric: string | null
  thresholdText: string
  handlerName: string | null
  handleTime: Date | null
  version: number
  stop: { from: number; to: number | null } | null
  escalation: { rung: number; name: string; at: number } | null
  urging: UrgingRecord | null
  worn: WornRecord | null
  /** Approved suppressions of its device and kind that ended after it began. */
  silences: Silence[] | null
  /** This alarm and the others of its episode. */
  members?: EpisodeMember[]
}

export interface AlarmDetailRecord extends AlarmRecord {
  sources: string[]
  reopened: number
  valuesUsed: Record<string, unknown>
  ruleId: string | null
  ruleName: string | null
  ruleVersion: number | null
  measure: string | null
  photos: string[]
  outcome: string | null
}

/**
 * Display name of an alarm's subject. For a gate, the person's name, masked by the caller's rights. For a lift, the side of the cage;
 * empty if there is only one.
 */
const subject = sql`case when a.family = 'faceGate' and a.point <> '' then coalesce((select w.worker_name from project_worker w
    where w.project_code = a.project_code and w.worker_id = a.point order by w.entry_time desc limit 1), '')
  when a.family = 'lifter' then case a.point when '1' then '左笼' when '2' then '右笼' else '' end else a.point end`
export const alarmColumns = sql`a.id, a.project_code, p.name as project_name, a.device_id, a.device_name,
  (select d.owner_corp from device d where d.id = a.device_id) as owner_corp, ${subject} as point, a.family, a.alarm_key, a.label, a.level, a.max_level, a.state,
  a.active, a.stale, a.flapping, a.simulated, a.historical, a.start_time, a.fire_time, a.clear_time, a.clear_reason, a.peak_value, a.peak_time, a.metric,
  a.threshold_text, a.handler_name, a.handle_time, a.version,
  case when a.family = 'lifter' then (select jsonb_build_object('from', (extract(epoch from s.stopped_at) * 1000)::bigint, 'to', (extract(epoch from s.resumed_at) * 1000)::bigint)
    from lift_stop s where s.alarm_id = a.id order by s.stopped_at desc limit 1) end as stop,
  (select jsonb_build_object('rung', w.rung + 1, 'name', array_to_string(w.next_roles, '、'), 'at', (extract(epoch from w.escalate_at) * 1000)::bigint)
    from notice_watch w where w.alarm_id = a.id and w.escalate_at is not null order by w.escalate_at limit 1) as escalation,
  ${urgingColumn},
  ${wornColumn},
  case when a.active then (select jsonb_agg(jsonb_build_object('from', (extract(epoch from q.from_time) * 1000)::bigint, 'until', (extract(epoch from q.until_time) * 1000)::bigint,
      'personName', q.person_name) order by q.until_time desc)
    from device_suppress q where q.device_id = a.device_id and q.state = ${approvalStates.passed} and q.until_time > a.start_time and q.point in ('', a.point)
      and a.alarm_key = any (q.alarm_keys)) end as silences,
  ${familyColumns}`

export const wornOf = (row: AlarmRecord) => ({ id: row.deviceId, family: row.family, projectCode: row.projectCode })

const silencedAt = (silences: readonly Silence[] | null, now: number): AlarmRow['silenced'] => {
  const one = silences?.find(({ from, until }) => from <= now && now < until)
  return one ? { until: one.until, personName: one.personName } : null
}

/** An alarm as returned by endpoints; `veil` hides health values the caller may not see. */
export function toAlarm(row: AlarmRecord, now: number, veil: Veil): AlarmRow {
  const family = familyOf(row.family)
  return rowOf(alarmRow, row, {
    familyName: family?.name ?? row.family,
    alarmLabel: row.label,
    startTime: row.startTime.getTime(),
    fireTime: row.fireTime.getTime(),
    clearTime: row.clearTime?.getTime() ?? null,
    durationSeconds: Math.max(0, Math.round(((row.clearTime?.getTime() ?? now) - row.startTime.getTime()) / 1000)),
    peakValue: veil.seesMetric(wornOf(row), row.metric, 'now') ? row.peakValue : null,
    peakTime: row.peakTime?.getTime() ?? null,
    unit: (row.metric && family?.metric(row.metric)?.unit) || '',
    handleTime: row.handleTime?.getTime() ?? null,
    urging: toUrging(row.urging, now),
    person: row.worn && { name: veil.seesPerson(wornOf(row)) ? row.worn.name : null, team: row.worn.team, place: null },
    crane: row.crane && veil.values(wornOf(row), row.crane, 'past'),
    silenced: silencedAt(row.silences, now),
    beside: row.members?.slice(1),
  })
}

export interface AlarmFilter extends FamilyFilter {
  projects: readonly string[] | undefined
  family?: string[] | undefined
  alarmKey?: string[] | undefined
  level?: string[] | undefined
  state?: string[] | undefined
  active?: boolean | undefined
  deviceId?: string | undefined
  deviceName?: string | undefined
  handlerName?: string | undefined
  from?: number | undefined
  to?: number | undefined
  urged?: boolean | undefined
  simulated?: boolean | undefined
  historical?: boolean | undefined
  /** Masks a driver's name for the caller; without it the name is used as stored. */
  seen?: ((name: RawBuilder<string>) => RawBuilder<string>) | undefined
  /** Return episodes instead of alarms. */
  merged?: boolean | undefined
}

export function alarmWhere(f: AlarmFilter): RawBuilder<unknown> {
  return allOf(
    ...inProjects('a.project_code', f.projects),
    ...anyOf('a.family', f.family),
    ...anyOf('a.alarm_key', f.alarmKey),
    ...anyInt('a.level', f.level),
    ...anyOf('a.state', f.state),
    ...equals('a.active', f.active),
    ...equals('a.device_id', f.deviceId),
    ...contains('a.device_name', f.deviceName),
    ...contains('a.handler_name', f.handlerName),
    // Drills appear only in lists that request them.
    ...equals('a.simulated', f.simulated ?? false),
    ...equals('a.historical', f.historical),
    ...(f.from === undefined ? [] : [sql<SqlBool>`a.start_time >= ${new Date(f.from)}`]),
    ...(f.to === undefined ? [] : [sql<SqlBool>`a.start_time < ${new Date(f.to)}`]),
    ...urgedWhere(f.urged),
    ...familyWhere(f, f.seen ?? ((name) => name)),
  )
}

type AlarmSort = Sort<SortName<InputFor<typeof listAlarms>>>
const sortable = {
  startTime: 'a.startTime',
  level: 'a.level',
  clearTime: 'a.clearTime',
  deviceName: 'a.deviceName',
  peakValue: 'a.peakValue',
  state: 'a.state',
} as const

/** The requested order; by default unhandled alarms first, then by level. The id makes the order total. */
const orderOf = (sort: AlarmSort | undefined): RawBuilder<unknown> =>
  sort ? orderBy(sort, sortable, sort, 'a.id') : sql`(${awaits('a')}) desc, a.level, a.active desc, a.start_time desc, a.id`

export async function findAlarms(db: Tx, filter: AlarmFilter, slice: { limit: number; offset: number }, sort: AlarmSort | undefined) {
  const { rows } = await sql<AlarmRecord>`
    select ${alarmColumns} ${filter.merged ? sql`, e.members` : sql``} from alarm a join project p on p.project_code = a.project_code
    ${filter.merged ? sql`join (${episodesOf(alarmWhere(filter))}) e on e.id = a.id` : sql`where ${alarmWhere(filter)}`}
    order by ${orderOf(sort)} limit ${slice.limit} offset ${slice.offset}`.execute(db)
  return rows
}

/** Number of rows in a list, and of alarms in them; equal unless alarms are merged. */
export async function totalOfAlarms(db: Tx, filter: AlarmFilter): Promise<{ total: number; alarms: number }> {
  const where = alarmWhere(filter)
  const { rows } = await (filter.merged
    ? sql<{ total: number; alarms: number }>`
        select count(*)::int as total, coalesce(sum(jsonb_array_length(e.members)), 0)::int as alarms from (${episodesOf(where)}) e`
    : sql<{ total: number; alarms: number }>`select count(*)::int as total, count(*)::int as alarms from alarm a where ${where}`
  ).execute(db)
  return rows[0] ?? { total: 0, alarms: 0 }
}

/** An alarm with all details, if visible to the caller. `lock` locks the row until the transaction ends. */
export async function findAlarm(
  db: Tx,
  id: string,
  projects: readonly string[] | undefined,
  lock = false,
): Promise<AlarmDetailRecord | undefined> {
  const { rows } = await sql<AlarmDetailRecord>`
    select ${alarmColumns}, a.sources, a.reopened, a.values_used, a.rule_id, a.rule_version, a.measure, a.photos, a.outcome,
      (select name from rule_trigger t where t.id = a.rule_id) as rule_name
    from alarm a join project p on p.project_code = a.project_code
    where a.id = ${id} and ${allOf(...inProjects('a.project_code', projects))} ${lock ? sql`for update of a` : sql``}`.execute(db)
  return rows[0]
}

export async function countAlarms(db: Tx, filter: AlarmFilter, startOfToday: number, now: number) {
  const { state: _state, active: _active, ...wide } = filter
  const where = alarmWhere(wide)
  const { rows } = await sql<{ active: number; todo: number; urgent: number; overdue: number; handled: number; today: number }>`
    select count(*) filter (where a.active)::int as active,
      count(*) filter (where ${awaits('a')})::int as todo,
      count(*) filter (where a.state = 'open' and a.max_level <= 2)::int as urgent,
      count(*) filter (where a.state in ('open', 'acknowledged') and a.start_time < ${new Date(now - 86_400_000)})::int as overdue,
      count(*) filter (where a.state = 'handled')::int as handled,
      count(*) filter (where a.start_time >= ${new Date(startOfToday)})::int as today
    from alarm a where ${where}`.execute(db)
  const families = await sql<{ family: string; n: number }>`
    select a.family, count(*)::int as n from alarm a where ${where} and (a.active or (${awaits('a')})) group by 1`.execute(db)
  return {
    ...(rows[0] ?? { active: 0, todo: 0, urgent: 0, overdue: 0, handled: 0, today: 0 }),
    byFamily: Object.fromEntries(families.rows.map((r) => [r.family, r.n])),
  }
}

/** The newest alarm of these projects and families; shown when a list is empty. */
export async function newestAlarm(db: Tx, projects: readonly string[] | undefined, families: readonly string[] | undefined) {
  const { rows } = await sql<{ startTime: Date; deviceName: string; state: string }>`
    select a.start_time, a.device_name, a.state from alarm a where not a.simulated and ${allOf(...inProjects('a.project_code', projects), ...anyOf('a.family', families))}
    order by a.start_time desc limit 1`.execute(db)
  return rows[0] ? { time: rows[0].startTime.getTime(), deviceName: rows[0].deviceName, state: rows[0].state } : null
}

export async function findAlarmLog(db: Tx, alarmId: string) {
  const { rows } = await sql<{ id: string; at: Date; event: string; text: string; byName: string | null }>`
    select id, at, event, text, by_name from alarm_log where alarm_id = ${alarmId} order by at, id limit 500`.execute(db)
  return rows.map((r) => ({ id: r.id, time: r.at.getTime(), event: r.event, text: r.text, byName: r.byName }))
}
