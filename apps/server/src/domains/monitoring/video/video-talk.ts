import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/monitoring/video/video-talk'
import { AfterCommit, type Context } from '#kit/context'
import type { HandlerOf, Serve } from '#kit/serve'
import type { GbCamera, GbMedia, GbServer } from './media-gb.ts'
import { endHold, holdOf, takeHold, whyNotSpoken } from './ptz-hold.ts'

interface Camera {
  id: string
  projectCode: string
  name: string
  family: string
  status: string
  params: Record<string, unknown>
  online: boolean | null
}
/** Finds cameras, and their identity in the national network. */
interface Cameras {
  find(ctx: Context, id: string): Promise<Camera>
  national(ctx: Context, camera: Camera): Promise<{ server: GbServer; camera: GbCamera } | undefined>
}

/** Talking to a camera: audio goes from the browser to the media server, and from there to the camera by GB/T 28181. */
export function videoTalkRoutes(serve: Serve, gb: GbMedia, cameras: Cameras): void {
  serve(calls.getTalk, getTalk(cameras))
  serve(calls.startTalk, startTalk(gb, cameras))
  serve(calls.stopTalk, stopTalk(gb, cameras))
}

const getTalk =
  (cameras: Cameras): HandlerOf<typeof calls.getTalk> =>
  async ({ query }, ctx) => {
    if (!query.deviceId) return { why: '请选择摄像机', holder: null, isMine: false, until: null }
    const camera = await cameras.find(ctx, query.deviceId)
    const why = whyNotSpoken(camera, (await cameras.national(ctx, camera)) !== undefined)
    return { why, ...(await holdOf(ctx, 'speaking', camera.id)) }
  }

const startTalk =
  (gb: GbMedia, cameras: Cameras): HandlerOf<typeof calls.startTalk> =>
  async ({ body }, ctx) => {
    const camera = await cameras.find(ctx, body.deviceId)
    const national = await cameras.national(ctx, camera)
    const why = whyNotSpoken(camera, national !== undefined)
    if (why !== null || !national) throw new AppError('refused', why ?? '不能对讲')
    await takeHold(ctx, 'speaking', camera)
    ctx.note(`向摄像机对讲：${camera.name}`, camera.id)
    const hold = await holdOf(ctx, 'speaking', camera.id)
    return new AfterCommit(async () => {
      const { is: sdp, why: failed } = await gb.talk(ctx, national.server, national.camera, body.sdp)
      if (sdp === undefined) throw new AppError('refused', `对讲没有接通：${failed ?? '没有应答'}`)
      return { why: null, ...hold, sdp }
    })
  }

const stopTalk =
  (gb: GbMedia, cameras: Cameras): HandlerOf<typeof calls.stopTalk> =>
  async ({ body }, ctx) => {
    const camera = await cameras.find(ctx, body.deviceId)
    const national = await cameras.national(ctx, camera)
    const { isMine } = await holdOf(ctx, 'speaking', camera.id)
    await endHold(ctx, 'speaking', camera.id)
    ctx.note(`结束对讲：${camera.name}`, camera.id)
    const hold = await holdOf(ctx, 'speaking', camera.id)
    return new AfterCommit(async () => {
      // Only the caller's own talk is ended; if the server does not answer, the line ends by itself without audio.
      if (isMine && national) await gb.endTalk(ctx, national.server, national.camera)
      return { why: whyNotSpoken(camera, national !== undefined), ...hold }
    })
  }
