import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import type { Context } from '#kit/context'
import { pageSlice } from '#kit/list'
import { type DeviceRow, familyRequired, getDeviceRow, limitsOf, toDeviceNow } from './devices.ts'
import { lastRecord, openAlarmsOf } from './records.ts'
import { countReadings, findLine, findReadings, type Period, toReading } from './series.ts'

export const dayMs = 86_400_000

export const longest = { readings: 31 * dayMs, line: 400 * dayMs }

/** The asked period; without one the last so many hours. Throws AppError when it is turned round or too long. */
export function periodOf(
  query: { startTime?: string | undefined; endTime?: string | undefined },
  now: number,
  usualMs: number,
  most: number,
): Period {
  const to = query.endTime ? (parseInstant(query.endTime) ?? now) : now + 1
  const from = query.startTime ? (parseInstant(query.startTime) ?? to - usualMs) : to - usualMs
  if (from >= to) throw new AppError('invalidInput', '结束时间应晚于开始时间', { field: 'endTime' })
  if (to - from > most) throw new AppError('invalidInput', `时间范围最多 ${Math.round(most / dayMs)} 天`, { field: 'startTime' })
  return { from, to }
}

export async function infoOf(ctx: Context, row: DeviceRow) {
  const [alarms, limits, record] = await Promise.all([openAlarmsOf(ctx.db, row.id), limitsOf(ctx.db, row), lastRecord(ctx.db, row)])
  return { ...toDeviceNow(row), alarms, limits, lastRecord: record, now: ctx.clock.now() }
}

export async function fileOf(ctx: Context, row: DeviceRow) {
  return {
    deviceId: row.id,
    deviceName: row.name,
    deviceSn: row.deviceSn,
    family: row.family,
    projectCode: row.projectCode,
    projectName: row.projectName,
    installPlace: row.installPlace,
    lng: row.lng,
    lat: row.lat,
    params: row.params,
    limits: await limitsOf(ctx.db, row),
  }
}

export const usualMetrics: Record<string, readonly string[]> = {
  towerCrane: ['load', 'loadPercent', 'momentPercent', 'radius', 'hookHeight', 'windSpeed', 'tilt'],
  environment: ['pm10', 'pm25', 'tsp', 'noise', 'leq', 'temperature', 'humidity', 'windSpeed'],
}

export async function lineOf(
  ctx: Context,
  family: string,
  deviceId: string,
  query: { metrics?: string[] | undefined; points: number; startTime?: string | undefined; endTime?: string | undefined },
) {
  const row = await getDeviceRow(ctx, deviceId, family)
  const kind = familyRequired(family)
  const metrics = (query.metrics?.length ? query.metrics : (usualMetrics[family] ?? [])).filter((m) => kind.metric(m)).slice(0, 12)
  const period = periodOf(query, ctx.clock.now(), 3_600_000, longest.line)
  const { list, bucketSeconds } = await findLine(ctx.db, kind, row.id, metrics, period, query.points)
  return { list, total: list.length, bucketSeconds }
}

export interface ReadingsQuery {
  deviceId?: string | undefined
  startTime?: string | undefined
  endTime?: string | undefined
  sort?: string | undefined
  page: number
  size: number
}

export async function readingsOf(ctx: Context, family: string, query: ReadingsQuery) {
  if (!query.deviceId) throw new AppError('invalidInput', '请选择设备', { field: 'deviceId' })
  if (query.sort && query.sort.replace(/^-/, '') !== 'time') throw new AppError('invalidInput', '只能按时间排序', { field: 'sort' })
  const row = await getDeviceRow(ctx, query.deviceId, family)
  const period = periodOf(query, ctx.clock.now(), dayMs, longest.readings)
  const [rows, total] = await Promise.all([
    findReadings(ctx.db, row.id, period, { ...pageSlice(query), falling: query.sort !== 'time' }),
    countReadings(ctx.db, row.id, period),
  ])
  return { list: rows.map((r) => ({ ...toReading(family, r), deviceId: row.id, deviceName: row.name })), total }
}
