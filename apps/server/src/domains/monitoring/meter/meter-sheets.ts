import type { Sort } from '@zhugong/contract/kit/list'
import { dayMs } from '@zhugong/contract/kit/time'
import type { MeterKind, MeterPrices, SheetRow } from '@zhugong/contract/monitoring/meter/meter-settle'
import { isMainAmong } from '@zhugong/contract/monitoring/meter/meter-tree'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { ListContext } from '../../exports/registry.ts'
import { type DeviceRow, findDeviceRows } from '../shared/devices.ts'
import { numberOr, percentOf, rounded, textOr } from '../shared/family.ts'
import { cut, inRange, saysOf, sorted } from '../shared/in-memory.ts'
import { type Period, periodOf } from '../shared/period.ts'
import { counterSpans, type SpanRow } from './counter-spans.ts'
import { familyOfKind, type MeterFamily, meterKinds, ratioOf, registerOf } from './meter-kinds.ts'
import { findSettled } from './meter-months.ts'
import { totalUsage, usageSpans } from './usage.ts'

export interface NumericRange {
  low?: number | undefined
  high?: number | undefined
}

export const monthAfter = (month: string): string => addDays(`${month}-28`, 4).slice(0, 7)
const monthBefore = (month: string): string => addDays(`${month}-01`, -1).slice(0, 7)
const daysIn = (month: string): number => Math.round((startOfDay(`${monthAfter(month)}-01`) - startOfDay(`${month}-01`)) / dayMs)

function quotaOf(device: DeviceRow, family: MeterFamily, month: string): number | null {
  if (family === 'electricMeter') return numberOr(device.params.monthQuota)
  const dayQuota = numberOr(device.params.dayQuota)
  return dayQuota === null ? null : dayQuota * daysIn(month)
}

const whoUses = (device: DeviceRow) => ({
  deviceId: device.id,
  deviceName: device.name,
  area: textOr(device.params.area),
  corpName: textOr(device.params.corpName),
  parentId: textOr(device.params.parentId),
})

/** Query of the settlement sheet: register values by meter and month. */
interface SettlementQuery {
  projectCode?: string | undefined
  deviceId?: string | undefined
  kind: MeterKind
  area?: string | undefined
  deviceName?: string | undefined
  corpName?: string | undefined
  usage?: NumericRange | undefined
  quotaPercent?: NumericRange | undefined
  startTime?: string | undefined
  endTime?: string | undefined
}

/** Settled months are returned as stored; the month after starts from the settled register values. */
async function settlements(ctx: ListContext, query: SettlementQuery) {
  const family = familyOfKind(query.kind)
  const now = ctx.clock.now()
  const period = periodOf({ ...query, startTime: query.startTime ?? `${formatDay(now).slice(0, 7)}-01` }, now, 31 * dayMs, 400 * dayMs)
  const projects = projectsFor(ctx, query.projectCode)
  const isRequested = (one: { deviceId: string; area: string | null }) =>
    (!query.deviceId || one.deviceId === query.deviceId) && (!query.area || one.area === query.area)
  const devices = (await findDeviceRows(ctx.db, family, projects, query.deviceId ? { deviceId: query.deviceId } : {})).rows.filter((d) =>
    isRequested(whoUses(d)),
  )
  const [from, until] = [formatDay(period.from).slice(0, 7), formatDay(period.to - 1).slice(0, 7)]
  const settled = await findSettled(ctx, projects, query.kind, { from: monthBefore(from), until })
  const isSettled = new Set(settled.map((one) => `${one.projectCode} ${one.month}`))
  const ends = new Map(settled.flatMap((one) => one.rows.map((row) => [`${row.deviceId} ${one.month}`, row.endReading] as const)))
  const spans = await counterSpans(ctx.db, {
    devices: devices.map((d) => d.id),
    family,
    counter: meterKinds[family].counter,
    stepMs: dayMs,
    period,
  })
  const byDevice = Map.groupBy(spans, (one) => one.deviceId)
  const live = devices.flatMap((device) => {
    let before: { reading: number } | undefined
    return [...Map.groupBy(byDevice.get(device.id) ?? [], (one) => formatDay(one.time).slice(0, 7))].flatMap(([month, own]) => {
      const end = ends.get(`${device.id} ${monthBefore(month)}`)
      if (typeof end === 'number') before = { reading: end }
      const row = rowOf(device, family, month, own, before)
      before = row.endReading === null ? before : { reading: row.endReading }
      if (isSettled.has(`${device.projectCode} ${month}`)) return []
      return [{ ...row, projectCode: device.projectCode, projectName: device.projectName, month, amount: null, locked: false }]
    })
  })
  const kept = settled
    .filter((one) => one.month >= from)
    .flatMap(({ projectCode, projectName, month, rows }) =>
      rows.filter(isRequested).map((row) => ({ ...row, projectCode, projectName, month, locked: true })),
    )
  return [...live, ...kept]
}

function rowOf(device: DeviceRow, family: MeterFamily, month: string, own: readonly SpanRow[], before: { reading: number } | undefined) {
  const { usage, rollbacks, reading } = totalUsage(own, ratioOf(device), before, registerOf(device))
  const quota = quotaOf(device, family, month)
  return {
    ...whoUses(device),
    startReading: before?.reading ?? own[0]?.runs?.[0]?.first ?? own[0]?.low ?? null,
    endReading: reading ?? null,
    // Ratio at the end of the month; consumption before a ratio change was computed with the earlier ratio.
    ratio: own.at(-1)?.runs?.at(-1)?.ratio ?? (own.at(-1)?.runs ? undefined : own.at(-1)?.ratio) ?? ratioOf(device),
    usage,
    quota,
    quotaPercent: quota ? percentOf(usage, quota) : null,
    rollbacks,
    manualReads: own.reduce((sum, one) => sum + one.reads, 0),
  }
}

/** Settlement sheet, shared by list and export; default order: month, then consumption. */
export async function settlementPage(
  ctx: ListContext,
  query: SettlementQuery & { sort?: Sort<string> | undefined; page: number; size: number },
) {
  const wanted = (await settlements(ctx, query)).filter(
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

/** Longest age of the last reading before a month that can serve as its start value. */
const silentMs = 7 * dayMs

interface SheetQuery {
  projectCode: string
  kind: MeterKind
  month: string
  prices: MeterPrices | null
  /** Register values at the end of the last settled month. */
  ends: ReadonlyMap<string, number>
}

/** A site's month by meter, as it would be settled now. */
export async function sheetRows(ctx: Pick<Context, 'db'>, { projectCode, kind, month, prices, ends }: SheetQuery): Promise<SheetRow[]> {
  const family = familyOfKind(kind)
  const devices = (await findDeviceRows(ctx.db, family, [projectCode])).rows
  const period = { from: startOfDay(`${month}-01`), to: startOfDay(`${monthAfter(month)}-01`) }
  const counted = (counter: string) => countersOf(ctx, devices, family, counter, period)
  const total = await counted(meterKinds[family].counter)
  const [peak, valley] = kind === 'electric' ? [await counted('peakEnergy'), await counted('valleyEnergy')] : []
  return devices.flatMap((device) => {
    const own = total.get(device.id)
    if (!own?.spans.length) return []
    const end = ends.get(device.id)
    const row = rowOf(device, family, month, own.spans, end === undefined ? own.before : { reading: end })
    const measured = totalUsage(own.spans, row.ratio, own.before, registerOf(device)).usage
    // Consumption carried over from the previous month has no hours: it is split into peak and valley in the month's proportion.
    const partOf = (register: Counters | undefined) => {
      const part = register?.get(device.id)
      if (!part?.spans.length || measured <= 0) return null
      return rounded((totalUsage(part.spans, row.ratio, part.before, registerOf(device)).usage / measured) * row.usage, 2)
    }
    const [peakUsage, valleyUsage] = [partOf(peak), partOf(valley)]
    return [
      {
        ...row,
        peakUsage,
        valleyUsage,
        amount: prices && amountOf(row.usage, peakUsage, valleyUsage, prices),
        estimatedShare: estimatedShare(own, device),
        carried:
          end !== undefined && own.before && own.before.reading > end
            ? rounded((own.before.reading - end) * firstRatio(own.spans, row.ratio), 2)
            : 0,
      },
    ]
  })
}

const firstRatio = ([first]: readonly SpanRow[], ratio: number): number => first?.runs?.[0]?.ratio ?? first?.ratio ?? ratio

interface Counted {
  spans: SpanRow[]
  before: { time: number; reading: number } | undefined
}
type Counters = ReadonlyMap<string, Counted>

/** A register of several meters by day, with its value before the period. */
export async function countersOf(
  ctx: Pick<Context, 'db'>,
  devices: readonly DeviceRow[],
  family: MeterFamily,
  counter: string,
  { from, to }: Period,
): Promise<Counters> {
  const request = { devices: devices.map((d) => d.id), family, counter, stepMs: dayMs, period: { from: from - silentMs, to } }
  const all = Map.groupBy(await counterSpans(ctx.db, request), (one) => one.deviceId)
  return new Map(
    [...all].map(([id, spans]) => {
      const last = spans.findLast((one) => one.time < from)
      const before = last && { time: last.time, reading: last.runs?.at(-1)?.last ?? last.high }
      return [id, { spans: spans.filter((one) => one.time >= from), before }]
    }),
  )
}

function estimatedShare({ spans, before }: Counted, device: DeviceRow): number {
  const days = usageSpans(spans, dayMs, ratioOf(device), before, registerOf(device))
  const sum = (list: typeof days) => list.reduce((all, one) => all + (one.usage ?? 0), 0)
  return percentOf(sum(days.filter((one) => one.estimated)), sum(days))
}

/** Amount in yuan; consumption in neither peak nor valley has the normal price. Pure. */
export function amountOf(usage: number, peak: number | null, valley: number | null, prices: MeterPrices): number {
  const { price, peakPrice, valleyPrice } = prices
  if (peak === null || valley === null || peakPrice === null || valleyPrice === null) return rounded(usage * price, 2)
  return rounded(peak * peakPrice + valley * valleyPrice + Math.max(0, usage - peak - valley) * price, 2)
}

/** Total consumption, loss and amount: only main meters are added, so that nothing counts twice; loss is what their submeters do not count. Pure. */
export function sumsOfSheet(rows: readonly SheetRow[]): { totalUsage: number; lossPercent: number | null; amount: number | null } {
  const isMain = isMainAmong(rows)
  const mains = rows.filter(isMain)
  const below = new Map(mains.map((main) => [main.deviceId, rows.filter((one) => one.parentId === main.deviceId)]))
  const split = mains.filter((one) => (below.get(one.deviceId)?.length ?? 0) > 0)
  const through = split.reduce((sum, one) => sum + one.usage, 0)
  const counted = split.reduce((sum, one) => sum + (below.get(one.deviceId) ?? []).reduce((all, part) => all + part.usage, 0), 0)
  const priced = mains.filter((one) => one.amount !== null)
  return {
    totalUsage: rounded(
      mains.reduce((sum, one) => sum + one.usage, 0),
      2,
    ),
    lossPercent: through > 0 ? rounded(((through - counted) / through) * 100, 2) : null,
    amount:
      priced.length > 0
        ? rounded(
            priced.reduce((sum, one) => sum + (one.amount ?? 0), 0),
            2,
          )
        : null,
  }
}
