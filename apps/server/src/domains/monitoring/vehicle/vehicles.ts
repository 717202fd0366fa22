import { dayMs } from '@zhugong/contract/kit/time'
import * as calls from '@zhugong/contract/monitoring/vehicle/vehicles'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { condition, pageSlice } from '#kit/list'
import { offThread } from '#kit/off-thread/off-thread'
import type { HandlerOf, Serve } from '#kit/serve'
import type { ListContext } from '../../exports/registry.ts'
import { type DeviceRow, getDeviceRow } from '../shared/devices.ts'
import { numberOr, textOr } from '../shared/family.ts'
import { type Period, periodOf } from '../shared/period.ts'
import { field } from '../shared/record-fields.ts'
import { findKeyedRecords } from '../shared/records.ts'
import { channelAddress, findMedia, truckChannels } from '../video/media.ts'
import { type AlarmOnTrack, family, type Site, type TrackOutcome, type TrackWork } from './truck-track-thread.ts'
import { dumpSitesOf } from './vehicle-fences.ts'

const channelNames = ['前方', '车内', '货箱', '右侧']
/** Mobile data is paid for: an unattended channel closes itself. */
const closeAfterSeconds = 300

/** Most positions read for one track, and their number per piece. */
const [mostPositions, piecePositions] = [200_000, 5_000]
const trackMs = 20_000

/** Positions of a period in order, each piece as one JSON text. */
async function* positionsOf(ctx: ListContext, row: DeviceRow, period: Period): AsyncGenerator<string> {
  let after = sql``
  for (let left = mostPositions; left > 0; left -= piecePositions) {
    const { rows } = await sql<{ positions: string; n: number; lastTs: string; lastSeq: string }>`
      select json_agg(json_build_array((extract(epoch from ts) * 1000)::bigint, flag, schema_ver, v, w, extra) order by ts, seq)::text as positions,
        count(*)::int as n, max(ts)::text as last_ts, (array_agg(seq order by ts desc, seq desc))[1]::text as last_seq
      from (select ts, seq, flag, schema_ver, v, w, extra from telemetry
        where device_id = ${row.id} and ts >= ${new Date(period.from)} and ts < ${new Date(period.to)} and flag <> 2 ${after}
        order by ts, seq limit ${Math.min(left, piecePositions)}) t`.execute(ctx.db)
    const [page] = rows
    if (!page?.n) return
    yield page.positions
    if (page.n < piecePositions) return
    after = sql`and (ts, seq) > (${page.lastTs}::timestamptz, ${page.lastSeq}::bigint)`
  }
}

async function sitesOf(ctx: ListContext, row: DeviceRow): Promise<Site[]> {
  const { rows } = await sql<{ name: string; lng: number | null; lat: number | null }>`
    select name, lng, lat from project where project_code = ${row.projectCode}`.execute(ctx.db)
  return rows.flatMap((r) => (r.lng === null || r.lat === null ? [] : [{ name: r.name, lng: Number(r.lng), lat: Number(r.lat) }]))
}

async function alarmsOn(ctx: ListContext, row: DeviceRow, period: Period): Promise<AlarmOnTrack[]> {
  const { rows } = await sql<{ id: string; startTime: Date; alarmKey: string; label: string; level: number }>`
    select id, start_time, alarm_key, label, level from alarm where device_id = ${row.id} and not simulated
      and start_time >= ${new Date(period.from)} and start_time < ${new Date(period.to)} order by start_time limit 500`.execute(ctx.db)
  return rows.map(({ startTime, ...a }) => ({ ...a, time: startTime.getTime() }))
}

/** A truck's track in a period, limited to a number of points; cancelled when the client disconnects. */
export async function truckTrack(ctx: ListContext & Partial<Pick<Context, 'gone'>>, row: DeviceRow, period: Period, most: number) {
  const work: TrackWork = {
    most,
    sites: await sitesOf(ctx, row),
    dumps: await dumpSitesOf(ctx, row.projectCode),
    alarms: await alarmsOn(ctx, row, period),
  }
  const track = await offThread.run<TrackOutcome>(new URL('./truck-track-thread.ts', import.meta.url), work, {
    group: ctx.group.id,
    signal: ctx.gone,
    timeLimitMs: trackMs,
    tooLong: '轨迹点过多，请缩短时间范围',
    pieces: positionsOf(ctx, row, period),
  })
  return { deviceId: row.id, deviceName: row.name, subject: textOr(row.params.plateNo), ...track }
}

export function vehicleRoutes(serve: Serve): void {
  serve(calls.truckTrack, truckTrackCall)
  serve(calls.truckVideo, truckVideo)
  serve(calls.truckClips, truckClips)
}

const truckTrackCall: HandlerOf<typeof calls.truckTrack> = async ({ query }, ctx) => {
  if (!query.deviceId) return { list: [], total: 0 }
  const row = await getDeviceRow(ctx, query.deviceId, family)
  const period = periodOf(query, ctx.clock.now(), dayMs, 7 * dayMs)
  return { list: [await truckTrack(ctx, row, period, query.points)], total: 1 }
}

const truckVideo: HandlerOf<typeof calls.truckVideo> = async ({ params }, ctx) => {
  const row = await getDeviceRow(ctx, params.id, family)
  const media = await findMedia(ctx)
  const count = truckChannels(row.params)
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
        url: reason || !media ? null : channelAddress(ctx, media, { stream: row.id, channel }, 'sub', ctx.clock.now()).url,
        kind: reason ? null : (media?.kind ?? null),
        reason,
      }
    }),
  }
}

const truckClips: HandlerOf<typeof calls.truckClips> = async ({ params, query }, ctx) => {
  const row = await getDeviceRow(ctx, params.id, family)
  const media = await findMedia(ctx)
  const filter = {
    record: 'videoClip',
    projects: undefined,
    deviceId: row.id,
    period: periodOf(query, ctx.clock.now(), dayMs, 31 * dayMs),
    where: query.channel ? [condition(sql`${field('channel')} = ${query.channel}`)] : [],
  }
  const { rows, total } = await findKeyedRecords(ctx.db, filter, pageSlice(query))
  return {
    list: rows.map((r) => {
      const startTime = Date.parse(String(r.data.startTime ?? '')) || r.ts.getTime()
      const endTime = Date.parse(String(r.data.endTime ?? '')) || startTime
      // A machine's record may select one of its channels, nothing else.
      const clipChannel = /^\d{1,2}$/.test(String(r.data.channel)) ? String(r.data.channel) : '1'
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
            : channelAddress(ctx, media, { stream: row.id, channel: clipChannel }, 'main', ctx.clock.now(), { startTime, endTime }).url,
        reason,
      }
    }),
    total,
    online: row.online ?? false,
  }
}
