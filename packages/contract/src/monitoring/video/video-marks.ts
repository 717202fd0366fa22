import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { dayRange, instant, nullable, ofProject, paged, pageQuery, ref, several, text } from '../../kit/fields.ts'
import { listOf, sortBy } from '../../kit/list.ts'
import { epoch } from '../../telemetry/model.ts'

export const markKinds = { snapshot: '抓拍', bookmark: '书签' } as const
export type MarkKind = keyof typeof markKinds

/** A saved moment of a camera. */
const videoMark = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  kind: z.enum(['snapshot', 'bookmark']),
  deviceId: z.string(),
  deviceName: z.string(),
  at: epoch,
  photo: z.string().nullable(),
  note: z.string().nullable(),
  byName: z.string(),
  byGroup: z.string(),
  createTime: epoch,
  /** Alarm it is attached to, the alarm's label, and who attached it. */
  alarmId: z.string().nullable(),
  alarmLabel: z.string().nullable(),
  attachedBy: z.string().nullable(),
  /** The caller saved it and may remove it. */
  own: z.boolean(),
})
export type VideoMark = z.infer<typeof videoMark>

export const listMarks = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/videoMark',
  summary: '视频抓拍与书签列表',
  needs: ['video.play', 'video.playback'],
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    kind: several.optional(),
    deviceId: ref('device').optional(),
    deviceName: text(40).optional(),
    byName: text(30).optional(),
    alarmId: ref('alarm').optional(),
    at: dayRange.optional(),
    sort: sortBy('at'),
  }),
  response: paged(videoMark),
})
export const markList = listOf(listMarks, {
  feature: 'videoMark',
  columns: {
    photo: '画面',
    kind: '类型',
    at: '画面时间',
    projectName: '项目',
    deviceName: '摄像机',
    note: '说明',
    alarmLabel: '附到告警',
    byName: '操作人',
    byGroup: '单位',
    createTime: '保存时间',
  },
  onScreen: ['photo'],
})
/** Marking the current moment needs the right to watch, an earlier one the right to play back. */
export const addMark = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/videoMark',
  summary: '保存视频抓拍或书签',
  needs: ['video.play', 'video.playback'],
  acts: 'review',
  query: ofProject,
  body: z.object({
    kind: z.enum(['snapshot', 'bookmark'], { error: '类型应为抓拍或书签' }),
    deviceId: ref('device'),
    /** The moment shown; default: now. */
    at: nullable(instant),
    /** Picture uploaded beforehand. */
    photo: nullable(text(400, '画面')),
    note: nullable(text(100, '说明')),
  }),
  response: videoMark,
})
/** Attaches a mark to an alarm of the same site, or detaches it. */
export const attachMark = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/videoMark/:id',
  summary: '抓拍或书签附到告警',
  needs: ['video.play', 'video.playback'],
  acts: 'review',
  params: z.object({ id: ref('videoMark') }),
  query: ofProject,
  body: z.object({ alarmId: nullable(ref('alarm')) }),
})
/** Only one's own, and not while it is attached to an alarm. */
export const removeMark = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/process/videoMark/:id',
  summary: '删除视频抓拍或书签',
  needs: ['video.play', 'video.playback'],
  acts: 'aside',
  params: z.object({ id: ref('videoMark') }),
  query: ofProject,
})
