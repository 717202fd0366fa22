import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { dayRange, filled, nullable, ofProject, paged, pageQuery, ref, several, text } from '../../kit/fields.ts'
import { listOf, sortBy } from '../../kit/list.ts'
import { epoch } from '../../telemetry/model.ts'

export const patrolResults = { fine: '无异常', found: '有发现' } as const
/** States of a finding. */
export const findingStates = { open: '待处理', answered: '待确认', closed: '已确认' } as const
/** State of a camera seen on a patrol. */
export const patrolStates = { online: '在线', offline: '离线', covered: '黑屏/遮挡', noStream: '无码流' } as const

/** A patrol through a site's cameras. The site sees who looked and what was found. */
export const videoPatrol = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  time: epoch,
  cameras: z.array(z.object({ deviceId: z.string(), name: z.string(), state: z.enum(['online', 'offline', 'covered', 'noStream']) })),
  online: z.number().int(),
  result: z.enum(['fine', 'found']),
  finding: z.string().nullable(),
  photos: z.array(z.string()),
  /** Camera of the finding. */
  deviceId: z.string().nullable(),
  deviceName: z.string().nullable(),
  byName: z.string(),
  byGroup: z.string(),
  /** State of a finding, and how many people of the site were notified. */
  state: z.enum(['open', 'answered', 'closed']).nullable(),
  told: z.number().int(),
  answer: z.string().nullable(),
  answerPhotos: z.array(z.string()),
  answerBy: z.string().nullable(),
  answerAt: epoch.nullable(),
  /** Reason for rejecting an answer, or a remark with its confirmation. */
  verdict: z.string().nullable(),
  verdictBy: z.string().nullable(),
  verdictAt: epoch.nullable(),
  version: z.number().int(),
  /** Actions permitted to the caller now. */
  mayAnswer: z.boolean(),
  mayJudge: z.boolean(),
})
export type VideoPatrol = z.infer<typeof videoPatrol>
export const listPatrols = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/videoPatrol',
  summary: '视频巡查记录',
  needs: 'video.view',
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    result: several.optional(),
    state: several.optional(),
    byName: text(30).optional(),
    time: dayRange.optional(),
    sort: sortBy('time'),
  }),
  response: paged(videoPatrol),
})
export const patrolList = listOf(listPatrols, {
  feature: 'videoPatrol',
  columns: {
    time: '巡查时间',
    projectName: '项目',
    cameras: '摄像机',
    online: '在线',
    result: '结果',
    finding: '发现',
    deviceName: '发现于',
    photos: '照片',
    state: '处理',
    answer: '处理说明',
    byName: '巡查人',
    byGroup: '单位',
  },
  onScreen: ['photos'],
})
/** More than any site has. */
const mostCameras = 300
const mostPhotos = 6
export const addPatrol = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/videoPatrol',
  summary: '登记视频巡查',
  needs: 'video.patrol',
  acts: 'review',
  query: ofProject,
  body: z.object({
    cameraIds: z.array(ref('device')).min(1, '请选择看过的摄像机').max(mostCameras, `一次最多 ${mostCameras} 路摄像机`),
    result: z.enum(['fine', 'found'], { error: '请选择巡查结果' }),
    finding: nullable(text(500, '发现的问题')),
    deviceId: nullable(ref('device')),
    photos: z.array(text(400, '照片')).max(mostPhotos, `照片最多 ${mostPhotos} 张`).default([]),
  }),
  response: videoPatrol,
})

/** Permission code of those who receive and answer findings. */
export const answersFindings = 'alarm.handle'
const patrolId = z.object({ id: ref('videoPatrol') })
/** The site answers a finding. */
export const answerPatrol = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/videoPatrol/:id/answer',
  summary: '答复视频巡查发现',
  needs: answersFindings,
  params: patrolId,
  query: ofProject,
  body: z.object({
    answer: filled(500, '处理说明'),
    photos: z.array(text(400, '照片')).max(mostPhotos, `照片最多 ${mostPhotos} 张`).default([]),
    version: z.number().int(),
  }),
  response: videoPatrol,
})
/** The patrolling body confirms the answer or rejects it with a reason. */
export const judgePatrol = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/videoPatrol/:id/judge',
  summary: '确认视频巡查答复',
  needs: 'video.patrol',
  acts: 'review',
  params: patrolId,
  query: ofProject,
  body: z.object({
    action: z.enum(['confirm', 'return'], { error: '请选择确认或退回' }),
    reason: nullable(text(300, '说明')),
    version: z.number().int(),
  }),
  response: videoPatrol,
})
