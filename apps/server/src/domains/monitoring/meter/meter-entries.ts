import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { dayMs } from '@zhugong/contract/kit/time'
import * as calls from '@zhugong/contract/monitoring/meter/meter-entries'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Tx } from '#kit/db'
import { allOf, equals, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { setMeterRatio } from '../../equipment/public.ts'
import { fileIdsOf, keptFiles, linksOf } from '../../files/public.ts'
import { type DeviceRow, getDeviceRow } from '../shared/devices.ts'
import { rounded } from '../shared/family.ts'
import { counterSpans, at as inCounter } from './counter-spans.ts'
import { type MeterFamily, meterKinds, ratioOf, registerOf } from './meter-kinds.ts'
import { lastSettled } from './meter-months.ts'
import { ranOver, totalUsage } from './usage.ts'

/** Manual readings and meter replacements; `counter-spans.ts` includes them in consumption. */
export function meterEntryRoutes(serve: Serve): void {
  serve(calls.listMeterEntries, listMeterEntries)
  serve(calls.addMeterEntry, addMeterEntry)
  serve(calls.voidMeterEntry, voidMeterEntry)
}

interface Row extends Omit<calls.MeterEntry, 'at' | 'createTime'> {
  at: Date
  createTime: Date
}
const kindSql = sql`case d.family when 'waterMeter' then 'water' else 'electric' end`
const isLocked = sql`exists (select 1 from meter_month m where m.project_code = e.project_code and m.kind = ${kindSql}
  and m.month >= to_char(e.at at time zone 'Asia/Shanghai', 'YYYY-MM'))`

const listMeterEntries: HandlerOf<typeof calls.listMeterEntries> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Row & { total: number }>`
    select e.id, e.project_code, e.device_id, d.name as device_name, e.kind, e.at, e.reading, e.start_reading, e.prev_ratio, e.next_ratio, e.reason, e.files, e.by_name, e.create_time,
      e.void_reason, e.void_by, ${isLocked} as locked, count(*) over ()::int as total
    from meter_entry e join device d on d.id = e.device_id
    where ${allOf(...inProjects('e.project_code', projectsFor(ctx, query.projectCode)), ...equals('e.device_id', query.deviceId))}
    order by e.at desc, e.id desc limit ${limit} offset ${offset}`.execute(ctx.db)
  return {
    list: rows.map(({ total: _total, ...row }) => ({
      ...row,
      at: row.at.getTime(),
      createTime: row.createTime.getTime(),
      files: linksOf(ctx, row.files),
    })),
    total: rows[0]?.total ?? 0,
  }
}

const isFamily = (family: string): family is MeterFamily => Object.hasOwn(meterKinds, family)

async function getMeter(ctx: Context, projectCode: string, deviceId: string): Promise<DeviceRow & { family: MeterFamily }> {
  const { rows } = await sql<{ family: string }>`select family from device where id = ${deviceId}`.execute(ctx.db)
  const family = rows[0]?.family ?? 'electricMeter'
  if (!isFamily(family)) throw new AppError('invalidInput', '只能登记电表与水表', { field: 'deviceId' })
  const meter = await getDeviceRow(ctx, deviceId, family)
  if (!(projectsFor(ctx, projectCode) ?? [meter.projectCode]).includes(meter.projectCode))
    throw new AppError('invalidInput', '表计不属于所选项目', { field: 'deviceId' })
  return { ...meter, family }
}

async function requireOpen(ctx: Context, projectCode: string, family: MeterFamily, time: number): Promise<void> {
  const last = await lastSettled(ctx, projectCode, family === 'waterMeter' ? 'water' : 'electric')
  if (last && formatDay(time).slice(0, 7) <= last.month)
    throw new AppError('refused', `${last.month} 已月结，不能再改动当月及以前的读数`, { field: 'at' })
}

interface Known {
  time: number
  value: number
}

/** Neighbouring register values of a moment, transmitted or entered, whichever is nearer. */
async function aroundOf(db: Tx, meter: DeviceRow & { family: MeterFamily }, time: number) {
  const counter = meterKinds[meter.family].counter
  const moment = new Date(time)
  const { rows } = await sql<{ side: 'before' | 'after'; ts: Date; value: number }>`
    (select 'before' as side, t.ts, ${inCounter(counter, 1)} as value from telemetry_5m t
      where t.device_id = ${meter.id} and t.ts <= ${moment}::timestamptz - interval '5 minutes' and t.v ? ${counter} order by t.ts desc limit 1)
    union all (select 'before', e.at, coalesce(e.start_reading, e.reading) from meter_entry e
      where e.device_id = ${meter.id} and e.void_at is null and e.at <= ${moment} order by e.at desc limit 1)
    union all (select 'after', t.ts, ${inCounter(counter, 0)} from telemetry_5m t
      where t.device_id = ${meter.id} and t.ts >= ${moment} and t.v ? ${counter} order by t.ts limit 1)
    union all (select 'after', e.at, e.reading from meter_entry e
      where e.device_id = ${meter.id} and e.void_at is null and e.at > ${moment} order by e.at limit 1)`.execute(db)
  const known = (side: 'before' | 'after'): Known[] =>
    rows
      .filter((one) => one.side === side)
      .map((one) => ({ time: one.ts.getTime(), value: one.value }))
      .sort((a, b) => a.time - b.time)
  return { before: known('before').at(-1), after: known('after')[0] }
}

const usualDays = 30
/** Daily consumption in the month before, in register units; undefined with too little data. */
async function usualOf(db: Tx, meter: DeviceRow & { family: MeterFamily }, until: number): Promise<number | undefined> {
  const { family } = meter
  const period = { from: until - usualDays * dayMs, to: until }
  const counted = await counterSpans(db, { devices: [meter.id], family, counter: meterKinds[family].counter, stepMs: dayMs, period })
  // In register units: without ratios.
  const spans = counted.map((one) => ({ ...one, ratio: undefined, runs: one.runs?.map((run) => ({ ...run, ratio: undefined })) }))
  const [first, last] = [spans[0], spans.at(-1)]
  if (!first || !last || last.time === first.time) return undefined
  return totalUsage(spans, 1, undefined, registerOf(meter)).usage / ((last.time - first.time) / dayMs + 1)
}

const said = (known: Known) => `${rounded(known.value, 3)}（${formatInstant(known.time).slice(0, 16)}）`

const addMeterEntry: HandlerOf<typeof calls.addMeterEntry> = async ({ query, body }, ctx) => {
  const meter = await getMeter(ctx, query.projectCode, body.deviceId)
  const now = ctx.clock.now()
  const time = body.at ? (parseInstant(body.at) ?? now) : now
  if (time > now) throw new AppError('invalidInput', '抄表时间不能晚于现在', { field: 'at' })
  if (time < now - calls.entryPastDays * dayMs)
    throw new AppError('invalidInput', `只能补登 ${calls.entryPastDays} 天内的读数`, { field: 'at' })
  await requireOpen(ctx, meter.projectCode, meter.family, time)
  // Serializes entries of a meter: each is compared with the previous one.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`meter entry ${meter.id}`}, 0))`.execute(ctx.db)
  const { before, after } = await aroundOf(ctx.db, meter, time)
  if (before?.time === time) throw new AppError('refused', '这一时刻已有登记', { field: 'at' })
  const overEnd = before !== undefined && ranOver(before.value, body.reading, registerOf(meter))
  if (before && body.reading < before.value && !overEnd)
    throw new AppError('refused', `读数不能小于上一读数 ${said(before)}${body.kind === 'reading' ? '；若已换表，请登记换表' : ''}`, {
      field: 'reading',
    })
  const goesOn = body.startReading ?? body.reading
  if (after && goesOn > after.value)
    throw new AppError('refused', `${body.kind === 'change' ? '新表起始读数' : '读数'}不能大于之后的读数 ${said(after)}`, {
      field: body.kind === 'change' ? 'startReading' : 'reading',
    })
  if (before && !overEnd && !body.sure) {
    const usual = await usualOf(ctx.db, meter, time)
    const days = Math.max(1, (time - before.time) / dayMs)
    const used = body.reading - before.value
    if (usual !== undefined && usual > 0 && used > calls.oddUseTimes * usual * days)
      throw new AppError(
        'refused',
        `自上一读数 ${said(before)} 增加 ${rounded(used, 2)}，超过近 ${usualDays} 天日均 ${rounded(usual, 2)} 的 ${calls.oddUseTimes} 倍：请核对表盘，确认无误后勾选“读数已核对”`,
        { field: 'sure' },
      )
  }
  const id = ctx.newId()
  const files = await keptFiles(ctx, fileIdsOf(body.files), [], 'files')
  const ratios = await ratioChange(ctx, meter, body.ratio, time)
  await sql`insert into meter_entry (id, project_code, device_id, kind, at, reading, start_reading, prev_ratio, next_ratio, reason, files, by_name, create_time)
    values (${id}, ${meter.projectCode}, ${meter.id}, ${body.kind}, ${new Date(time)}, ${body.reading}, ${body.startReading}, ${ratios?.from ?? null},
      ${ratios?.to ?? null}, ${body.reason}, ${files}::text[], ${ctx.user.name}, ${new Date(now)})`.execute(ctx.db)
  if (ratios) await setMeterRatio(ctx, meter.id, ratios.to)
  const numbers =
    (body.startReading === null ? `${body.reading}` : `旧表 ${body.reading}，新表 ${body.startReading}`) +
    (ratios ? `，变比 ${ratios.from} → ${ratios.to}` : '')
  ctx.note(`${calls.meterEntryKinds[body.kind]} ${meter.name}：${numbers}（${body.reason}）`, id)
  return { id }
}

/** A new ratio from a moment on; undefined if unchanged. Refused before a later ratio change, because what follows is already counted. */
async function ratioChange(ctx: Context, meter: DeviceRow & { family: MeterFamily }, ratio: number | null, time: number) {
  if (ratio === null) return undefined
  if (meter.family !== 'electricMeter') throw new AppError('invalidInput', '水表没有变比', { field: 'ratio' })
  const from = ratioOf(meter)
  if (ratio === from) return undefined
  if (await lastRatioChange(ctx, meter.id, time)) throw new AppError('refused', '之后已登记过变比变更，请先撤销', { field: 'ratio' })
  return { from, to: ratio }
}

/** Whether the meter's ratio was changed after a moment. */
async function lastRatioChange(ctx: Context, deviceId: string, after: number): Promise<boolean> {
  const { rows } = await sql`select 1 from meter_entry e where e.device_id = ${deviceId} and e.prev_ratio is not null and e.void_at is null
    and e.at > ${new Date(after)} limit 1`.execute(ctx.db)
  return rows.length > 0
}

const voidMeterEntry: HandlerOf<typeof calls.voidMeterEntry> = async ({ params, query, body }, ctx) => {
  const { rows } = await sql<{
    deviceId: string
    kind: calls.MeterEntryKind
    at: Date
    voidAt: Date | null
    prevRatio: number | null
    nextRatio: number | null
  }>`
    select e.device_id, e.kind, e.at, e.void_at, e.prev_ratio, e.next_ratio from meter_entry e
    where ${allOf(...equals('e.id', params.id), ...inProjects('e.project_code', projectsFor(ctx, query.projectCode)))} for update`.execute(
    ctx.db,
  )
  const [entry] = rows
  if (!entry) throw new AppError('notFound', '抄表记录不存在')
  if (entry.voidAt) throw new AppError('refused', '这条登记已经撤销')
  const meter = await getMeter(ctx, query.projectCode, entry.deviceId)
  await requireOpen(ctx, meter.projectCode, meter.family, entry.at.getTime())
  if (entry.prevRatio !== null) {
    if (await lastRatioChange(ctx, meter.id, entry.at.getTime())) throw new AppError('refused', '之后又登记了变比变更，请先撤销后面的')
    // Keeps a ratio that was edited directly since.
    if (ratioOf(meter) === entry.nextRatio) await setMeterRatio(ctx, meter.id, entry.prevRatio)
  }
  await sql`update meter_entry set void_reason = ${body.reason}, void_by = ${ctx.user.name}, void_at = ${new Date(ctx.clock.now())}
    where id = ${params.id}`.execute(ctx.db)
  ctx.note(`撤销${calls.meterEntryKinds[entry.kind]} ${meter.name} ${formatInstant(entry.at.getTime())}（${body.reason}）`, params.id)
}
