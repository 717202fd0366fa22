import { leastCycles } from '@zhugong/contract/monitoring/analysis'
import { sql } from 'kysely'
import type { Tx } from '#kit/db'
import { pick } from '#kit/pick'
import { machineRanks } from '../cycles/machine-ranks.ts'
import { unrecognised } from '../cycles/records.ts'
import { alarmDays } from '../shared/alarm-days.ts'
import { coverageOf, daysOf, rowMinutes } from '../shared/coverage.ts'
import { devicesInUse } from '../shared/devices.ts'
import { daysUntil, percentOf, rounded, shanghaiDay } from '../shared/family.ts'
import type { DeviceScope } from '../shared/list-query.ts'
import { expiryOf } from './lift-days.ts'
import { openDoorRuns, overPersons, runGroups } from './lift-runs.ts'

/** Wind at the top of the mast from which lifts must not run, in m/s (JGJ 215-2010). */
const windStop = 20

type Groups = Awaited<ReturnType<typeof runGroups>>

/**
 * Runs of the lifts in scope over a period, by time of day, floor, load, day and driver, with the coverage of the data.
 * @param seen replaces the drivers' names as this user sees them
 */
export async function liftAnalysis(
  db: Tx,
  scope: DeviceScope & { cage?: string | undefined },
  now: number,
  seen: (drivers: Groups) => Groups,
) {
  const period = { from: scope.period.from, to: Math.min(scope.period.to, now) }
  const filter = { ...scope, period }
  const lifts = devicesInUse('lifter', scope)
  const wind = sql`(v -> 'windSpeed' ->> 1)::float8`
  const { rows: spans } = await sql<{ day: string; spans: number; wind: number | null; stopped: number }>`
    select ${shanghaiDay('ts')} as day, count(*)::int as spans, max(${wind}) as wind, count(*) filter (where ${wind} >= ${windStop})::int as stopped
    from telemetry_5m where device_id in (${lifts}) and ts >= ${new Date(period.from)} and ts < ${new Date(period.to)} group by 1`.execute(
    db,
  )
  const alarms = await alarmDays(db, lifts, period, ['offline', 'safetyDeviceExpiring'])
  const coverage = await coverageOf(db, lifts, period)
  const byDay = await runGroups(db, filter, 'day')
  const byQuarter = await runGroups(db, filter, 'quarter')
  const byFloor = await runGroups(db, filter, 'floor')
  const byLoad = await runGroups(db, filter, 'load')
  const byDriver = seen(await runGroups(db, filter, 'driver'))
  const sum = (pick: (one: (typeof byDay)[number]) => number) => byDay.reduce((total, one) => total + pick(one), 0)
  return {
    coverage: coverage.whole(spans.reduce((total, one) => total + one.spans, 0)),
    lifts: coverage.count,
    figures: {
      runs: sum((one) => one.runs),
      persons: sum((one) => one.persons),
      hours: rounded(sum((one) => one.hours)),
      overPersonRuns: sum((one) => one.overPersonRuns),
      overLoadRuns: sum((one) => one.overLoadRuns),
      doorOpenRuns: sum((one) => one.doorOpenRuns),
      alarms: alarms.total,
      windStopMinutes: spans.reduce((total, one) => total + one.stopped, 0) * rowMinutes,
    },
    quarters: byQuarter.map((one) => ({
      from: one.key,
      ...pick(one, 'runs', 'persons', 'full'),
      fullPercent: one.runs > 0 ? percentOf(one.full, one.runs) : null,
      overs: one.overPersonRuns,
    })),
    floors: byFloor
      .flatMap((one) => {
        const [start, end] = one.key.split('>').map(Number)
        return start === undefined || end === undefined || Number.isNaN(start) || Number.isNaN(end)
          ? []
          : [{ from: start, to: end, runs: one.runs, persons: one.persons }]
      })
      .sort((a, b) => b.runs - a.runs),
    loads: byLoad.map((one) => ({ from: Number(one.key), runs: one.runs })),
    days: daysOf(period).map((day) => {
      const runs = byDay.find((one) => one.key === day)
      const found = spans.find((one) => one.day === day)
      return {
        day,
        runs: runs?.runs ?? 0,
        persons: runs?.persons ?? 0,
        overPersonRuns: runs?.overPersonRuns ?? 0,
        doorOpenRuns: runs?.doorOpenRuns ?? 0,
        alarms: alarms.ofDay(day),
        maxWindSpeed: found?.wind ?? null,
        coverage: coverage.ofDay(day, found?.spans ?? 0),
      }
    }),
    illegalBy: byDriver
      .filter((one) => one.illegal > 0)
      .map(({ name, runs, overPersonRuns, doorOpenRuns, illegal }) => ({ name, runs, overPersonRuns, doorOpenRuns, illegal }))
      .sort((a, b) => b.illegal - a.illegal),
  }
}

interface RankRow {
  safetyDeviceExpiry: string | null
  runs: number
  overPersonRuns: number
  doorOpenRuns: number
  unrecognised: number
}

/** All lifts in scope with their rates over a period. */
export async function liftRanks(db: Tx, scope: DeviceScope, now: number) {
  const ranks = await machineRanks<RankRow>(db, scope, now, {
    family: 'lifter',
    machine: sql`${expiryOf} as expiry`,
    cycles: {
      from: sql`record_now r join device d on d.id = r.device_id`,
      figures: sql`count(*) filter (where ${overPersons})::int as overs, count(*) filter (where ${unrecognised})::int as unknown`,
    },
    join: sql`left join (select x.device_id, count(*)::int as n from (${openDoorRuns(scope)}) x group by 1) door on door.device_id = m.id`,
    columns: sql`m.expiry as safety_device_expiry, coalesce(c.n, 0) as runs, coalesce(c.overs, 0) as over_person_runs,
      coalesce(door.n, 0) as door_open_runs, coalesce(c.unknown, 0) as unrecognised`,
  })
  return ranks.map(({ unrecognised: unknown, offlineHours: _hours, reportedMinutes: _minutes, ...r }) => {
    const rank = {
      ...r,
      overPer1000: perThousand(r.overPersonRuns, r.runs),
      doorOpenPer1000: perThousand(r.doorOpenRuns, r.runs),
      noDriverPercent: r.runs > 0 ? percentOf(unknown, r.runs) : null,
      expiryDays: daysUntil(r.safetyDeviceExpiry, now),
    }
    return { ...rank, reason: reasonOf(rank) }
  })
}

/** Null for few runs, whose rate means nothing. */
const perThousand = (part: number, whole: number) => (whole >= leastCycles ? rounded((part / whole) * 1000) : null)

/** Safety devices are calibrated once a year; the calibration is arranged a month ahead. */
const dueSoonDays = 30
const manyUnknown = 5

/** The reason for a lift's rank, in one sentence. */
export function reasonOf(r: {
  doubtful: boolean
  coverage: number
  runs: number
  overPersonRuns: number
  doorOpenRuns: number
  noDriverPercent: number | null
  expiryDays: number | null
}): string {
  const due =
    r.expiryDays === null
      ? '防坠器到期日未填'
      : r.expiryDays < 0
        ? `防坠器已过期 ${-r.expiryDays} 天`
        : r.expiryDays <= dueSoonDays
          ? `防坠器 ${r.expiryDays} 天后到期`
          : ''
  const data = r.doubtful ? (r.coverage === 0 ? '本期没有数据，先查设备' : `有效数据 ${r.coverage} %，数据不足，先查设备`) : ''
  const said = r.doubtful
    ? [due, data]
    : [
        due,
        r.doorOpenRuns > 0 ? `开门运行 ${r.doorOpenRuns} 次` : '',
        r.overPersonRuns > 0 ? `超员 ${r.overPersonRuns} 次` : '',
        (r.noDriverPercent ?? 0) >= manyUnknown ? `${r.noDriverPercent} % 的运行没有识别司机` : '',
        r.runs < leastCycles ? `仅 ${r.runs} 次运行，不排名` : '',
      ]
  return said.filter(Boolean).join('，') || '本期平稳'
}
