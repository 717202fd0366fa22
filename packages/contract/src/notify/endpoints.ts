import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, flag, instant, ofProject, paged, pageQuery, parseInstant, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf } from '../kit/list.ts'

/** One message to one person over one channel, one webhook call, or one started machine. */
export const execLogRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  alarmId: z.string().nullable(),
  alarmLabel: z.string().nullable(),
  deviceName: z.string().nullable(),
  /** Number of alarms that the message reports. */
  alarms: z.number().int(),
  execId: z.string().nullable(),
  execName: z.string().nullable(),
  kind: z.string(),
  step: z.string(),
  stepName: z.string(),
  level: z.number().int(),
  channel: z.string(),
  channelName: z.string(),
  receiverName: z.string(),
  receiverMask: z.string().nullable(),
  title: z.string(),
  text: z.string(),
  state: z.string(),
  stateName: z.string(),
  result: z.string(),
  attempts: z.number().int(),
  time: z.string(),
  sentTime: z.string().nullable(),
})

export const listExecLog = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/execLog',
  summary: '执行日志',
  needs: ['rules.view', 'alarm.view'],
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    execId: ref('exec').optional(),
    alarmId: ref('alarm').optional(),
    kind: several.optional(),
    state: several.optional(),
    channel: several.optional(),
    receiverName: text(50).optional(),
  }),
  response: paged(execLogRow).extend({
    /** Figures of the last 24 hours. */
    counts: z.object({ sent: z.number().int(), failed: z.number().int(), waiting: z.number().int() }),
  }),
})
export const execLogList = listOf(listExecLog, {
  feature: 'execLog',
  columns: {
    time: '时间',
    alarmLabel: '告警',
    projectName: '项目',
    execName: '动作',
    step: '环节',
    channel: '渠道',
    receiverName: '接收',
    state: '状态',
    result: '结果',
    text: '内容',
  },
})

/** Sends a failed message again over its channel. */
export const resendNotice = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/execLog/:id/resend',
  summary: '重发通知',
  needs: ['rules.edit', 'alarm.setting'],
  params: z.object({ id: ref('execLog') }),
  query: ofProject,
  response: z.object({ id: z.string() }),
})

export const person = z.object({
  id: z.string(),
  name: z.string(),
  phoneMask: z.string().nullable(),
  emailMask: z.string().nullable(),
  hasPhone: z.boolean(),
  hasEmail: z.boolean(),
})

/** The people who would be notified now. `empty`: roles that nobody has. */
export const execReceivers = endpoint({
  method: 'GET',
  path: '/api/v1/iot/rule/exec/receivers',
  summary: '动作接收人',
  needs: ['rules.view', 'alarm.view'],
  query: z.object({
    projectCode: ref('project'),
    roles: several.optional(),
    userIds: pointsTo('user', several).optional(),
    onDuty: flag.optional(),
  }),
  response: z.object({
    list: z.array(z.object({ kind: z.enum(['role', 'duty', 'user']), name: z.string(), people: z.array(person), empty: z.boolean() })),
    /** Role names that a plan may use here. */
    roles: z.array(z.string()),
    channels: z.array(z.object({ channel: z.string(), name: z.string(), ready: z.boolean() })),
  }),
})

/** Sends an action to the caller, marked as a test. */
export const testExec = endpoint({
  method: 'POST',
  path: '/api/v1/iot/rule/exec/:id/test',
  summary: '测试执行动作',
  needs: 'rules.edit',
  params: z.object({ id: ref('exec') }),
  body: z.object({ projectCode: ref('project').optional() }).default({}),
  response: z.object({ sent: z.array(z.object({ channel: z.string(), state: z.string(), result: z.string() })) }),
})

/** The people who are notified on this site, by level: from the delivered plan or the company's. */
export const noticePlan = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/noticePlan',
  summary: '通知方案',
  needs: ['alarm.view', 'rules.view'],
  answers: 'list',
  query: z.object({ projectCode: ref('project') }),
  response: paged(
    z.object({
      level: z.number().int(),
      channels: z.array(z.string()),
      receivers: z.array(z.object({ role: z.string(), people: z.array(z.string()) })),
      repeatMinutes: z.number().nullable(),
      ladder: z.array(z.object({ afterMinutes: z.number(), roles: z.array(z.string()), people: z.array(z.string()) })),
      digest: z.boolean(),
    }),
  ),
})

const dutyFields = z.object({ userId: ref('user'), fromTime: instant, untilTime: instant, remark: text(100, '备注').optional() })
const inOrder = (d: { fromTime: string; untilTime: string }) => (parseInstant(d.untilTime) ?? 0) > (parseInstant(d.fromTime) ?? 0)
const orderWords = { message: '结束时间应晚于开始时间', path: ['untilTime'] }
export const dutyRow = z.object({
  id: z.string(),
  userId: z.string(),
  userName: z.string(),
  phoneMask: z.string().nullable(),
  fromTime: z.string(),
  untilTime: z.string(),
  remark: z.string(),
  version: z.number().int(),
})
const dutyId = z.object({ id: ref('duty') })

export const listDuty = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/duty',
  summary: '值班表',
  needs: ['alarm.view', 'rules.view'],
  answers: 'list',
  query: z.object({ projectCode: ref('project'), from: instant.optional(), to: instant.optional() }),
  response: paged(dutyRow).extend({
    /** People who can be on duty here. */
    people: z.array(z.object({ id: z.string(), name: z.string(), roles: z.array(z.string()) })),
  }),
})
export const createDuty = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/duty',
  summary: '新增值班',
  needs: 'alarm.setting',
  query: z.object({ projectCode: ref('project') }),
  body: dutyFields.refine(inOrder, orderWords),
  response: z.object({ id: z.string() }),
})
export const updateDuty = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/duty/:id',
  summary: '修改值班',
  needs: 'alarm.setting',
  params: dutyId,
  query: ofProject,
  body: dutyFields.extend({ version: z.coerce.number().int().optional() }).refine(inOrder, orderWords),
  response: z.object({ id: z.string() }),
})
export const deleteDuty = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/process/duty/:id',
  summary: '删除值班',
  needs: 'alarm.setting',
  params: dutyId,
  query: ofProject,
})

/**
 * Copies the shifts of the previous week to the same weekdays. Skips shifts in the past, shifts that are already filled, and people who
 * have left.
 */
export const copyDuty = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/duty/copy',
  summary: '沿用上周值班',
  needs: 'alarm.setting',
  query: z.object({ projectCode: ref('project') }),
  /** The first day of the week to fill. */
  body: z.object({ week: day }),
  response: z.object({ copied: z.number().int(), left: z.number().int() }),
})

/** The caller's own messages, newest first. */
export const listMessages = endpoint({
  method: 'GET',
  path: '/api/v1/sys/my/message',
  summary: '消息列表',
  needs: 'self',
  answers: 'list',
  query: pageQuery.extend({ unread: flag.optional(), kind: several.optional() }),
  response: paged(
    z.object({
      id: z.string(),
      kind: z.string(),
      level: z.number().int().nullable(),
      title: z.string(),
      text: z.string(),
      link: z.string().nullable(),
      projectCode: z.string().nullable(),
      simulated: z.boolean(),
      read: z.boolean(),
      time: z.string(),
    }),
  ).extend({ counts: z.object({ unread: z.number().int() }) }),
})
/** Marks messages as read: those named, or all of the caller's. Ids of other people's messages are ignored. */
export const readMessages = endpoint({
  method: 'PUT',
  path: '/api/v1/sys/my/message/read',
  summary: '消息已读',
  needs: 'self',
  acts: 'aside',
  body: z.object({ ids: z.array(ref('message')).max(200, '最多 200 条').optional(), all: flag.optional() }),
  response: z.object({ read: z.number().int() }),
})
