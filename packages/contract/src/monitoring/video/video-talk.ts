import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { ref } from '../../kit/fields.ts'
import { epoch } from '../../telemetry/model.ts'

/** Longest session: releases a camera whose browser was closed without ending it. */
export const talkSeconds = 180
/** An SDP offer for one audio line has a few thousand characters. */
const mostSdp = 20_000

const talkState = z.object({
  /** Why talking is impossible; null if it can be tried. */
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
/** Opens audio from the caller's microphone to a camera's loudspeaker: the media server answers the browser's SDP offer. */
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
