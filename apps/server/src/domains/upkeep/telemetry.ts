import { hourMs } from '@zhugong/contract/kit/time'
import { workingCycleOf } from '@zhugong/contract/telemetry/known-records'
import type { Telemetry } from '@zhugong/contract/upkeep/telemetry'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'

/** Cycles and alarms shown. */
const mostCycles = 8
const mostAlarms = 8

interface Cycles {
  n: number
  seconds: number
  load: number | null
  share: number | null
  during: number
  last: Date | null
}

/** What the linked sensor says of a machine since `from`; null: nothing watches it. `stops`: when the machine had to stand. */
export async function telemetryOf(
  ctx: Pick<Context, 'db' | 'clock'>,
  deviceId: string | null,
  from: Date,
  stops: { from: Date | null; until: Date | null },
): Promise<Telemetry | null> {
  if (deviceId === null) return null
  const { rows: devices } = await sql<{ name: string }>`select name from device where id = ${deviceId}`.execute(ctx.db)
  const [device] = devices
  if (!device) return null
  const isStopped = sql`coalesce(r.ts > ${stops.from}::timestamptz and r.ts < coalesce(${stops.until}::timestamptz, 'infinity'), false)`
  const { rows } = await sql<Cycles>`select count(*)::int as n, coalesce(sum((r.data ->> 'durationSeconds')::float8), 0)::float8 as seconds,
      max((r.data ->> 'maxLoad')::float8) as load, max((r.data ->> 'maxLoadPercent')::float8) as share,
      (count(*) filter (where ${isStopped}))::int as during, max(r.ts) filter (where ${isStopped}) as last
    from device_record r where r.device_id = ${deviceId} and r.record = 'workingCycle' and r.ts >= ${from}`.execute(ctx.db)
  const sum = rows[0]
  const { rows: recent } = await sql<{
    id: string
    ts: Date
    data: Record<string, unknown>
    stopped: boolean
  }>`select r.id, r.ts, r.data, ${isStopped} as stopped
    from device_record r where r.device_id = ${deviceId} and r.record = 'workingCycle' and r.ts >= ${from} order by r.ts desc limit ${mostCycles}`.execute(
    ctx.db,
  )
  const { rows: alarms } = await sql<{
    id: string
    label: string
    level: number
    at: Date
    active: boolean
  }>`select a.id::text as id, a.label, a.level, a.start_time as at, a.active
    from alarm a where a.device_id = ${deviceId} and a.start_time >= ${from} and not a.simulated and not a.historical
    order by a.active desc, a.start_time desc limit ${mostAlarms}`.execute(ctx.db)
  return {
    deviceId,
    deviceName: device.name,
    from: formatInstant(from),
    cycles: sum?.n ?? 0,
    hours: Math.round(((sum?.seconds ?? 0) / 3600) * 10) / 10,
    maxLoad: sum?.load ?? null,
    maxLoadPercent: sum?.share ?? null,
    whileStopped: sum?.during ?? 0,
    lastWhileStopped: sum?.last ? formatInstant(sum.last) : null,
    recent: recent.map(({ id, ts, data, stopped }) => {
      const cycle = workingCycleOf({ time: ts.getTime(), data })
      return {
        id,
        start: formatInstant(cycle.startTime),
        end: formatInstant(cycle.endTime),
        maxLoad: cycle.maxLoad,
        maxLoadPercent: cycle.maxLoadPercent,
        stopped,
      }
    }),
    alarms: alarms.map(({ at, ...one }) => ({ ...one, at: formatInstant(at) })),
  }
}

/** Hours that a machine ran between two moments, to a tenth. */
export async function hoursRun(ctx: Pick<Context, 'db'>, deviceId: string, from: Date, until: Date): Promise<number> {
  const { rows } = await sql<{
    seconds: number
  }>`select coalesce(sum((data ->> 'durationSeconds')::float8), 0)::float8 as seconds from device_record
    where device_id = ${deviceId} and record = 'workingCycle' and ts >= ${from} and ts < ${until}`.execute(ctx.db)
  return Math.round(((rows[0]?.seconds ?? 0) * 1000 * 10) / hourMs) / 10
}
