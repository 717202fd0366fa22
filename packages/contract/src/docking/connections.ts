import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, filled, ref, text } from '../kit/fields.ts'
import { area, dict } from '../settings/dict-field.ts'
import { type ProgressMove, progressMoves } from './codes.ts'
import { count, object, ours, platformId } from './fields.ts'
import { profiles } from './standard.ts'

const mostProjects = 500

export const dockingPlatform = z.object({
  id: z.string(),
  name: z.string(),
  level: z.string(),
  areaCode: z.string(),
  areaName: z.string(),
  profile: z.enum(Object.keys(profiles) as [keyof typeof profiles]),
  profileChecked: z.boolean(),
  /** Null for callers who may only send records: connection data is hidden from them. */
  endpoint: z.string().nullable(),
  appKey: z.string().nullable(),
  hasSecret: z.boolean(),
  objects: z.array(object),
  projects: z.array(z.object({ code: z.string(), name: z.string() })),
  progress: z.string(),
  steps: z.array(z.object({ step: z.string(), at: z.string(), by: z.string(), note: z.string() })),
  status: z.string(),
  paused: z.boolean(),
  downSince: z.string().nullable(),
  downReason: z.string().nullable(),
  probeAt: z.string().nullable(),
  lastAnswer: z.string().nullable(),
  waiting: count,
  failed: count,
  /** The caller's group may change it. */
  own: z.boolean(),
  updateTime: z.string(),
  version: count,
})
export type DockingPlatform = z.infer<typeof dockingPlatform>

export const listPlatforms = endpoint({
  method: 'GET',
  path: '/api/v1/docking/platform',
  summary: '对接平台列表',
  needs: 'docking.view',
  query: z.object({}),
  response: z.object({ list: z.array(dockingPlatform) }),
})

export const platformFields = {
  name: filled(60, '名称'),
  level: dict('govLevel', '层级'),
  areaCode: area('行政区划'),
  profile: z.enum(Object.keys(profiles) as [keyof typeof profiles], { error: '请选择数据标准' }),
  profileChecked: z.boolean().default(false),
  endpoint: text(300, '接口地址').regex(/^https?:\/\/[^\s/$.?#][^\s]*$/i, '接口地址应以 http:// 或 https:// 开头'),
  appKey: filled(100, '接入标识'),
  /** Never returned; unchanged when left out. */
  secret: text(200, '接入密钥').optional(),
  objects: z
    .array(object)
    .min(1, '请选择上传对象')
    .transform((given) => [...new Set(given)]),
  projects: z.array(ref('project')).max(mostProjects, `最多 ${mostProjects} 个项目`).default([]),
}

export const createPlatform = endpoint({
  ...ours,
  method: 'POST',
  path: '/api/v1/docking/platform',
  summary: '新增对接平台',
  body: z.object(platformFields),
  response: z.object({ id: z.string() }),
})
export const changePlatform = endpoint({
  ...ours,
  method: 'PUT',
  path: '/api/v1/docking/platform',
  summary: '修改对接平台',
  body: z.object({ ...platformFields, id: ref('dockingPlatform'), version: count, status: z.enum(['01', '02', '03']) }),
  response: z.object({ id: z.string(), version: count }),
})
export const pausePlatform = endpoint({
  ...ours,
  method: 'PUT',
  path: '/api/v1/docking/platform/:id/pause',
  summary: '暂停或恢复上传',
  params: platformId,
  body: z.object({ paused: z.boolean(), version: count }),
  response: z.object({ version: count }),
})
/** Tests whether the platform above responds and accepts the credentials. */
export const testPlatform = endpoint({
  ...ours,
  method: 'POST',
  path: '/api/v1/docking/platform/:id/test',
  summary: '测试对接连接',
  params: platformId,
  perMinute: 20,
  response: z.object({ ok: z.boolean(), text: z.string(), tookMs: count }),
})
export const movePlatform = endpoint({
  ...ours,
  method: 'PUT',
  path: '/api/v1/docking/platform/:id/progress',
  summary: '推进对接进度',
  params: platformId,
  body: z.object({
    move: z.enum(Object.keys(progressMoves) as [ProgressMove, ...ProgressMove[]]),
    note: text(500, '说明').default(''),
    version: count,
  }),
  response: z.object({ progress: z.string(), version: count }),
})

const compareRow = z.object({
  day,
  objectType: object,
  /** New and changed records; includes deletions if the platform above does not count them separately. */
  ours: count,
  theirs: count,
  oursRemoved: count,
  /** Null if the platform above does not count deletions separately. */
  theirsRemoved: count.nullable(),
  at: z.string(),
})
export const listCompare = endpoint({
  method: 'GET',
  path: '/api/v1/docking/platform/:id/compare',
  summary: '对账结果',
  needs: 'docking.view',
  groupTypes: [0, 1],
  params: platformId,
  query: z.object({}),
  response: z.object({ list: z.array(compareRow) }),
})
/** Requests the platform's counts of the last days again and compares them. */
export const runCompare = endpoint({
  ...ours,
  method: 'POST',
  path: '/api/v1/docking/platform/:id/compare',
  summary: '立即对账',
  params: platformId,
  perMinute: 10,
  response: z.object({ days: count, different: count }),
})
