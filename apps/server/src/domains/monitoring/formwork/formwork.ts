import { dayMs } from '@zhugong/contract/kit/time'
import { formworkMarks, formworkMetrics, formworkShare } from '@zhugong/contract/monitoring/formwork/formwork'
import * as calls from '@zhugong/contract/monitoring/formwork/formwork-live'
import { sql } from 'kysely'
import { type Context, projectsFor } from '#kit/context'
import { type Condition, condition, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { toRecord } from '../shared/device-records.ts'
import { type DeviceRow, findDeviceRows, getDeviceRow } from '../shared/devices.ts'
import { numberOr, textOr } from '../shared/family.ts'
import { fileOf, infoOf, lineOf, readingsOf } from '../shared/family-reads.ts'
import { periodOf } from '../shared/period.ts'
import { newestOfPoints, type PointReading } from '../shared/points.ts'
import { field } from '../shared/record-fields.ts'
import { findKeyedRecords, type RecordFilter } from '../shared/records.ts'
import { lastPourStep, pourStepRoutes } from './pour-steps.ts'
import { pourPage } from './pours.ts'

const family = 'highFormwork'
const usualMetrics = ['axialForce', 'axialForcePercent', 'horizontalDisplacement', 'settlement', 'tiltX', 'tiltY']
/** Seconds of silence during a pour after which a point counts as dangerous. */
const dangerousSilence = 120
const pouringPhase = '2'
/** During a pour devices report every few seconds, which reveals a pour that was not registered. */
const pourPaceSeconds = 15

export const bayOf = (row: DeviceRow): string => textOr(row.params.bayName) ?? row.installPlace ?? '高支模'
const ofPoint = (pointCode: string | undefined): Condition | undefined =>
  pointCode ? condition(sql`(t.extra ->> 'pointCode' = ${pointCode} or t.extra ->> 'pointCode' is null)`) : undefined

async function bayRows(ctx: Context, row: DeviceRow): Promise<DeviceRow[]> {
  const { rows } = await findDeviceRows(ctx.db, family, [row.projectCode])
  return rows.filter((r) => r.status === '1' && bayOf(r) === bayOf(row)).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** A pour is active if it was registered or if the points report at pouring pace. */
async function isPouring(ctx: Context, rows: readonly DeviceRow[]): Promise<boolean> {
  if (rows.some((r) => r.params.phase === pouringPhase)) return true
  const last = await lastPourStep(ctx.db, rows[0]?.projectCode ?? '', rows[0] ? bayOf(rows[0]) : '')
  if (last && last.kind !== 'end') return true
  const { rows: found } = await sql<{ n: number }>`
    select coalesce(max(n), 0)::int as n from (select count(*) as n from telemetry where device_id = any (${rows.map((r) => r.id)})
      and ts > ${new Date(ctx.clock.now() - 300_000)} group by device_id) x`.execute(ctx.db)
  return (found[0]?.n ?? 0) >= 300 / pourPaceSeconds
}

async function pointsNow(ctx: Context, rows: readonly DeviceRow[], pouring: boolean) {
  const newest = await newestOfPoints(ctx.db, family, rows)
  const now = ctx.clock.now()
  const view = (device: DeviceRow, reading: PointReading | undefined) => {
    const values = reading?.values ?? {}
    const judged = formworkShare(values, device.params)
    const silentSeconds = reading ? Math.max(0, Math.round((now - reading.receivedAt) / 1000)) : null
    const isSilent =
      silentSeconds === null ||
      (pouring ? silentSeconds >= dangerousSilence : silentSeconds > Math.max(600, 3 * Number(device.intervalSeconds)))
    return {
      deviceId: device.id,
      deviceName: device.name,
      pointCode: reading?.pointCode ?? textOr(device.params.pointCode) ?? device.name,
      pointType: textOr(device.params.pointType) ?? 'axialForce',
      x: numberOr(device.params.x),
      y: numberOr(device.params.y),
      lng: device.lng,
      lat: device.lat,
      supportHeight: numberOr(device.params.supportHeight),
      span: numberOr(device.params.span),
      time: reading?.time ?? null,
      silentSeconds,
      axialForce: numberOr(values.axialForce),
      axialForcePercent: numberOr(values.axialForcePercent),
      horizontalDisplacement: numberOr(values.horizontalDisplacement),
      settlement: numberOr(values.settlement),
      batteryPercent: numberOr(values.batteryPercent),
      ...judged,
      state: stateOf(judged.share, isSilent, judged.designForce === null && numberOr(values.axialForce) !== null),
    }
  }
  const spoken = new Set(newest.map((r) => r.device.id))
  return [...newest.map((r) => view(r.device, r)), ...rows.filter((r) => !spoken.has(r.id)).map((r) => view(r, undefined))].sort(
    (a, b) => (b.share ?? -1) - (a.share ?? -1),
  )
}

const stateOf = (share: number | null, isSilent: boolean, isUnset: boolean) =>
  isSilent
    ? ('silent' as const)
    : isUnset
      ? ('unset' as const)
      : (share ?? 0) >= formworkMarks.stop
        ? ('alarm' as const)
        : (share ?? 0) >= formworkMarks.warning
          ? ('warning' as const)
          : ('fine' as const)

type Points = Awaited<ReturnType<typeof pointsNow>>

/** One sentence, readable from three metres: may the pour continue? */
export function verdictOf(
  points: readonly Pick<Points[number], 'pointCode' | 'share' | 'worstMetric' | 'state' | 'silentSeconds'>[],
  pouring: boolean,
) {
  const top = points[0]
  const silent = points.filter((p) => p.state === 'silent')
  const said = top ? `${top.pointCode} ${formworkMetrics[top.worstMetric ?? ''] ?? ''} ${Math.round(top.share ?? 0)} %` : ''
  if (points.some((p) => p.state === 'alarm')) return { verdict: 'stop' as const, verdictText: `停止浇筑，撤离：${said}` }
  if (!pouring) return { verdict: 'idle' as const, verdictText: silent.length ? `未在浇筑，${silent.length} 个测点失联` : '未在浇筑' }
  if (silent.length) return { verdict: 'stop' as const, verdictText: `停止浇筑：${silent.map((p) => p.pointCode).join('、')} 失联` }
  if (points.some((p) => p.state === 'warning')) return { verdict: 'watch' as const, verdictText: `注意：${said}` }
  return { verdict: 'go' as const, verdictText: '可继续浇筑' }
}

export function formworkRoutes(serve: Serve): void {
  serve(calls.formworkInfo, formworkInfo)
  serve(calls.formworkDevice, formworkDevice)
  serve(calls.formworkLine, async ({ query }, ctx) => {
    const { list, total, bucketSeconds } = await lineOf(ctx, family, query, usualMetrics, ofPoint(query.pointCode))
    return { list, total, bucketSeconds }
  })
  serve(calls.formworkRecords, formworkRecords)
  pourStepRoutes(serve)
}

const formworkInfo: HandlerOf<typeof calls.formworkInfo> = async ({ params }, ctx) => {
  const row = await getDeviceRow(ctx, params.id, family)
  const rows = await bayRows(ctx, row)
  const pouring = await isPouring(ctx, rows)
  const points = await pointsNow(ctx, rows, pouring)
  return {
    ...(await infoOf(ctx, row)),
    bayName: bayOf(row),
    pouring,
    ...verdictOf(points, pouring),
    points,
    silent: points
      .filter((p) => p.state === 'silent')
      .map((p) => ({ deviceId: p.deviceId, pointCode: p.pointCode, seconds: p.silentSeconds ?? 0 })),
  }
}

const formworkDevice: HandlerOf<typeof calls.formworkDevice> = async ({ params }, ctx) => {
  const row = await getDeviceRow(ctx, params.id, family)
  const rows = await bayRows(ctx, row)
  return {
    ...(await fileOf(ctx, row)),
    bayName: bayOf(row),
    points: rows.map((r) => ({
      deviceId: r.id,
      deviceName: r.name,
      pointCode: textOr(r.params.pointCode) ?? r.name,
      pointType: textOr(r.params.pointType) ?? 'axialForce',
      online: r.online ?? false,
      params: r.params,
    })),
  }
}

const formworkRecords: HandlerOf<typeof calls.formworkRecords> = async ({ query }, ctx) => {
  if (query.kind === 'reading') return readingsOf(ctx, family, query, ofPoint(query.pointCode))
  if (query.groupBy === 'pour') return pourPage(ctx, query)
  const filter: RecordFilter = {
    record: 'pourRecord',
    projects: projectsFor(ctx, query.projectCode),
    deviceId: query.deviceId,
    period: periodOf(query, ctx.clock.now(), 100 * dayMs, 400 * dayMs),
    where: query.pointCode ? [condition(sql`${field('pointCode')} = ${query.pointCode}`)] : [],
  }
  const { rows, total } = await findKeyedRecords(ctx.db, filter, pageSlice(query))
  return { list: rows.map(toRecord), total }
}
