import { AppError } from '@zhugong/contract/kit/errors'
import { type Family, familyOf, storedOrder } from '@zhugong/contract/telemetry/families'
import type { Work } from '#kit/off-thread/messages'
import { fromColumns, readTelemetry } from '../readings/public.ts'
import { mostSteps, OverBudget } from './budget.ts'
import { metricsOf } from './conditions.ts'
import type { RehearsalSample } from './given-records.ts'
import { type Rehearsal, type RehearsalEvent, type RehearsalInput, rehearse } from './rehearse.ts'
import { type ReadyTrigger, readyTrigger } from './trigger.ts'
import type { TriggerParts } from './trigger-parts.ts'

/** A rehearsal request for a worker thread: plain data. Times are epoch milliseconds. */
export interface RehearsalWork {
  family: string
  trigger: TriggerParts
  staleSeconds: number | undefined
  restarts: number[] | undefined
  until: number | undefined
  params: Record<string, unknown>
  /** Always used for given samples; for stored ones only if it differs from the device's own. */
  intervalSeconds: number | undefined
  /** Given samples; undefined for the stored readings of the period, which arrive in pieces. */
  samples: GivenSample[] | undefined
  period: { from: number; to: number } | undefined
}

export interface GivenSample {
  time: number
  receivedAt: number | undefined
  seq?: number | undefined
  data: Record<string, unknown>
  quality?: Record<string, string> | string | null | undefined
  params?: Record<string, unknown> | undefined
  record?: string | undefined
}

/** A device, followed by its stored data as JSON text from the database, which is not parsed on the main thread. */
export type HistoryPiece =
  | { device: { id: string; name: string; params: Record<string, unknown>; intervalSeconds: number } }
  | { records: string }
  | { readings: string }

type StoredRecord = [record: string, time: number, receivedAt: number, data: Record<string, unknown>]
type StoredReading = [
  time: number,
  seq: number,
  receivedAt: number,
  schemaVer: number,
  v: (number | null)[],
  w: (number | null)[] | null,
  extra: Record<string, unknown> | null,
  quality: Record<string, string> | null,
]

type Span = [time: number, mean: number, least: number, greatest: number]
export interface RehearsalAnswer extends Rehearsal {
  events: (RehearsalEvent & { deviceId?: string })[]
  devices?: { deviceId: string; deviceName: string; opens: number; nights: number; series: Span[] }[]
}

/** Keys that distinguish the points of one device. */
export const pointNames = ['pointCode', 'cage', 'tagId']

export const work: Work<RehearsalWork, RehearsalAnswer, HistoryPiece> = (input, pieces) => {
  const family = familyOf(input.family) as Family
  const trigger = readyTrigger(input.trigger)
  if (!input.samples) return overHistory(input, family, trigger, pieces)
  const samples = input.samples.map((s) => givenSample(family, trigger, s))
  return within({ ...input, trigger, family, samples, intervalSeconds: input.intervalSeconds ?? family.intervalSeconds })
}

/**
 * Runs the rehearsal. A live rule that exceeds the budget is suspended; here it is reported.
 * @throws AppError when the rule exceeds the budget.
 */
function within(input: RehearsalInput): Rehearsal {
  try {
    return rehearse(input)
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error
    throw new AppError('refused', `规则的计算量过大：单次判定超过 ${mostSteps} 步，请缩短统计窗口或减少条件`, { field: 'trigger.levels' })
  }
}

function givenSample(family: Family, trigger: ReadyTrigger, { data, quality, ...rest }: GivenSample): RehearsalSample {
  const isRecord = rest.record !== undefined || trigger.on !== undefined
  return { ...rest, ...(isRecord ? { data } : asRead(family, rest.time, data, quality)) }
}

/** Decodes a given sample like a device's message: types, plausible ranges, derived values. */
function asRead(family: Family, time: number, data: Record<string, unknown>, quality: GivenSample['quality']) {
  const words = typeof quality === 'string' ? Object.fromEntries(Object.keys(data).map((key) => [key, quality])) : (quality ?? undefined)
  const { accepted } = readTelemetry(family, { time, data, quality: words }, 0, time)
  return { data: accepted?.values ?? {}, quality: accepted?.quality ?? undefined }
}

async function overHistory(input: RehearsalWork, family: Family, trigger: ReadyTrigger, pieces: AsyncIterable<HistoryPiece>) {
  const { from, to } = input.period as { from: number; to: number }
  const events: (RehearsalEvent & { deviceId: string })[] = []
  const devices: NonNullable<RehearsalAnswer['devices']> = []
  const [level] = trigger.levels
  const metric = level && metricsOf(level.condition)[0]
  const wanted = new Set([...trigger.metrics, ...trigger.lookBack.keys(), ...trigger.onlyWhen.flatMap(metricsOf), ...pointNames])
  let evaluated = 0
  let device: Extract<HistoryPiece, { device: unknown }>['device'] | undefined
  let samples: RehearsalSample[] = []
  const finish = () => {
    if (!device) return
    const { id: deviceId, name: deviceName, params } = device
    const intervalSeconds = input.intervalSeconds ?? device.intervalSeconds
    const out = within({ ...input, trigger, family, params: { ...params, ...input.params }, samples: inOrder(samples), intervalSeconds })
    evaluated += out.evaluated
    for (const event of out.events) events.push({ ...event, deviceId })
    devices.push({ deviceId, deviceName, opens: out.opens, nights: out.nights, series: curveOf(samples, metric, from, to) })
  }
  for await (const piece of pieces) {
    if ('device' in piece) {
      finish()
      device = piece.device
      samples = []
    } else if ('records' in piece) {
      for (const [record, time, receivedAt, data] of JSON.parse(piece.records) as StoredRecord[])
        samples.push({ record, time, receivedAt, data })
    } else {
      for (const row of JSON.parse(piece.readings) as StoredReading[]) {
        const sample = readingOf(family, row, wanted)
        if (sample) samples.push(sample)
      }
    }
  }
  finish()
  devices.sort((a, b) => b.opens - a.opens)
  return {
    events: events.sort((a, b) => a.time - b.time),
    evaluated,
    opens: devices.reduce((sum, d) => sum + d.opens, 0),
    nights: devices.reduce((sum, d) => sum + d.nights, 0),
    devices,
  }
}

/** Keeps only the metrics the rule uses: a month of a busy machine is a quarter of a million readings. */
function readingOf(family: Family, row: StoredReading, wanted: ReadonlySet<string>): RehearsalSample | undefined {
  const [time, seq, receivedAt, schemaVer, v, w, extra, quality] = row
  const order = storedOrder(family.key, schemaVer)
  if (!order) return undefined
  const all = fromColumns(order, { v, w, extra })
  const data: Record<string, unknown> = {}
  for (const key of wanted) if (all[key] !== undefined) data[key] = all[key]
  return { time, receivedAt, seq, data, quality: quality ?? undefined }
}

const inOrder = (samples: RehearsalSample[]) =>
  samples.sort((a, b) => (a.receivedAt ?? a.time) - (b.receivedAt ?? b.time) || a.time - b.time)

/** About as many as a chart has pixels. */
const mostSpans = 600

/** The curve of the metric the rule uses: good values, aggregated in intervals of equal length. */
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
