import { dayMs, shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { leastCoverage, leastCycles, windMarks } from '@zhugong/contract/telemetry/analysis'
import { sql } from 'kysely'
import type { Tx } from '#kit/db'
import { allOf, equals, inProjects } from '#kit/list'
import { type CycleFilter, cycleGroups } from './crane-cycles.ts'
import { ownerColumns } from './devices.ts'
import type { Period } from './period.ts'
import { numericField } from './record-fields.ts'

const round = (n: number, digits = 1) => Math.round(n * 10 ** digits) / 10 ** digits
const percent = (part: number, whole: number) => (whole > 0 ? round((part / whole) * 100) : null)
/** Minutes that one row of `telemetry_5m` stands for. */
const rowMinutes = 5
/** Nothing on the hook, and air that does not lean on the jib: only then the tilt is the crane's own. */
const idle = { loadBelow: 0.3, windBelow: 5 }

interface Scope {
  projects: readonly string[] | undefined
  deviceId?: string | undefined
  period: Period
}

const craneIds = (s: Scope) =>
  sql`select d.id from device d where ${allOf(
    ...equals('d.family', 'towerCrane'),
    ...equals('d.status', '1'),
    ...equals('d.id', s.deviceId),
    ...inProjects('d.project_code', s.projects),
  )}`

/** Work on the crane itself, as its maintenance is reported. */
const maintenance = ['jacking', 'dismantling', 'calibration', 'sensorChange']
/** Minutes of maintenance are neither work nor silence, and drills are no alarms: left out, and counted. */
const maintained = (device: string, at: string) =>
  sql`exists (select 1 from device_suppress m where m.device_id = ${sql.ref(device)} and m.state = '2' and m.kind = any (${maintenance}) and ${sql.ref(at)} >= m.from_time and ${sql.ref(at)} < m.until_time)`

interface HourRow {
  hour: number
  spans: number
  windWatch: number
  windStop: number
}
interface DayRow {
  day: string
  spans: number
  maxMomentPercent: number | null
  maxWindSpeed: number | null
}

/** What cranes of a scope did in a period, and when; how much of it was measured at all. */
export async function craneAnalysis(db: Tx, scope: Scope, now: number) {
  const { period } = scope
  const [from, to] = [new Date(period.from), new Date(Math.min(period.to, now))]
  const ids = craneIds(scope)
  const where = sql`t.device_id in (${ids}) and t.ts >= ${from} and t.ts < ${to} and not ${maintained('t.deviceId', 't.ts')}`
  const local = sql`t.ts at time zone 'Asia/Shanghai'`
  const wind = sql`(t.v -> 'windSpeed' ->> 1)::float8`
  const { rows: cranes } = await sql<{ n: number }>`select count(*)::int as n from (${ids}) c`.execute(db)
  const { rows: hourRows } = await sql<HourRow>`
    select extract(hour from ${local})::int as hour, count(*)::int as spans, count(*) filter (where ${wind} > ${windMarks.watch})::int as wind_watch,
      count(*) filter (where ${wind} > ${windMarks.stop})::int as wind_stop
    from telemetry_5m t where ${where} group by 1 order by 1`.execute(db)
  const { rows: dayRows } = await sql<DayRow>`
    select to_char(${local}, 'YYYY-MM-DD') as day, count(*)::int as spans, max((t.v -> 'momentPercent' ->> 1)::float8) as max_moment_percent, max(${wind}) as max_wind_speed
    from telemetry_5m t where ${where} group by 1 order by 1`.execute(db)
  const { rows: tilt } = await sql<{ week: string; median: number; samples: number }>`
    select to_char(date_trunc('week', ${local}), 'YYYY-MM-DD') as week, count(*)::int as samples,
      percentile_cont(0.5) within group (order by (t.v -> 'tilt' ->> 2)::float8 / nullif((t.v -> 'tilt' ->> 3)::float8, 0)) as median
    from telemetry_5m t where ${where} and t.v ? 'tilt' and coalesce((t.v -> 'load' ->> 1)::float8, 0) < ${idle.loadBelow}
      and coalesce(${wind}, 0) < ${idle.windBelow} group by 1 order by 1`.execute(db)
  const alarms = await alarmsOf(db, scope, from, to)
  const filter: CycleFilter = { projects: scope.projects, deviceId: scope.deviceId, period: { from: period.from, to: to.getTime() } }
  const [byHour, byClass, byDay, byDriver] = [
    await cycleGroups(db, filter, 'hour'),
    await cycleGroups(db, filter, 'class'),
    await cycleGroups(db, filter, 'day'),
    await cycleGroups(db, { ...filter, maxMomentPercent: { low: 100 } }, 'driver'),
  ]
  const count = cranes[0]?.n ?? 0
  const days = daysOf(period.from, to.getTime())
  const expected = Math.max(1, count * ((to.getTime() - from.getTime()) / (rowMinutes * 60_000)))
  const spans = hourRows.reduce((sum, one) => sum + one.spans, 0)
  const cycles = byDay.reduce((sum, one) => sum + one.cycles, 0)
  const workSeconds = byDay.reduce((sum, one) => sum + one.workSeconds, 0)
  const alarmCount = alarms.days.reduce((sum, one) => sum + one.n, 0)
  return {
    coverage: Math.min(100, round((spans / expected) * 100)),
    cranes: count,
    figures: {
      cycles,
      workHours: round(workSeconds / 3600),
      utilisation: percent(workSeconds / 60, spans * rowMinutes),
      overMoment: byDay.reduce((sum, one) => sum + one.overMoment, 0),
      alarms: alarmCount,
      alarmPer100: percent(alarmCount, cycles),
      simulated: alarms.simulated,
      maintenanceHours: await maintenanceHours(db, scope, from, to),
    },
    hours: Array.from({ length: 24 }, (_, hour) => {
      const told = hourRows.find((one) => one.hour === hour)
      const lifts = byHour.find((one) => Number(one.key) === hour)
      const measured = (told?.spans ?? 0) * rowMinutes
      const working = Math.min(measured, (lifts?.workSeconds ?? 0) / 60)
      return {
        hour,
        cycles: lifts?.cycles ?? 0,
        working: round(working),
        waiting: round(measured - working),
        off: round(Math.max(0, count * days.length * 60 - measured)),
        windWatch: (told?.windWatch ?? 0) * rowMinutes,
        windStop: (told?.windStop ?? 0) * rowMinutes,
        overMoment: lifts?.overMoment ?? 0,
      }
    }),
    spectrum: byClass.map((one) => ({ from: Number(one.key), cycles: one.cycles })),
    days: days.map((day) => {
      const told = dayRows.find((one) => one.day === day)
      const lifts = byDay.find((one) => one.key === day)
      return {
        day,
        cycles: lifts?.cycles ?? 0,
        workHours: round((lifts?.workSeconds ?? 0) / 3600),
        alarms: alarms.days.find((one) => one.day === day)?.n ?? 0,
        maxMomentPercent: told?.maxMomentPercent ?? null,
        maxWindSpeed: told?.maxWindSpeed ?? null,
        coverage: Math.min(100, round(((told?.spans ?? 0) / Math.max(1, count * ((24 * 60) / rowMinutes))) * 100)),
      }
    }),
    tilt: tilt.map((one) => ({ ...one, median: round(one.median, 3) })),
    overBy: byDriver.map((one) => ({ name: one.name, cycles: one.cycles })).sort((a, b) => b.cycles - a.cycles),
  }
}

/** Every Shanghai day of a period, the first and the last as well where they are not whole. */
function daysOf(from: number, to: number): string[] {
  const first = Math.floor((from + shanghaiOffsetMs) / dayMs)
  const last = Math.floor((to - 1 + shanghaiOffsetMs) / dayMs)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => new Date((first + i) * dayMs).toISOString().slice(0, 10))
}

async function alarmsOf(db: Tx, scope: Scope, from: Date, to: Date) {
  const { rows } = await sql<{ day: string; n: number; simulated: number }>`
    select to_char(a.start_time at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day, count(*) filter (where not a.simulated)::int as n,
      count(*) filter (where a.simulated)::int as simulated
    from alarm a where a.device_id in (${craneIds(scope)}) and a.alarm_key <> 'offline' and a.start_time >= ${from} and a.start_time < ${to}
    group by 1`.execute(db)
  return { days: rows, simulated: rows.reduce((sum, one) => sum + one.simulated, 0) }
}

async function maintenanceHours(db: Tx, scope: Scope, from: Date, to: Date): Promise<number> {
  const { rows } = await sql<{ seconds: number | null }>`
    select sum(extract(epoch from least(m.until_time, ${to}::timestamptz) - greatest(m.from_time, ${from}::timestamptz)))::float8 as seconds
    from device_suppress m where m.device_id in (${craneIds(scope)}) and m.state = '2' and m.kind = any (${maintenance}) and m.from_time < ${to} and m.until_time > ${from}`.execute(
    db,
  )
  return round((rows[0]?.seconds ?? 0) / 3600)
}

interface RankRow {
  deviceId: string
  deviceName: string
  projectCode: string
  projectName: string
  areaCode: string
  ownerCorpName: string | null
  modelName: string | null
  dueDate: string | null
  ageYears: number | null
  spans: number
  cycles: number
  workSeconds: number
  overMoment: number
  alarms: number
  level1: number
  falses: number
  handledSeconds: number | null
  offlineSeconds: number
}

/** Every crane of the scope by its rates over a period; what their data can carry decides in which list they stand. */
export async function craneRanks(db: Tx, scope: Scope, now: number) {
  const [from, to] = [new Date(scope.period.from), new Date(Math.min(scope.period.to, now))]
  const seconds = numericField('durationSeconds')
  const { rows } = await sql<RankRow>`
    with crane as materialized (
      select d.id, d.name, d.project_code, p.name as project_name, p.area_code, d.due_date, d.install_date,
        ${ownerColumns}
      from device d join project p on p.project_code = d.project_code where d.id in (${craneIds(scope)})),
    t as (select device_id, count(*)::int as n from telemetry_5m where device_id in (select id from crane) and ts >= ${from} and ts < ${to} group by 1),
    c as (
      select r.device_id, count(*)::int as n, sum(${seconds}) as seconds, count(*) filter (where coalesce(${numericField('overMomentCount')}, 0) > 0)::int as over
      from device_record r where r.record = 'workingCycle' and r.device_id in (select id from crane) and r.ts >= ${from} and r.ts < ${to} group by 1),
    a as (
      select device_id, count(*)::int as n, count(*) filter (where max_level = 1)::int as level1, count(*) filter (where state = 'false')::int as falses,
        avg(extract(epoch from handle_time - fire_time)) filter (where handle_time is not null)::float8 as handled
      from alarm where device_id in (select id from crane) and alarm_key <> 'offline' and not simulated and start_time >= ${from} and start_time < ${to} group by 1),
    o as (
      select device_id, sum(greatest(0, extract(epoch from ended - begun)))::float8 as seconds from (
        select e.device_id, greatest(coalesce(to_timestamp((e.data ->> 'since')::float8 / 1000), e.ts), ${from}::timestamptz) as begun,
          least(coalesce((select min(b.ts) from device_event b where b.device_id = e.device_id and b.kind = 'online' and b.ts > e.ts), ${to}::timestamptz), ${to}::timestamptz) as ended
        from device_event e where e.kind = 'offline' and e.device_id in (select id from crane) and e.ts < ${to}::timestamptz and e.ts > ${from}::timestamptz - interval '60 days') s
      group by 1)
    select crane.id as device_id, crane.name as device_name, crane.project_code, crane.project_name, crane.area_code, crane.owner_corp_name, crane.model_name,
      crane.due_date::text as due_date,
      round(extract(epoch from ${to}::timestamptz - crane.install_date::timestamptz) / 86400 / 365.25, 1)::float8 as age_years,
      coalesce(t.n, 0) as spans, coalesce(c.n, 0) as cycles, coalesce(c.seconds, 0) as work_seconds, coalesce(c.over, 0) as over_moment,
      coalesce(a.n, 0) as alarms, coalesce(a.level1, 0) as level1, coalesce(a.falses, 0) as falses, a.handled as handled_seconds,
      coalesce(o.seconds, 0) as offline_seconds
    from crane left join t on t.device_id = crane.id left join c on c.device_id = crane.id left join a on a.device_id = crane.id left join o on o.device_id = crane.id
    order by crane.id limit ${mostCranes}`.execute(db)
  const length = (to.getTime() - from.getTime()) / 1000
  return rows.map((r) => rankOf(r, length))
}

/** More than a city has. */
const mostCranes = 5_000

function rankOf({ spans, workSeconds, handledSeconds, offlineSeconds, falses, ...r }: RankRow, length: number) {
  const coverage = Math.min(100, percent(spans * rowMinutes * 60, length) ?? 0)
  const utilisation = percent(workSeconds / 60, spans * rowMinutes)
  const rank = {
    ...r,
    areaName: areaName(r.areaCode),
    coverage,
    workHours: round(workSeconds / 3600),
    utilisation,
    // Of few lifts a rate is chance.
    alarmPer100: r.cycles >= leastCycles ? percent(r.alarms, r.cycles) : null,
    falsePercent: percent(falses, r.alarms),
    handledHours: handledSeconds === null ? null : round(handledSeconds / 3600),
    onlinePercent: percent(length - Math.min(length, offlineSeconds), length) ?? 0,
    offlineHours: round(Math.min(length, offlineSeconds) / 3600),
    doubtful: coverage < leastCoverage,
  }
  return { ...rank, reason: reasonOf(rank) }
}

/** Utilisation above which a crane has no hours left to give. */
const busyPercent = 60

/** Why a crane stands where it does, in one sentence. */
export function reasonOf(r: {
  doubtful: boolean
  coverage: number
  offlineHours: number
  level1: number
  overMoment: number
  cycles: number
  alarmPer100: number | null
  utilisation: number | null
}): string {
  if (r.doubtful)
    return r.coverage === 0 ? '本期没有数据，先查设备' : `有效数据 ${r.coverage} %，离线 ${r.offlineHours} 小时，数据不足，先查设备`
  const said = [
    r.level1 > 0 ? `一级告警 ${r.level1} 条` : '',
    r.overMoment > 0 ? `超力矩 ${r.overMoment} 吊` : '',
    r.alarmPer100 !== null && r.alarmPer100 > 0 ? `每百吊告警 ${r.alarmPer100} 次` : '',
    r.utilisation !== null && r.utilisation >= busyPercent ? `利用率 ${r.utilisation} %，已接近满负荷` : '',
    r.cycles < leastCycles ? `仅 ${r.cycles} 吊，不排名` : '',
  ].filter(Boolean)
  return said.length > 0 ? said.join('，') : '本期平稳'
}
