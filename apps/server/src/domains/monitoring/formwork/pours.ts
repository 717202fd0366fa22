import { dayMs } from '@zhugong/contract/kit/time'
import type { pourRow } from '@zhugong/contract/monitoring/formwork/formwork-live'
import { sql } from 'kysely'
import type { z } from 'zod'
import { projectsFor } from '#kit/context'
import { allOf, condition, equals, inProjects, pageSlice } from '#kit/list'
import type { ListContext } from '../../exports/registry.ts'
import { rounded } from '../shared/family.ts'
import { type PeriodQuery, periodOf } from '../shared/period.ts'

export type PourRow = z.infer<typeof pourRow>

interface Stored extends Omit<PourRow, 'startTime' | 'endTime' | 'key' | 'hours' | 'dataPercent'> {
  startTime: Date
  endTime: Date
  spans: number
  total: number
}
interface PourQuery extends PeriodQuery {
  projectCode?: string | undefined
  deviceId?: string | undefined
  page: number
  size: number
}
const spanMs = 300_000
/** A numeric field of a device's record, else null. */
const said = (key: string) => sql`(case when jsonb_typeof(r.data -> ${key}) = 'number' then (r.data ->> ${key})::float8 end)`

/**
 * Pours, newest first: records of a bay's points ending in the same hour are one pour. Alarms, evacuation and data coverage are joined here, so that
 * list, analysis, report and export agree.
 */
export async function pourPage(ctx: ListContext, query: PourQuery): Promise<{ list: PourRow[]; total: number }> {
  const period = periodOf(query, ctx.clock.now(), 100 * dayMs, 400 * dayMs)
  const { limit, offset } = pageSlice(query)
  const where = allOf(
    ...equals('r.record', 'pourRecord'),
    ...inProjects('r.project_code', projectsFor(ctx, query.projectCode)),
    condition(sql`r.ts >= ${new Date(period.from)} and r.ts < ${new Date(period.to)}`),
  )
  const { rows } = await sql<Stored>`
    with said as (
      select r.project_code, p.name as project_name, coalesce(nullif(d.params ->> 'bayName', ''), d.install_place, '高支模') as bay_name, r.device_id, r.ts,
        coalesce(r.data ->> 'pourName', '浇筑') as pour_name, coalesce((r.data ->> 'startTime')::timestamptz, r.ts - interval '1 hour') as start_time,
        coalesce((r.data ->> 'endTime')::timestamptz, r.ts) as end_time, coalesce(r.data ->> 'pointCode', d.params ->> 'pointCode', d.name) as point,
        ${said('maxAxialForce')} as force, ${said('maxDisplacement')} as displacement, ${said('maxSettlement')} as settlement, ${said('maxTilt')} as tilt,
        coalesce(${said('maxAxialForcePercent')}, ${said('maxAxialForce')} / nullif((d.params ->> 'designForce')::float8, 0) * 100) as percent
      from device_record r join device d on d.id = r.device_id join project p on p.project_code = r.project_code where ${where}),
    pour as (
      select project_code, min(project_name) as project_name, bay_name, min(pour_name) as pour_name, array_agg(distinct device_id) as device_ids,
        min(start_time) as start_time, max(end_time) as end_time, max(force) as max_axial_force, max(percent) as max_axial_force_percent,
        (array_agg(point order by percent desc nulls last))[1] as worst_point, max(displacement) as max_displacement, max(settlement) as max_settlement,
        max(tilt) as max_tilt
      from said group by project_code, bay_name, date_trunc('hour', ts)
      having ${query.deviceId ? sql`${query.deviceId} = any (array_agg(device_id))` : sql`true`})
    select pour.*, count(*) over ()::int as total,
      (select count(*)::int from alarm a where a.device_id = any (pour.device_ids) and a.start_time >= pour.start_time and a.start_time <= pour.end_time and not a.simulated
        and a.alarm_key <> 'offline') as alarm_count,
      (select count(*)::int from alarm a where a.device_id = any (pour.device_ids) and a.start_time >= pour.start_time and a.start_time <= pour.end_time and not a.simulated
        and a.level <= 2) as grave_count,
      (select extract(epoch from e.at - s.at)::float8 from pour_step s join pour_step e on e.project_code = s.project_code and e.bay_name = s.bay_name and e.kind = 'evacuated' and e.at > s.at
        where s.project_code = pour.project_code and s.bay_name = pour.bay_name and s.kind = 'stop' and s.at between pour.start_time and pour.end_time order by s.at, e.at limit 1) as stop_seconds,
      (select round(max(s.volume)::numeric, 2)::float8 from pour_step s where s.project_code = pour.project_code and s.bay_name = pour.bay_name
        and s.at between pour.start_time - interval '10 minutes' and pour.end_time + interval '30 minutes') as volume,
      (select count(*)::int from telemetry_5m t where t.device_id = any (pour.device_ids) and t.ts >= pour.start_time and t.ts < pour.end_time) as spans
    from pour order by start_time desc, bay_name limit ${limit} offset ${offset}`.execute(ctx.db)
  return { list: rows.map(toPour), total: rows[0]?.total ?? 0 }
}

function toPour({ startTime, endTime, spans, total: _total, ...row }: Stored): PourRow {
  const [from, to] = [startTime.getTime(), endTime.getTime()]
  const expected = Math.max(1, Math.round((to - from) / spanMs)) * row.deviceIds.length
  const tidy = (n: number | null) => (n === null ? null : rounded(n, 2))
  return {
    ...row,
    key: `${row.projectCode}.${from}.${row.bayName}`,
    startTime: from,
    endTime: to,
    hours: rounded((to - from) / 3_600_000),
    maxAxialForce: tidy(row.maxAxialForce),
    maxAxialForcePercent: row.maxAxialForcePercent === null ? null : rounded(row.maxAxialForcePercent),
    maxDisplacement: tidy(row.maxDisplacement),
    maxSettlement: tidy(row.maxSettlement),
    maxTilt: tidy(row.maxTilt),
    dataPercent: Math.min(100, rounded((spans / expected) * 100)),
  }
}
