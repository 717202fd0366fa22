import * as calls from '@zhugong/contract/monitoring/vehicles'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { type Condition, pageSlice } from '#kit/list'
import type { Serve } from '#kit/serve'
import { type DeviceRow, getDeviceRow, type Period, type ReadingRow, toReading } from '../telemetry/views/public.ts'
import { dayMs, numberOr, periodOf, textOr } from './family.ts'
import { channelAddress, findMedia } from './media.ts'
import { field, findKeyedRecords } from './records.ts'
import { cleaned, distanceKm, metersBetween, type Position, split, stopsOf, thinned, tipsOf, tripsOf } from './track.ts'

const family = 'truckMonitor'
const truckTopKmh = 150
const channelNames = ['前方', '车内', '货箱', '右侧']
/** Mobile data is paid for: a channel nobody touches closes itself. */
const closeAfterSeconds = 300

async function positionsOf(ctx: Context, row: DeviceRow, period: Period): Promise<Position[]> {
  const { rows } = await sql<ReadingRow>`
    select device_id, ts, seq, received_at, schema_ver, v, w, extra, quality, flag from telemetry
    where device_id = ${row.id} and ts >= ${new Date(period.from)} and ts < ${new Date(period.to)} and flag <> 2 order by ts limit 200000`.execute(
    ctx.db,
  )
  return rows.flatMap((r) => {
    const { values, time } = toReading(family, r)
    const [lng, lat] = [numberOr(values.longitude), numberOr(values.latitude)]
    if (lng === null || lat === null || values.positioned === false) return []
    return [
      {
        time,
        lng,
        lat,
        speed: numberOr(values.speed),
        direction: numberOr(values.direction),
        accuracy: null,
        late: r.flag === 1,
        load: textOr(values.loadState),
        cover: textOr(values.cover),
        lift: textOr(values.lift),
        accOn: typeof values.accOn === 'boolean' ? values.accOn : null,
      },
    ]
  })
}

interface Site {
  name: string
  lng: number
  lat: number
}
const siteMeters = 500

async function sitesOf(ctx: Context, row: DeviceRow): Promise<Site[]> {
  const { rows } = await sql<{ name: string; lng: number | null; lat: number | null }>`
    select name, lng, lat from project where project_code = ${row.projectCode}`.execute(ctx.db)
  return rows.flatMap((r) => (r.lng === null || r.lat === null ? [] : [{ name: r.name, lng: Number(r.lng), lat: Number(r.lat) }]))
}

async function alarmsOn(ctx: Context, row: DeviceRow, period: Period, points: readonly Position[]) {
  const { rows } = await sql<{ id: string; startTime: Date; alarmKey: string; label: string; level: number }>`
    select id, start_time, alarm_key, label, level from alarm where device_id = ${row.id} and not simulated
      and start_time >= ${new Date(period.from)} and start_time < ${new Date(period.to)} order by start_time limit 500`.execute(ctx.db)
  return rows.map((a) => {
    const time = a.startTime.getTime()
    const at = points.findLast((p) => p.time <= time)
    return { id: a.id, time, alarmKey: a.alarmKey, label: a.label, level: a.level, ...(at ? { lng: at.lng, lat: at.lat } : {}) }
  })
}

async function truckTrack(ctx: Context, row: DeviceRow, period: Period, most: number) {
  const { points, jumps } = cleaned(await positionsOf(ctx, row, period), 1_000, truckTopKmh)
  const [sites, alarms] = [await sitesOf(ctx, row), await alarmsOn(ctx, row, period, points)]
  const nameOf = (p: Position) => sites.find((s) => metersBetween(s, p) <= siteMeters)?.name ?? `${p.lng.toFixed(4)}, ${p.lat.toFixed(4)}`
  const stops = stopsOf(points)
  const tips = tipsOf(points)
  const moments = [...stops.flatMap((s) => [s.startTime, s.endTime]), ...tips.map((t) => t.time), ...alarms.map((a) => a.time)]
  const segments = thinned(split(points), most, moments)
  return {
    deviceId: row.id,
    deviceName: row.name,
    subject: textOr(row.params.plateNo),
    segments: segments.map((s) => s.map(({ accOn: _acc, ...p }) => p)),
    stops,
    distanceKm: distanceKm(split(points)),
    maxSpeed: points.length ? points.reduce((top, p) => Math.max(top, p.speed ?? 0), 0) : null,
    points: segments.reduce((sum, s) => sum + s.length, 0),
    thinnedFrom: points.length,
    jumps,
    trips: tripsOf(points, stops, tips).map(({ from, to, ...trip }) => ({ ...trip, startPlace: nameOf(from), endPlace: nameOf(to) })),
    tips: tips.map((t) => ({ time: t.time, lng: t.lng, lat: t.lat, onSite: sites.some((s) => metersBetween(s, t) <= siteMeters) })),
    alarms,
  }
}

export function vehicleRoutes(serve: Serve): void {
  serve(calls.truckTrack, async ({ query }, ctx) => {
    if (!query.deviceId) return { list: [], total: 0 }
    const row = await getDeviceRow(ctx, query.deviceId, family)
    const period = periodOf(query, ctx.clock.now(), dayMs, 7 * dayMs)
    return { list: [await truckTrack(ctx, row, period, query.points)], total: 1 }
  })
  serve(calls.truckVideo, async ({ params }, ctx) => {
    const row = await getDeviceRow(ctx, params.id, family)
    const media = await findMedia(ctx)
    const count = Math.min(channelNames.length, numberOr(row.params.channels) ?? 2)
    return {
      deviceId: row.id,
      plateNo: textOr(row.params.plateNo) ?? row.name,
      online: row.online ?? false,
      lastTime: row.receivedAt?.getTime() ?? null,
      closeAfterSeconds,
      channels: channelNames.slice(0, count).map((name, i) => {
        const channel = String(i + 1)
        const reason = row.online ? (media ? null : '未配置流媒体服务') : '离线'
        return {
          channel,
          name,
          online: row.online ?? false,
          url: reason || !media ? null : channelAddress(ctx, media, row.id, channel, 'sub', ctx.clock.now()).url,
          kind: reason ? null : (media?.kind ?? null),
          reason,
        }
      }),
    }
  })
  serve(calls.truckClips, async ({ params, query }, ctx) => {
    const row = await getDeviceRow(ctx, params.id, family)
    const media = await findMedia(ctx)
    const filter = {
      record: 'videoClip',
      projects: undefined,
      deviceId: row.id,
      period: periodOf(query, ctx.clock.now(), dayMs, 31 * dayMs),
      where: query.channel ? [sql`${field('channel')} = ${query.channel}` as Condition] : [],
    }
    const { rows, total } = await findKeyedRecords(ctx.db, filter, pageSlice(query))
    return {
      list: rows.map((r) => {
        const startTime = Date.parse(String(r.data.startTime ?? '')) || r.ts.getTime()
        const endTime = Date.parse(String(r.data.endTime ?? '')) || startTime
        const onPlatform = r.data.storage === 'platform'
        const reason = !onPlatform && !row.online ? '上线后可取' : media ? null : '未配置流媒体服务'
        return {
          id: r.key,
          channel: String(r.data.channel ?? '1'),
          startTime,
          endTime,
          sizeBytes: numberOr(r.data.size) ?? 0,
          alarm: textOr(r.data.alarm),
          storage: onPlatform ? '平台' : '设备',
          url:
            reason || !media
              ? null
              : channelAddress(ctx, media, row.id, String(r.data.channel ?? '1'), 'main', ctx.clock.now(), { startTime, endTime }).url,
          reason,
        }
      }),
      total,
      online: row.online ?? false,
    }
  })
}
