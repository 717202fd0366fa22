import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { type CameraRules, whyKept } from '@zhugong/contract/monitoring/video/camera-ai'
import type { rehearseTrigger } from '@zhugong/contract/rules/endpoints'
import { familyNamed } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import { offThread } from '#kit/off-thread/off-thread'
import { recognition } from './cameras.ts'
import { countings } from './defaults.ts'
import { recordsOf } from './record-log.ts'
import type { HistoryPiece, RehearsalAnswer, RehearsalWork } from './rehearse-thread.ts'
import { type ReadyTrigger, readyTrigger } from './trigger.ts'
import { checkMeaning, optionsOf } from './trigger-checks.ts'

type Parsed = typeof rehearseTrigger extends Endpoint<infer _I, infer P, infer _O> ? P : never
type Body = Parsed['body']

const mostRows = 300_000
const longestMs = 92 * 86_400_000
const sliceMs = 86_400_000
/** Rows passed per message: a few milliseconds of this thread's time. */
const pieceRows = 5_000
/** Enough for the maximum number of rows under any rule that can be saved. */
const timeLimitMs = 30_000
const tooLong = `试算超过 ${timeLimitMs / 1000} 秒，请缩短时间范围、减少设备或简化条件`

export async function rehearseCall(ctx: Context, body: Body): Promise<RehearsalAnswer> {
  const family = familyNamed(body.trigger.family)
  if (!family) throw new AppError('invalidInput', '设备类型不存在', { field: 'trigger.family' })
  const { counting } = body.trigger
  const counted = counting && Object.hasOwn(countings, counting) ? { daySeconds: countings[counting] } : {}
  const options = { ...optionsOf(body.trigger), ...counted }
  checkMeaning(family, { levels: body.trigger.levels, options }, 'trigger.')
  const work: RehearsalWork = {
    family: family.key,
    trigger: { levels: body.trigger.levels as never, schedule: body.trigger.schedule, options },
    staleSeconds: body.trigger.noDataSeconds ?? undefined,
    restarts: body.restarts?.map(millis),
    until: body.until === undefined ? undefined : millis(body.until),
    params: { ...(body.trigger.params ?? {}), ...(body.params ?? {}) },
    intervalSeconds: body.trigger.intervalSeconds,
    samples: undefined,
    period: undefined,
  }
  if (Array.isArray(body.samples)) {
    const samples = body.samples.map((s) => ({
      ...s,
      time: millis(s.time),
      receivedAt: s.receivedAt === undefined ? undefined : millis(s.receivedAt),
    }))
    return inThread(ctx, { ...work, samples })
  }
  const period = { from: millis(body.samples.from), to: millis(body.samples.to) }
  if (!(period.from < period.to)) throw new AppError('invalidInput', '开始时间应早于结束时间', { field: 'samples.to' })
  if (period.to - period.from > longestMs) throw new AppError('invalidInput', '试算最多 92 天', { field: 'samples.from' })
  const devices = await findDevices(ctx, family.key, body.samples.deviceIds)
  if (devices.length === 0) throw new AppError('notFound', '设备不存在或不属于此设备类型', { field: 'samples.deviceIds' })
  return inThread(ctx, { ...work, period }, history(ctx, readyTrigger(work.trigger), devices, period))
}

/** Runs in a worker thread, because thousands of readings under a user-defined rule would block the main thread. */
const inThread = (ctx: Context, work: RehearsalWork, pieces?: AsyncIterable<HistoryPiece>) =>
  offThread.run<RehearsalAnswer>(new URL('./rehearse-thread.ts', import.meta.url), work, {
    group: ctx.group.id,
    timeLimitMs,
    tooLong,
    signal: ctx.gone,
    pieces: pieces || undefined,
  })

function millis(given: number | string): number {
  return typeof given === 'number' ? given : (parseInstant(given) ?? Number.NaN)
}

type Device = Extract<HistoryPiece, { device: unknown }>['device']

async function findDevices(ctx: Context, family: string, deviceIds: readonly string[]): Promise<Device[]> {
  const projects = ctx.scopeChecks && !ctx.scope.all ? ctx.scope.projects : undefined
  const { rows } = await sql<Device>`
    select id, name, params, interval_seconds from device
    where id = any (${deviceIds}) and family = ${family} and ${allOf(...inProjects('project_code', projects))} order by name`.execute(
    ctx.db,
  )
  return rows.map((d) => ({ ...d, intervalSeconds: Number(d.intervalSeconds) }))
}

/**
 * Yields the stored readings of devices in a period piece by piece.
 * @throws AppError when there are more rows than one rehearsal may read.
 */
async function* history(
  ctx: Context,
  trigger: ReadyTrigger,
  devices: readonly Device[],
  period: { from: number; to: number },
): AsyncGenerator<HistoryPiece> {
  let left = mostRows
  const counted = (n: number) => {
    left -= n
    if (left < 0) throw new AppError('refused', '数据量过大，请缩短时间范围或减少设备')
  }
  for (const device of devices) {
    yield { device }
    const { records, n } = await recordsIn(ctx, trigger, device.id, period, left)
    counted(n)
    if (n) yield { records: trigger.on === recognition ? await onlyReported(ctx, device.id, records) : records }
    if (trigger.on !== undefined) continue
    // A day at a time, as they are stored.
    for (let at = period.from; at <= period.to; at += sliceMs) {
      for await (const { readings, n } of readingsIn(ctx, device.id, at, Math.min(at + sliceMs - 1, period.to))) {
        counted(n)
        yield { readings }
      }
    }
  }
}

/** Drops camera events that the site only records, since they open no alarm. */
async function onlyReported(ctx: Context, deviceId: string, records: string): Promise<string> {
  const { rows } =
    await sql<CameraRules>`select c.thresholds, c.zones from camera_ai c join device d on d.id = c.device_id and d.project_code = c.project_code
    where c.device_id = ${deviceId}`.execute(ctx.db)
  const all = JSON.parse(records) as [record: string, time: number, receivedAt: number, data: Record<string, unknown>][]
  return JSON.stringify(
    all.filter(
      ([record, time, , { type, confidence, boxes }]) =>
        record !== recognition || whyKept(rows[0], { type, confidence, boxes }, time) === null,
    ),
  )
}

/** The records a rule needs, as one JSON text built by the database. */
async function recordsIn(ctx: Context, trigger: ReadyTrigger, deviceId: string, period: { from: number; to: number }, most: number) {
  const kinds = new Map<string, number>()
  for (const level of trigger.levels) recordsOf(level.condition, trigger.on, kinds)
  if (trigger.on !== undefined) kinds.set(trigger.on, kinds.get(trigger.on) ?? 0)
  if (kinds.size === 0) return { records: '[]', n: 0 }
  const back = Math.max(0, ...kinds.values())
  const { rows } = await sql<{ records: string; n: number }>`
    select coalesce(json_agg(json_build_array(record, ${millisOf('ts')}, ${millisOf('received_at')}, data) order by ts)::text, '[]') as records, count(*)::int as n
    from (select record, ts, received_at, data from device_record
      where device_id = ${deviceId} and record = any (${[...kinds.keys()]}) and ts >= ${new Date(period.from - back)} and ts <= ${new Date(period.to)}
      order by ts limit ${most + 1}) r`.execute(ctx.db)
  return rows[0] ?? { records: '[]', n: 0 }
}

async function* readingsIn(ctx: Context, deviceId: string, from: number, to: number): AsyncGenerator<{ readings: string; n: number }> {
  let after = sql``
  for (;;) {
    const { rows } = await sql<{ readings: string; n: number; lastTs: string; lastSeq: string }>`
      select json_agg(json_build_array(${millisOf('ts')}, seq, ${millisOf('received_at')}, schema_ver, v, w, extra, quality) order by ts, seq)::text as readings,
        count(*)::int as n, max(ts)::text as last_ts, (array_agg(seq order by ts desc, seq desc))[1]::text as last_seq
      from (select ts, seq, received_at, schema_ver, v, w, extra, quality from telemetry
        where device_id = ${deviceId} and ts >= ${new Date(from)} and ts <= ${new Date(to)} ${after} order by ts, seq limit ${pieceRows}) t`.execute(
      ctx.db,
    )
    const [page] = rows
    if (!page?.n) return
    yield page
    if (page.n < pieceRows) return
    after = sql`and (ts, seq) > (${page.lastTs}::timestamptz, ${page.lastSeq}::bigint)`
  }
}

const millisOf = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::bigint`
