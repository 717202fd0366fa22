import { stay } from '@zhugong/contract/monitoring/helmet/helmets'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { allOf, equals, inProjects } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { type ReadingRow, toReading } from '../../readings/public.ts'
import { numberOr, textOr } from '../shared/family.ts'
import type { Period } from '../shared/period.ts'
import { cleaned, distanceKm, type Position, type StationRead, split, staysOf, stopsOf, thinned } from '../shared/track.ts'
import type { HelmetRow } from './helmet-store.ts'

// ---- tracks and positions

export async function positionsOf(ctx: Context, row: HelmetRow, period: Period): Promise<Position[]> {
  const { rows } = await sql<ReadingRow>`
    select device_id, ts, seq, received_at, schema_ver, v, w, extra, quality, flag from telemetry
    where device_id = ${row.id} and ts >= ${new Date(period.from)} and ts < ${new Date(period.to)} and flag <> 2 order by ts limit 50000`.execute(
    ctx.db,
  )
  return rows.flatMap((r) => {
    const { values, time } = toReading(row.family, r)
    const [lng, lat] = [numberOr(values.longitude), numberOr(values.latitude)]
    if (lng === null || lat === null || values.positioned === false) return []
    return [
      {
        time,
        lng,
        lat,
        speed: numberOr(values.speed),
        direction: numberOr(values.direction),
        accuracy: numberOr(values.accuracy),
        late: r.flag === 1,
        load: null,
        cover: null,
        lift: null,
        accOn: null,
      },
    ]
  })
}

export const trackPoints = 5_000

export const walkingTopKmh = 60

export async function trackOf(ctx: Context, row: HelmetRow, period: Period) {
  const { points, jumps } = cleaned(await positionsOf(ctx, row, period), 5_000, walkingTopKmh)
  const stops = stopsOf(points)
  const segments = thinned(
    split(points),
    trackPoints,
    stops.flatMap((s) => [s.startTime, s.endTime]),
  )
  return {
    deviceId: row.id,
    deviceName: row.name,
    subject: row.workerName,
    segments: segments.map((s) => s.map(({ accOn: _acc, ...p }) => p)),
    stops,
    distanceKm: distanceKm(split(points)),
    maxSpeed: points.length ? points.reduce((most, p) => Math.max(most, p.speed ?? 0), 0) : null,
    points: segments.reduce((sum, s) => sum + s.length, 0),
    thinnedFrom: points.length,
    jumps,
  }
}

export interface Station {
  projectCode: string
  stationId: string
  areaName: string
  floorName: string
  areaLimit: number | null
  online: boolean
}

/** Base stations of a site with area, capacity and whether they are online. */
export async function stationsOf(ctx: Context, projects: readonly string[] | undefined) {
  const { rows } = await sql<Station>`
    select d.project_code, d.params ->> 'stationId' as station_id, coalesce(d.params ->> 'areaName', d.name) as area_name, coalesce(d.params ->> 'floorName', '') as floor_name,
      case when jsonb_typeof(d.params -> 'areaLimit') = 'number' then (d.params ->> 'areaLimit')::float8 end as area_limit, coalesce(l.online, false) as online
    from device d left join device_latest l on l.device_id = d.id
    where d.params ->> 'stationId' is not null and d.status = '1' and ${allOf(...equals('d.family', 'baseStationHelmet'), ...inProjects('d.project_code', projects))}
    order by d.project_code, d.name`.execute(ctx.db)
  const byKey = new Map(rows.map((r) => [`${r.projectCode}/${r.stationId}`, r]))
  return {
    all: rows,
    of: (projectCode: string, stationId: string) => {
      const known = byKey.get(`${projectCode}/${stationId}`)
      return { areaName: known?.areaName ?? stationId, floorName: known?.floorName ?? '' }
    },
  }
}

export async function staysOfHelmet(ctx: Context, row: HelmetRow, period: Period) {
  const { rows } = await sql<ReadingRow>`
    select device_id, ts, seq, received_at, schema_ver, v, w, extra, quality, flag from telemetry
    where device_id = ${row.id} and ts >= ${new Date(period.from)} and ts < ${new Date(period.to)} and flag <> 2 order by ts limit 50000`.execute(
    ctx.db,
  )
  const reads = rows.flatMap((r): StationRead[] => {
    const { values, time } = toReading(row.family, r)
    const stationId = textOr(values.stationId)
    return stationId ? [{ time, stationId, battery: numberOr(values.batteryPercent) }] : []
  })
  const stations = await stationsOf(ctx, [row.projectCode])
  return staysOf(reads, Math.min(period.to, ctx.clock.now()), Number(row.intervalSeconds) * 1000).map((s) =>
    rowOf(stay, s, {
      deviceId: row.id,
      deviceName: row.name,
      workerName: row.workerName,
      ...stations.of(row.projectCode, s.stationId),
      durationSeconds: Math.round(((s.leaveTime ?? Math.min(period.to, ctx.clock.now())) - s.enterTime) / 1000),
    }),
  )
}
