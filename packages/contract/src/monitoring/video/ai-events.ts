import { z } from 'zod'
import { endpoint, viewOf } from '../../kit/endpoint.ts'
import { nullable, numericRange, ofProject, paged, ref, several, text } from '../../kit/fields.ts'
import { listOf, sortBy } from '../../kit/list.ts'
import { epoch, periodQuery } from '../../telemetry/model.ts'
import { type KeptReason, keptReasons } from './camera-ai.ts'

export const aiVerdicts = { open: '0', real: '1', wrong: '2' } as const
export const aiVerdictNames: Readonly<Record<string, string>> = { '0': '未复核', '1': '属实', '2': '误报' }
export const aiReasons = ['反光', '姿态', '遮挡', '其他'] as const

export const aiEvent = z.object({
  /** Derived from device, time and the device's own number. */
  id: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  area: z.string().nullable(),
  type: z.string(),
  time: epoch,
  confidence: z.number().nullable(),
  /** Recognitions within a minute are merged into one event; this counts them. */
  count: z.number().int(),
  /** x, y, width, height as fractions of the picture. */
  boxes: z.array(z.array(z.number())),
  review: z.enum(['0', '1', '2']),
  firstReview: z.string().nullable(),
  reason: z.string().nullable(),
  reviewer: z.string().nullable(),
  reviewTime: epoch.nullable(),
  version: z.number().int(),
  /** Signed for ten minutes; null without a media server or the right to play. */
  snapshotUrl: z.string().nullable(),
  alarmId: z.string().nullable(),
  level: z.number().int().nullable(),
  /** Why it is suppressed under the camera's current settings; null if it is notified. */
  kept: z.enum(Object.keys(keptReasons) as [KeptReason, ...KeptReason[]]).nullable(),
})
export type AiEvent = z.infer<typeof aiEvent>

const aiGroup = z.object({
  projectCode: z.string(),
  projectName: z.string(),
  type: z.string(),
  /** Cameras of the project with recognition. */
  cameras: z.number().int(),
  hits: z.number().int(),
  real: z.number().int(),
  wrong: z.number().int(),
  open: z.number().int(),
  /** Confirmed events in the preceding period of equal length. */
  realBefore: z.number().int(),
})
const counts = z.object({
  total: z.number().int(),
  open: z.number().int(),
  real: z.number().int(),
  wrong: z.number().int(),
  today: z.number().int(),
})

const filters = {
  ...ofProject.shape,
  type: several.optional(),
  review: several.optional(),
  confidence: numericRange.optional(),
  deviceName: text(50).optional(),
}
export const listAiEvents = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/aiEvent',
  summary: 'AI 识别记录',
  needs: 'video.view',
  answers: 'list',
  query: periodQuery.extend({ ...filters, sort: sortBy('time', 'confidence', 'review'), groupBy: z.enum(['project,type']).optional() }),
  response: paged(z.union([aiEvent, aiGroup])).extend({ counts }),
})
export const findAiEvents = viewOf(listAiEvents, {
  query: periodQuery.extend({ ...filters, sort: sortBy('time', 'confidence', 'review') }),
  response: paged(aiEvent).extend({ counts }),
})
export const findAiGroups = viewOf(listAiEvents, {
  query: periodQuery.extend({ ...filters, groupBy: z.literal('project,type') }),
  response: paged(aiGroup).extend({ counts }),
})
export const aiEventList = listOf(findAiEvents, {
  feature: 'aiEvent',
  columns: {
    picture: '画面',
    type: '类型',
    projectName: '项目',
    deviceName: '摄像机',
    area: '位置',
    time: '时间',
    confidence: '置信度',
    count: '次数',
    review: '复核',
    reviewer: '复核人',
    reason: '误报原因',
    level: '告警等级',
  },
  onScreen: ['picture'],
})

export const getAiEvent = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/aiEvent/:id',
  summary: 'AI 识别详情',
  needs: 'video.view',
  params: z.object({ id: ref('deviceRecord') }),
  query: ofProject,
  response: aiEvent.extend({
    /** Events of the same camera within seven days before and after. */
    similar: z.array(aiEvent),
    previousId: z.string().nullable(),
    nextId: z.string().nullable(),
    lng: z.number().nullable(),
    lat: z.number().nullable(),
  }),
})
export const reviewAiEvent = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/aiEvent/:id',
  summary: '复核 AI 识别',
  needs: 'video.ai-review',
  params: z.object({ id: ref('deviceRecord') }),
  query: ofProject,
  body: z.object({
    review: z.enum(['1', '2'], { error: '请选择属实或误报' }),
    reason: nullable(text(100, '原因')),
    /** Version as read: prevents concurrent reviews from overwriting each other. */
    version: z.coerce.number().int(),
  }),
})
