import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, instant, ref, text } from '../kit/fields.ts'
import { epoch } from '../telemetry/model.ts'

/** Media are relayed by a server of their own; the platform knows its address and signs what may be played. */
export const mediaAccount = endpoint({
  method: 'GET',
  path: '/api/v1/third/account',
  summary: '第三方账号查询',
  needs: ['video.view', 'vehicle.view', 'helmet.view', 'tower-crane.video'],
  response: z.object({
    configured: z.boolean(),
    provider: z.string().nullable(),
    baseUrl: z.string().nullable(),
    kind: z.string().nullable(),
    updateTime: epoch.nullable(),
    /** Streams one person may have open at once. */
    concurrent: z.number().int(),
  }),
})
export const setMediaAccount = endpoint({
  method: 'PUT',
  path: '/api/v1/third/account',
  summary: '设置流媒体服务',
  needs: 'system.set',
  acts: 'aside',
  body: z.object({
    provider: filled(40, '名称'),
    baseUrl: filled(200, '地址').regex(/^https?:\/\/[^\s]+$/, '地址应以 http:// 或 https:// 开头'),
    kind: z.enum(['hls', 'flv', 'mp4'], { error: '类型应为 hls、flv 或 mp4' }),
    secret: filled(100, '签名密钥').min(16, '签名密钥至少 16 个字符'),
    concurrent: z.coerce.number().int().min(1).max(64).default(16),
  }),
})
export const mediaToken = endpoint({
  method: 'GET',
  path: '/api/v1/third/token',
  summary: '第三方令牌查询',
  needs: ['video.play', 'video.playback', 'vehicle.video', 'helmet.media', 'tower-crane.video'],
  query: z.object({
    deviceId: ref('device').optional(),
    channel: text(8).optional(),
    stream: z.enum(['sub', 'main']).default('sub'),
    startTime: instant.optional(),
    endTime: instant.optional(),
    /** Why somebody looks through a person's helmet: asked of whoever does, and written down. */
    reason: text(200, '事由').optional(),
  }),
  response: z.object({
    deviceId: z.string().nullable(),
    url: z.string().nullable(),
    kind: z.string().nullable(),
    codec: z.string().nullable(),
    expireAt: epoch.nullable(),
    snapshotUrl: z.string().nullable(),
    segments: z.array(z.object({ startTime: epoch, endTime: epoch, source: z.string() })),
    /** Why nothing can be played: 离线, 无码流, 黑屏/遮挡, 未配置流媒体服务. */
    reason: z.string().nullable(),
  }),
})

/** A longer piece is asked for from the recorder itself. */
export const longestClipMinutes = 10
/** An address that hands out a piece of a recording; who took which and what for stands in the log of operations. */
export const downloadClip = endpoint({
  method: 'POST',
  path: '/api/v1/third/clip',
  summary: '下载录像片段',
  needs: 'video.download',
  acts: 'review',
  perMinute: 20,
  body: z.object({
    deviceId: ref('device'),
    startTime: instant,
    endTime: instant,
    reason: filled(100, '用途'),
  }),
  response: z.object({ url: z.string(), fileName: z.string(), expireAt: epoch }),
})
