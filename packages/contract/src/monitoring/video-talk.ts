import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { ref } from '../kit/fields.ts'
import { epoch } from '../telemetry/model.ts'

/** Nobody speaks longer at a time: a browser that was closed without a word leaves the camera to the next. */
export const talkSeconds = 180
/** A browser describes one line of sound in a few thousand characters. */
const mostSdp = 20_000

const talkState = z.object({
  /** Why nobody can speak there from here; null where it can be tried. */
  why: z.string().nullable(),
  holder: z.string().nullable(),
  isMine: z.boolean(),
  until: epoch.nullable(),
})
export const getTalk = endpoint({
  method: 'GET',
  path: '/api/v1/third/talk',
  summary: '对讲状态',
  needs: 'video.talk',
  query: z.object({ deviceId: ref('device').optional() }),
  response: talkState,
})
/** Opens a line from the caller's microphone to the loudspeaker of a camera: what his browser offers is answered by the media server. */
export const startTalk = endpoint({
  method: 'POST',
  path: '/api/v1/third/talk',
  summary: '开始对讲',
  needs: 'video.talk',
  acts: 'review',
  perMinute: 20,
  body: z.object({
    deviceId: ref('device'),
    sdp: z.string({ error: '浏览器没有给出语音参数' }).max(mostSdp, '语音参数过长').startsWith('v=0', '语音参数不正确'),
  }),
  response: talkState.extend({ sdp: z.string() }),
})
export const stopTalk = endpoint({
  method: 'POST',
  path: '/api/v1/third/talk/stop',
  summary: '结束对讲',
  needs: 'video.talk',
  acts: 'review',
  perMinute: 60,
  body: z.object({ deviceId: ref('device') }),
  response: talkState,
})
