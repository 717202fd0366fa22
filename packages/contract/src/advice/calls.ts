import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, filled, flag, numericRange, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { adviceMoves, adviceText, images } from './moves.ts'

const path = '/api/v1/oa/process/adviceReply'

/** Whom an item can be put to: the platform, an authority, or (from an authority) a site. */
export const addresseeKinds = { platform: '平台', government: '监管机构', project: '项目（监管问询）' } as const
export type AddresseeKind = keyof typeof addresseeKinds
const addresseeKind = z.enum(Object.keys(addresseeKinds) as [AddresseeKind, ...AddresseeKind[]])

export const adviceRow = z.object({
  id: z.string(),
  title: z.string(),
  type: z.string(),
  typeName: z.string(),
  /** Masked for a complaint, unless it is the caller's own. */
  submitterName: z.string(),
  /** The project it is about; null for the platform at large. */
  projectCode: z.string().nullable(),
  projectName: z.string().nullable(),
  addresseeKind,
  addresseeName: z.string(),
  createTime: z.string(),
  replier: z.string().nullable(),
  /** The newest answer. */
  replyTime: z.string().nullable(),
  /** Whole hours since the question, until it was answered. */
  waitHours: z.number().int(),
  /** Unanswered for longer than three days. */
  late: z.boolean(),
  rounds: z.number().int(),
  /** 3 满意, 2 一般, 1 不满意; null when the submitter has not said. */
  satisfaction: z.number().int().nullable(),
  mine: z.boolean(),
  state: z.string(),
  stateName: z.string(),
  version: z.number().int(),
})
export type AdviceRow = z.output<typeof adviceRow>

const entry = z.object({
  id: z.string(),
  kind: z.enum(['ask', 'reply', 'forward']),
  text: z.string(),
  images: z.array(z.string()),
  byName: z.string(),
  groupName: z.string(),
  at: z.string(),
})
export type AdviceEntry = z.output<typeof entry>

const adviceDetail = adviceRow.extend({
  submitterGroupName: z.string(),
  /** Put without a name: nobody can see who it was. */
  anonymous: z.boolean(),
  /** Questions and answers, the oldest first. */
  thread: z.array(entry),
  /** Of the caller's institution alone; null for the submitter. */
  notes: z.array(z.object({ id: z.string(), text: z.string(), byName: z.string(), at: z.string() })).nullable(),
  /** About the project, for whoever answers; null for the submitter and without a project. */
  context: z.object({ openNotices: z.number().int(), earlierComplaints: z.number().int() }).nullable(),
  timeline: z.array(logLine),
  /** The name behind a complaint can be asked for, with a reason. */
  canUnmask: z.boolean(),
  actions: z.array(allowedAction),
})
export type AdviceDetail = z.output<typeof adviceDetail>

const counts = z.object({
  waiting: z.number().int(),
  replied: z.number().int(),
  closed: z.number().int(),
  mine: z.number().int(),
  /** Unanswered for longer than three days. */
  late: z.number().int(),
  complaints: z.number().int(),
  /** Mean hours from question to first answer; null without any. */
  answerHours: z.number().nullable(),
})

const views = 'supervision.view'

export const listAdvice = endpoint({
  method: 'GET',
  path,
  summary: '意见反馈列表',
  needs: views,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    tab: z.enum(['waiting', 'replied', 'closed', 'mine']).optional(),
    title: text(50).optional(),
    type: several.optional(),
    projectName: text(50).optional(),
    createTime: dayRange.optional(),
    replier: text(50).optional(),
    /** Whether it has been answered. */
    replyTime: flag.optional(),
    waitHours: numericRange.optional(),
    late: flag.optional(),
    state: several.optional(),
    sort: sortBy('createTime', 'replyTime', 'waitHours'),
  }),
  response: paged(adviceRow).extend({ counts }),
})

export const adviceList = listOf(listAdvice, {
  feature: 'adviceReply',
  columns: {
    title: '标题',
    type: '类型',
    submitterName: '提交人',
    projectName: '涉及项目',
    addresseeName: '受理',
    createTime: '提交时间',
    replier: '回复人',
    replyTime: '回复时间',
    waitHours: '等待（小时）',
    rounds: '轮次',
    satisfaction: '满意度',
    state: '状态',
  },
  // Files go from hand to hand: who submitted something does not stand in them.
  onScreen: ['submitterName'],
})

export const getAdvice = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '意见反馈详情',
  needs: views,
  params: z.object({ id: ref('advice') }),
  query: ofProject,
  response: adviceDetail,
})

/** Whom the caller may put an item about this project (`*`: none) to, or forward one to. */
export const adviceAddressees = endpoint({
  method: 'GET',
  path: `${path}/addressees`,
  summary: '意见反馈受理机构',
  needs: views,
  answers: 'list',
  query: ofProject,
  response: z.object({
    list: z.array(z.object({ groupId: z.string(), name: z.string(), kind: addresseeKind })),
    total: z.number().int(),
  }),
})

/** Items of the last 90 days with a similar title that the caller may see: perhaps it has been answered already. */
export const similarAdvice = endpoint({
  method: 'GET',
  path: `${path}/similar`,
  summary: '相似意见',
  needs: views,
  answers: 'list',
  query: ofProject.extend({ title: text(100) }),
  response: z.object({
    list: z.array(z.object({ id: z.string(), title: z.string(), stateName: z.string(), createTime: z.string() })),
    total: z.number().int(),
  }),
})

/** The device names the id, so that a repeated request creates nothing more. */
export const submitAdvice = endpoint({
  method: 'POST',
  path,
  summary: '提交意见反馈',
  needs: 'supervision.adviceSubmit',
  acts: 'aside',
  query: ofProject,
  body: z.object({
    id: pointsTo('advice', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')).optional(),
    title: filled(100, '标题'),
    type: filled(2, '类型'),
    content: adviceText('内容'),
    images,
    addressee: ref('group'),
    /** For complaints only. */
    anonymous: z.boolean().default(false),
  }),
  response: z.object({ id: z.string() }),
})

export const changeAdvice = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '办理意见反馈',
  description: '按 action 办理：reply、forward、note、reask、close；version 为读取时的版本。',
  needs: codesOfMoves(adviceMoves),
  acts: 'aside',
  actions: rightsOfMoves(adviceMoves),
  params: z.object({ id: ref('advice') }),
  query: ofProject,
  body: moveBody(adviceMoves, {}),
})

/** Who submitted a complaint that was not put anonymously; the reason is recorded. */
export const unmaskAdvice = endpoint({
  method: 'POST',
  path: `${path}/:id/unmask`,
  summary: '查看投诉人',
  needs: 'supervision.adviceReply',
  acts: 'aside',
  params: z.object({ id: ref('advice') }),
  query: ofProject,
  body: z.object({ reason: adviceText('事由') }),
  response: z.object({ name: z.string(), groupName: z.string() }),
})
