import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/monitoring/helmets'
import { sql } from 'kysely'
import { type Context, projectsFor } from '#kit/context'
import { allOf, anyOf, equals, inProjects, pageSlice } from '#kit/list'
import type { Serve } from '#kit/serve'
import { onlookerOf, recordsOfSeen, type Veil, veiledValues, veilFor } from '../readings/public.ts'
import { type DeviceRow, getDeviceRow, latestOf, type Period, type ReadingRow, toDeviceNow, toReading } from '../telemetry/views/public.ts'
import { dayMs, infoOf, numberOr, periodOf, textOr, todayStart } from './family.ts'
import { findKeyedRecords, type RecordRow, toKeyedRecord } from './records.ts'
import { cleaned, distanceKm, type Position, type StationRead, split, staysOf, stopsOf, thinned } from './track.ts'

const familyOfCategory = (category: '700' | '701') => (category === '701' ? 'baseStationHelmet' : 'smartHelmet')
const helmetFamilies = ['smartHelmet', 'baseStationHelmet']
const lowBattery = 20
const heart = { low: 50, high: 120 }

/** A regulator sees counts and alarms, no persons. */
const seesPersons = (ctx: Context): boolean => !onlookerOf(ctx).isRegulator

interface HelmetRow extends DeviceRow {
  workerId: string | null
  workerName: string | null
  teamName: string | null
  workerExited: boolean
  groupId: string | null
  groupName: string | null
}

const helmetColumns = sql`d.id, d.project_code, p.name as project_name, p.area_code, d.name, d.device_sn, d.family, d.params, d.interval_seconds, d.install_place,
  d.lng, d.lat, d.status, l.ts, l.received_at, l.v, l.quality, l.held, l.online, l.online_since,
  (select min(a.level) from alarm a where a.device_id = d.id and a.active and not a.simulated) as open_level,
  d.params ->> 'workerId' as worker_id, w.worker_name, w.team_name, coalesce(w.exited, false) as worker_exited, m.group_id, g.name as group_name`
const helmetTables = sql`device d join project p on p.project_code = d.project_code left join device_latest l on l.device_id = d.id
  left join helmet_group_member m on m.device_id = d.id left join helmet_group g on g.id = m.group_id
  left join lateral (
    select pw.worker_name, t.team_name, pw.exit_time is not null as exited from project_worker pw left join team t on t.id = pw.team_id
    where pw.project_code = d.project_code and pw.worker_id = d.params ->> 'workerId' order by pw.exit_time is not null, pw.entry_time desc limit 1) w on true`

interface HelmetFilter {
  families: readonly string[]
  projects: readonly string[] | undefined
  deviceId?: string | undefined
  groupId?: string | undefined
  name?: string | undefined
}

async function findHelmets(ctx: Context, f: HelmetFilter): Promise<HelmetRow[]> {
  const where = allOf(
    ...anyOf('d.family', f.families),
    ...equals('d.id', f.deviceId),
    ...equals('m.group_id', f.groupId),
    ...inProjects('d.project_code', f.projects),
    ...equals('d.status', '1'),
    // Base stations are no helmets, though they are of the same family.
    sql<boolean>`d.params ->> 'stationId' is null` as never,
    ...(f.name
      ? [
          sql<boolean>`(d.name ilike ${`%${f.name.replace(/[\\%_]/g, '\\$&')}%`} or (${seesPersons(ctx)} and w.worker_name ilike ${`%${f.name.replace(/[\\%_]/g, '\\$&')}%`}))` as never,
        ]
      : []),
  )
  const { rows } = await sql<HelmetRow>`select ${helmetColumns} from ${helmetTables} where ${where}
    order by open_level nulls last, coalesce(l.online, false) desc, d.name, d.id limit 5000`.execute(ctx.db)
  return rows
}

function wearerOf(veil: Veil, row: HelmetRow) {
  const shown = veil.seesPerson(row)
  return {
    workerId: shown ? row.workerId : null,
    workerName: shown ? row.workerName : null,
    teamName: row.teamName,
    workerExited: row.workerExited,
    groupId: row.groupId,
    groupName: row.groupName,
  }
}

/** 离线, 在线, 未佩戴, 报警, 充电 by the family's own codes. */
function helmetStatus(row: HelmetRow): string {
  if (!row.online) return '0'
  if (row.openLevel !== null) return row.family === 'baseStationHelmet' ? '2' : '3'
  if (row.family === 'baseStationHelmet') return '1'
  return row.v?.wearing === false ? '2' : '1'
}

function toHelmet(veil: Veil, row: HelmetRow) {
  const rate = veil.seesPerson(row) ? numberOr(row.v?.heartRate) : null
  return {
    deviceId: row.id,
    deviceName: row.name,
    deviceSn: row.deviceSn,
    category: row.family === 'baseStationHelmet' ? '701' : '700',
    projectCode: row.projectCode,
    projectName: row.projectName,
    ...wearerOf(veil, row),
    online: row.online ?? false,
    status: helmetStatus(row),
    batteryPercent: numberOr(row.v?.batteryPercent),
    wearing: typeof row.v?.wearing === 'boolean' ? row.v.wearing : null,
    motion: textOr(row.v?.motion),
    heartState: rate === null ? null : rate < heart.low || rate > heart.high ? '异常' : '正常',
    heartRate: veil.seesMetric(row, 'heartRate', 'now') ? rate : null,
    signal: numberOr(row.v?.signal) ?? numberOr(row.v?.rssi),
    positioned: typeof row.v?.positioned === 'boolean' ? row.v.positioned : null,
    lastTime: row.receivedAt?.getTime() ?? null,
    openLevel: row.openLevel,
  }
}

async function getHelmetRow(ctx: Context, id: string): Promise<HelmetRow> {
  const projects = ctx.scopeChecks && !ctx.scope.all ? ctx.scope.projects : undefined
  const [row] = await findHelmets(ctx, { families: helmetFamilies, projects, deviceId: id })
  if (!row) throw new AppError('notFound', '设备不存在或已删除')
  return row
}

// ---- alarms

interface AlarmQuery {
  projectCode?: string | undefined
  deviceId?: string | undefined
  alarmKey?: string[] | undefined
  level?: string[] | undefined
  state?: string[] | undefined
  startTime?: string | undefined
  endTime?: string | undefined
}

function alarmsWhere(ctx: Context, query: AlarmQuery, usualMs: number) {
  const period = periodOf(query, ctx.clock.now(), usualMs, 400 * dayMs)
  return allOf(
    ...anyOf('a.family', helmetFamilies),
    ...inProjects('a.project_code', projectsFor(ctx, query.projectCode)),
    ...equals('a.device_id', query.deviceId),
    ...anyOf('a.alarm_key', query.alarmKey),
    ...anyOf('a.state', query.state),
    ...(query.level?.length ? [sql<boolean>`a.level = any (${query.level.map(Number).filter(Number.isInteger)}::int[])` as never] : []),
    ...equals('a.simulated', false),
    sql<boolean>`a.start_time >= ${new Date(period.from)} and a.start_time < ${new Date(period.to)}` as never,
  )
}

const firstAck = sql`(select min(k.at) from alarm_log k where k.alarm_id = a.id and k.event in ('ack', 'handle', 'false', 'close'))`
const responseSeconds = sql`extract(epoch from ${firstAck} - a.fire_time)::float8`

async function alarmList(ctx: Context, query: AlarmQuery & { page: number; size: number; sort?: string | undefined }) {
  const where = alarmsWhere(ctx, query, 30 * dayMs)
  const { limit, offset } = pageSlice(query)
  const now = ctx.clock.now()
  const { rows } = await sql<{
    id: string
    projectCode: string
    projectName: string
    deviceId: string
    deviceName: string
    family: string
    alarmKey: string
    label: string
    level: number
    state: string
    active: boolean
    startTime: Date
    clearTime: Date | null
    handlerName: string | null
    responseSeconds: number | null
    valuesUsed: Record<string, unknown>
    workerName: string | null
    teamName: string | null
    version: number
  }>`
    select a.id, a.project_code, p.name as project_name, a.device_id, a.device_name, a.family, a.alarm_key, a.label, a.level, a.state, a.active, a.start_time,
      a.clear_time, a.handler_name, ${responseSeconds} as response_seconds, a.values_used, w.worker_name, w.team_name, a.version
    from alarm a join project p on p.project_code = a.project_code left join device d on d.id = a.device_id
      left join lateral (
        select pw.worker_name, t.team_name from project_worker pw left join team t on t.id = pw.team_id
        where pw.project_code = a.project_code and pw.worker_id = d.params ->> 'workerId' order by pw.entry_time desc limit 1) w on true
    where ${where} order by ${query.sort === 'startTime' ? sql`a.start_time` : sql`a.start_time desc`}, a.id limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  const counts = await sql<{ total: number; sosOpen: number; fallsToday: number; removalsToday: number; mean: number | null }>`
    select count(*)::int as total, count(*) filter (where a.alarm_key = 'sos' and a.state = 'open')::int as sos_open,
      count(*) filter (where a.alarm_key in ('fall', 'impact') and a.start_time >= ${new Date(todayStart(now))})::int as falls_today,
      count(*) filter (where a.alarm_key = 'removal' and a.start_time >= ${new Date(todayStart(now))})::int as removals_today, avg(${responseSeconds}) as mean
    from alarm a where ${where}`.execute(ctx.db)
  const n = counts.rows[0]
  const worn = (r: { deviceId: string; family: string; projectCode: string }) => ({
    id: r.deviceId,
    family: r.family,
    projectCode: r.projectCode,
  })
  const veil = await veilFor(ctx, rows.map(worn))
  const places = (r: (typeof rows)[number]) => veil.values(worn(r), r.valuesUsed, 'now')
  return {
    list: rows.map((r) => ({
      id: r.id,
      projectCode: r.projectCode,
      projectName: r.projectName,
      deviceId: r.deviceId,
      deviceName: r.deviceName,
      category: r.family === 'baseStationHelmet' ? '701' : '700',
      alarmKey: r.alarmKey,
      alarmLabel: r.label,
      level: r.level,
      state: r.state,
      active: r.active,
      startTime: r.startTime.getTime(),
      clearTime: r.clearTime?.getTime() ?? null,
      durationSeconds: Math.max(0, Math.round(((r.clearTime?.getTime() ?? now) - r.startTime.getTime()) / 1000)),
      handlerName: r.handlerName,
      responseSeconds: r.responseSeconds === null ? null : Math.max(0, Math.round(r.responseSeconds)),
      batteryPercent: numberOr(r.valuesUsed.batteryPercent),
      lng: numberOr(places(r).longitude),
      lat: numberOr(places(r).latitude),
      workerName: veil.seesPerson(worn(r)) ? r.workerName : null,
      teamName: r.teamName,
      version: r.version,
    })),
    total: n?.total ?? 0,
    sosOpen: n?.sosOpen ?? 0,
    fallsToday: n?.fallsToday ?? 0,
    removalsToday: n?.removalsToday ?? 0,
    averageResponseSeconds: n?.mean === null || n?.mean === undefined ? null : Math.round(n.mean),
  }
}

async function alarmLine(ctx: Context, query: AlarmQuery) {
  const { rows } = await sql<{ day: string; alarmKey: string; n: number }>`
    select to_char(a.start_time at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day, a.alarm_key, count(*)::int as n
    from alarm a where ${alarmsWhere(ctx, query, 30 * dayMs)} group by 1, 2 order by 1, 2`.execute(ctx.db)
  const list = [...Map.groupBy(rows, (r) => r.day)].map(([day, own]) => ({
    day,
    total: own.reduce((sum, r) => sum + r.n, 0),
    byKey: Object.fromEntries(own.map((r) => [r.alarmKey, r.n])),
  }))
  return { list, total: list.length }
}

async function alarmPie(ctx: Context, query: AlarmQuery) {
  const { rows } = await sql<{ alarmKey: string; label: string; n: number; falses: number; mean: number | null }>`
    select a.alarm_key, max(a.label) as label, count(*)::int as n, count(*) filter (where a.state = 'false')::int as falses, avg(${responseSeconds}) as mean
    from alarm a where ${alarmsWhere(ctx, query, 30 * dayMs)} group by 1 order by 3 desc, 1`.execute(ctx.db)
  return {
    list: rows.map((r) => ({
      alarmKey: r.alarmKey,
      label: r.label,
      count: r.n,
      falseCount: r.falses,
      averageResponseSeconds: r.mean === null ? null : Math.round(r.mean),
    })),
    total: rows.length,
  }
}

// ---- tracks and positions

async function positionsOf(ctx: Context, row: HelmetRow, period: Period): Promise<Position[]> {
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

const trackPoints = 5_000
const walkingTopKmh = 60

async function helmetTrack(ctx: Context, row: HelmetRow, period: Period) {
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

interface Station {
  projectCode: string
  stationId: string
  areaName: string
  floorName: string
  areaLimit: number | null
  online: boolean
}

/** Base stations of a site: what area each hangs in, how many may be in it, and whether it is heard itself. */
async function stationsOf(ctx: Context, projects: readonly string[] | undefined) {
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

async function staysOfHelmet(ctx: Context, row: HelmetRow, period: Period) {
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
  return staysOf(reads, Math.min(period.to, ctx.clock.now()), Number(row.intervalSeconds) * 1000).map((s) => ({
    deviceId: row.id,
    deviceName: row.name,
    workerName: row.workerName,
    stationId: s.stationId,
    ...stations.of(row.projectCode, s.stationId),
    enterTime: s.enterTime,
    leaveTime: s.leaveTime,
    durationSeconds: Math.round(((s.leaveTime ?? Math.min(period.to, ctx.clock.now())) - s.enterTime) / 1000),
    lost: s.lost,
  }))
}

/** Looking where somebody went changes nothing, yet the person may ask who did: without this row nothing is shown. */
async function recordTrackLook(ctx: Context, row: HelmetRow, reason: string | undefined): Promise<void> {
  await ctx.db
    .insertInto('auditLog')
    .values({
      id: ctx.newId(),
      at: new Date(ctx.clock.now()),
      userId: ctx.user.id,
      account: ctx.user.account,
      userName: ctx.user.name,
      groupId: ctx.group.id,
      groupName: ctx.group.name,
      action: 'look',
      summary: `查看安全帽轨迹：${row.name}${reason ? `（${reason}）` : ''}`,
      objectId: row.id,
      projectCode: row.projectCode,
      ip: ctx.ip,
    })
    .execute()
}

/** Since when each tag has been heard by the station that hears it now, looked for in the last hours. */
async function areaSince(ctx: Context, rows: readonly HelmetRow[], now: number): Promise<Map<string, number>> {
  const { rows: found } = await sql<{ deviceId: string; since: Date | null }>`
    select u.id as device_id, (select min(t.ts) from telemetry t where t.device_id = u.id and t.ts > coalesce(
        (select max(o.ts) from telemetry o where o.device_id = u.id and o.ts > ${new Date(now - areaLookBackMs)} and o.extra ->> 'stationId' is distinct from u.station),
        ${new Date(now - areaLookBackMs)})) as since
    from unnest(${rows.map((r) => r.id)}::text[], ${rows.map((r) => textOr(r.v?.stationId))}::text[]) u(id, station) where u.station is not null`.execute(
    ctx.db,
  )
  return new Map(found.flatMap((r) => (r.since ? [[r.deviceId, r.since.getTime()]] : [])))
}

const areaLookBackMs = 12 * 3_600_000

async function positions(ctx: Context, query: { projectCode?: string | undefined; category: '700' | '701'; groupId?: string | undefined }) {
  const projects = projectsFor(ctx, query.projectCode)
  const rows = await findHelmets(ctx, { families: [familyOfCategory(query.category)], projects, groupId: query.groupId })
  const stations = query.category === '701' ? await stationsOf(ctx, projects) : undefined
  const veil = await veilFor(ctx, rows)
  const now = ctx.clock.now()
  const areaOf = (row: HelmetRow) => {
    const stationId = textOr(row.v?.stationId)
    return stations && stationId ? stations.of(row.projectCode, stationId) : undefined
  }
  const list = rows.map((row) => {
    const shown = veil.values(row, row.v ?? {}, 'now')
    const stationId = textOr(row.v?.stationId)
    const area = shown.stationId === undefined ? undefined : areaOf(row)
    const positioned = query.category === '701' ? stationId !== null : row.v?.positioned !== false && numberOr(row.v?.longitude) !== null
    return {
      deviceId: row.id,
      deviceName: row.name,
      projectCode: row.projectCode,
      workerName: veil.seesPerson(row) && ctx.codes.has('helmet.location') ? row.workerName : null,
      teamName: row.teamName,
      groupId: row.groupId,
      lng: numberOr(shown.longitude),
      lat: numberOr(shown.latitude),
      stationId: textOr(shown.stationId),
      areaName: area?.areaName ?? null,
      floorName: area?.floorName ?? null,
      x: numberOr(shown.x),
      y: numberOr(shown.y),
      positioned,
      online: row.online ?? false,
      time: row.ts?.getTime() ?? null,
      openLevel: row.openLevel,
    }
  })
  // How many are in an area is everybody's to know.
  const heard = Map.groupBy(
    rows.filter((row) => row.online && areaOf(row)),
    (row) => `${row.projectCode}/${areaOf(row)?.areaName}`,
  )
  const since = stations ? await areaSince(ctx, rows, now) : new Map<string, number>()
  const areas = [...Map.groupBy(stations?.all ?? [], (s) => `${s.projectCode}/${s.areaName}`)].flatMap(([key, own]) => {
    const [first] = own
    if (!first) return []
    const inside = heard.get(key) ?? []
    // A dead station makes its area unknown, never empty: in an emergency that is vital.
    const isKnown = own.some((s) => s.online)
    return [
      {
        projectCode: first.projectCode,
        areaName: first.areaName,
        floorName: first.floorName,
        count: isKnown || inside.length ? inside.length : null,
        limit: own.reduce<number | null>((most, s) => (s.areaLimit === null ? most : Math.round(s.areaLimit)), null),
        longestSeconds: inside.reduce((most, p) => Math.max(most, Math.round((now - (since.get(p.id) ?? now)) / 1000)), 0),
        known: isKnown,
      },
    ]
  })
  return {
    // Counts are everybody's, persons are not.
    list: seesPersons(ctx) ? list : [],
    total: list.length,
    online: list.filter((p) => p.online).length,
    unpositioned: list.filter((p) => p.online && !p.positioned).length,
    areas,
  }
}

// ---- pictures and films

async function media(
  ctx: Context,
  record: 'snapshot' | 'video',
  query: {
    deviceId?: string | undefined
    projectCode?: string | undefined
    page: number
    size: number
    startTime?: string | undefined
    endTime?: string | undefined
  },
) {
  const projects = projectsFor(ctx, query.projectCode)
  const filter = {
    record,
    projects,
    deviceId: query.deviceId,
    period: periodOf(query, ctx.clock.now(), 30 * dayMs, 400 * dayMs),
    where: [recordsOfSeen(ctx)],
  }
  const { rows, total } = await findKeyedRecords(ctx.db, filter, pageSlice(query))
  const wearers = await wearersOf(ctx, rows)
  return { rows, total, projects, wearer: (row: RecordRow) => wearers.get(row.deviceId), veil: await veilFor(ctx, [...wearers.values()]) }
}

async function wearersOf(ctx: Context, rows: readonly RecordRow[]) {
  const ids = [...new Set(rows.map((r) => r.deviceId))]
  if (ids.length === 0 || !seesPersons(ctx)) return new Map<string, HelmetRow>()
  const projects = [...new Set(rows.map((r) => r.projectCode))]
  return new Map((await findHelmets(ctx, { families: helmetFamilies, projects })).filter((h) => ids.includes(h.id)).map((h) => [h.id, h]))
}

const shownRecord = (veil: Veil, wearer: HelmetRow | undefined, row: RecordRow & { key: string }) => ({
  ...toKeyedRecord(row),
  data: wearer ? veil.record(wearer, row.data) : {},
})

const lateMs = 10 * 60_000

export function helmetRoutes(serve: Serve): void {
  serve(calls.listHelmets, async ({ query }, ctx) => {
    const rows = await findHelmets(ctx, {
      families: [familyOfCategory(query.category)],
      projects: projectsFor(ctx, query.projectCode),
      deviceId: query.deviceId,
      groupId: query.groupId,
      name: query.name,
    })
    const veil = await veilFor(ctx, rows)
    const all = rows.map((r) => toHelmet(veil, r)).filter((h) => !query.status?.length || query.status.includes(h.status))
    const { limit, offset } = pageSlice(query)
    return {
      list: all.slice(offset, offset + limit),
      total: all.length,
      online: all.filter((h) => h.online).length,
      notWorn: all.filter((h) => h.online && h.wearing === false).length,
      lowBattery: all.filter((h) => (h.batteryPercent ?? 100) < lowBattery).length,
      openAlarms: all.filter((h) => h.openLevel !== null).length,
    }
  })
  serve(calls.getHelmet, async ({ params }, ctx) => {
    const row = await getHelmetRow(ctx, params.id)
    const info = await infoOf(ctx, await getDeviceRow(ctx, params.id, row.family))
    const veil = await veilFor(ctx, [row])
    const latest = latestOf(row)
    const record = info.lastRecord
    return {
      ...info,
      ...toDeviceNow(row),
      status: helmetStatus(row),
      latest: latest && veiledValues(latest, veil.values(row, latest.values, 'now')),
      alarms: info.alarms.map((a) => (veil.seesMetric(row, a.metric, 'now') ? a : { ...a, peakValue: null })),
      lastRecord: record && veil.seesPerson(row) ? { ...record, data: veil.record(row, record.data) } : null,
      ...wearerOf(veil, row),
      params: veil.params(row, row.params),
    }
  })
  serve(calls.helmetAlarms, ({ query }, ctx) => alarmList(ctx, query))
  serve(calls.helmetAlarmLine, ({ query }, ctx) => alarmLine(ctx, query))
  serve(calls.helmetAlarmPie, ({ query }, ctx) => alarmPie(ctx, query))
  serve(calls.helmetSnaps, async ({ query }, ctx) => {
    // Pictures a person took are that person's round: a regulator is told of alarms instead.
    if (!seesPersons(ctx)) return { list: [], total: 0 }
    const { rows, total, wearer, veil } = await media(ctx, 'snapshot', query)
    return {
      list: rows.map((r) => ({
        ...shownRecord(veil, wearer(r), r),
        workerName: wearer(r)?.workerName ?? null,
        teamName: wearer(r)?.teamName ?? null,
        late: r.receivedAt.getTime() - r.ts.getTime() > lateMs,
      })),
      total,
    }
  })
  serve(calls.helmetVideos, async ({ query }, ctx) => {
    if (!seesPersons(ctx)) return { list: [], total: 0, cameras: [] }
    const { rows, total, projects, wearer, veil } = await media(ctx, 'video', query)
    const all = (await findHelmets(ctx, { families: ['smartHelmet'], projects })).filter(
      (h) => h.params.camera === '1' || h.params.camera === true,
    )
    const seen = await veilFor(ctx, all)
    const cameras = all.filter((h) => seen.seesPerson(h))
    return {
      list: rows.map((r) => ({ ...shownRecord(veil, wearer(r), r), workerName: wearer(r)?.workerName ?? null })),
      total,
      cameras: cameras.map((h) => ({
        deviceId: h.id,
        name: h.workerName ?? h.name,
        online: h.online ?? false,
        batteryPercent: numberOr(h.v?.batteryPercent),
        signal: numberOr(h.v?.signal),
      })),
    }
  })
  serve(calls.helmetTrack, async ({ query }, ctx) => {
    if (!query.deviceId) return { list: [], total: 0 }
    if (!seesPersons(ctx)) throw new AppError('forbidden', '监管机构不查看个人轨迹')
    const row = await getHelmetRow(ctx, query.deviceId)
    if (!(await veilFor(ctx, [row])).seesPerson(row)) throw new AppError('forbidden', '佩戴人不是本企业人员，不能查看轨迹')
    const period = periodOf(query, ctx.clock.now(), dayMs / 2, dayMs)
    await recordTrackLook(ctx, row, query.reason)
    const list = row.family === 'baseStationHelmet' ? await staysOfHelmet(ctx, row, period) : [await helmetTrack(ctx, row, period)]
    return { list, total: list.length }
  })
  serve(calls.helmetPositions, ({ query }, ctx) => positions(ctx, query))
}
