import { leastCycles } from '@zhugong/contract/monitoring/analysis'
import { windMarks } from '@zhugong/contract/monitoring/crane/crane-analysis'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#kit/db'
import { machineRanks } from '../cycles/machine-ranks.ts'
import { seconds } from '../cycles/records.ts'
import { alarmDays } from '../shared/alarm-days.ts'
import { coverageOf, daysOf, rowMinutes } from '../shared/coverage.ts'
import { devicesInUse } from '../shared/devices.ts'
import { percentOf, rounded } from '../shared/family.ts'
import type { DeviceScope } from '../shared/list-query.ts'
import type { Period } from '../shared/period.ts'
import { numericField } from '../shared/record-fields.ts'
import { cycleGroups } from './crane-cycles.ts'

const percent = (part: number, whole: number) => (whole > 0 ? percentOf(part, whole) : null)
/** Load in t and wind in m/s below which the measured tilt is the crane's own. */
const idle = { loadBelow: 0.3, windBelow: 5 }

/** Kinds of reported maintenance that are work on the crane itself. */
const maintenance = ['jacking', 'dismantling', 'calibration', 'sensorChange']
/** Readings during maintenance are left out; the hours of maintenance are given separately. */
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

/** Cycles, use, wind and tilt of the cranes in scope over a period, with the coverage of the data. */
export async function craneAnalysis(db: Tx, scope: DeviceScope, now: number) {
  const period = { from: scope.period.from, to: Math.min(scope.period.to, now) }
  const [from, to] = [new Date(period.from), new Date(period.to)]
  const ids = devicesInUse('towerCrane', scope)
  const where = sql`t.device_id in (${ids}) and t.ts >= ${from} and t.ts < ${to} and not ${maintained('t.deviceId', 't.ts')}`
  const local = sql`t.ts at time zone 'Asia/Shanghai'`
  const wind = sql`(t.v -> 'windSpeed' ->> 1)::float8`
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
  const alarms = await alarmDays(db, ids, period, ['offline'])
  const filter = { ...scope, period }
  const [byHour, byClass, byDay, byDriver] = [
    await cycleGroups(db, filter, 'hour'),
    await cycleGroups(db, filter, 'class'),
    await cycleGroups(db, filter, 'day'),
    await cycleGroups(db, { ...filter, maxMomentPercent: { low: 100, high: undefined } }, 'driver'),
  ]
  const coverage = await coverageOf(db, ids, period)
  const days = daysOf(period)
  const spans = hourRows.reduce((sum, one) => sum + one.spans, 0)
  const cycles = byDay.reduce((sum, one) => sum + one.cycles, 0)
  const workSeconds = byDay.reduce((sum, one) => sum + one.workSeconds, 0)
  return {
    coverage: coverage.whole(spans),
    cranes: coverage.count,
    figures: {
      cycles,
      workHours: rounded(workSeconds / 3600),
      utilisation: percent(workSeconds / 60, spans * rowMinutes),
      overMoment: byDay.reduce((sum, one) => sum + one.overMoment, 0),
      alarms: alarms.total,
      alarmPer100: percent(alarms.total, cycles),
      simulated: alarms.simulated,
      maintenanceHours: await maintenanceHours(db, ids, period),
    },
    hours: Array.from({ length: 24 }, (_, hour) => {
      const found = hourRows.find((one) => one.hour === hour)
      const lifts = byHour.find((one) => Number(one.key) === hour)
      const measured = (found?.spans ?? 0) * rowMinutes
      const working = Math.min(measured, (lifts?.workSeconds ?? 0) / 60)
      return {
        hour,
        cycles: lifts?.cycles ?? 0,
        working: rounded(working),
        waiting: rounded(measured - working),
        off: rounded(Math.max(0, coverage.count * days.length * 60 - measured)),
        windWatch: (found?.windWatch ?? 0) * rowMinutes,
        windStop: (found?.windStop ?? 0) * rowMinutes,
        overMoment: lifts?.overMoment ?? 0,
      }
    }),
    spectrum: byClass.map((one) => ({ from: Number(one.key), cycles: one.cycles })),
    days: days.map((day) => {
      const found = dayRows.find((one) => one.day === day)
      const lifts = byDay.find((one) => one.key === day)
      return {
        day,
        cycles: lifts?.cycles ?? 0,
        workHours: rounded((lifts?.workSeconds ?? 0) / 3600),
        alarms: alarms.ofDay(day),
        maxMomentPercent: found?.maxMomentPercent ?? null,
        maxWindSpeed: found?.maxWindSpeed ?? null,
        coverage: coverage.ofDay(day, found?.spans ?? 0),
      }
    }),
    tilt: tilt.map((one) => ({ ...one, median: rounded(one.median, 3) })),
    overBy: byDriver.map((one) => ({ name: one.name, cycles: one.cycles })).sort((a, b) => b.cycles - a.cycles),
  }
}

async function maintenanceHours(db: Tx, cranes: RawBuilder<unknown>, period: Period): Promise<number> {
  const [from, to] = [new Date(period.from), new Date(period.to)]
  const { rows } = await sql<{ seconds: number | null }>`
    select sum(extract(epoch from least(until_time, ${to}::timestamptz) - greatest(from_time, ${from}::timestamptz)))::float8 as seconds
    from device_suppress where device_id in (${cranes}) and state = '2' and kind = any (${maintenance}) and from_time < ${to} and until_time > ${from}`.execute(
    db,
  )
  return rounded((rows[0]?.seconds ?? 0) / 3600)
}

interface RankRow {
  dueDate: string | null
  ageYears: number | null
  cycles: number
  workSeconds: number
  overMoment: number
  alarms: number
  level1: number
  falses: number
}

/** All cranes in scope with their rates over a period. */
export async function craneRanks(db: Tx, scope: DeviceScope, now: number) {
  const to = new Date(Math.min(scope.period.to, now))
  const ranks = await machineRanks<RankRow>(db, scope, now, {
    family: 'towerCrane',
    machine: sql`d.due_date, d.install_date`,
    cycles: {
      from: sql`device_record r`,
      figures: sql`sum(${seconds}) as seconds, count(*) filter (where coalesce(${numericField('overMomentCount')}, 0) > 0)::int as over`,
    },
    alarms: sql`count(*)::int as n, count(*) filter (where max_level = 1)::int as level1, count(*) filter (where state = 'false')::int as falses`,
    columns: sql`m.due_date::text as due_date,
      round(extract(epoch from ${to}::timestamptz - m.install_date::timestamptz) / 86400 / 365.25, 1)::float8 as age_years,
      coalesce(c.n, 0) as cycles, coalesce(c.seconds, 0) as work_seconds, coalesce(c.over, 0) as over_moment,
      coalesce(a.n, 0) as alarms, coalesce(a.level1, 0) as level1, coalesce(a.falses, 0) as falses`,
  })
  return ranks.map(({ workSeconds, falses, reportedMinutes, ...r }) => {
    const rank = {
      ...r,
      workHours: rounded(workSeconds / 3600),
      utilisation: percent(workSeconds / 60, reportedMinutes),
      // The rate of few cycles means nothing.
      alarmPer100: r.cycles >= leastCycles ? percent(r.alarms, r.cycles) : null,
      falsePercent: percent(falses, r.alarms),
    }
    return { ...rank, reason: reasonOf(rank) }
  })
}

/** Utilisation from which a crane is nearly at full capacity. */
const busyPercent = 60

/** The reason for a crane's rank, in one sentence. */
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
