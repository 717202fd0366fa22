import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import type { rehearseTrigger } from '@zhugong/contract/rules/endpoints'
import { type Family, familyNamed, storedOrder } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import { fromColumns, readTelemetry } from '../telemetry/public.ts'
import { metricsOf } from './conditions.ts'
import { countings } from './defaults.ts'
import { recordsOf } from './record-log.ts'
import { type RehearsalEvent, type RehearsalSample, rehearse } from './rehearse.ts'
import { type ReadyTrigger, readyTrigger } from './trigger.ts'
import { checkMeaning, optionsOf } from './trigger-checks.ts'

type Parsed = typeof rehearseTrigger extends Endpoint<infer _I, infer P, infer _O> ? P : never
type Body = Parsed['body']

const mostRows = 300_000
const longestMs = 92 * 86_400_000
const sliceMs = 86_400_000
/** What tells the points of one device apart. */
const pointNames = ['pointCode', 'cage', 'tagId']

export async function rehearseCall(ctx: Context, body: Body) {
  const family = familyNamed(body.trigger.family)
  if (!family) throw new AppError('invalidInput', '设备类型不存在', { field: 'trigger.family' })
  const { counting } = body.trigger
  const options = { ...optionsOf(body.trigger), ...(counting && countings[counting] ? { daySeconds: countings[counting] } : {}) }
  checkMeaning(family, { levels: body.trigger.levels, options }, 'trigger.')
  const trigger = readyTrigger({ levels: body.trigger.levels as never, schedule: body.trigger.schedule, options })
  const common = {
    trigger,
    family,
    staleSeconds: body.trigger.noDataSeconds ?? undefined,
    restarts: body.restarts?.map(millis),
    until: body.until === undefined ? undefined : millis(body.until),
  }
  const params = { ...(body.trigger.params ?? {}), ...(body.params ?? {}) }
  if (Array.isArray(body.samples)) {
    const samples = body.samples.map((s): RehearsalSample => {
      const time = millis(s.time)
      const isRecord = s.record !== undefined || trigger.on !== undefined
      return {
        time,
        receivedAt: s.receivedAt === undefined ? undefined : millis(s.receivedAt),
        seq: s.seq,
        params: s.params,
        record: s.record,
        ...(isRecord ? { data: s.data } : asRead(family, time, s.data, s.quality)),
      }
    })
    return rehearse({ ...common, params, samples, intervalSeconds: body.trigger.intervalSeconds ?? family.intervalSeconds })
  }
  return overHistory(ctx, family, trigger, { ...common, params }, body)
}

function millis(given: number | string): number {
  return typeof given === 'number' ? given : (parseInstant(given) ?? Number.NaN)
}

/** A given sample is read as a device's message is: types, what is believable, what follows from what. */
function asRead(family: Family, time: number, data: Record<string, unknown>, quality: Record<string, string> | string | null | undefined) {
  const words = typeof quality === 'string' ? Object.fromEntries(Object.keys(data).map((key) => [key, quality])) : (quality ?? undefined)
  const { accepted } = readTelemetry(family, { time, data, quality: words }, 0, time)
  return { data: accepted?.values ?? {}, quality: accepted?.quality ?? undefined }
}

type Common = Omit<Parameters<typeof rehearse>[0], 'samples' | 'intervalSeconds'>

async function overHistory(ctx: Context, family: Family, trigger: ReadyTrigger, common: Common, body: Body) {
  if (Array.isArray(body.samples)) throw new Error('history wanted')
  const [from, to] = [millis(body.samples.from), millis(body.samples.to)]
  if (!(from < to)) throw new AppError('invalidInput', '开始时间应早于结束时间', { field: 'samples.to' })
  if (to - from > longestMs) throw new AppError('invalidInput', '试算最多 92 天', { field: 'samples.from' })
  const { deviceIds } = body.samples
  const projects = ctx.scopeChecks && !ctx.scope.all ? ctx.scope.projects : undefined
  const { rows: devices } = await sql<{ id: string; name: string; params: Record<string, unknown>; intervalSeconds: number }>`
    select id, name, params, interval_seconds from device
    where id = any (${deviceIds}) and family = ${family.key} and ${allOf(...inProjects('project_code', projects))} order by name`.execute(
    ctx.db,
  )
  if (devices.length === 0) throw new AppError('notFound', '设备不存在或不属于此设备类型', { field: 'samples.deviceIds' })
  const events: (RehearsalEvent & { deviceId: string })[] = []
  const [level] = trigger.levels
  const metric = level && metricsOf(level.condition)[0]
  const perDevice: { deviceId: string; deviceName: string; opens: number; nights: number; series: Span[] }[] = []
  let evaluated = 0
  let left = mostRows
  for (const device of devices) {
    const samples = await samplesOf(ctx, family, trigger, device.id, { from, to }, left)
    left -= samples.length
    if (left < 0) throw new AppError('refused', '数据量过大，请缩短时间范围或减少设备')
    const out = rehearse({
      ...common,
      params: { ...device.params, ...common.params },
      samples,
      intervalSeconds: body.trigger.intervalSeconds ?? Number(device.intervalSeconds),
    })
    evaluated += out.evaluated
    events.push(...out.events.map((e) => ({ ...e, deviceId: device.id })))
    perDevice.push({
      deviceId: device.id,
      deviceName: device.name,
      opens: out.opens,
      nights: out.nights,
      series: curveOf(samples, metric, from, to),
    })
  }
  perDevice.sort((a, b) => b.opens - a.opens)
  return {
    events: events.sort((a, b) => a.time - b.time),
    evaluated,
    opens: perDevice.reduce((sum, d) => sum + d.opens, 0),
    nights: perDevice.reduce((sum, d) => sum + d.nights, 0),
    devices: perDevice,
  }
}

type Span = [time: number, mean: number, least: number, greatest: number]
/** As many as a chart has pixels to show. */
const mostSpans = 600

/** What the rule looked at, drawn: the good values of one metric in spans of equal length. */
function curveOf(samples: readonly RehearsalSample[], metric: string | undefined, from: number, to: number): Span[] {
  if (metric === undefined) return []
  const width = (to - from) / mostSpans
  const spans = new Map<number, { sum: number; n: number; least: number; greatest: number }>()
  for (const { time, data, quality } of samples) {
    const value = data[metric]
    if (typeof value !== 'number' || quality?.[metric] || time < from || time > to) continue
    const at = Math.floor((time - from) / width)
    const span = spans.get(at)
    if (!span) spans.set(at, { sum: value, n: 1, least: value, greatest: value })
    else {
      span.sum += value
      span.n++
      span.least = Math.min(span.least, value)
      span.greatest = Math.max(span.greatest, value)
    }
  }
  return [...spans].sort(([a], [b]) => a - b).map(([at, s]) => [Math.round(from + (at + 0.5) * width), s.sum / s.n, s.least, s.greatest])
}

/** Stored readings in the order they came, and the records a rule asks about. */
async function samplesOf(
  ctx: Context,
  family: Family,
  trigger: ReadyTrigger,
  deviceId: string,
  period: { from: number; to: number },
  most: number,
): Promise<RehearsalSample[]> {
  const kinds = new Map<string, number>()
  for (const level of trigger.levels) recordsOf(level.condition, trigger.on, kinds)
  if (trigger.on !== undefined) kinds.set(trigger.on, kinds.get(trigger.on) ?? 0)
  const back = Math.max(0, ...kinds.values())
  const { rows: records } = kinds.size
    ? await sql<{ record: string; ts: Date; receivedAt: Date; data: Record<string, unknown> }>`
        select record, ts, received_at, data from device_record
        where device_id = ${deviceId} and record = any (${[...kinds.keys()]}) and ts >= ${new Date(period.from - back)} and ts <= ${new Date(period.to)}
        order by ts limit ${most + 1}`.execute(ctx.db)
    : { rows: [] }
  const found: RehearsalSample[] = records.map((r) => ({
    time: r.ts.getTime(),
    receivedAt: r.receivedAt.getTime(),
    data: r.data,
    record: r.record,
  }))
  if (trigger.on !== undefined) return inOrder(found)
  const wanted = new Set([...trigger.metrics, ...trigger.lookBack.keys(), ...trigger.onlyWhen.flatMap(metricsOf), ...pointNames])
  // A day at a time, keeping what the rule looks at: a month of a busy machine is a quarter of a million readings.
  for (let at = period.from; at <= period.to && found.length <= most; at += sliceMs) {
    const end = Math.min(at + sliceMs - 1, period.to)
    const { rows } = await sql<{
      ts: Date
      seq: number
      receivedAt: Date
      schemaVer: number
      v: (number | null)[]
      w: (number | null)[] | null
      extra: Record<string, unknown> | null
      quality: Record<string, string> | null
    }>`
      select ts, seq, received_at, schema_ver, v, w, extra, quality from telemetry
      where device_id = ${deviceId} and ts >= ${new Date(at)} and ts <= ${new Date(end)} order by ts, seq limit ${most + 1}`.execute(ctx.db)
    for (const row of rows) {
      const order = storedOrder(family.key, row.schemaVer)
      if (!order) continue
      const all = fromColumns(order, row)
      const data: Record<string, unknown> = {}
      for (const key of wanted) if (all[key] !== undefined) data[key] = all[key]
      const { ts, receivedAt, seq, quality } = row
      found.push({ time: ts.getTime(), receivedAt: receivedAt.getTime(), seq: Number(seq), data, quality: quality ?? undefined })
    }
  }
  return inOrder(found)
}

const inOrder = (samples: RehearsalSample[]) =>
  samples.sort((a, b) => (a.receivedAt ?? a.time) - (b.receivedAt ?? b.time) || a.time - b.time)
