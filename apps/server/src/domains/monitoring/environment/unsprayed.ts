import { sprayWithinMinutes, type unsprayedReasons } from '@zhugong/contract/monitoring/environment/environment-lists'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import type { Tx } from '#kit/db'
import { allOf, anyOf, condition, contains, inProjects, orderBy } from '#kit/list'
import { dustKeys } from '../shared/groups.ts'
import type { Period } from '../shared/period.ts'

interface UnsprayedFilter {
  projects: readonly string[] | undefined
  period: Period
  projectName?: string | undefined
  reason?: string[] | undefined
}
type UnsprayedSort = 'startTime' | 'minutes' | 'peakValue'
/** Results of a run that was commanded but did not start. */
const notDone = ['interlock', 'held', 'blocked', 'noReply', 'unreachable', 'refused']
const seconds = sql`case when jsonb_typeof(r.data -> 'durationSeconds') = 'number' then least((r.data ->> 'durationSeconds')::float8, 86400) else 0 end`

/** Lasting dust exceedances without spraying, each with the reason found in the site's records. */
export async function unsprayedOf(
  db: Tx,
  f: UnsprayedFilter,
  slice: { limit: number; offset: number },
  sort: UnsprayedSort | `-${UnsprayedSort}` | undefined,
  now: number,
) {
  const [from, to] = [new Date(f.period.from), new Date(Math.min(f.period.to, now))]
  const order = orderBy(sort, { startTime: 'startTime!', minutes: 'minutes!', peakValue: 'peakValue' }, '-startTime', 'alarmId')
  const { rows } = await sql<{
    alarmId: string
    projectCode: string
    projectName: string
    areaCode: string
    deviceId: string
    deviceName: string
    alarmLabel: string
    startTime: Date
    endTime: Date | null
    minutes: number
    peakValue: number | null
    reason: keyof typeof unsprayedReasons
    said: string
    total: number
    unexcused: number
    allMinutes: number
  }>`
    with over as materialized (
      select a.id, a.project_code, p.name as project_name, p.area_code, a.device_id, a.device_name, a.label, a.start_time, a.clear_time, a.peak_value,
        coalesce(a.clear_time, ${to}::timestamptz) as until
      from alarm a join project p on p.project_code = a.project_code
      where a.family = 'environment' and a.alarm_key = any (${dustKeys}) and not a.simulated and a.start_time >= ${from} and a.start_time < ${to}
        and coalesce(a.clear_time, ${to}::timestamptz) - a.start_time >= ${`${sprayWithinMinutes} minutes`}::interval
        and ${allOf(...inProjects('a.project_code', f.projects), ...contains('p.name', f.projectName))}
        and not exists (select 1 from device_record r where r.project_code = a.project_code and r.record = 'sprayRecord' and r.ts >= a.start_time
          and r.ts < coalesce(a.clear_time, ${to}::timestamptz) + interval '1 day'
          and r.ts - make_interval(secs => ${seconds}) < coalesce(a.clear_time, ${to}::timestamptz))),
    told as (
      select over.*, held.words,
        case when not exists (select 1 from device d where d.project_code = over.project_code and d.family = 'sprayController' and d.status = '1') then 'none'
          when held.words is not null then 'hold'
          when exists (select 1 from alarm w where w.project_code = over.project_code and w.family = 'sprayController' and w.alarm_key = 'noWater'
            and w.start_time < over.until and coalesce(w.clear_time, ${to}::timestamptz) > over.start_time) then 'dry'
          when not exists (select 1 from device d where d.project_code = over.project_code and d.family = 'sprayController' and d.status = '1' and not exists (
            select 1 from alarm o where o.device_id = d.id and o.alarm_key = 'offline' and o.start_time <= over.start_time
              and coalesce(o.clear_time, ${to}::timestamptz) >= over.until)) then 'offline'
          else 'unknown' end as reason
      from over left join lateral (
        select coalesce(nullif(l.reason, ''), l.device_name) as words from linkage_run_alarm j join linkage_run l on l.id = j.run_id
        where j.alarm_id = over.id and (l.result = any (${notDone}) or l.state = 'held') order by l.create_time limit 1) held on true),
    x as (
      select id as alarm_id, project_code, project_name, area_code, device_id, device_name, label as alarm_label, start_time, clear_time as end_time,
        round(extract(epoch from until - start_time) / 60)::int as minutes, peak_value, reason, coalesce(words, '') as said
      from told)
    select x.*, count(*) over ()::int as total, (count(*) filter (where reason in ('none', 'unknown')) over ())::int as unexcused,
      (sum(minutes) over ())::int as all_minutes
    from x where ${allOf(condition(sql`true`), ...anyOf('reason', f.reason))} order by ${order} limit ${slice.limit} offset ${slice.offset}`.execute(
    db,
  )
  return {
    list: rows.map(({ total: _total, unexcused: _unexcused, allMinutes: _minutes, areaCode, startTime, endTime, ...row }) => ({
      ...row,
      areaName: areaName(areaCode),
      startTime: startTime.getTime(),
      endTime: endTime?.getTime() ?? null,
      excused: row.reason !== 'none' && row.reason !== 'unknown',
    })),
    total: rows[0]?.total ?? 0,
    counts: { unexcused: rows[0]?.unexcused ?? 0, minutes: rows[0]?.allMinutes ?? 0 },
  }
}
