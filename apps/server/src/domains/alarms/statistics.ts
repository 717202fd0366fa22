import { type ProjectAlarms, projectAlarms } from '@zhugong/contract/alarms/endpoints'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import type { Tx } from '#kit/db'
import { allOf, equals, inProjects } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { machinesInUse, machinesOnline } from '../equipment/public.ts'
import { type AlarmFilter, alarmWhere } from './store.ts'

/** One row per project, ordered by unhandled alarms, not by total: a site that reports much is not the worst. */
export async function alarmsByProject(
  db: Tx,
  filter: AlarmFilter,
  slice: { limit: number; offset: number },
  now: number,
): Promise<{ list: ProjectAlarms[]; total: number }> {
  const where = alarmWhere(filter)
  const { rows } = await sql<{
    projectCode: string
    projectName: string
    areaCode: string
    contractorCorpName: string | null
    level1: number
    level2: number
    level3: number
    level4: number
    openOver24h: number
    ackMinutes: number | null
    handled: number
    falses: number
    n: number
    devices: number
    online: number
    total: number
  }>`
    with c as (
      select a.project_code, count(*)::int as n,
        count(*) filter (where a.level = 1)::int as level1, count(*) filter (where a.level = 2)::int as level2,
        count(*) filter (where a.level = 3)::int as level3, count(*) filter (where a.level = 4)::int as level4,
        count(*) filter (where a.state in ('open', 'acknowledged') and a.start_time < ${new Date(now - 86_400_000)})::int as open_over_24h,
        count(*) filter (where a.state in ('handled', 'closed'))::int as handled, count(*) filter (where a.state = 'false')::int as falses,
        percentile_cont(0.5) within group (order by extract(epoch from k.at - a.fire_time) / 60) as ack_minutes
      from alarm a left join lateral (select min(at) as at from alarm_log l where l.alarm_id = a.id and l.event = 'ack') k on true
      where ${where} group by 1),
    d as (select d.project_code, ${machinesInUse} as devices, ${machinesOnline} as online
      from device d left join device_latest l on l.device_id = d.id group by 1)
    select p.project_code, p.name as project_name, p.area_code,
      (select cc.corp_name from corporation cc where cc.corp_code = p.contractor_corp_code) as contractor_corp_name, coalesce(c.level1, 0) as level1, coalesce(c.level2, 0) as level2, coalesce(c.level3, 0) as level3,
      coalesce(c.level4, 0) as level4, coalesce(c.open_over_24h, 0) as "openOver24h", c.ack_minutes, coalesce(c.handled, 0) as handled, coalesce(c.falses, 0) as falses,
      coalesce(c.n, 0) as n, coalesce(d.devices, 0) as devices, coalesce(d.online, 0) as online, count(*) over ()::int as total
    from project p left join c on c.project_code = p.project_code left join d on d.project_code = p.project_code
    where ${allOf(...inProjects('p.project_code', filter.projects))} and (c.n > 0 or d.devices > 0)
    order by coalesce(c.open_over_24h, 0) desc, coalesce(c.level1, 0) + coalesce(c.level2, 0) desc, p.project_code limit ${slice.limit} offset ${slice.offset}`.execute(
    db,
  )
  const percent = (part: number, whole: number) => (whole ? Math.round((part / whole) * 1000) / 10 : 0)
  return {
    list: rows.map((r) =>
      rowOf(projectAlarms, r, {
        areaName: areaName(r.areaCode) ?? '',
        ackMinutes: r.ackMinutes === null ? null : Math.round(r.ackMinutes * 10) / 10,
        handledPercent: percent(r.handled, r.n),
        falsePercent: percent(r.falses, r.n),
        onlinePercent: r.devices ? percent(r.online, r.devices) : null,
        silent: r.n === 0 && r.devices > 0 && r.online === 0,
      }),
    ),
    total: rows[0]?.total ?? 0,
  }
}

export async function dailyAlarms(
  db: Tx,
  family: string,
  projects: readonly string[] | undefined,
  deviceId: string | undefined,
  period: { from: number; to: number },
  by: 'day' | 'device' | 'project',
) {
  const day = sql`to_char(a.start_time at time zone 'Asia/Shanghai', 'YYYY-MM-DD')`
  const key = by === 'day' ? day : by === 'device' ? sql`a.device_id` : sql`a.project_code`
  const name = by === 'day' ? day : by === 'device' ? sql`max(a.device_name)` : sql`max(p.name)`
  const { rows } = await sql<{
    day: string
    key: string
    name: string
    level1: number
    level2: number
    level3: number
    level4: number
    total: number
    handled: number
  }>`
    select ${by === 'day' ? day : sql`''`} as day, ${key} as key, ${name} as name,
      count(*) filter (where a.max_level = 1)::int as level1, count(*) filter (where a.max_level = 2)::int as level2,
      count(*) filter (where a.max_level = 3)::int as level3, count(*) filter (where a.max_level = 4)::int as level4,
      count(*)::int as total, count(*) filter (where a.state in ('handled', 'closed', 'false', 'ignored'))::int as handled
    from alarm a join project p on p.project_code = a.project_code
    where a.family = ${family} and not a.simulated and a.start_time >= ${new Date(period.from)} and a.start_time < ${new Date(period.to)}
      and ${allOf(...inProjects('a.project_code', projects), ...equals('a.device_id', deviceId))}
    group by ${by === 'day' ? sql`1, 2, 3` : sql`2`} order by 2 limit 2000`.execute(db)
  return rows
}
