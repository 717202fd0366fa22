import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { mostMarked } from './model.ts'
import { lineFields, lines, noticeFields, noticeMoves } from './moves.ts'

const path = '/api/v1/oa/process/notice'
const count = z.number().int()

/** Counts with the conditions of the list of receipts. */
const counted = { all: count, read: count, receipts: count }

export const noticeRow = z.object({
  id: z.string(),
  title: z.string(),
  type: z.string(),
  typeName: z.string(),
  sender: z.string(),
  top: z.boolean(),
  /** Null before it is published. */
  publishTime: z.string().nullable(),
  publishAt: z.string().nullable(),
  deadline: z.string().nullable(),
  near: z.boolean(),
  needReceipt: z.boolean(),
  needSignature: z.boolean(),
  state: z.string(),
  stateName: z.string(),
  /** From the side of the caller; null in the box of sent ones. */
  myState: z.string().nullable(),
  myStateName: z.string().nullable(),
  readTime: z.string().nullable(),
  /** The recipients in words; only in the box of sent ones. */
  scope: z.string(),
  ...counted,
  urgedUntil: z.string().nullable(),
  updateTime: z.string(),
  version: count,
  actions: z.array(allowedAction),
})
export type NoticeRow = z.output<typeof noticeRow>

export const noticeBoxes = { in: '收到的', out: '发出的' } as const
const box = z.enum(['in', 'out']).default('in')

export const listAnnouncements = endpoint({
  method: 'GET',
  path,
  summary: '通知公告列表',
  description: 'box=in 收到的，所有账号；box=out 本组发出的，需要 documents.noticeEdit。',
  needs: 'self',
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    box,
    title: text(50).optional(),
    type: several.optional(),
    sender: text(50).optional(),
    publishTime: dayRange.optional(),
    deadline: dayRange.optional(),
    /** Dictionary noticeState. */
    state: several.optional(),
    /** Of the caller: unread, read, unsigned, signed, overdue, late, recalled. */
    myState: several.optional(),
    /** Of sent ones: somebody has not read or signed as asked. */
    missing: z.enum(['true']).optional(),
    sort: sortBy('publishTime', 'deadline', 'title'),
  }),
  response: paged(noticeRow).extend({
    counts: z.object({ waiting: count, unread: count, unsigned: count, overdue: count, drafts: count, submitted: count, missing: count }),
  }),
})

export const announcementList = listOf(listAnnouncements, {
  feature: 'notice',
  columns: {
    title: '标题',
    type: '类型',
    sender: '发布单位',
    scope: '接收范围',
    publishTime: '发布时间',
    deadline: '签收截止',
    read: '已读',
    receipts: '已签收',
    state: '状态',
    myState: '我的状态',
  },
})

const file = z.object({ url: z.string(), name: z.string() })
const shownLine = lineFields.extend({
  /** The line in words. */
  words: z.string(),
})

const unit = z.object({
  groupId: z.string(),
  name: z.string(),
  areaName: z.string().nullable(),
  all: count,
  read: count,
  signed: count,
  overdue: count,
})
export type ReceiptUnit = z.output<typeof unit>
const receiptFigures = z.object({
  all: count,
  read: count,
  signed: count,
  overdue: count,
  missing: count,
  units: z.array(unit),
  /** The same by district. */
  areas: z.array(z.object({ areaCode: z.string(), areaName: z.string(), all: count, read: count, signed: count, overdue: count })),
})
export type ReceiptFigures = z.output<typeof receiptFigures>

export const noticeDetail = noticeRow.extend({
  /** Filtered HTML; empty for readers of a recalled notice. */
  content: z.string(),
  files: z.array(file),
  recallReason: z.string().nullable(),
  recallTime: z.string().nullable(),
  receiptTime: z.string().nullable(),
  readerName: z.string().nullable(),
  signature: z.string().nullable(),
  mayReceipt: z.boolean(),
  /** Sender and supervisors: who has read and signed. */
  seesReceipts: z.boolean(),
  own: z.boolean(),
  createName: z.string(),
  lines: z.array(shownLine),
  timeline: z.array(logLine),
  receipts: receiptFigures.nullable(),
})
export type NoticeDetail = z.output<typeof noticeDetail>

const ofNotice = z.object({ id: ref('announcement') })

export const getAnnouncement = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '通知公告详情',
  description: '接收人打开即为已读，首次打开的时间由服务器记录。part=receipts 另给回执统计。',
  needs: 'self',
  params: ofNotice,
  query: z.object({ ...ofProject.shape, part: z.enum(['text', 'receipts']).default('text') }),
  response: noticeDetail,
})

const edit = { needs: 'documents.noticeEdit', acts: 'aside' } as const

export const createAnnouncement = endpoint({
  method: 'POST',
  path,
  summary: '起草通知公告',
  ...edit,
  largeBody: 'the text of the notice',
  query: ofProject,
  body: z.object({ id: pointsTo('announcement', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')), ...noticeFields }),
  response: z.object({ id: z.string(), version: count }),
})

/** Lines of a scope resolved, without a record. */
export const previewRecipients = endpoint({
  method: 'POST',
  path: `${path}/recipients`,
  summary: '预览接收人',
  ...edit,
  unaudited: 'counts the recipients of a scope, changes nothing',
  query: ofProject,
  body: z.object({ action: z.literal('preview').default('preview'), lines }),
  response: z.object({
    people: count,
    projects: count,
    groups: count,
    /** The largest first. */
    units: z.array(z.object({ groupId: z.string(), name: z.string(), type: count, people: count })),
  }),
})

const option = z.object({ value: z.string(), label: z.string() })
/** What the lines of a scope can name: only what the sender reaches. */
export const noticeTargets = endpoint({
  method: 'GET',
  path: `${path}/targets`,
  summary: '可选接收范围',
  needs: 'documents.noticeEdit',
  query: ofProject,
  response: z.object({
    areas: z.array(option),
    governments: z.array(option),
    corporations: z.array(option),
    projects: z.array(option),
    members: z.array(option),
    roles: z.array(z.string()),
  }),
})

const reader = { needs: 'self', acts: 'aside' } as const
export const changeAnnouncement = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '办理通知公告',
  description: 'edit、submit、withdraw、publish、approve、reject、recall、remind 由发布单位办理；receipt 由接收人本人签收。',
  needs: [...codesOfMoves(noticeMoves)],
  acts: 'aside',
  actions: rightsOfMoves(noticeMoves),
  largeBody: 'the text of the notice',
  params: ofNotice,
  query: ofProject,
  body: moveBody(noticeMoves, {}),
  response: z.object({ id: z.string(), version: count, state: z.string(), told: count }),
})

/** The caller's own receipt; a second one changes nothing. */
export const signAnnouncement = endpoint({
  method: 'PUT',
  path: `${path}/:id/receipt`,
  summary: '签收通知公告',
  ...reader,
  params: ofNotice,
  query: ofProject,
  body: z.object({ action: z.literal('receipt').default('receipt'), signature: z.string().max(400).nullable().default(null) }),
  response: z.object({ receiptTime: z.string() }),
})

/** Marks received notices as read without opening them; those that need a receipt stay. */
export const markAnnouncements = endpoint({
  method: 'PUT',
  path,
  summary: '标记通知公告已读',
  ...reader,
  query: ofProject,
  body: z.object({
    action: z.literal('read').default('read'),
    /** Null: all. */
    ids: z.array(ref('announcement')).max(mostMarked, `一次最多 ${mostMarked} 条`).nullable().default(null),
  }),
  response: z.object({ marked: count, left: count }),
})

export const removeAnnouncement = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除通知公告草稿',
  ...edit,
  params: ofNotice,
  query: ofProject,
})

export const receiptRow = z.object({
  id: z.string(),
  name: z.string(),
  unit: z.string(),
  projectName: z.string().nullable(),
  areaName: z.string().nullable(),
  role: z.string(),
  phone: z.string().nullable(),
  readTime: z.string().nullable(),
  receiptTime: z.string().nullable(),
  state: z.string(),
  stateName: z.string(),
})
export type ReceiptRow = z.output<typeof receiptRow>

/** Who has read and signed one notice: for its sender and those above. */
export const listReceipts = endpoint({
  method: 'GET',
  path: `${path}/receipts`,
  summary: '通知公告回执',
  needs: 'self',
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    noticeId: ref('announcement'),
    name: text(50).optional(),
    unit: text(50).optional(),
    groupId: ref('group').optional(),
    areaCode: several.optional(),
    state: several.optional(),
    /** Neither read nor signed as asked: what a reminder goes to. */
    missing: z.enum(['true']).optional(),
    readTime: dayRange.optional(),
    receiptTime: dayRange.optional(),
    sort: sortBy('name', 'unit', 'readTime', 'receiptTime'),
  }),
  response: paged(receiptRow),
})

export const receiptList = listOf(listReceipts, {
  feature: 'noticeReceipt',
  columns: {
    name: '姓名',
    unit: '单位',
    projectName: '项目',
    areaName: '区划',
    role: '角色',
    phone: '手机号',
    readTime: '阅读时间',
    receiptTime: '签收时间',
    state: '状态',
  },
})

export const noticePrint = z.object({ ...ofProject.shape, id: ref('announcement') })
