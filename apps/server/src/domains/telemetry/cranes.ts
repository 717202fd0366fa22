import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#kit/db'
import { allOf, equals, inProjects } from '#kit/list'
import { type DeviceRow, findDeviceRows, latestOf } from './devices.ts'
import type { Period } from './period.ts'
import { type RecordFilter, recordWhere } from './records.ts'

const number = (value: unknown, otherwise = 0): number =>
  Number.isFinite(Number(value)) && value !== null && value !== '' ? Number(value) : otherwise

interface Crane {
  deviceId: string
  name: string
  x: number
  y: number
  jibLength: number
  counterJibLength: number
  jibHeight: number
}

function toCrane(row: DeviceRow) {
  const p = row.params
  return {
    deviceId: row.id,
    name: row.name,
    x: number(p.originX ?? p.x),
    y: number(p.originY ?? p.y),
    jibLength: number(p.jibLength, 50),
    counterJibLength: number(p.counterJibLength, 12),
    jibHeight: number(p.baseElevation) + number(p.towerHeight, 40),
    craneType: String(p.craneType ?? '0'),
    angleOffset: number(p.angleOffset),
    latest: latestOf(row),
    online: row.online ?? false,
  }
}

/** GB 5144: not less than 2 m between a jib and a neighbour's mast, and 2 m between jibs one above the other. */
const leastMeters = 2

/** Pairs of cranes that come too near as they stand, whatever they do. */
export function staticCheck(cranes: readonly Crane[]) {
  const found: { a: string; b: string; kind: string; meters: number; text: string }[] = []
  for (const [i, a] of cranes.entries()) {
    for (const b of cranes.slice(i + 1)) {
      const distance = Math.hypot(a.x - b.x, a.y - b.y)
      const reach = Math.max(a.jibLength, a.counterJibLength) + Math.max(b.jibLength, b.counterJibLength)
      if (distance >= reach) continue
      const gap = Math.abs(a.jibHeight - b.jibHeight)
      if (gap < leastMeters) {
        found.push({
          a: a.deviceId,
          b: b.deviceId,
          kind: 'verticalGap',
          meters: round(gap),
          text: `${a.name} 与 ${b.name} 起重臂高差 ${round(gap)} m，小于 ${leastMeters} m`,
        })
      }
      // Only the lower crane's jib can meet the higher one's mast.
      const [low, high] = a.jibHeight <= b.jibHeight ? [a, b] : [b, a]
      const toMast = distance - low.jibLength
      if (toMast < leastMeters && toMast > -low.jibLength) {
        found.push({
          a: low.deviceId,
          b: high.deviceId,
          kind: 'tipToMast',
          meters: round(toMast),
          text: `${low.name} 臂端距 ${high.name} 塔身 ${round(toMast)} m，小于 ${leastMeters} m`,
        })
      }
    }
  }
  return found
}

const round = (n: number) => Math.round(n * 10) / 10

type Corner = [number, number] | { x: number; y: number }
const toPoints = (corners: unknown) =>
  (Array.isArray(corners) ? (corners as Corner[]) : []).map((c) =>
    Array.isArray(c) ? { x: number(c[0]), y: number(c[1]) } : { x: number(c.x), y: number(c.y) },
  )

interface SitePlan {
  fence?: unknown
  buildings?: { name?: string; height?: number; points?: unknown }[]
  zones?: { name?: string; kind?: string; marginMeters?: number; points?: unknown }[]
}

/** The other cranes of the site, its plan and its zones. */
export async function neighbourhood(db: Tx, row: DeviceRow) {
  const [{ rows }, plan] = await Promise.all([
    findDeviceRows(db, 'towerCrane', [row.projectCode]),
    sql<{ sitePlan: SitePlan | null }>`select site_plan from project where project_code = ${row.projectCode}`.execute(db),
  ])
  const cranes = rows.filter((r) => r.status === '1').map(toCrane)
  const site = plan.rows[0]?.sitePlan ?? {}
  return {
    cranes,
    zones: (site.zones ?? []).map((z) => ({
      name: z.name ?? '',
      kind: z.kind ?? 'forbidden',
      marginMeters: z.marginMeters ?? 5,
      points: toPoints(z.points),
    })),
    plan: {
      fence: toPoints(site.fence),
      buildings: (site.buildings ?? []).map((b) => ({ name: b.name ?? '', height: number(b.height), points: toPoints(b.points) })),
    },
    staticCheck: staticCheck(cranes),
  }
}

const shanghaiDay = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'Asia/Shanghai', 'YYYY-MM-DD')`

/** One row per crane and day: who really reports and works. From the five-minute values, the cycles and the alarms. */
export async function craneDays(
  db: Tx,
  projects: readonly string[] | undefined,
  deviceId: string | undefined,
  period: Period,
  query: { page: number; size: number },
) {
  const of = (device: string) =>
    allOf(
      ...equals(`${device}.family`, 'towerCrane'),
      ...equals(`${device}.id`, deviceId),
      ...inProjects(`${device}.project_code`, projects),
    )
  const from = new Date(period.from)
  const to = new Date(period.to)
  const { rows } = await sql<{
    deviceId: string
    deviceName: string
    projectCode: string
    projectName: string
    day: string
    readings: number
    expected: number
    cycles: number
    workSeconds: number
    maxMomentPercent: number | null
    maxWindSpeed: number | null
    alarmCount: number
    lateCount: number
    total: number
  }>`
    with crane as materialized (
      select d.id, d.name, d.project_code, p.name as project_name, d.interval_seconds from device d join project p on p.project_code = d.project_code where ${of('d')}),
    day as (
      select to_char(g, 'YYYY-MM-DD') as day from generate_series(
        (${from}::timestamptz at time zone 'Asia/Shanghai')::date, ((${to}::timestamptz - interval '1 ms') at time zone 'Asia/Shanghai')::date, interval '1 day') g),
    r as (
      select device_id, ${shanghaiDay('ts')} as day, sum(n)::int as n, max((v -> 'momentPercent' ->> 1)::float8) as moment, max((v -> 'windSpeed' ->> 1)::float8) as wind
      from telemetry_5m where device_id in (select id from crane) and ts >= ${from} and ts < ${to} group by 1, 2),
    c as (
      select device_id, ${shanghaiDay('ts')} as day, count(*)::int as n, sum((data ->> 'durationSeconds')::float8) as seconds,
        count(*) filter (where received_at > ts + interval '10 minutes')::int as late
      from device_record where record = 'workingCycle' and device_id in (select id from crane) and ts >= ${from} and ts < ${to} group by 1, 2),
    a as (
      select device_id, ${shanghaiDay('start_time')} as day, count(*)::int as n
      from alarm where device_id in (select id from crane) and start_time >= ${from} and start_time < ${to} and not simulated group by 1, 2)
    select crane.id as device_id, crane.name as device_name, crane.project_code, crane.project_name, day.day,
      coalesce(r.n, 0) as readings, 86400 / crane.interval_seconds as expected, coalesce(c.n, 0) as cycles, coalesce(c.seconds, 0) as work_seconds,
      r.moment as max_moment_percent, r.wind as max_wind_speed, coalesce(a.n, 0) as alarm_count, coalesce(c.late, 0) as late_count, count(*) over ()::int as total
    from crane cross join day
      left join r on r.device_id = crane.id and r.day = day.day
      left join c on c.device_id = crane.id and c.day = day.day
      left join a on a.device_id = crane.id and a.day = day.day
    order by coalesce(r.n, 0) * crane.interval_seconds, day.day desc, crane.id limit ${query.size} offset ${(query.page - 1) * query.size}`.execute(
    db,
  )
  return {
    list: rows.map(({ expected, workSeconds, total: _total, ...row }) => ({
      ...row,
      reportPercent: Math.min(100, Math.round((row.readings / expected) * 1000) / 10),
      workHours: Math.round(workSeconds / 360) / 10,
    })),
    total: rows[0]?.total ?? 0,
  }
}

/** When devices were silent, from their offline and online events. */
export async function offlineSpans(
  db: Tx,
  family: string,
  projects: readonly string[] | undefined,
  deviceId: string | undefined,
  period: Period,
  slice: { limit: number; offset: number },
  now: number,
) {
  const of = allOf(...equals('d.family', family), ...equals('d.id', deviceId), ...inProjects('d.project_code', projects))
  const { rows } = await sql<{
    id: string
    deviceId: string
    deviceName: string
    projectCode: string
    projectName: string
    since: number | null
    ts: Date
    endTime: Date | null
    gatewayId: string | null
    power: boolean
    worked: boolean
    total: number
  }>`
    select e.device_id || '-' || extract(epoch from e.ts)::bigint as id, e.device_id, d.name as device_name, d.project_code, p.name as project_name,
      (e.data ->> 'since')::float8 as since, e.ts, back.ts as end_time, d.gateway_id,
      exists (select 1 from device_record r where r.device_id = e.device_id and r.record = 'powerEvent' and r.ts between e.ts - interval '15 minutes' and e.ts) as power,
      exists (select 1 from device_record r where r.device_id = e.device_id and r.record = 'workingCycle' and r.ts >= e.ts and r.ts < coalesce(back.ts, now())
        and r.received_at > r.ts + interval '1 minute') as worked,
      count(*) over ()::int as total
    from device_event e join device d on d.id = e.device_id join project p on p.project_code = d.project_code
      left join lateral (select ts from device_event o where o.device_id = e.device_id and o.kind = 'online' and o.ts > e.ts order by o.ts limit 1) back on true
    where e.kind = 'offline' and e.ts >= ${new Date(period.from)} and e.ts < ${new Date(period.to)} and ${of}
    order by e.ts desc, e.device_id limit ${slice.limit} offset ${slice.offset}`.execute(db)
  const counts = await sql<{ online: number; offline: number }>`
    select count(*) filter (where l.online)::int as online, count(*) filter (where not coalesce(l.online, false))::int as offline
    from device d left join device_latest l on l.device_id = d.id where ${of}`.execute(db)
  return {
    list: rows.map((r) => {
      const startTime = r.since ?? r.ts.getTime()
      const endTime = r.endTime?.getTime() ?? null
      return {
        id: r.id,
        deviceId: r.deviceId,
        deviceName: r.deviceName,
        projectCode: r.projectCode,
        projectName: r.projectName,
        startTime,
        endTime,
        durationSeconds: Math.round(((endTime ?? now) - startTime) / 1000),
        cause: r.power ? '断电' : '未知',
        workedMeanwhile: r.worked,
        backfilled: r.worked,
      }
    }),
    total: rows[0]?.total ?? 0,
    ...(counts.rows[0] ?? { online: 0, offline: 0 }),
  }
}

export async function cyclesToday(db: Tx, projects: readonly string[] | undefined, deviceId: string | undefined, now: number) {
  const start = new Date(Math.floor((now + 8 * 3_600_000) / 86_400_000) * 86_400_000 - 8 * 3_600_000)
  const { rows } = await sql<{ cycles: number; averageSeconds: number | null; overMoment: number; illegal: number }>`
    select count(*)::int as cycles, avg((data ->> 'durationSeconds')::float8) as average_seconds,
      count(*) filter (where (data ->> 'overMomentCount')::int > 0)::int as over_moment, count(*) filter (where (data ->> 'illegal')::boolean)::int as illegal
    from device_record r where record = 'workingCycle' and ts >= ${start} and ${allOf(...equals('r.device_id', deviceId), ...inProjects('r.project_code', projects))}`.execute(
    db,
  )
  const n = rows[0]
  return {
    cycles: n?.cycles ?? 0,
    averageSeconds: Math.round(n?.averageSeconds ?? 0),
    overMoment: n?.overMoment ?? 0,
    illegal: n?.illegal ?? 0,
  }
}

const groupings: Record<'driver' | 'device' | 'hour' | 'class', { key: RawBuilder<unknown>; name: RawBuilder<unknown> }> = {
  // Work nobody was recognised for is a row of its own.
  driver: { key: sql`coalesce(r.data ->> 'driverId', '')`, name: sql`coalesce(max(r.data ->> 'driverName'), '未识别')` },
  device: { key: sql`r.device_id`, name: sql`max(d.name)` },
  hour: {
    key: sql`to_char(r.ts at time zone 'Asia/Shanghai', 'HH24')`,
    name: sql`to_char(r.ts at time zone 'Asia/Shanghai', 'HH24') || ' 时'`,
  },
  class: {
    key: sql`lpad((floor(coalesce((r.data ->> 'maxMomentPercent')::float8, 0) / 10) * 10)::int::text, 3, '0')`,
    name: sql`(floor(coalesce((r.data ->> 'maxMomentPercent')::float8, 0) / 10) * 10)::int || ' %'`,
  },
}

export async function cycleGroups(db: Tx, filter: RecordFilter, by: keyof typeof groupings) {
  const { key, name } = groupings[by]
  const { rows } = await sql<{
    key: string
    name: string
    cycles: number
    overMoment: number
    overWind: number
    illegal: number
    maxMomentPercent: number | null
    averageSeconds: number | null
  }>`
    select ${key} as key, ${name} as name, count(*)::int as cycles,
      count(*) filter (where (r.data ->> 'overMomentCount')::int > 0)::int as over_moment,
      count(*) filter (where (r.data ->> 'overWind')::boolean)::int as over_wind,
      count(*) filter (where (r.data ->> 'illegal')::boolean)::int as illegal,
      max((r.data ->> 'maxMomentPercent')::float8) as max_moment_percent, avg((r.data ->> 'durationSeconds')::float8) as average_seconds
    from device_record r join device d on d.id = r.device_id where ${recordWhere(filter)}
    group by ${by === 'hour' || by === 'class' ? sql`1, 2` : sql`1`} order by 1 limit 1000`.execute(db)
  const list = rows.map((r) => ({
    ...r,
    illegalPercent: Math.round((r.illegal / r.cycles) * 1000) / 10,
    averageSeconds: Math.round(r.averageSeconds ?? 0),
  }))
  return by === 'driver' || by === 'device'
    ? list.sort((a, b) => b.illegalPercent - a.illegalPercent || b.cycles - a.cycles || (a.key < b.key ? -1 : 1))
    : list
}
