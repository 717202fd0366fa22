import { type DutySource, periodOf, type Rhythm, soonDays } from '@zhugong/contract/papers/duties'
import { type RawBuilder, sql } from 'kysely'
import { addDays } from '#kit/clock'
import type { Context } from '#kit/context'

/** A record that files itself. */
export interface DutyRecord {
  source: DutySource
  id: string
  /** Of a node: the node. */
  node: string | null
  day: string
  name: string
  by: string
}

const day = (at: RawBuilder<unknown>) => sql`(${at} at time zone 'Asia/Shanghai')::date::text`

/** Records of a project on safety, each as its own list shows it once it is submitted. */
const records = (projectCode: string) => sql`(
  select 'log' as source, l.id, null::text as node, l.day::text as day, l.day || ' 安全日志' as name, l.recorder as by
    from day_log l where l.project_code = ${projectCode} and l.kind = 'safetyPLog' and l.state <> '0'
  union all
  select 'briefing', b.id, null, b.date::text, b.name, b.discloser
    from briefing b where b.project_code = ${projectCode} and b.type = 'safetyPTechnical' and b.state in ('2', '3')
  union all
  select 'workBriefing', b.id, b.big_project_id, b.date::text, b.name, b.discloser
    from briefing b where b.project_code = ${projectCode} and b.big_project_id is not null and b.state in ('2', '3')
  union all
  select 'workPlan', w.id, w.id, coalesce(w.plan_pass_date, w.plan_start_date)::text, coalesce(w.plan_name, w.name || '专项方案'), w.part
    from bigproject w where w.project_code = ${projectCode} and w.state >= '5'
  union all
  select case e.round when '3' then 'monthExamine' else 'examine' end, c.id, null, ${day(sql`c.check_time`)}, c.part,
      array_to_string(c.checkers, '、')
    from site_examine e join site_check c on c.id = e.check_id where c.project_code = ${projectCode} and c.kind = 'examine' and c.state <> '0'
  union all
  select case t.training_type when '003107' then 'drill' else 'training' end, t.id, null, ${day(sql`t.start_time`)}, t.name, t.trainer
    from training t where t.project_code = ${projectCode} and t.closed_at is not null and t.cancelled_at is null
  union all
  select 'hazard', p.hazard_id, null, ${day(sql`p.at`)}, h.name, p.by_name
    from hazard_patrol p join hazard_source h on h.id = p.hazard_id where p.project_code = ${projectCode} and h.state <> '0')`

export async function dutyRecords(ctx: Pick<Context, 'db'>, projectCode: string, since: string): Promise<DutyRecord[]> {
  const { rows } = await sql<DutyRecord>`select r.* from ${records(projectCode)} r where r.day >= ${since} or r.node is not null
    order by r.day, r.id`.execute(ctx.db)
  return rows
}

/** Records to choose from, the newest first. */
export async function findDutyRecords(ctx: Pick<Context, 'db'>, projectCode: string, keyword: string, most: number): Promise<DutyRecord[]> {
  const { rows } = await sql<DutyRecord>`select r.* from ${records(projectCode)} r
    where strpos(lower(concat_ws(' ', r.name, r.day)), lower(${keyword})) > 0 order by r.day desc, r.id limit ${most}`.execute(ctx.db)
  return rows
}

export async function dutyRecord(
  ctx: Pick<Context, 'db'>,
  projectCode: string,
  source: string,
  id: string,
): Promise<DutyRecord | undefined> {
  const { rows } = await sql<DutyRecord>`select r.* from ${records(projectCode)} r where r.source = ${source} and r.id = ${id}
    order by r.day desc limit 1`.execute(ctx.db)
  return rows[0]
}

/** Works of a project whose plan and briefing are owed when they begin. */
export async function nodesOf(ctx: Pick<Context, 'db'>, projectCode: string) {
  const { rows } = await sql<{ id: string; name: string; due: string }>`select w.id, w.name,
      least(w.plan_start_date, coalesce(w.actual_start_date, w.plan_start_date))::text as due
    from bigproject w where w.project_code = ${projectCode} and w.shown_at is not null order by 3, w.id`.execute(ctx.db)
  return rows
}

/** A paper that ends: a certificate of somebody on the site, an insurance or the licence of a company of the site. */
export interface Expiring {
  source: 'worker' | 'insurance' | 'licence'
  id: string
  name: string
  until: string
}

/** Papers that have ended lately or end soon. Whoever may not see people does not see their certificates. */
export async function expiringOf(ctx: Pick<Context, 'db' | 'codes'>, projectCode: string, today: string): Promise<Expiring[]> {
  const [from, until] = [addDays(today, -soonDays), addDays(today, soonDays)]
  const seesPeople = ctx.codes.has('personnel.view')
  const { rows } = await sql<Expiring>`
    select distinct 'worker' as source, c.id, c.name || ' ' || k.name as name, c.valid_end::text as until
      from project_worker w join worker k on k.id = w.worker_id join worker_cert c on c.worker_id = k.id
      where ${seesPeople} and w.project_code = ${projectCode} and w.exit_time is null and c.special_type is not null
        and c.valid_end between ${from}::date and ${until}::date
        and not exists (select from worker_cert n where n.worker_id = c.worker_id and n.special_type = c.special_type and n.valid_end > c.valid_end)
    union all
    select 'insurance', u.id || '.' || e.n, concat_ws(' ', k.corp_name, e.one ->> 'insurer', e.one ->> 'policyNo'), e.one ->> 'endDate'
      from project_corp u join corporation k using (corp_code), jsonb_array_elements(u.insurances) with ordinality as e (one, n)
      where u.project_code = ${projectCode} and u.exit_time is null and e.one ->> 'endDate' between ${from} and ${until}
    union all
    select distinct 'licence', k.corp_code, k.corp_name || ' 安全生产许可证', k.safety_license_end::text
      from project_corp u join corporation k using (corp_code)
      where u.project_code = ${projectCode} and u.exit_time is null and k.safety_license_end between ${from}::date and ${until}::date
    order by 4, 2`.execute(ctx.db)
  return rows
}

export const recordLink = (source: DutySource, id: string): string | null => links[source]?.(id) ?? null
const links: Partial<Record<DutySource, (id: string) => string>> = {
  log: (id) => `/safetyP/log/details?id=${id}`,
  briefing: (id) => `/safetyP/technical/details?id=${id}`,
  workBriefing: (id) => `/safetyP/technical/details?id=${id}`,
  workPlan: (id) => `/jgt/bigproject/details?id=${id}`,
  examine: (id) => `/safetyP/examine/details?id=${id}`,
  monthExamine: (id) => `/safetyP/examine/details?id=${id}`,
  training: (id) => `/safetyP/train/details?id=${id}`,
  drill: (id) => `/safetyP/train/details?id=${id}`,
  hazard: (id) => `/safety/dangerous/details?id=${id}`,
}

const ofDays = ['day', 'week', 'month', 'once'] as const satisfies Rhythm[]
/** A day and the week that begins on it have the same name: the rhythm tells them apart. */
export const periodKey = (source: DutySource, rhythm: Rhythm, period: string): string => `${source} ${rhythm} ${period}`

/** The first record of each period of a source. */
export function byPeriod(records: readonly DutyRecord[]): Map<string, DutyRecord> {
  const first = new Map<string, DutyRecord>()
  for (const one of records) {
    const keys = one.node
      ? [periodKey(one.source, 'node', one.node)]
      : ofDays.map((rhythm) => periodKey(one.source, rhythm, periodOf(rhythm, one.day)))
    for (const key of keys) if (!first.has(key)) first.set(key, one)
  }
  return first
}
