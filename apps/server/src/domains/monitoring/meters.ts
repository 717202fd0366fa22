import type { Sort } from '@zhugong/contract/kit/list'
import * as calls from '@zhugong/contract/monitoring/meters'
import { sql } from 'kysely'
import type { z } from 'zod'
import { addDays, dayMs, formatDay, startOfDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Tx } from '#kit/db'
import type { HandlerOf, Serve } from '#kit/serve'
import type { ListContext } from '../exports/registry.ts'
import {
  cut,
  type DeviceRow,
  findDeviceRows,
  getDeviceRow,
  infoOf,
  inRange,
  lineOf,
  type Period,
  periodOf,
  saysOf,
  sorted,
} from '../telemetry/views/public.ts'
import { at, counterSpans } from './counter-spans.ts'
import { lastDays, numberOr, percentOf, rounded, textOr, todayStart } from './family.ts'
import { totalUsage, usageSpans, usualRegister } from './usage.ts'

type MeterFamily = 'electricMeter' | 'waterMeter'
const kinds = {
  electricMeter: {
    counter: 'totalEnergy',
    unit: 'kWh',
    line: ['activePower', 'voltageA', 'currentA', 'residualCurrent', 'cableTemperature'],
    quota: 'monthQuota',
  },
  waterMeter: { counter: 'totalVolume', unit: 'm³', line: ['flowRate', 'pressure'], quota: 'dayQuota' },
} as const
const steps = { '15m': 900_000, hour: 3_600_000, day: dayMs } as const
type Step = keyof typeof steps

/** Current transformers: the register shows a part of what flows. Water has none. */
const ratioOf = (row: DeviceRow): number => numberOr(row.params.ratio) || 1

/** Where the counter begins anew, as somebody has entered it from the meter's plate. */
const registerOf = (row: DeviceRow): number => numberOr(row.params.registerSize) || usualRegister

const spansOf = (db: Tx, deviceId: string, family: MeterFamily, stepMs: number, period: Period, metrics: readonly string[] = []) =>
  counterSpans(db, { devices: [deviceId], family, counter: kinds[family].counter, stepMs, period }, metrics)

/** The last reading ahead of a period, if there is one within a week: what its first step counts from. */
async function readingBefore(db: Tx, deviceId: string, family: MeterFamily, from: number, stepMs: number) {
  const last = (await spansOf(db, deviceId, family, stepMs, { from: from - 7 * dayMs, to: from })).at(-1)
  return last ? { time: last.time, reading: last.runs?.at(-1)?.last ?? last.high } : undefined
}

async function usageOf(db: Tx, row: DeviceRow, family: MeterFamily, step: Step, period: Period) {
  const spans = await spansOf(db, row.id, family, steps[step], period)
  const before = await readingBefore(db, row.id, family, period.from, steps[step])
  return usageSpans(spans, steps[step], ratioOf(row), before, registerOf(row))
}

/** Today, yesterday and the month so far. */
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

/** Without a wish, steps that give some fifty to three hundred columns. */
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
    usage: usage.flatMap((u) => (u.usage === null ? [] : [{ time: u.time, usage: u.usage, estimated: u.estimated }])),
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

interface NumericRange {
  low?: number | undefined
  high?: number | undefined
}
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

const familyOfKind = (kind: 'electric' | 'water'): MeterFamily => (kind === 'water' ? 'waterMeter' : 'electricMeter')

/** Readings of one meter with its use, as the list and its file show them. */
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

/** The settlement sheet: meters in months, as the register stood at the beginning and the end. */
interface SettlementQuery {
  projectCode?: string | undefined
  deviceId?: string | undefined
  kind: 'electric' | 'water'
  area?: string | undefined
  deviceName?: string | undefined
  corpName?: string | undefined
  usage?: NumericRange | undefined
  quotaPercent?: NumericRange | undefined
  startTime?: string | undefined
  endTime?: string | undefined
}
async function settlements(ctx: ListContext, family: MeterFamily, query: SettlementQuery) {
  const now = ctx.clock.now()
  const period = periodOf({ ...query, startTime: query.startTime ?? `${formatDay(now).slice(0, 7)}-01` }, now, 31 * dayMs, 400 * dayMs)
  const projects = projectsFor(ctx, query.projectCode)
  const devices = (await findDeviceRows(ctx.db, family, projects, query.deviceId ? { deviceId: query.deviceId } : {})).rows.filter(
    (d) => !query.area || textOr(d.params.area) === query.area,
  )
  const { counter } = kinds[family]
  const rows = await counterSpans(ctx.db, { devices: devices.map((d) => d.id), family, counter, stepMs: dayMs, period })
  const byDevice = Map.groupBy(rows, (r) => r.deviceId)
  return devices.flatMap((device) => {
    const spans = byDevice.get(device.id) ?? []
    let before: { reading: number } | undefined
    return [...Map.groupBy(spans, (s) => formatDay(s.time).slice(0, 7))].map(([month, own]) => {
      const { usage, rollbacks, reading } = totalUsage(own, ratioOf(device), before, registerOf(device))
      const start = before?.reading ?? own[0]?.runs?.[0]?.first ?? own[0]?.low ?? null
      const end = reading ?? null
      before = end === null ? before : { reading: end }
      const dayQuota = numberOr(device.params.dayQuota)
      const days = Math.max(1, Math.round((startOfDay(`${nextMonth(month)}-01`) - startOfDay(`${month}-01`)) / dayMs))
      const quota = family === 'electricMeter' ? numberOr(device.params.monthQuota) : dayQuota === null ? null : dayQuota * days
      return {
        deviceId: device.id,
        deviceName: device.name,
        projectCode: device.projectCode,
        projectName: device.projectName,
        area: textOr(device.params.area),
        corpName: textOr(device.params.corpName),
        parentId: textOr(device.params.parentId),
        month,
        startReading: start,
        endReading: end,
        ratio: ratioOf(device),
        usage,
        quota,
        quotaPercent: quota ? percentOf(usage, quota) : null,
        rollbacks,
      }
    })
  })
}

/** The sheet as the list and its file show it: by month and use unless asked otherwise. */
export async function settlementPage(
  ctx: ListContext,
  query: SettlementQuery & { sort?: Sort<string> | undefined; page: number; size: number },
) {
  const all = await settlements(ctx, familyOfKind(query.kind), query)
  const wanted = all.filter(
    (one) =>
      saysOf(one.deviceName, query.deviceName) &&
      saysOf(one.corpName ?? '', query.corpName) &&
      inRange(one.usage, query.usage) &&
      inRange(one.quotaPercent, query.quotaPercent),
  )
  const byUse = sorted(wanted, '-usage', orders)
  return cut(isOrder(query.sort) ? sorted(byUse, query.sort, orders) : sorted(byUse, '-month', orders), query)
}
type Settled = Awaited<ReturnType<typeof settlements>>[number]
const orders = {
  usage: (r: Settled) => r.usage,
  quotaPercent: (r: Settled) => r.quotaPercent,
  month: (r: Settled) => r.month,
}
const isOrder = (sort: string | undefined): sort is Sort<keyof typeof orders> =>
  sort !== undefined && Object.hasOwn(orders, sort.replace(/^-/, ''))

const nextMonth = (month: string): string => addDays(`${month}-28`, 4).slice(0, 7)

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

const electricRecords: HandlerOf<typeof calls.electricRecords> = ({ query }, ctx) =>
  query.groupBy ? settlementPage(ctx, query) : meterReadingPage(ctx, query)
