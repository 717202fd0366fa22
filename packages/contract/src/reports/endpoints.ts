import { z } from 'zod'
import { endpoint, type OutputFor, type ParsedFor } from '../kit/endpoint.ts'
import { day, filled, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'

/** Dictionary reportType. */
export const reportPeriods = { day: '1', week: '2', month: '3', quarter: '4' } as const
/** Channels for reports (dictionary pushChannel); the product cannot send over the others. */
export const reportChannels = { message: '1', sms: '2', mail: '4' } as const

/** Sections that a report may contain, in printing order. `code` is the permission that the receiver needs in addition to `home.view`. */
export const reportContents = {
  attendance: { name: '出勤', code: 'home.view' },
  keyPost: { name: '关键岗位到岗', code: 'home.view' },
  alarm: { name: '报警', code: 'home.view' },
  dust: { name: '扬尘', code: 'environment.view' },
  online: { name: '设备在线', code: 'home.view' },
} as const
export type ReportContent = keyof typeof reportContents
const contents = Object.keys(reportContents) as [ReportContent, ...ReportContent[]]

/** Rule for a report due on a Saturday or Sunday: send it, skip it, or send it on the following Monday. */
export const weekendRules = { send: '照常发送', skip: '不发送', monday: '顺延到下一工作日' } as const

export const deliveryStates = { '0': '待发送', '1': '已发送', '2': '失败', '3': '未发送' } as const
export type DeliveryState = keyof typeof deliveryStates
export const deliveryFailed = '2' satisfies DeliveryState

const mostReceivers = 200
const mostNamed = 100

const choices = <const T extends string>(values: readonly [T, ...T[]], label: string) =>
  z
    .array(z.enum(values))
    .min(1, `请选择${label}`)
    .transform((given) => [...new Set(given)])

const minutesOnly = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, '时刻格式应为 HH:mm')

export const pushBody = z
  .object({
    id: pointsTo('reportPush', z.string()).optional(),
    version: z.number().int().optional(),
    name: filled(60, '名称'),
    reportType: z.enum(['1', '2', '3', '4'], { error: '请选择周期' }),
    content: choices(contents, '内容'),
    /** Empty: all projects that each receiver sees. */
    projects: z.array(ref('project')).max(mostNamed).default([]),
    userIds: z.array(ref('user')).max(mostReceivers, `最多 ${mostReceivers} 人`).default([]),
    roleIds: z.array(ref('role')).max(mostNamed).default([]),
    channels: choices(['1', '2', '4'], '渠道'),
    webhookUrl: text(500, '回调地址').default(''),
    /** Never returned; unchanged when left out, deleted when empty. */
    webhookSecret: text(200, '签名密钥').optional(),
    sendAt: minutesOnly,
    /** For weekly reports: 1 Monday to 7 Sunday. */
    weekday: z.number().int().min(1).max(7).default(1),
    /** For monthly and quarterly reports: at most 28, because every month has that day. */
    monthday: z.number().int().min(1).max(28, '应为 1 到 28').default(1),
    weekend: z.enum(['send', 'skip', 'monday']).default('send'),
  })
  .check((ctx) => {
    const { userIds, roleIds, webhookUrl } = ctx.value
    if (userIds.length + roleIds.length === 0 && webhookUrl === '')
      ctx.issues.push({ code: 'custom', input: ctx.value, path: ['userIds'], message: '请选择接收人，或填写回调地址' })
    if (webhookUrl !== '' && !/^https:\/\/[^\s/$.?#][^\s]*$/i.test(webhookUrl))
      ctx.issues.push({ code: 'custom', input: webhookUrl, path: ['webhookUrl'], message: '回调地址应以 https:// 开头' })
  })
export type PushBody = z.output<typeof pushBody>

const named = z.object({ id: z.string(), name: z.string() })
export const reportPush = z.object({
  id: z.string(),
  name: z.string(),
  reportType: z.string(),
  content: z.array(z.enum(contents)),
  projects: z.array(z.object({ code: z.string(), name: z.string() })),
  users: z.array(named),
  roles: z.array(named),
  channels: z.array(z.string()),
  webhookUrl: z.string(),
  hasSecret: z.boolean(),
  sendAt: z.string(),
  weekday: z.number().int(),
  monthday: z.number().int(),
  weekend: z.enum(['send', 'skip', 'monday']),
  enable: z.string(),
  /** yyyy-MM-dd HH:mm:ss; null while paused. */
  next: z.string().nullable(),
  lastTime: z.string().nullable(),
  /** Result of the last run: sent to all, some or none; null before the first run. */
  lastResult: z.enum(['1', '2', '3']).nullable(),
  lastSent: z.number().int(),
  lastFailed: z.number().int(),
  updateBy: z.string(),
  updateTime: z.string(),
  version: z.number().int(),
})
export type ReportPush = z.infer<typeof reportPush>
/** Result of the last run. */
export const pushResults = { '1': '全部送达', '2': '部分失败', '3': '全部失败' } as const

export const listPushes = endpoint({
  method: 'GET',
  path: '/api/v1/oa/report/setting',
  summary: '获取报表推送设置',
  needs: 'report.set',
  query: pageQuery.extend({
    name: text(60).optional(),
    reportType: several.optional(),
    content: several.optional(),
    channels: several.optional(),
    lastResult: several.optional(),
    enable: z.enum(['0', '1']).optional(),
    sort: sortBy('name', 'next', 'lastTime', 'updateTime'),
  }),
  response: paged(reportPush),
})
export const pushList = listOf(listPushes, {
  feature: 'reportPush',
  columns: {
    name: '名称',
    reportType: '周期',
    content: '内容',
    scope: '项目范围',
    receivers: '接收人',
    channels: '渠道',
    sendAt: '发送时间',
    next: '下次发送',
    lastTime: '上次发送',
    lastResult: '上次结果',
    enable: '状态',
    updateTime: '修改时间',
  },
})

/** Saves one push; without `id` a new one. Errors: the version is outdated, or a receiver does not belong to the group. */
export const savePush = endpoint({
  method: 'POST',
  path: '/api/v1/oa/report/setting',
  summary: '保存报表推送设置',
  needs: 'report.set',
  acts: 'aside',
  answers: 'ok',
  body: pushBody,
  response: z.object({ id: z.string(), next: z.string().nullable() }),
})
export const switchPush = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/report/setting/:id/enable',
  summary: '启停报表推送',
  needs: 'report.set',
  acts: 'aside',
  params: z.object({ id: ref('reportPush') }),
  body: z.object({ enable: z.enum(['0', '1']), version: z.number().int() }),
  response: z.object({ next: z.string().nullable(), version: z.number().int() }),
})
export const removePush = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/report/setting/:id',
  summary: '删除报表推送',
  needs: 'report.set',
  acts: 'aside',
  params: z.object({ id: ref('reportPush') }),
  response: z.object({}),
})

/** People and roles of the group that a push may name. */
export const pushChoices = endpoint({
  method: 'GET',
  path: '/api/v1/oa/report/receivers',
  summary: '报表可选接收人',
  needs: 'report.set',
  query: z.object({}),
  response: z.object({
    users: z.array(named.extend({ roles: z.string(), enabled: z.boolean() })),
    roles: z.array(named.extend({ people: z.number().int() })),
    /** Channels that this installation can send over. */
    ready: z.object({ sms: z.boolean(), mail: z.boolean() }),
  }),
})

const cell = z.union([z.string(), z.number(), z.null()])
/** A section of a report: figures compared with the previous period, and a table by project. */
export const reportSection = z.object({
  key: z.enum(contents),
  title: z.string(),
  note: z.string().nullable(),
  facts: z.array(z.object({ label: z.string(), value: z.number().nullable(), unit: z.string(), before: z.number().nullable() })),
  columns: z.array(z.string()),
  rows: z.array(z.array(cell)),
  /** Number of all projects; the table contains the first ones. */
  total: z.number().int(),
})
export type ReportSection = z.infer<typeof reportSection>
export const report = z.object({
  title: z.string(),
  from: day,
  to: day,
  /** The group with whose rights the report was computed. */
  groupName: z.string(),
  madeAt: z.string(),
  sections: z.array(reportSection),
})
export type Report = z.infer<typeof report>

/** The report that the caller would receive for the last completed period. */
export const previewPush = endpoint({
  method: 'POST',
  path: '/api/v1/oa/report/setting/preview',
  summary: '预览报表',
  needs: 'report.set',
  unaudited: 'computes and changes nothing',
  body: z.object({
    name: text(60).default(''),
    reportType: z.enum(['1', '2', '3', '4']),
    content: choices(contents, '内容'),
    projects: z.array(ref('project')).max(mostNamed).default([]),
  }),
  response: report,
})
export const testPush = endpoint({
  method: 'POST',
  path: '/api/v1/oa/report/setting/:id/test',
  summary: '发送测试给我',
  needs: 'report.set',
  acts: 'aside',
  params: z.object({ id: ref('reportPush') }),
  response: z.object({ queued: z.number().int() }),
})

export const delivery = z.object({
  id: z.string(),
  pushId: z.string().nullable(),
  pushName: z.string(),
  reportType: z.string(),
  from: z.string(),
  to: z.string(),
  receiver: z.string(),
  /** '1', '2', '4' as channels, or `webhook`. */
  channel: z.string(),
  state: z.enum(['0', '1', '2', '3']),
  reason: z.string(),
  attempts: z.number().int(),
  test: z.boolean(),
  createTime: z.string(),
  sentTime: z.string().nullable(),
})
export type Delivery = z.infer<typeof delivery>
const deliveriesQuery = pageQuery.extend({
  pushId: ref('reportPush').optional(),
  pushName: text(60).optional(),
  receiver: text(40).optional(),
  channel: several.optional(),
  state: several.optional(),
  sort: sortBy('createTime', 'sentTime', 'receiver'),
})
export const listDeliveries = endpoint({
  method: 'GET',
  path: '/api/v1/oa/report/sending',
  summary: '报表发送记录',
  needs: 'report.set',
  query: deliveriesQuery,
  response: paged(delivery).extend({ counts: z.object({ sent: z.number().int(), failed: z.number().int(), waiting: z.number().int() }) }),
})
export const deliveryList = listOf(listDeliveries, {
  feature: 'reportSending',
  columns: {
    pushName: '报表',
    period: '统计期',
    receiver: '接收人',
    channel: '渠道',
    state: '结果',
    reason: '原因',
    attempts: '次数',
    createTime: '排队时间',
    sentTime: '送达时间',
  },
})
export const resendDelivery = endpoint({
  method: 'POST',
  path: '/api/v1/oa/report/sending/:id/resend',
  summary: '重发报表',
  needs: 'report.set',
  acts: 'aside',
  params: z.object({ id: ref('reportSending') }),
  response: z.object({}),
})

/** Reports sent to the caller in the active group. */
export const myReports = endpoint({
  method: 'GET',
  path: '/api/v1/sys/my/report',
  summary: '我收到的报表',
  needs: 'self',
  query: pageQuery.extend({ sort: sortBy('createTime') }),
  response: paged(
    z.object({
      id: z.string(),
      title: z.string(),
      reportType: z.string(),
      from: z.string(),
      to: z.string(),
      createTime: z.string(),
      /** Whether further reports follow; null when the push no longer exists. */
      follows: z.boolean().nullable(),
      pushId: z.string().nullable(),
    }),
  ),
})
export const myReport = endpoint({
  method: 'GET',
  path: '/api/v1/sys/my/report/:id',
  summary: '我收到的一份报表',
  needs: 'self',
  params: z.object({ id: ref('reportSending') }),
  response: report,
})
export const leavePush = endpoint({
  method: 'PUT',
  path: '/api/v1/sys/my/report/:id/follow',
  summary: '退订或恢复接收报表',
  needs: 'self',
  params: z.object({ id: ref('reportPush') }),
  body: z.object({ follow: z.boolean() }),
  response: z.object({}),
})
export const myReportFile = endpoint({
  method: 'GET',
  path: '/api/v1/sys/my/report/:id/file',
  summary: '下载我收到的报表',
  needs: 'self',
  answers: 'blob',
  params: z.object({ id: ref('reportSending') }),
  query: z.object({ kind: z.enum(['pdf', 'xlsx']).default('pdf') }),
  response: z.unknown(),
})

export type PushesQuery = ParsedFor<typeof listPushes>['query']
export type DeliveriesQuery = ParsedFor<typeof listDeliveries>['query']
export type PushChoices = OutputFor<typeof pushChoices>
