import type { Quality } from '@zhugong/contract/equipment/quality'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Tx } from '#kit/db'

/** With fewer devices, a share is not meaningful. */
const enough = 10
const spansOfADay = 288
const countedDays = 30

export interface QualityCounts {
  devices: number
  sites: number
  days: number
  spans: number
  readings: number
  doubtful: number
  faults: number
  alarms: number
  falseAlarms: number
}

const percent = (part: number, whole: number) => (whole > 0 ? Math.round((part / whole) * 1000) / 10 : null)

/** Shares from counts; null if the denominator is zero. */
export function qualityOf(n: QualityCounts): Quality {
  return {
    onlinePercent: percent(Math.min(n.spans, n.days * spansOfADay), n.days * spansOfADay),
    validPercent: percent(n.readings - n.doubtful, n.readings),
    faultPer100: n.devices > 0 ? Math.round((n.faults / n.devices) * 1000) / 10 : null,
    falsePercent: percent(n.falseAlarms, n.alarms),
    sites: n.sites,
    few: n.devices < enough,
  }
}

type By = 'factory_id' | 'brand_id' | 'provider_id'

/** Quality over the last 30 days for each of the given makers, brands or providers. */
export async function findQuality(db: Tx, by: By, ids: readonly string[], now: number): Promise<Map<string, Quality>> {
  if (ids.length === 0) return new Map()
  const column = sql.ref(`d.${by}`)
  const since = new Date(now - countedDays * 86_400_000)
  const { rows } = await sql<QualityCounts & { id: string }>`
    with mine as (select d.id, ${column} as owner, d.project_code from device d where ${column} = any (${[...ids]}))
    select m.owner as id, count(*)::int as devices, count(distinct m.project_code)::int as sites,
      coalesce(sum(dd.days), 0)::int as days, coalesce(sum(dd.spans), 0)::int as spans,
      coalesce(sum(dd.readings), 0)::bigint as readings, coalesce(sum(dd.doubtful), 0)::bigint as doubtful,
      coalesce(sum(a.faults), 0)::int as faults, coalesce(sum(a.alarms), 0)::int as alarms, coalesce(sum(a.wrong), 0)::int as false_alarms
    from mine m
    left join (select device_id, count(*)::int as days, sum(spans)::int as spans, sum(readings)::bigint as readings, sum(doubtful)::bigint as doubtful
      from device_day where day >= ${formatDay(since)}::date and device_id in (select id from mine) group by device_id) dd on dd.device_id = m.id
    left join (select device_id, count(*)::int as alarms, count(*) filter (where alarm_key in ('offline', 'sensorFault', 'batteryLow'))::int as faults,
        count(*) filter (where state = 'false')::int as wrong
      from alarm where start_time >= ${since} and not simulated and device_id in (select id from mine) group by device_id) a on a.device_id = m.id
    group by m.owner`.execute(db)
  return new Map(rows.map((r) => [r.id, qualityOf({ ...r, readings: Number(r.readings), doubtful: Number(r.doubtful) })]))
}

/** Online and valid share per month, over the last twelve. */
export async function findMonths(db: Tx, brandId: string, now: number) {
  const { rows } = await sql<{ month: string; days: number; spans: number; readings: number; doubtful: number }>`
    select to_char(x.day, 'YYYY-MM') as month, count(*)::int as days, sum(x.spans)::int as spans, sum(x.readings)::bigint as readings, sum(x.doubtful)::bigint as doubtful
    from device_day x where x.device_id in (select id from device where brand_id = ${brandId}) and x.day >= ${formatDay(now - 365 * 86_400_000)}::date
    group by 1 order by 1`.execute(db)
  return rows.slice(-12).map((r) => ({
    month: r.month,
    onlinePercent: percent(Math.min(r.spans, r.days * spansOfADay), r.days * spansOfADay),
    validPercent: percent(Number(r.readings) - Number(r.doubtful), Number(r.readings)),
  }))
}

/** Devices per site, for a maker, brand, provider or model. */
export async function findSites(db: Tx, by: By | 'model_id', id: string) {
  const { rows } = await sql<{ projectName: string; devices: number; online: number }>`
    select p.name as project_name, count(*)::int as devices, count(*) filter (where l.online)::int as online
    from device d join project p on p.project_code = d.project_code left join device_latest l on l.device_id = d.id
    where ${sql.ref(`d.${by}`)} = ${id} group by p.name order by 2 desc, 1`.execute(db)
  return rows
}
