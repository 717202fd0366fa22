import { type FactInput, factKinds } from '@zhugong/contract/daylogs/fields'
import { windForce } from '@zhugong/contract/daylogs/rules'
import type { Fact, Prefill } from '@zhugong/contract/daylogs/shapes'
import { sql } from 'kysely'
import { startOfDay } from '#kit/clock'
import type { Context } from '#kit/context'
import { hasCome } from '../attendance/public.ts'
import { type Day, type Recorded, sources } from './sources.ts'

type Reader = Pick<Context, 'db'>
const dayMs = 86_400_000

/** Everything that the day recorded. */
export async function factsOf(ctx: Reader, day: Day): Promise<Fact[]> {
  const all: Fact[] = []
  for (const { kind, ofDay } of sources) all.push(...(await ofDay(ctx, day)).map((one) => toFact(kind, one)))
  return all
}

const toFact = (kind: FactInput['kind'], { words, ...one }: Recorded): Fact => ({ kind, kindName: factKinds[kind], text: words, ...one })

/** States of records as they are now, keyed by kind and id. */
export async function statesNow(ctx: Reader, kept: readonly { kind: string; refId: string }[]): Promise<Map<string, string | null>> {
  const now = new Map<string, string | null>()
  for (const { kind, now: read } of sources) {
    const ids = kept.filter((one) => one.kind === kind).map((one) => one.refId)
    if (ids.length === 0 || !read) continue
    for (const one of await read(ctx, ids)) now.set(`${kind} ${one.refId}`, one.state)
  }
  return now
}

/** People who came that day, by the gates; null where there is no attendance. */
export async function attended(ctx: Reader, projectCode: string, day: string): Promise<number | null> {
  const { rows } = await sql<{ n: number; known: number }>`select count(*) filter (where ${hasCome('d')})::int as n, count(*)::int as known
    from attendance_day d where d.project_code = ${projectCode} and d.work_day = ${day}::date`.execute(ctx.db)
  const { n = 0, known = 0 } = rows[0] ?? {}
  return known === 0 ? null : n
}

const tenth = (value: number) => Math.round(value * 10) / 10

/** The day by the site's own station; null without one. */
export async function weatherOf(ctx: Reader, projectCode: string, day: string): Promise<Prefill['weather']> {
  const from = startOfDay(day)
  type Raw = { name: string; low: number | null; high: number | null; wind: number | null }
  const { rows } =
    await sql<Raw>`select d.name, min((t.v -> 'temperature' ->> 0)::float8) as low, max((t.v -> 'temperature' ->> 1)::float8) as high,
      max((t.v -> 'windSpeed' ->> 1)::float8) as wind
    from device d join telemetry_5m t on t.device_id = d.id
    where d.project_code = ${projectCode} and d.family = 'environment' and t.ts >= ${new Date(from)} and t.ts < ${new Date(from + dayMs)}
    group by d.id, d.name order by count(*) desc, d.id limit 1`.execute(ctx.db)
  const one = rows[0]
  if (!one) return null
  return {
    station: one.name,
    tempLow: one.low === null ? null : tenth(one.low),
    tempHigh: one.high === null ? null : tenth(one.high),
    wind: one.wind === null ? null : windForce(one.wind),
  }
}

/** Tasks in work with their percent, for the log to say how far they came. */
export async function tasksInWork(ctx: Reader, projectCode: string, unitId: string | null, day: string): Promise<Prefill['tasks']> {
  const unit = unitId ? sql` and (t.unit_id = ${unitId} or t.unit_id is null)` : sql``
  const { rows } = await sql<
    Prefill['tasks'][number]
  >`select t.id as task_id, t.name, t.percent, t.plan_percent, t.delay_days from schedule_task t
    where t.project_code = ${projectCode} and t.leaf and t.plan_start <= ${day}::date and (t.actual_end is null or t.actual_end >= ${day}::date)
      and t.shown_at is not null${unit} order by t.plan_start, t.id limit 60`.execute(ctx.db)
  return rows
}
