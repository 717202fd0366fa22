import { deviceStatus } from '@zhugong/contract/equipment/codes'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import * as calls from '@zhugong/contract/monitoring/video/video'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { AfterCommit, type Context, requireCode } from '#kit/context'
import { allOf, equals, inProjects } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { recordLook } from '../../access/public.ts'
import { veilFor } from '../../readings/public.ts'
import { textOr } from '../shared/family.ts'
import { channelAddress, clipAddress, findMedia, streamOf, truckChannels } from './media.ts'
import { findGb, type GbCamera, type GbMedia, type GbServer, gbCameraOf, gbSnapshot } from './media-gb.ts'
import { holdOf, takeHold, whyNotTurned } from './ptz-hold.ts'
import { checkGb, mediaAccount, setGbAccount, setMediaAccount } from './video-accounts.ts'
import { videoTalkRoutes } from './video-talk.ts'
import { noteView, viewsOf } from './video-views.ts'

/** Permission codes by family: a crane's cameras and a gate's need different ones. */
const codesOf: Readonly<Record<string, readonly string[]>> = {
  videoAi: ['video.play', 'video.playback', 'tower-crane.video'],
  truckMonitor: ['vehicle.video'],
  smartHelmet: ['helmet.media'],
}

interface Camera {
  id: string
  projectCode: string
  name: string
  family: string
  status: string
  params: Record<string, unknown>
  online: boolean | null
  v: Record<string, unknown> | null
}

async function findCamera(ctx: Context, id: string): Promise<Camera> {
  const { rows } = await sql<Camera>`
    select d.id, d.project_code, d.name, d.family, d.status, d.params, l.online, l.v from device d left join device_latest l on l.device_id = d.id
    where ${allOf(...equals('d.id', id), ...inProjects('d.project_code', ctx.scopeChecks && !ctx.scope.all ? ctx.scope.projects : undefined))}`.execute(
    ctx.db,
  )
  const [row] = rows
  if (!row || !codesOf[row.family]) throw new AppError('notFound', '设备不存在或已删除')
  return row
}

/** A device not in service gives no pictures and takes no commands: its identity is confirmed by approval. */
const notInService = '设备未投入使用'
/** @throws AppError `refused` for a camera that is not approved or out of service. */
async function cameraInService(ctx: Context, id: string): Promise<Camera> {
  const camera = await findCamera(ctx, id)
  if (camera.status !== deviceStatus.inUse) throw new AppError('refused', notInService)
  return camera
}

/** Why a camera shows nothing, as text for the wall. */
function reasonOf(camera: Camera, isLive: boolean, isServed: boolean): string | null {
  if (camera.status !== deviceStatus.inUse) return notInService
  if (isLive && !camera.online) return '离线'
  if (isLive && camera.family === 'videoAi') {
    if (camera.v?.online === '0') return '离线'
    if (camera.v?.stream === '0') return '无码流'
    if (camera.v?.stream === '2') return '黑屏/遮挡'
  }
  // A helmet that is not worn shows a random place.
  if (isLive && camera.family === personal && camera.v?.wearing === false) return '未佩戴'
  return isServed ? null : '未配置流媒体服务'
}

/** Worn by a person: viewing its camera concerns privacy. */
const personal = 'smartHelmet'

/** Viewing a person's helmet camera requires a reason; the view is logged and visible to that person. */
async function requireReason(ctx: Context, camera: Camera, reason: string | undefined, isLive: boolean): Promise<void> {
  if (camera.family !== personal) return
  if (!(await veilFor(ctx, [camera])).seesPerson(camera)) throw new AppError('forbidden', '佩戴人不是本企业人员，不能查看画面')
  if (!reason) throw new AppError('invalidInput', '请填写查看事由', { field: 'reason' })
  await recordLook(ctx, {
    objectId: camera.id,
    summary: `${isLive ? '查看安全帽实时画面' : '回放安全帽录像'}：${camera.name}（${reason}）`,
    projectCode: camera.projectCode,
  })
}

/** Spans in which the camera reported, and its recorder therefore ran. Gaps remain gaps. */
async function segmentsOf(ctx: Context, camera: Camera, from: number, to: number) {
  const { rows } = await sql<{ startTime: Date; endTime: Date }>`
    select min(ts) as start_time, max(ts) + interval '5 minutes' as end_time from (
      select ts, sum(gap) over (order by ts) as part from (
        select ts, case when ts - lag(ts) over (order by ts) > interval '10 minutes' then 1 else 0 end as gap
        from telemetry_5m where device_id = ${camera.id} and ts >= ${new Date(from)} and ts < ${new Date(to)}) a) b
    group by part order by 1 limit 500`.execute(ctx.db)
  return rows.map((r) => ({ startTime: r.startTime.getTime(), endTime: Math.min(to, r.endTime.getTime()), source: '平台录像' }))
}

const longestPlayback = 86_400_000

export function videoRoutes(serve: Serve, gb: GbMedia): void {
  serve(calls.mediaAccount, mediaAccount)
  serve(calls.setMediaAccount, setMediaAccount)
  serve(calls.setGbAccount, setGbAccount)
  serve(calls.checkGb, checkGb(gb))
  serve(calls.mediaToken, mediaToken(gb))
  serve(calls.getPtz, getPtz(gb))
  serve(calls.movePtz, movePtz(gb))
  videoTalkRoutes(serve, gb, { find: cameraInService, national: nationalOf })
  serve(calls.listViews, ({ query }, ctx) => viewsOf(ctx, query))
  serve(calls.downloadClip, downloadClip)
}

const mediaToken =
  (gb: GbMedia): HandlerOf<typeof calls.mediaToken> =>
  async ({ query }, ctx) => {
    const nothing = {
      deviceId: null,
      url: null,
      kind: null,
      codec: null,
      expireAt: null,
      snapshotUrl: null,
      segments: [],
      reason: '请选择摄像机',
    }
    if (!query.deviceId) return nothing
    const camera = await findCamera(ctx, query.deviceId)
    const codes = codesOf[camera.family] ?? []
    if (!codes.some((code) => ctx.codes.has(code))) requireCode(ctx, codes[0] ?? 'video.play')
    const media = await findMedia(ctx)
    const now = ctx.clock.now()
    const from = query.startTime ? parseInstant(query.startTime) : undefined
    const to = query.endTime ? (parseInstant(query.endTime) ?? now) : from === undefined ? undefined : Math.min(now, from + 3_600_000)
    if (from !== undefined && to !== undefined && (to <= from || to - from > longestPlayback))
      throw new AppError('invalidInput', '回放时段应在 24 小时以内', { field: 'endTime' })
    const isLive = from === undefined
    await requireReason(ctx, camera, query.reason, isLive)
    const national = await nationalOf(ctx, camera)
    const reason = reasonOf(camera, isLive, media !== undefined || national !== undefined)
    const codec = textOr(camera.params.codec)
    const span = from !== undefined && to !== undefined ? { startTime: from, endTime: to } : undefined
    if (national && !reason) {
      if (!query.still || span) await noteView(ctx, camera, span ? 'playback' : 'live', query.reason)
      const base = { ...nothing, deviceId: camera.id, codec, snapshotUrl: gbSnapshot(national.server, national.camera, now) }
      if (query.still && !span) return { ...base, expireAt: now + tokenMs, reason: null }
      return new AfterCommit(async () => {
        const segments = span ? await gb.recorded(ctx, national.server, national.camera, span) : []
        const { is: stream, why } = await gb.play(ctx, national.server, national.camera, span)
        if (!stream) return { ...base, segments, reason: why ?? '无码流' }
        return {
          ...base,
          url: stream.url,
          kind: stream.kind,
          codec: stream.codec ?? codec,
          expireAt: now + tokenMs,
          segments,
          reason: null,
        }
      })
    }
    const segments = span ? await segmentsOf(ctx, camera, span.startTime, span.endTime) : []
    const own = streamOf(camera)
    if (reason || !media || !own) return { ...nothing, deviceId: camera.id, codec, segments, reason }
    // Views of helmet cameras are logged by `requireReason`, where their wearers can read them.
    if (camera.family === 'videoAi' && !query.still) await noteView(ctx, camera, span ? 'playback' : 'live', query.reason)
    const address = channelAddress(
      ctx,
      media,
      { ...own, channel: channelRequested(camera, own.channel, query.channel) },
      query.stream,
      now,
      span,
    )
    return { deviceId: camera.id, kind: media.kind, codec, segments, reason: null, ...address }
  }

const tokenMs = 10 * 60_000

/** The camera's identity in the national network, if a server is enabled and the camera has a number. */
async function nationalOf(
  ctx: Context,
  camera: Pick<Camera, 'params' | 'family' | 'status'>,
): Promise<{ server: GbServer; camera: GbCamera } | undefined> {
  if (camera.family !== 'videoAi' || camera.status !== deviceStatus.inUse) return undefined
  const found = gbCameraOf(camera.params)
  const server = found && (await findGb(ctx))
  return found && server?.isOn ? { server, camera: found } : undefined
}

const getPtz =
  (gb: GbMedia): HandlerOf<typeof calls.getPtz> =>
  async ({ query }, ctx) => {
    if (!query.deviceId) return { why: '请选择摄像机', holder: null, isMine: false, until: null, presets: [] }
    const camera = await findCamera(ctx, query.deviceId)
    const national = await nationalOf(ctx, camera)
    const why = whyNotTurned(camera, national !== undefined)
    const hold = await holdOf(ctx, 'turning', camera.id)
    return new AfterCommit(async () => ({
      why,
      ...hold,
      presets: why === null && national ? await gb.presets(ctx, national.server, national.camera) : [],
    }))
  }

const movePtz =
  (gb: GbMedia): HandlerOf<typeof calls.movePtz> =>
  async ({ body }, ctx) => {
    const camera = await cameraInService(ctx, body.deviceId)
    const national = await nationalOf(ctx, camera)
    const why = whyNotTurned(camera, national !== undefined)
    if (why !== null || !national) throw new AppError('refused', why ?? '不能控制云台')
    await takeHold(ctx, 'turning', camera)
    ctx.note(`云台 ${camera.name}：${body.preset === undefined ? calls.ptzMoves[body.move ?? 'stop'] : `预置位 ${body.preset}`}`, camera.id)
    const hold = await holdOf(ctx, 'turning', camera.id)
    return new AfterCommit(async () => {
      const { why: failed } =
        body.preset === undefined
          ? await gb.turn(ctx, national.server, national.camera, body.move ?? 'stop')
          : await gb.goTo(ctx, national.server, national.camera, body.preset)
      if (failed !== undefined) throw new AppError('refused', failed.replace('取流失败', '云台没有执行'))
      return { why: null, ...hold }
    })
  }

/** A camera has the channel of its record; a vehicle has as many as its terminal. @throws AppError `invalidInput`. */
function channelRequested(camera: Camera, own: string, requested: string | undefined): string {
  if (requested === undefined || requested === own) return own
  const number = /^\d{1,2}$/.test(requested) ? Number(requested) : 0
  if (camera.family !== 'truckMonitor' || number < 1 || number > truckChannels(camera.params))
    throw new AppError('invalidInput', '设备没有这个通道', { field: 'channel' })
  return requested
}

const downloadClip: HandlerOf<typeof calls.downloadClip> = async ({ body }, ctx) => {
  const camera = await cameraInService(ctx, body.deviceId)
  // Helmet and vehicle cameras have download rules of their own.
  if (camera.family !== 'videoAi') throw new AppError('invalidInput', '只能下载固定摄像机的录像', { field: 'deviceId' })
  requireCode(ctx, 'video.playback')
  const now = ctx.clock.now()
  const startTime = parseInstant(body.startTime) ?? now
  const endTime = parseInstant(body.endTime) ?? now
  if (endTime <= startTime) throw new AppError('invalidInput', '结束时间应晚于开始时间', { field: 'endTime' })
  if (endTime > now) throw new AppError('invalidInput', '结束时间不能晚于现在', { field: 'endTime' })
  if (endTime - startTime > calls.longestClipMinutes * 60_000)
    throw new AppError('invalidInput', `一次最多下载 ${calls.longestClipMinutes} 分钟`, { field: 'endTime' })
  if (await nationalOf(ctx, camera)) throw new AppError('refused', '国标接入的录像存放在摄像机或录像机上，请在录像机上导出')
  const media = await findMedia(ctx)
  if (!media) throw new AppError('refused', '未配置流媒体服务，不能下载录像')
  const own = streamOf(camera)
  if (!own) throw new AppError('refused', notInService)
  const address = clipAddress(ctx, media, own, now, { startTime, endTime })
  const span = `${formatInstant(startTime)} 至 ${formatInstant(endTime).slice(11)}`
  await noteView(ctx, camera, 'clip', body.reason)
  ctx.note(`下载录像 ${camera.name} ${span}：${body.reason}`, camera.id)
  return { ...address, fileName: `${camera.name} ${span.replaceAll(':', '')}.mp4` }
}
