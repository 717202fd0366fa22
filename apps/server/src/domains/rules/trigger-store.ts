import type { InputFor } from '@zhugong/contract/kit/endpoint'
import type { Sort, SortName } from '@zhugong/contract/kit/list'
import { dayMs } from '@zhugong/contract/kit/time'
import type * as calls from '@zhugong/contract/rules/endpoints'
import { type TriggerRow, triggerRow, type UnjudgedRule } from '@zhugong/contract/rules/model'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Row, Tx } from '#kit/db'
import { allOf, anyOf, between, type Condition, condition, contains, equals, instantsBetween, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { RuleScope, StoredLevel, StoredSchedule } from './tables.ts'
import { readyTrigger } from './trigger.ts'
import type { RuleOptions } from './trigger-parts.ts'
import { inWords, wordingOf } from './words.ts'

export type TriggerRecord = Omit<Row<'ruleTrigger'>, 'createBy' | 'updateBy'> & { projectName: string | null }
interface Figures {
  coveredDevices: number
  lastEvaluated: Date | null
  execNames: string[]
  overriddenBy: number
  openNow: number
  fired30d: number
  false30d: number
}

const columns = sql`t.id, t.version, t.name, t.family, t.alarm_key, t.scope, t.project_code, p.name as project_name, t.levels, t.schedule, t.options,
  t.exec_ids, t.enabled, t.locked, t.template_id, t.template_version, t.create_time, t.update_time`

/** Whether a device is in a rule's scope; `reach` in scope.ts decides the same in memory. */
const inReach = sql`d.family = t.family and (t.project_code is null or d.project_code = t.project_code) and case t.scope->>'kind'
  when 'projects' then d.project_code in (select jsonb_array_elements_text(t.scope->'projectCodes'))
  when 'gateways' then d.gateway_id in (select jsonb_array_elements_text(t.scope->'gatewayIds'))
  when 'devices' then d.id in (select jsonb_array_elements_text(t.scope->'deviceIds'))
  when 'points' then d.id in (select e->>'deviceId' from jsonb_array_elements(t.scope->'points') e)
  else true end`
const narrowness = (alias: string) =>
  sql`(case ${sql.ref(`${alias}.scope`)}->>'kind' when 'projects' then 2 when 'gateways' then 4 when 'devices' then 6 when 'points' then 8 else 0 end
    + case when ${sql.ref(`${alias}.project_code`)} is null then 0 else 1 end)`

/** Figures shown in the list, limited to the user's projects. */
const figures = (projects: readonly string[] | undefined, now: number) => {
  const ofProjects = (column: string) => (projects ? sql`${sql.ref(column)} = any (${[...projects]})` : sql`true`)
  return sql`
    (select count(*)::int from device d where ${inReach} and ${ofProjects('d.project_code')}) as covered_devices,
    (select max(l.received_at) from device d join device_latest l on l.device_id = d.id where ${inReach} and ${ofProjects('d.project_code')}) as last_evaluated,
    coalesce((select array_agg(e.name order by e.name) from rule_exec e where e.id = any (t.exec_ids)), '{}') as exec_names,
    (select count(*)::int from rule_trigger o where o.family = t.family and o.alarm_key = t.alarm_key and o.enabled and o.id <> t.id
      and (t.project_code is null or o.project_code is null or o.project_code = t.project_code) and ${narrowness('o')} > ${narrowness('t')}) as overridden_by,
    (select count(*)::int from alarm a where a.rule_id = t.id and a.active and not a.simulated and ${ofProjects('a.project_code')}) as open_now,
    (select count(*)::int from alarm a where a.rule_id = t.id and not a.simulated and not a.historical and a.start_time > ${new Date(now - 30 * dayMs)}
      and ${ofProjects('a.project_code')}) as fired30d,
    (select count(*)::int from alarm a where a.rule_id = t.id and not a.simulated and not a.historical and a.state = 'false'
      and a.start_time > ${new Date(now - 30 * dayMs)} and ${ofProjects('a.project_code')}) as false30d`
}

export interface TriggerFilter {
  projects: readonly string[] | undefined
  family?: string[] | undefined
  alarmKey?: string[] | undefined
  level?: string[] | undefined
  scope?: string[] | undefined
  enabled?: boolean | undefined
  locked?: boolean | undefined
  name?: string | undefined
  execId?: string | undefined
  templateId?: string | undefined
  coveredDevices?: NumberRange
  fired30d?: NumberRange
  precision?: NumberRange
  updateTime?: { from?: string | undefined; to?: string | undefined } | undefined
}
type NumberRange = { low?: number | undefined; high?: number | undefined } | undefined

/** The platform's rules and those of the projects; `projects` undefined means all. */
const ofOwners = (projects: readonly string[] | undefined): Condition[] =>
  projects ? [condition(sql`(t.project_code is null or t.project_code = any (${[...projects]}))`)] : []

function whereOf(f: TriggerFilter): Condition {
  return allOf(
    ...ofOwners(f.projects),
    ...anyOf('t.family', f.family),
    ...anyOf('t.alarm_key', f.alarmKey),
    ...(f.level?.length
      ? [condition(sql`exists (select 1 from jsonb_array_elements(t.levels) l where l->>'level' = any (${f.level}))`)]
      : []),
    ...(f.scope?.length ? [condition(sql`t.scope->>'kind' = any (${f.scope.map((s) => (s === 'project' ? 'projects' : s))})`)] : []),
    ...equals('t.enabled', f.enabled),
    ...equals('t.locked', f.locked),
    ...contains('t.name', f.name),
    ...equals('t.template_id', f.templateId),
    ...(f.execId ? [condition(sql`${f.execId} = any (t.exec_ids)`)] : []),
  )
}

type TriggerSort = Sort<SortName<InputFor<typeof calls.findTriggers>>>
const orderOf = (sort: TriggerSort | undefined) =>
  orderBy(
    sort,
    {
      name: 't.name',
      family: 't.family',
      alarmKey: 't.alarmKey',
      enabled: 't.enabled',
      version: 't.version',
      updateTime: 't.changed',
      fired30d: 't.fired30d',
      precision: 't.share',
      coveredDevices: 't.coveredDevices',
    },
    '-updateTime',
    't.id',
  )

export async function findTriggers(
  db: Tx,
  f: TriggerFilter,
  slice: { limit: number; offset: number },
  sort: TriggerSort | undefined,
  now: number,
) {
  const where = whereOf(f)
  const { rows } = await sql<TriggerRecord & Figures & { matching: number }>`
    select t.*, count(*) over ()::int as matching from (
      select x.*, coalesce(x.update_time, x.create_time) as changed, 100.0 * (x.fired30d - x.false30d) / nullif(x.fired30d, 0) as share from (
        select ${columns}, ${figures(f.projects, now)} from rule_trigger t left join project p on p.project_code = t.project_code where ${where}) x) t
    where ${allOf(
      ...between('t.covered_devices', f.coveredDevices),
      ...between('t.fired30d', f.fired30d),
      ...between('t.share', f.precision),
      ...instantsBetween('t.changed', f.updateTime),
    )}
    order by ${orderOf(sort)} limit ${slice.limit} offset ${slice.offset}`.execute(db)
  // Counts all rows, so without the figures that need one subquery per row.
  const ofProjects = (column: string) => (f.projects ? sql`${sql.ref(column)} = any (${[...f.projects]})` : sql`true`)
  const { rows: counts } = await sql<{ n: number; enabled: number; neverEvaluated: number; silent30d: number; imprecise: number }>`
    with fired as (select a.rule_id, count(*) as n, count(*) filter (where a.state = 'false') as falses from alarm a
      where not a.simulated and not a.historical and a.start_time > ${new Date(now - 30 * dayMs)} and ${ofProjects('a.project_code')} group by 1)
    select count(*)::int as n, count(*) filter (where t.enabled)::int as enabled,
      count(*) filter (where t.enabled and not exists (select 1 from device d where ${inReach} and ${ofProjects('d.project_code')}))::int as never_evaluated,
      count(*) filter (where t.enabled and fired.n is null)::int as silent30d,
      count(*) filter (where (fired.n - fired.falses) * 100 < 60 * fired.n)::int as imprecise
    from rule_trigger t left join fired on fired.rule_id = t.id where ${where}`.execute(db)
  const { n = 0, ...rest } = counts[0] ?? { n: 0, enabled: 0, neverEvaluated: 0, silent30d: 0, imprecise: 0 }
  const isNarrowed = Boolean(f.coveredDevices ?? f.fired30d ?? f.precision ?? f.updateTime)
  return { rows, total: isNarrowed ? (rows[0]?.matching ?? 0) : n, counts: rest }
}

export async function findTrigger(
  db: Tx,
  id: string,
  projects: readonly string[] | undefined,
  now: number,
): Promise<(TriggerRecord & Figures) | undefined> {
  const { rows } = await sql<TriggerRecord & Figures>`
    select ${columns}, ${figures(projects, now)} from rule_trigger t left join project p on p.project_code = t.project_code
    where t.id = ${id} and ${allOf(...ofOwners(projects))}`.execute(db)
  return rows[0]
}

/** Locks a rule's row until the transaction ends. */
export async function lockTrigger(db: Tx, id: string): Promise<void> {
  await sql`select 1 from rule_trigger where id = ${id} for update`.execute(db)
}

const hour = (seconds: number) =>
  `${String(Math.floor(seconds / 3600)).padStart(2, '0')}:${String(Math.floor((seconds % 3600) / 60)).padStart(2, '0')}`
const levelWords: Record<number, string> = { 1: '一级', 2: '二级', 3: '三级', 4: '四级' }

/** 当 塔吊 的 风速 ≥ 12 m/s，持续 10 秒（06:00-22:00）报二级. */
export function summaryOf(rule: { family: string; levels: StoredLevel[]; schedule: StoredSchedule; options: RuleOptions }): string {
  if (rule.options.off) return '本范围内关闭此告警'
  const around = wordingOf(rule.family, rule.options.on)
  const when =
    rule.schedule === 'workHours'
      ? '（工作时间）'
      : rule.schedule?.length
        ? `（${rule.schedule.map(([a, b]) => `${hour(a)}-${hour(b)}`).join('、')}）`
        : ''
  const levels = readyTrigger(rule).levels.map((l) => `${inWords(l, around)}${when}，报${levelWords[l.level]}`)
  return levels.join('；')
}

export const levelViews = (rule: { family: string; levels: StoredLevel[]; options: RuleOptions; schedule: StoredSchedule }) => {
  const around = wordingOf(rule.family, rule.options.on)
  const { levels } = readyTrigger(rule)
  return rule.levels.map((l, i) => ({ ...l, text: inWords(levels[i] as (typeof levels)[number], around) })) as TriggerRow['levels']
}

export const optionViews = (options: RuleOptions) => ({
  on: options.on ?? null,
  onlyWhen: options.onlyWhen ?? null,
  maxGapSeconds: options.maxGapSeconds ?? null,
  minConfidence: options.minConfidence ?? null,
  confirmSamples: options.confirmSamples ?? null,
  daySeconds: options.daySeconds ?? null,
  noDataSeconds: options.noDataSeconds ?? null,
})

const freshMs = 600_000

export function toTrigger(row: TriggerRecord & Figures, now: number, stuck?: UnjudgedRule): TriggerRow {
  const family = familyOf(row.family)
  return rowOf(triggerRow, row, {
    ...optionViews(row.options),
    template: false,
    familyName: family?.name ?? row.family,
    alarmLabel: family?.alarm(row.alarmKey)?.label ?? row.alarmKey,
    summary: summaryOf(row),
    levels: levelViews(row),
    off: row.options.off ?? false,
    lastEvaluated: row.lastEvaluated ? formatInstant(row.lastEvaluated) : null,
    lastReason: lastReason(row, now, stuck),
    unjudged: stuck?.unable ?? 0,
    precision: row.fired30d ? Math.round(((row.fired30d - row.false30d) / row.fired30d) * 1000) / 10 : null,
    updateTime: formatInstant(row.updateTime ?? row.createTime),
  })
}

/** Why an enabled rule does nothing, for users. */
function lastReason(row: TriggerRecord & Figures, now: number, stuck: UnjudgedRule | undefined): string | null {
  if (!row.enabled) return null
  if (row.coveredDevices === 0 || stuck?.noSource) return '无数据源'
  if (!row.lastEvaluated) return '从未上报数据'
  if (row.openNow > 0) return '条件成立'
  return now - row.lastEvaluated.getTime() > freshMs ? '未知：数据超时' : '条件不成立'
}

export async function insertTrigger(
  db: Tx,
  row: {
    id: string
    name: string
    family: string
    alarmKey: string
    scope: RuleScope
    projectCode: string | null
    levels: unknown
    schedule: StoredSchedule
    options: RuleOptions
    execIds: readonly string[]
    enabled: boolean
    locked: boolean
    templateId?: string | null
    templateVersion?: number | null
  },
  by: string,
  at: number,
): Promise<void> {
  await sql`insert into rule_trigger (id, name, family, alarm_key, scope, project_code, levels, schedule, options, exec_ids, enabled, locked,
      template_id, template_version, create_by, create_time)
    values (${row.id}, ${row.name}, ${row.family}, ${row.alarmKey}, ${JSON.stringify(row.scope)}::jsonb, ${row.projectCode}, ${JSON.stringify(row.levels)}::jsonb,
      ${row.schedule === null ? null : JSON.stringify(row.schedule)}::jsonb, ${JSON.stringify(row.options)}::jsonb, ${[...row.execIds]}, ${row.enabled}, ${row.locked},
      ${row.templateId ?? null}, ${row.templateVersion ?? null}, ${by}, ${new Date(at)})`.execute(db)
  await keepVersion(db, row.id, by, at)
}

/** Stores the current content as a version. */
export async function keepVersion(db: Tx, id: string, by: string, at: number): Promise<void> {
  await sql`insert into rule_trigger_version (trigger_id, version, content, at, by_name)
    select id, version, jsonb_build_object('name', name, 'scope', scope, 'levels', levels, 'schedule', schedule, 'options', options, 'execIds', exec_ids,
      'enabled', enabled, 'locked', locked), ${new Date(at)}, ${by} from rule_trigger where id = ${id}
    on conflict (trigger_id, version) do nothing`.execute(db)
}

export async function findVersions(db: Tx, id: string) {
  const { rows } = await sql<{ version: number; at: Date; byName: string | null; content: Record<string, unknown> }>`
    select version, at, by_name, content from rule_trigger_version where trigger_id = ${id} order by version desc limit 50`.execute(db)
  return rows.map((r) => ({ version: r.version, time: formatInstant(r.at), byName: r.byName, content: r.content }))
}

export async function findOverrides(db: Tx, row: TriggerRecord, projects: readonly string[] | undefined) {
  const { rows } = await sql<{ id: string; name: string; projectCode: string | null; scopeKind: string }>`
    select o.id, o.name, o.project_code, o.scope->>'kind' as scope_kind from rule_trigger o, rule_trigger t
    where t.id = ${row.id} and o.family = t.family and o.alarm_key = t.alarm_key and o.enabled and o.id <> t.id
      and (t.project_code is null or o.project_code is null or o.project_code = t.project_code) and ${narrowness('o')} > ${narrowness('t')}
      and ${projects ? sql`(o.project_code is null or o.project_code = any (${[...projects]}))` : sql`true`} order by o.name limit 200`.execute(
    db,
  )
  return rows
}

export async function findOpenAlarms(db: Tx, ruleId: string, projects: readonly string[] | undefined) {
  const { rows } = await sql<{ id: string; deviceName: string; level: number; startTime: Date }>`
    select id, device_name, level, start_time from alarm where rule_id = ${ruleId} and active and not simulated
      and ${projects ? sql`project_code = any (${[...projects]})` : sql`true`} order by level, start_time limit 100`.execute(db)
  return rows.map((r) => ({ ...r, startTime: formatInstant(r.startTime) }))
}
