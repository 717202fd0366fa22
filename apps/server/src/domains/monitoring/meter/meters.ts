import type { Sort } from '@zhugong/contract/kit/list'
import { dayMs } from '@zhugong/contract/kit/time'
import * as calls from '@zhugong/contract/monitoring/meter/meters'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatDay, startOfDay } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Tx } from '#kit/db'
import { declared } from '#kit/declared-keys'
import type { HandlerOf, Serve } from '#kit/serve'
import type { ListContext } from '../../exports/registry.ts'
import { type DeviceRow, getDeviceRow } from '../shared/devices.ts'
import { lastDays, numberOr, rounded, textOr, todayStart } from '../shared/family.ts'
import { infoOf, lineOf } from '../shared/family-reads.ts'
import { cut, inRange } from '../shared/in-memory.ts'
import { type Period, periodOf } from '../shared/period.ts'
import { at, counterSpans } from './counter-spans.ts'
import { familyOfKind, meterKinds as kinds, type MeterFamily, ratioOf, registerOf } from './meter-kinds.ts'
import { type NumericRange, settlementPage } from './meter-sheets.ts'
import { usageSpans } from './usage.ts'

const steps = { '15m': 900_000, hour: 3_600_000, day: dayMs } as const
type Step = keyof typeof steps

const spansOf = (db: Tx, deviceId: string, family: MeterFamily, stepMs: number, period: Period, metrics: readonly string[] = []) =>
  counterSpans(db, { devices: [deviceId], family, counter: kinds[family].counter, stepMs, period }, metrics)

/** The last reading within a week before a period: the start value of its first interval. */
async function readingBefore(db: Tx, deviceId: string, family: MeterFamily, from: number, stepMs: number) {
  const last = (await spansOf(db, deviceId, family, stepMs, { from: from - 7 * dayMs, to: from })).at(-1)
  return last ? { time: last.time, reading: last.runs?.at(-1)?.last ?? last.high } : undefined
}

async function usageOf(db: Tx, row: DeviceRow, family: MeterFamily, step: Step, period: Period) {
  const spans = await spansOf(db, row.id, family, steps[step], period)
  const before = await readingBefore(db, row.id, family, period.from, steps[step])
  return usageSpans(spans, steps[step], ratioOf(row), before, registerOf(row))
}

/** Consumption today, yesterday and in the month so far. */
async function sumsOf(ctx: Context, row: DeviceRow, family: MeterFamily) {
  const now = ctx.clock.now()
  const firstOfMonth = startOfDay(`${formatDay(now).slice(0, 7)}-01`)
  const from = Math.min(firstOfMonth, todayStart(now) - dayMs)
  const days = await usageOf(ctx.db, row, family, 'day', { from, to: now + 1 })
  const of = (time: number) => days.find((d) => d.time === time)?.usage ?? null
  const month = days.filter((d) => d.time >= firstOfMonth)
  return {
    ratio: ratioOf(row),
    area: textOr(row.params.area),
    parentId: textOr(row.params.parentId),
    todayUsage: of(todayStart(now)),
    yesterdayUsage: of(todayStart(now) - dayMs),
    monthUsage: month.length
      ? rounded(
          month.reduce((sum, d) => sum + (d.usage ?? 0), 0),
          4,
        )
      : null,
    quota: numberOr(row.params[kinds[family].quota]),
    params: row.params,
  }
}

const nightHours = 6

/** The lowest five-minute mean of each of the last seven nights. */
async function nightsOf(ctx: Context, row: DeviceRow) {
  const days = lastDays(ctx.clock.now(), 7)
  const { rows } = await sql<{ day: string; minFlow: number }>`
    select to_char(t.ts at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day, min(${at('flowRate', 2)} / nullif(${at('flowRate', 3)}, 0)) as min_flow
    from telemetry_5m t where t.device_id = ${row.id} and t.ts >= ${new Date(startOfDay(days[0] ?? ''))} and t.v ? 'flowRate'
      and extract(hour from t.ts at time zone 'Asia/Shanghai') < ${nightHours} group by 1 order by 1`.execute(ctx.db)
  return rows.flatMap((r) => (r.minFlow === null ? [] : [{ day: r.day, minFlow: rounded(r.minFlow, 4) }]))
}

/** Default step: one that gives some fifty to three hundred columns. */
const stepFor = (period: Period, wished: Step | undefined): Step =>
  wished ?? (period.to - period.from <= 3 * dayMs ? '15m' : period.to - period.from <= 14 * dayMs ? 'hour' : 'day')

async function meterLine(
  ctx: Context,
  family: MeterFamily,
  query: {
    deviceId: string
    metrics?: string[] | undefined
    points: number
    step?: Step | undefined
    startTime?: string | undefined
    endTime?: string | undefined
  },
) {
  const { row, list, total, bucketSeconds, period } = await lineOf(ctx, family, query, kinds[family].line, undefined, dayMs)
  const usage = await usageOf(ctx.db, row, family, stepFor(period, query.step), period)
  return {
    list,
    total,
    bucketSeconds,
    usage: usage.flatMap((u) => (u.usage === null ? [] : [{ time: u.time, usage: u.usage, estimated: u.estimated, entered: u.entered }])),
    usageUnit: kinds[family].unit,
  }
}

const recordMetrics = {
  electricMeter: [
    'peakEnergy',
    'flatEnergy',
    'valleyEnergy',
    'activePower',
    'voltageA',
    'voltageB',
    'voltageC',
    'currentA',
    'currentB',
    'currentC',
    'powerFactor',
    'residualCurrent',
    'cableTemperature',
  ],
  waterMeter: ['flowRate', 'pressure', 'temperature', 'batteryVoltage'],
} as const

type MeterReading = z.output<typeof calls.meterReading>
interface ReadingQuery {
  deviceId?: string | undefined
  kind: 'electric' | 'water'
  step: Step
  usage?: NumericRange | undefined
  estimated?: '0' | '1' | undefined
  sort?: Sort<string> | undefined
  page: number
  size: number
  startTime?: string | undefined
  endTime?: string | undefined
}

/** Readings of one meter with consumption, shared by list and export. */
export async function meterReadingPage(ctx: ListContext, query: ReadingQuery): Promise<{ list: MeterReading[]; total: number }> {
  const family = familyOfKind(query.kind)
  if (!query.deviceId) return { list: [], total: 0 }
  const row = await getDeviceRow(ctx, query.deviceId, family)
  const period = periodOf(query, ctx.clock.now(), dayMs, 400 * dayMs)
  const stepMs = steps[query.step]
  const rows = await spansOf(ctx.db, row.id, family, stepMs, period, recordMetrics[family])
  const means = new Map(rows.map((r) => [r.time, r.means]))
  const before = await readingBefore(ctx.db, row.id, family, period.from, stepMs)
  const spans = usageSpans(rows, stepMs, ratioOf(row), before, registerOf(row)).filter((s) => s.time >= period.from - stepMs)
  if (query.sort !== 'time') spans.reverse()
  const wanted = spans.filter(
    (one) => inRange(one.usage, query.usage) && (query.estimated === undefined || one.estimated === (query.estimated === '1')),
  )
  const { list, total } = cut(wanted, query)
  return {
    list: list.map((s) => ({
      deviceId: row.id,
      deviceName: row.name,
      ...s,
      values: Object.fromEntries(
        Object.entries(means.get(s.time) ?? {}).flatMap(([k, v]) => (typeof v === 'number' ? [[k, rounded(v, 3)]] : [])),
      ),
    })),
    total,
  }
}

export function meterRoutes(serve: Serve): void {
  serve(calls.electricInfo, async ({ params }, ctx) => {
    const row = await getDeviceRow(ctx, params.id, 'electricMeter')
    return { ...(await infoOf(ctx, row)), ...(await sumsOf(ctx, row, 'electricMeter')) }
  })
  serve(calls.waterInfo, async ({ params }, ctx) => {
    const row = await getDeviceRow(ctx, params.id, 'waterMeter')
    return { ...(await infoOf(ctx, row)), ...(await sumsOf(ctx, row, 'waterMeter')), nights: await nightsOf(ctx, row) }
  })
  serve(calls.electricLine, ({ query }, ctx) => meterLine(ctx, 'electricMeter', query))
  serve(calls.waterLine, ({ query }, ctx) => meterLine(ctx, 'waterMeter', query))
  serve(calls.electricRecords, electricRecords)
}

const electricRecords: HandlerOf<typeof calls.electricRecords> = async ({ query }, ctx) =>
  declared(calls.electricRecords, await (query.groupBy ? settlementPage(ctx, query) : meterReadingPage(ctx, query)))
