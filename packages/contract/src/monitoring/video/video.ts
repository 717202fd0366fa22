import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { dayRange, filled, flag, instant, nullable, ofProject, paged, pageQuery, ref, several, text } from '../../kit/fields.ts'
import { listOf, sortBy } from '../../kit/list.ts'
import { epoch } from '../../telemetry/model.ts'

/** A separate media server relays streams; the platform stores its address and signs playback. */
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
    /** Most streams a person may have open at once. */
    concurrent: z.number().int(),
    /** An additional server of the national network (GB/T 28181), used for cameras with a twenty-digit number. */
    gb: z.object({
      configured: z.boolean(),
      isOn: z.boolean(),
      provider: z.string().nullable(),
      baseUrl: z.string().nullable(),
      updateTime: epoch.nullable(),
    }),
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
    /** Why a person's helmet camera is viewed: required for helmets and recorded. */
    reason: text(200, '事由').optional(),
    /** Only a still picture: no stream is started. */
    still: flag.optional(),
  }),
  response: z.object({
    deviceId: z.string().nullable(),
    url: z.string().nullable(),
    kind: z.string().nullable(),
    codec: z.string().nullable(),
    expireAt: epoch.nullable(),
    snapshotUrl: z.string().nullable(),
    segments: z.array(z.object({ startTime: epoch, endTime: epoch, source: z.string() })),
    /** Why playback is impossible: 离线, 无码流, 黑屏/遮挡, 未配置流媒体服务. */
    reason: z.string().nullable(),
  }),
})

/** Longer pieces must be taken from the recorder itself. */
export const longestClipMinutes = 10
/** A download address for a piece of a recording; the audit log records who took it and why. */
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

const httpAddress = filled(200, '地址').regex(/^https?:\/\/[^\s]+$/, '地址应以 http:// 或 https:// 开头')
/** Address and key of the GB/T 28181 server; an omitted key is unchanged. */
export const setGbAccount = endpoint({
  method: 'PUT',
  path: '/api/v1/third/gb',
  summary: '设置国标流媒体服务',
  needs: 'system.set',
  acts: 'aside',
  body: z.object({
    provider: filled(40, '名称'),
    baseUrl: httpAddress,
    apiKey: nullable(text(400, '接口密钥')),
    isOn: flag.default(true),
  }),
})
/** Compares the server's registered devices with the cameras of all sites. */
export const checkGb = endpoint({
  method: 'POST',
  path: '/api/v1/third/gb/check',
  summary: '检查国标流媒体服务',
  needs: 'system.set',
  acts: 'aside',
  perMinute: 6,
  response: z.object({
    /** Why the server could not be queried; null if it answered. */
    why: z.string().nullable(),
    /** Devices registered there, and how many of them are online. */
    devices: z.number().int(),
    online: z.number().int(),
    /** Our cameras with a number, and how many of them the server knows. */
    cameras: z.number().int(),
    known: z.number().int(),
    /** Cameras without a number or with one unknown to the server. */
    missing: z.array(z.object({ name: z.string(), projectName: z.string(), gbDeviceId: z.string().nullable() })),
  }),
})

export const ptzMoves = {
  up: '上',
  down: '下',
  left: '左',
  right: '右',
  upleft: '左上',
  upright: '右上',
  downleft: '左下',
  downright: '右下',
  zoomin: '拉近',
  zoomout: '拉远',
  stop: '停止',
} as const
export type PtzMove = keyof typeof ptzMoves
/** Who moves a camera reserves it for this time. */
export const ptzHoldSeconds = 30
const ptzState = z.object({
  /** Why it cannot be moved; null if it can. */
  why: z.string().nullable(),
  holder: z.string().nullable(),
  isMine: z.boolean(),
  until: epoch.nullable(),
})
export const getPtz = endpoint({
  method: 'GET',
  path: '/api/v1/third/ptz',
  summary: '云台状态与预置位',
  needs: 'video.ptz',
  query: z.object({ deviceId: ref('device').optional() }),
  response: ptzState.extend({ presets: z.array(z.object({ id: z.number().int(), name: z.string() })) }),
})
export const movePtz = endpoint({
  method: 'POST',
  path: '/api/v1/third/ptz',
  summary: '云台控制',
  needs: 'video.ptz',
  acts: 'review',
  perMinute: 240,
  body: z
    .object({
      deviceId: ref('device'),
      move: z.enum(Object.keys(ptzMoves) as [PtzMove, ...PtzMove[]], { error: '云台动作不正确' }).optional(),
      preset: z.coerce.number().int().min(1, '预置位为 1 至 255').max(255, '预置位为 1 至 255').optional(),
    })
    .refine((body) => (body.move === undefined) !== (body.preset === undefined), { message: '请选择一个动作或预置位', path: ['move'] }),
  response: ptzState,
})

export const viewKinds = { live: '实时', playback: '回放', clip: '下载' } as const
export type ViewKind = keyof typeof viewKinds
/** Who viewed which cameras: visible to the site, whoever the viewer is. */
export const listViews = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/videoView',
  summary: '视频查看记录',
  needs: 'video.view',
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    deviceId: ref('device').optional(),
    deviceName: text(40).optional(),
    kind: several.optional(),
    userName: text(30).optional(),
    groupName: text(80).optional(),
    lastAt: dayRange.optional(),
    sort: sortBy('lastAt'),
  }),
  response: paged(
    z.object({
      id: z.string(),
      projectCode: z.string(),
      projectName: z.string(),
      deviceId: z.string(),
      deviceName: z.string(),
      kind: z.enum(['live', 'playback', 'clip']),
      firstAt: epoch,
      lastAt: epoch,
      userName: z.string(),
      groupName: z.string(),
      reason: z.string().nullable(),
    }),
  ).extend({
    /** Since midnight: views, and distinct viewers. */
    today: z.object({ views: z.number().int(), people: z.number().int() }),
  }),
})
export const viewList = listOf(listViews, {
  feature: 'videoView',
  columns: {
    lastAt: '查看时间',
    projectName: '项目',
    deviceName: '摄像机',
    kind: '方式',
    userName: '查看人',
    groupName: '单位',
    reason: '事由',
  },
})
