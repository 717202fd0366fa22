import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, flag, instant, nullable, ofProject, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { epoch } from '../telemetry/model.ts'

export const noticeKinds = { dust: '通知降尘', urge: '催办', supervise: '督办', talk: '约谈' } as const
export type NoticeKind = keyof typeof noticeKinds
export const noticeStates = { '1': '待答复', '2': '已答复', '3': '已退回', '4': '已撤回' } as const
/** The same by name. */
export const noticeState = { waiting: '1', answered: '2', returned: '3', withdrawn: '4' } as const
export const noticeActions = ['read', 'answer', 'return', 'withdraw'] as const
const kind = z.enum(Object.keys(noticeKinds) as [NoticeKind, ...NoticeKind[]], { error: '请选择通知类型' })

export const siteNotice = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  kind: z.enum(Object.keys(noticeKinds) as [NoticeKind, ...NoticeKind[]]),
  text: z.string(),
  deadline: epoch,
  replyWanted: z.boolean(),
  deviceId: z.string().nullable(),
  deviceName: z.string().nullable(),
  alarmId: z.string().nullable(),
  /** The row it was sent from, in words. */
  subject: z.string(),
  fromName: z.string(),
  fromGroup: z.string(),
  createTime: epoch,
  readTime: epoch.nullable(),
  readName: z.string().nullable(),
  state: z.enum(Object.keys(noticeStates) as [keyof typeof noticeStates]),
  /** Not answered in time: still open behind its deadline, or closed after it. */
  late: z.boolean(),
  answer: z.string().nullable(),
  photos: z.array(z.string()),
  doneName: z.string().nullable(),
  doneTime: epoch.nullable(),
  itemId: z.string().nullable(),
  /** What the caller may do now. */
  actions: z.array(z.enum(noticeActions)),
  version: z.number().int(),
})
export type SiteNotice = z.infer<typeof siteNotice>

export const listNotices = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/notice',
  summary: '现场通知列表',
  needs: ['alarm.view', 'tower-crane.view', 'lifter.view', 'environment.view'],
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    /** `in`: sent by others; `out`: sent by the caller's own group. */
    box: z.enum(['in', 'out'], { error: '请选择收到或发出' }).optional(),
    kind: several.optional(),
    state: several.optional(),
    late: flag.optional(),
    deviceId: ref('device').optional(),
    alarmId: ref('alarm').optional(),
    projectName: text(100).optional(),
    subject: text(100).optional(),
    sort: sortBy('createTime', 'deadline'),
  }),
  response: paged(siteNotice).extend({
    /** Of the box, whatever else is filtered. */
    counts: z.object({ waiting: z.number().int(), unread: z.number().int(), late: z.number().int(), answered: z.number().int() }),
  }),
})
export const noticeList = listOf(listNotices, {
  feature: 'siteNotice',
  columns: {
    createTime: '发出时间',
    projectName: '项目',
    kind: '类型',
    subject: '事由',
    text: '内容',
    deadline: '期限',
    state: '状态',
    readTime: '签收',
    answer: '答复',
    doneTime: '办结时间',
    fromGroup: '发出单位',
    fromName: '发出人',
  },
})

/** More sites at once nobody means. */
export const mostTargets = 30
const mostPhotos = 6
/** Tells one site or several, each of what its own row is about. */
export const sendNotice = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/notice',
  summary: '发送现场通知',
  needs: 'alarm.urge',
  acts: 'review',
  query: ofProject,
  body: z.object({
    kind,
    text: filled(500, '通知内容'),
    deadline: instant,
    replyWanted: z.boolean().default(true),
    targets: z
      .array(
        z.object({
          projectCode: ref('project'),
          deviceId: nullable(ref('device')),
          alarmId: nullable(ref('alarm')),
          subject: text(100, '事由').default(''),
        }),
      )
      .min(1, '请选择要通知的项目')
      .max(mostTargets, `一次最多通知 ${mostTargets} 项`),
  }),
  response: z.object({ ids: z.array(z.string()), projects: z.number().int() }),
})

/** Held by those of a site who hear of notices and answer them. */
export const answersNotices = 'alarm.handle'
/** The site takes it in, answers or sends it back; whoever sent it takes it back. */
export const actOnNotice = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/notice/:id',
  summary: '办理现场通知',
  needs: [answersNotices, 'alarm.urge'],
  acts: 'review',
  params: z.object({ id: ref('siteNotice') }),
  query: ofProject,
  body: z
    .object({
      action: z.enum(noticeActions, { error: '不支持的操作' }),
      /** The answer, or why it is sent back or withdrawn. */
      text: text(500, '说明').default(''),
      photos: z.array(text(400, '照片')).max(mostPhotos, `照片最多 ${mostPhotos} 张`).default([]),
      version: z.coerce.number().int().optional(),
    })
    .refine((b) => b.action !== 'return' || b.text.length >= 2, { path: ['text'], message: '请填写退回原因（至少 2 个字）' })
    .refine((b) => b.action !== 'withdraw' || b.text.length >= 2, { path: ['text'], message: '请填写撤回原因（至少 2 个字）' }),
})
