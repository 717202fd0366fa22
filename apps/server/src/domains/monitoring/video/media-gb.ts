import { createHash } from 'node:crypto'
import { talkSeconds } from '@zhugong/contract/monitoring/video/video-talk'
import { z } from 'zod'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import { type Outgoing, OutgoingError } from '#kit/outgoing'

/**
 * A media server that speaks GB/T 28181 with cameras (it handles SIP and RTP) and is controlled over HTTP, with the API of WVP-PRO: a request starts
 * a stream and returns its addresses. The stream stops by itself without viewers.
 */
export interface GbServer {
  provider: string
  baseUrl: string
  /** Encrypted; decrypted only for a request. */
  apiKey: string
  isOn: boolean
  updateTime: number
}
export const gbKey = 'mediaGb'

export async function findGb(ctx: Pick<Context, 'db'>): Promise<GbServer | undefined> {
  const row = await ctx.db.selectFrom('setting').select('value').where('key', '=', gbKey).executeTakeFirst()
  return row?.value as GbServer | undefined
}

/** A camera in the national network: device of twenty digits, and channel. */
export interface GbCamera {
  deviceId: string
  channelId: string
}
const gbId = /^\d{20}$/
export function gbCameraOf(params: Readonly<Record<string, unknown>>): GbCamera | undefined {
  const { gbDeviceId, channelId } = params
  if (typeof gbDeviceId !== 'string' || !gbId.test(gbDeviceId)) return undefined
  // A single camera is its own channel; channels of a recorder have numbers of their own.
  return { deviceId: gbDeviceId, channelId: typeof channelId === 'string' && gbId.test(channelId) ? channelId : gbDeviceId }
}

export interface GbStream {
  url: string
  kind: 'mp4' | 'hls' | 'flv'
  codec: string | null
}
export type GbAnswer<T> = { is: T; why?: undefined } | { is?: undefined; why: string }

const streamAnswer = z.object({
  fmp4: z.string().nullish(),
  https_fmp4: z.string().nullish(),
  hls: z.string().nullish(),
  https_hls: z.string().nullish(),
  flv: z.string().nullish(),
  https_flv: z.string().nullish(),
  mediaInfo: z.object({ videoCodec: z.string().nullish() }).nullish(),
})
const recordsAnswer = z.object({ recordList: z.array(z.object({ startTime: z.string(), endTime: z.string() })).nullish() })
const devicesAnswer = z.object({
  total: z.number(),
  list: z.array(z.object({ deviceId: z.string(), name: z.string().nullish(), onLine: z.boolean().nullish() })),
})
const presetsAnswer = z.array(z.object({ presetId: z.coerce.number(), presetName: z.string().nullish() })).nullish()
const talkAnswer = z.object({ streamInfo: z.object({ rtc: z.string().nullish(), rtcs: z.string().nullish() }) })
const userAnswer = z.object({ pushKey: z.string().nullish() })
/** Answer of the media server behind it to a browser's SDP offer. */
const sdpAnswer = z.object({ code: z.number(), msg: z.string().nullish(), sdp: z.string().nullish() })
const envelope = z.object({ code: z.number(), msg: z.string().nullish(), data: z.unknown() })

/** Limit of concurrent invitations: each holds its request until the camera answers. */
const mostAtOnce = 6
/** Within this time a repeated request gets the known address. */
const keptMs = 60_000
/** Returned while other cameras are being invited: the tile retries by itself. */
export const queueing = '取流排队中'
const segmentsShown = 500
const devicesRead = 1_000
/** The national standard's speeds go up to 255, zoom up to 15. */
const turnSpeed = 90
const zoomSpeed = 5

/**
 * Client of such servers, used outside of transactions (`AfterCommit`) because cameras answer slowly. One per process: it counts open requests and
 * caches live addresses briefly.
 */
export class GbMedia {
  private readonly outgoing: Outgoing
  private readonly live = new Map<string, { at: number; answer: Promise<GbAnswer<GbStream>> }>()
  private running = 0

  constructor(outgoing: Outgoing) {
    this.outgoing = outgoing
  }

  /** The address of a live stream or of a span of its recording; never throws, the reason is shown to the viewer. */
  play(ctx: Pick<Context, 'secrets' | 'clock'>, server: GbServer, camera: GbCamera, span?: { startTime: number; endTime: number }) {
    if (span) return this.begin(ctx, server, 'playback', camera, span)
    const now = ctx.clock.now()
    for (const [key, { at }] of this.live) if (now - at > keptMs) this.live.delete(key)
    const key = `${server.baseUrl} ${camera.deviceId} ${camera.channelId}`
    const known = this.live.get(key)
    if (known) return known.answer
    const answer = this.begin(ctx, server, 'play', camera)
    this.live.set(key, { at: now, answer })
    // Failures are not cached: the next viewer retries.
    void answer.then(({ why }) => why !== undefined && this.live.delete(key))
    return answer
  }

  private async begin(
    ctx: Pick<Context, 'secrets'>,
    server: GbServer,
    what: 'play' | 'playback',
    camera: GbCamera,
    span?: { startTime: number; endTime: number },
  ): Promise<GbAnswer<GbStream>> {
    if (this.running >= mostAtOnce) return { why: queueing }
    this.running++
    try {
      const times: Record<string, string> = span ? { startTime: formatInstant(span.startTime), endTime: formatInstant(span.endTime) } : {}
      const found = await this.ask(ctx, server, streamAnswer, `/api/${what}/start/${camera.deviceId}/${camera.channelId}`, times)
      if (found.why !== undefined) return found
      const stream = streamOf(found.is, server.baseUrl.startsWith('https:'))
      return stream ? { is: stream } : { why: '流媒体服务没有给出播放地址' }
    } finally {
      this.running--
    }
  }

  /** Recorded spans on the camera or its recorder. */
  async recorded(ctx: Pick<Context, 'secrets'>, server: GbServer, camera: GbCamera, span: { startTime: number; endTime: number }) {
    const found = await this.ask(ctx, server, recordsAnswer, `/api/gb_record/query/${camera.deviceId}/${camera.channelId}`, {
      startTime: formatInstant(span.startTime),
      endTime: formatInstant(span.endTime),
    })
    if (found.why !== undefined) return []
    return (found.is.recordList ?? [])
      .flatMap(({ startTime, endTime }) => {
        const [from, to] = [timeOf(startTime), timeOf(endTime)]
        return to > from ? [{ startTime: Math.max(from, span.startTime), endTime: Math.min(to, span.endTime), source: '设备录像' }] : []
      })
      .filter((one) => one.endTime > one.startTime)
      .sort((a, b) => a.startTime - b.startTime)
      .slice(0, segmentsShown)
  }

  /** Moves a camera or zooms until stopped. */
  turn(ctx: Pick<Context, 'secrets'>, server: GbServer, camera: GbCamera, move: string): Promise<GbAnswer<unknown>> {
    return this.ask(ctx, server, z.unknown(), `/api/front-end/ptz/${camera.deviceId}/${camera.channelId}`, {
      command: move,
      horizonSpeed: String(turnSpeed),
      verticalSpeed: String(turnSpeed),
      zoomSpeed: String(zoomSpeed),
    })
  }

  goTo(ctx: Pick<Context, 'secrets'>, server: GbServer, camera: GbCamera, preset: number): Promise<GbAnswer<unknown>> {
    return this.ask(ctx, server, z.unknown(), `/api/front-end/preset/call/${camera.deviceId}/${camera.channelId}`, {
      presetId: String(preset),
    })
  }

  async presets(ctx: Pick<Context, 'secrets'>, server: GbServer, camera: GbCamera): Promise<{ id: number; name: string }[]> {
    const found = await this.ask(ctx, server, presetsAnswer, `/api/front-end/preset/query/${camera.deviceId}/${camera.channelId}`)
    return (found.is ?? []).map(({ presetId, presetName }) => ({ id: presetId, name: presetName || `预置位 ${presetId}` }))
  }

  /**
   * Opens audio to a camera's loudspeaker: the server returns where to send it, and that address answers the browser's SDP offer. The request is
   * signed with the account's key if its server requires that.
   */
  async talk(ctx: Pick<Context, 'secrets'>, server: GbServer, camera: GbCamera, offer: string): Promise<GbAnswer<string>> {
    const opened = await this.ask(ctx, server, talkAnswer, `/api/play/broadcast/${camera.deviceId}/${camera.channelId}`, {
      timeout: String(talkSeconds),
      broadcastMode: 'true',
    })
    if (opened.why !== undefined) return { why: opened.why.replace('取流失败：', '') }
    const { rtc, rtcs } = opened.is.streamInfo
    const address = (server.baseUrl.startsWith('https:') ? (rtcs ?? rtc) : (rtc ?? rtcs)) ?? ''
    if (!URL.canParse(address)) return { why: '流媒体服务没有给出语音地址' }
    const url = new URL(address)
    const account = await this.ask(ctx, server, userAnswer, '/api/user/userInfo')
    if (account.is?.pushKey) url.searchParams.set('sign', createHash('md5').update(account.is.pushKey).digest('hex'))
    try {
      const message = sdpAnswer.safeParse(
        parsed(
          await this.outgoing.ask({ url: url.href, method: 'POST', headers: { 'content-type': 'text/plain;charset=utf-8' }, body: offer }),
        ),
      )
      if (!message.success) return { why: '流媒体服务的应答无法识别' }
      return message.data.code === 0 && message.data.sdp
        ? { is: message.data.sdp }
        : { why: message.data.msg ?? `代码 ${message.data.code}` }
    } catch (error) {
      if (error instanceof OutgoingError) return { why: `流媒体服务：${error.message}` }
      throw error
    }
  }

  endTalk(ctx: Pick<Context, 'secrets'>, server: GbServer, camera: GbCamera): Promise<GbAnswer<unknown>> {
    return this.ask(ctx, server, z.unknown(), `/api/play/broadcast/stop/${camera.deviceId}/${camera.channelId}`)
  }

  /** Registered devices, and which of them are online. */
  async devices(ctx: Pick<Context, 'secrets'>, server: GbServer): Promise<GbAnswer<{ total: number; online: Map<string, boolean> }>> {
    const found = await this.ask(ctx, server, devicesAnswer, '/api/device/query/devices', { page: '1', count: String(devicesRead) })
    if (found.why !== undefined) return found
    return { is: { total: found.is.total, online: new Map(found.is.list.map((one) => [one.deviceId, one.onLine ?? false])) } }
  }

  private async ask<T>(
    ctx: Pick<Context, 'secrets'>,
    server: GbServer,
    schema: z.ZodType<T>,
    path: string,
    query: Readonly<Record<string, string>> = {},
  ): Promise<GbAnswer<T>> {
    const url = `${server.baseUrl.replace(/\/+$/, '')}${path}?${new URLSearchParams(query)}`
    const apiKey = ctx.secrets.open(Buffer.from(server.apiKey, 'base64')) ?? ''
    try {
      const text = await this.outgoing.ask({ url, method: 'GET', headers: { accept: 'application/json', 'api-key': apiKey } })
      const message = envelope.safeParse(parsed(text))
      if (!message.success) return { why: '流媒体服务的应答无法识别' }
      if (message.data.code !== 0) return { why: `取流失败：${message.data.msg ?? `代码 ${message.data.code}`}` }
      const data = schema.safeParse(message.data.data)
      return data.success ? { is: data.data } : { why: '流媒体服务的应答无法识别' }
    } catch (error) {
      if (error instanceof OutgoingError) return { why: `流媒体服务：${error.message}` }
      throw error
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Servers write timestamps with or without T. */
const timeOf = (text: string): number => Date.parse(`${text.replace(' ', 'T').slice(0, 19)}+08:00`)

/** Formats a browser plays, in order of preference: fragmented MP4, HLS, FLV; encrypted if the server is. */
function streamOf(reported: z.infer<typeof streamAnswer>, secure: boolean): GbStream | undefined {
  const codec = reported.mediaInfo?.videoCodec ?? null
  const of = (plain: string | null | undefined, encrypted: string | null | undefined) =>
    (secure ? (encrypted ?? plain) : plain) || undefined
  const mp4 = of(reported.fmp4, reported.https_fmp4)
  if (mp4) return { url: mp4, kind: 'mp4', codec }
  const hls = of(reported.hls, reported.https_hls)
  if (hls) return { url: hls, kind: 'hls', codec }
  const flv = of(reported.flv, reported.https_flv)
  return flv ? { url: flv, kind: 'flv', codec } : undefined
}

/** The server's last picture of a channel; this address needs no key. */
export const gbSnapshot = (server: GbServer, { deviceId, channelId }: GbCamera, now: number): string =>
  `${server.baseUrl.replace(/\/+$/, '')}/api/device/query/snap/${deviceId}/${channelId}?t=${now}`
