import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, flag, instant, nullable, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { epoch } from '../telemetry/model.ts'

export const noticeKinds = { dust: '通知降尘', urge: '催办', supervise: '督办', talk: '约谈' } as const
export type NoticeKind = keyof typeof noticeKinds
export const noticeStates = { '1': '待答复', '2': '已答复', '3': '已退回', '4': '已撤回', '5': '已通过' } as const
/** The same codes by name. */
export const noticeState = { waiting: '1', answered: '2', returned: '3', withdrawn: '4', accepted: '5' } as const
export type NoticeState = keyof typeof noticeStates
/** `read`, `answer` and `return` are the site's; `accept`, `redo` and `withdraw` are the sender's. */
export const noticeActions = ['read', 'answer', 'return', 'withdraw', 'accept', 'redo'] as const
export type NoticeAction = (typeof noticeActions)[number]

/** Only supervision is checked by the sender, who accepts the answer or requests another one by a new deadline. */
export const isChecked = (kind: NoticeKind): boolean => kind === 'supervise'
/** State of a notice as text, depending on its kind. */
export const noticeStateWord = ({ kind, state }: { kind: NoticeKind; state: NoticeState }): string =>
  state === noticeState.answered && isChecked(kind) ? '待核查' : noticeStates[state]
/** An alarm's supervision as shown in its row: the newest that was neither withdrawn nor returned. */
export const alarmUrging = z.object({
  noticeId: z.string(),
  fromGroup: z.string(),
  fromName: z.string(),
  deadline: epoch,
  state: z.enum(Object.keys(noticeStates) as [NoticeState, ...NoticeState[]]),
  late: z.boolean(),
})
export type AlarmUrging = z.infer<typeof alarmUrging>
/** 督办待答复，至 11-29 10:00. */
export const urgingWord = ({ state, late }: Pick<AlarmUrging, 'state' | 'late'>): string =>
  `督办${noticeStateWord({ kind: 'supervise', state })}${late && state === noticeState.waiting ? '，逾期' : ''}`
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
  /** The row it is about, as text. */
  subject: z.string(),
  fromName: z.string(),
  fromGroup: z.string(),
  createTime: epoch,
  readTime: epoch.nullable(),
  readName: z.string().nullable(),
  state: z.enum(Object.keys(noticeStates) as [NoticeState, ...NoticeState[]]),
  /** An answer needs a photo. */
  photoWanted: z.boolean(),
  /** How often the sender requested another answer. */
  redone: z.number().int(),
  /** The sender's comment on the last answer. */
  checkText: z.string().nullable(),
  checkName: z.string().nullable(),
  checkTime: epoch.nullable(),
  /** Overdue: still open after its deadline, or answered after it. */
  late: z.boolean(),
  answer: z.string().nullable(),
  photos: z.array(z.string()),
  doneName: z.string().nullable(),
  doneTime: epoch.nullable(),
  itemId: z.string().nullable(),
  /** Every step so far, with its text and photos. */
  course: z.array(
    z.object({
      id: z.string(),
      time: epoch,
      action: z.string(),
      text: z.string(),
      byName: z.string(),
      byGroup: z.string(),
      deadline: epoch.nullable(),
      photos: z.array(z.string()),
    }),
  ),
  /** What the caller may do now. */
  actions: z.array(z.enum(noticeActions)),
  version: z.number().int(),
})
export type SiteNotice = z.infer<typeof siteNotice>

export const listNotices = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/siteNotice',
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
    id: ref('siteNotice').optional(),
    projectName: text(100).optional(),
    subject: text(100).optional(),
    sort: sortBy('createTime', 'deadline'),
  }),
  response: paged(siteNotice).extend({
    /** Counts of the box, regardless of other filters. */
    counts: z.object({
      waiting: z.number().int(),
      unread: z.number().int(),
      late: z.number().int(),
      answered: z.number().int(),
      /** Answered supervision orders that the sender has not checked. */
      toCheck: z.number().int(),
    }),
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
    doneTime: '答复时间',
    checkText: '核查意见',
    fromGroup: '发出单位',
    fromName: '发出人',
  },
})

/** Maximum number of sites per request; more is assumed to be a mistake. */
export const mostTargets = 30
export const mostNoticePhotos = 6
/** Sends a notice to one or more sites, each about its own row. */
export const sendNotice = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/siteNotice',
  summary: '发送现场通知',
  needs: 'alarm.urge',
  acts: 'review',
  query: ofProject,
  body: z.object({
    kind,
    text: filled(500, '通知内容'),
    deadline: instant,
    replyWanted: z.boolean().default(true),
    photoWanted: z.boolean().default(false),
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

/** Who would receive a notice, before it is sent. */
export const noticeReceivers = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/siteNotice/receivers',
  summary: '现场通知接收人',
  needs: 'alarm.urge',
  answers: 'list',
  query: z.object({ projectCode: pointsTo('project', several) }),
  response: paged(z.object({ projectCode: z.string(), projectName: z.string(), people: z.array(z.string()) })),
})

/** Permission code of the site's users who receive and answer notices. */
export const answersNotices = 'alarm.handle'
/** The site acknowledges, answers or returns it; the sender accepts the answer, requests another one, or withdraws the notice. */
export const actOnNotice = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/siteNotice/:id',
  summary: '办理现场通知',
  needs: [answersNotices, 'alarm.urge'],
  acts: 'review',
  params: z.object({ id: ref('siteNotice') }),
  query: ofProject,
  body: z
    .object({
      action: z.enum(noticeActions, { error: '不支持的操作' }),
      /** The answer, the comment on it, or the reason for returning, withdrawing or requesting another answer. */
      text: text(500, '说明').default(''),
      photos: z.array(text(400, '照片')).max(mostNoticePhotos, `照片最多 ${mostNoticePhotos} 张`).default([]),
      /** For `redo`: the new deadline. */
      deadline: instant.optional(),
      version: z.coerce.number().int().optional(),
    })
    .refine((b) => b.action !== 'redo' || b.text.length >= 2, { path: ['text'], message: '请填写退回原因（至少 2 个字）' })
    .refine((b) => b.action !== 'redo' || b.deadline !== undefined, { path: ['deadline'], message: '请填写新的期限' })
    .refine((b) => b.action !== 'return' || b.text.length >= 2, { path: ['text'], message: '请填写退回原因（至少 2 个字）' })
    .refine((b) => b.action !== 'withdraw' || b.text.length >= 2, { path: ['text'], message: '请填写撤回原因（至少 2 个字）' }),
})
