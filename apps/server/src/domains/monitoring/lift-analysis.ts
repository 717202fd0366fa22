import { dayMs } from '@zhugong/contract/kit/time'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { leastCoverage, leastCycles } from '@zhugong/contract/telemetry/analysis'
import { sql } from 'kysely'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Tx } from '#kit/db'
import { allOf, equals, inProjects } from '#kit/list'
import { ownerColumns, type Period } from '../telemetry/views/public.ts'
import { daysUntil, percentOf, rounded } from './family.ts'
import { expiryOf } from './lift-days.ts'
import { type LiftRunFilter, openDoorRuns, overPersons, runGroups, unrecognised } from './lift-runs.ts'

/** Minutes that one row of `telemetry_5m` stands for. */
const rowMinutes = 5
/** m/s at the mast's top from which no lift runs (JGJ 215-2010). */
const windStop = 20

interface Scope {
  projects: readonly string[] | undefined
  deviceId?: string | undefined
  cage?: string | undefined
  period: Period
}

const liftIds = (s: Scope) =>
  sql`select d.id from device d where ${allOf(
    ...equals('d.family', 'lifter'),
    ...equals('d.status', '1'),
    ...equals('d.id', s.deviceId),
    ...inProjects('d.project_code', s.projects),
  )}`

type Groups = Awaited<ReturnType<typeof runGroups>>

/** What lifts of a scope carried in a period, when, between which floors; how much of it was measured at all. `seen`: drivers as whoever asks reads them. */
export async function liftAnalysis(db: Tx, scope: Scope, now: number, seen: (drivers: Groups) => Groups) {
  const period = { from: scope.period.from, to: Math.min(scope.period.to, now) }
  const [from, to] = [new Date(period.from), new Date(period.to)]
  const filter: LiftRunFilter = { ...scope, period }
  const wind = sql`(t.v -> 'windSpeed' ->> 1)::float8`
  const { rows: lifts } = await sql<{ n: number }>`select count(*)::int as n from (${liftIds(scope)}) l`.execute(db)
  const { rows: spans } = await sql<{ day: string; spans: number; wind: number | null; stopped: number }>`
    select to_char(t.ts at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day, count(*)::int as spans, max(${wind}) as wind,
      count(*) filter (where ${wind} >= ${windStop})::int as stopped
    from telemetry_5m t where t.device_id in (${liftIds(scope)}) and t.ts >= ${from} and t.ts < ${to} group by 1`.execute(db)
  const { rows: alarms } = await sql<{ day: string; n: number }>`
    select to_char(a.start_time at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day, count(*)::int as n from alarm a
    where a.device_id in (${liftIds(scope)}) and a.alarm_key not in ('offline', 'safetyDeviceExpiring') and not a.simulated
      and a.start_time >= ${from} and a.start_time < ${to} group by 1`.execute(db)
  const byDay = await runGroups(db, filter, 'day')
  const byQuarter = await runGroups(db, filter, 'quarter')
  const byFloor = await runGroups(db, filter, 'floor')
  const byLoad = await runGroups(db, filter, 'load')
  const byDriver = seen(await runGroups(db, filter, 'driver'))
  const sum = (pick: (one: (typeof byDay)[number]) => number) => byDay.reduce((total, one) => total + pick(one), 0)
  const count = lifts[0]?.n ?? 0
  const wanted = Math.max(1, count * ((period.to - period.from) / (rowMinutes * 60_000)))
  return {
    coverage: Math.min(
      100,
      percentOf(
        spans.reduce((total, one) => total + one.spans, 0),
        wanted,
      ),
    ),
    lifts: count,
    figures: {
      runs: sum((one) => one.runs),
      persons: sum((one) => one.persons),
      hours: rounded(sum((one) => one.hours)),
      overPersonRuns: sum((one) => one.overPersonRuns),
      overLoadRuns: sum((one) => one.overLoadRuns),
      doorOpenRuns: sum((one) => one.doorOpenRuns),
      alarms: alarms.reduce((total, one) => total + one.n, 0),
      windStopMinutes: spans.reduce((total, one) => total + one.stopped, 0) * rowMinutes,
    },
    quarters: byQuarter.map((one) => ({
      from: one.key,
      runs: one.runs,
      persons: one.persons,
      full: one.full,
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
      const told = spans.find((one) => one.day === day)
      return {
        day,
        runs: runs?.runs ?? 0,
        persons: runs?.persons ?? 0,
        overPersonRuns: runs?.overPersonRuns ?? 0,
        doorOpenRuns: runs?.doorOpenRuns ?? 0,
        alarms: alarms.find((one) => one.day === day)?.n ?? 0,
        maxWindSpeed: told?.wind ?? null,
        coverage: Math.min(100, percentOf(told?.spans ?? 0, count * ((24 * 60) / rowMinutes))),
      }
    }),
    illegalBy: byDriver
      .filter((one) => one.illegal > 0)
      .map(({ name, runs, overPersonRuns, doorOpenRuns, illegal }) => ({ name, runs, overPersonRuns, doorOpenRuns, illegal }))
      .sort((a, b) => b.illegal - a.illegal),
  }
}

/** Every Shanghai day of a period, the first and the last as well where they are not whole. */
export function daysOf({ from, to }: Period): string[] {
  const first = formatDay(from)
  const count = Math.max(0, Math.round((startOfDay(formatDay(to - 1)) - startOfDay(first)) / dayMs) + 1)
  return Array.from({ length: count }, (_, i) => addDays(first, i))
}

interface RankRow {
  deviceId: string
  deviceName: string
  projectCode: string
  projectName: string
  areaCode: string
  ownerCorpName: string | null
  modelName: string | null
  safetyDeviceExpiry: string | null
  spans: number
  runs: number
  overPersonRuns: number
  doorOpenRuns: number
  unrecognised: number
  handledSeconds: number | null
  offlineSeconds: number
}

/** More than a city has. */
const mostLifts = 5_000

/** Every lift of the scope by its rates over a period; what their data can carry decides in which list they stand. */
export async function liftRanks(db: Tx, scope: Scope, now: number) {
  const [from, to] = [new Date(scope.period.from), new Date(Math.min(scope.period.to, now))]
  const { rows } = await sql<RankRow>`
    with lift as materialized (
      select d.id, d.name, d.project_code, p.name as project_name, p.area_code, ${ownerColumns}, ${expiryOf} as expiry
      from device d join project p on p.project_code = d.project_code where d.id in (${liftIds(scope)})),
    t as (select device_id, count(*)::int as n from telemetry_5m where device_id in (select id from lift) and ts >= ${from} and ts < ${to} group by 1),
    c as (
      select r.device_id, count(*)::int as n, count(*) filter (where ${overPersons})::int as overs, count(*) filter (where ${unrecognised})::int as unknown
      from record_now r join device d on d.id = r.device_id
      where r.record = 'workingCycle' and r.device_id in (select id from lift) and r.ts >= ${from} and r.ts < ${to} group by 1),
    o as (select x.device_id, count(*)::int as n from (${openDoorRuns(scope)}) x group by 1),
    a as (
      select device_id, avg(extract(epoch from handle_time - fire_time)) filter (where handle_time is not null)::float8 as handled
      from alarm where device_id in (select id from lift) and alarm_key <> 'offline' and not simulated and start_time >= ${from} and start_time < ${to} group by 1),
    s as (
      select device_id, sum(greatest(0, extract(epoch from ended - begun)))::float8 as seconds from (
        select e.device_id, greatest(coalesce(to_timestamp((e.data ->> 'since')::float8 / 1000), e.ts), ${from}::timestamptz) as begun,
          least(coalesce((select min(b.ts) from device_event b where b.device_id = e.device_id and b.kind = 'online' and b.ts > e.ts), ${to}::timestamptz), ${to}::timestamptz) as ended
        from device_event e where e.kind = 'offline' and e.device_id in (select id from lift) and e.ts < ${to}::timestamptz and e.ts > ${from}::timestamptz - interval '60 days') x
      group by 1)
    select lift.id as device_id, lift.name as device_name, lift.project_code, lift.project_name, lift.area_code, lift.owner_corp_name, lift.model_name, lift.expiry as safety_device_expiry,
      coalesce(t.n, 0) as spans, coalesce(c.n, 0) as runs, coalesce(c.overs, 0) as over_person_runs, coalesce(o.n, 0) as door_open_runs,
      coalesce(c.unknown, 0) as unrecognised, a.handled as handled_seconds, coalesce(s.seconds, 0) as offline_seconds
    from lift left join t on t.device_id = lift.id left join c on c.device_id = lift.id left join o on o.device_id = lift.id
      left join a on a.device_id = lift.id left join s on s.device_id = lift.id
    order by lift.id limit ${mostLifts}`.execute(db)
  const length = (to.getTime() - from.getTime()) / 1000
  return rows.map((r) => rankOf(r, length, now))
}

const perThousand = (part: number, whole: number) => (whole >= leastCycles ? rounded((part / whole) * 1000) : null)

function rankOf({ spans, unrecognised: unknown, handledSeconds, offlineSeconds, ...r }: RankRow, length: number, now: number) {
  const coverage = Math.min(100, percentOf(spans * rowMinutes * 60, length))
  const rank = {
    ...r,
    areaName: areaName(r.areaCode),
    coverage,
    // Of few runs a rate is chance.
    overPer1000: perThousand(r.overPersonRuns, r.runs),
    doorOpenPer1000: perThousand(r.doorOpenRuns, r.runs),
    noDriverPercent: r.runs > 0 ? percentOf(unknown, r.runs) : null,
    onlinePercent: percentOf(length - Math.min(length, offlineSeconds), length),
    handledHours: handledSeconds === null ? null : rounded(handledSeconds / 3600),
    expiryDays: daysUntil(r.safetyDeviceExpiry, now),
    doubtful: coverage < leastCoverage,
  }
  return { ...rank, reason: reasonOf(rank) }
}

/** A safety device is calibrated once a year; a month before it is arranged. */
const dueSoonDays = 30
const manyUnknown = 5

/** Why a lift stands where it does, in one sentence. */
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
