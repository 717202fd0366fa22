import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, dayRange, flag, instant, month, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { fileRefs } from '../labour/model.ts'
import { type CorrectionKind, correctionKinds, directions } from './facts.ts'

const moment = z.string().nullable()

/** The states of dictionary approvalState that corrections use. */
export const fixStates = { waiting: '1', passed: '2', rejected: '3', withdrawn: '4' } as const

/** Who must approve a correction (A43, A44). */
export const fixRoles = { site: '项目', company: '企业', review: '监理或建设单位' } as const
export type FixRole = keyof typeof fixRoles

/** A person with more corrections than this in a month is flagged (A44). */
export const oftenPerMonth = 3

const figures = z.object({
  firstIn: moment,
  lastOut: moment,
  workHours: z.number(),
  attendDay: z.number().int(),
  results: z.array(z.number().int()),
  resultText: z.string(),
})
export const fixRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string().nullable(),
  kind: z.string(),
  kindName: z.string(),
  state: z.string(),
  stateName: z.string().nullable(),
  workerId: z.string().nullable(),
  name: z.string().nullable(),
  corpName: z.string().nullable(),
  teamName: z.string().nullable(),
  workDay: moment,
  time: moment,
  direction: moment,
  fromDay: moment,
  toDay: moment,
  target: moment,
  reason: z.string().nullable(),
  files: z.array(z.string()),
  requestedName: z.string().nullable(),
  requestedAt: z.string(),
  approvedName: z.string().nullable(),
  approvedAt: moment,
  /** Who must approve, and who has not yet. */
  needs: z.array(z.string()),
  missing: z.array(z.string()),
  approvals: z.array(z.object({ role: z.string(), name: z.string(), at: z.string(), opinion: z.string(), result: z.string() })),
  /** Number of corrections of the same person in the month. */
  inMonth: z.number().int(),
  often: z.boolean(),
  keyPost: z.boolean(),
  /** Its sequence number in the ledger, once it is in force. */
  seq: z.number().int().nullable(),
  /** The actions that the caller may take. */
  actions: z.array(z.enum(['pass', 'reject', 'withdraw'])),
  version: z.number().int(),
})
export type FixRow = z.infer<typeof fixRow>

/** Describes a correction in one line. */
export function fixContent(r: Pick<FixRow, 'kind' | 'time' | 'direction' | 'fromDay' | 'toDay'>): string {
  const way = r.direction === directions.in ? '入场' : r.direction === directions.out ? '出场' : ''
  if (r.fromDay) return r.fromDay === r.toDay ? r.fromDay : `${r.fromDay} 至 ${r.toDay ?? ''}`
  return [r.time, way && (r.kind === 'direction' ? `改为${way}` : way)].filter(Boolean).join(' ')
}

const path = '/api/v1/oa/process/attendanceFix' as const
export const listFixes = endpoint({
  method: 'GET',
  path,
  summary: '考勤更正列表',
  needs: 'attendance.view',
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    kind: several.optional(),
    state: several.optional(),
    name: text(50).optional(),
    workDay: dayRange.optional(),
    month: month.optional(),
    workerId: ref('worker').optional(),
    /** Corrections that the caller can decide now. */
    mine: flag.optional(),
    sort: sortBy('requestedAt', 'workDay', 'name', 'state'),
  }),
  response: paged(fixRow).extend({ waiting: z.number().int() }),
})
export const fixList = listOf(listFixes, {
  feature: 'attendanceFix',
  columns: {
    kind: '更正',
    name: '姓名',
    projectName: '项目',
    corpName: '单位',
    teamName: '班组',
    workDay: '考勤日',
    content: '内容',
    reason: '原因',
    state: '状态',
    missing: '待谁审批',
    requestedName: '申请人',
    requestedAt: '申请时间',
    approvedName: '审批人',
    approvedAt: '审批时间',
    inMonth: '本月更正',
    seq: '账本序号',
  },
})

export const getFix = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '考勤更正详情',
  needs: 'attendance.view',
  params: z.object({ id: ref('correction') }),
  query: ofProject,
  /** The affected days, as they are and as they would be with the correction. */
  response: fixRow.extend({ days: z.array(z.object({ workDay: z.string(), before: figures, after: figures })) }),
})

const kind = z.enum(Object.keys(correctionKinds) as [CorrectionKind, ...CorrectionKind[]], { error: '更正类型不正确' })
export const createFix = endpoint({
  method: 'POST',
  path,
  summary: '申请考勤更正',
  needs: 'attendance.correct',
  acts: 'own',
  query: ofProject,
  body: z.object({
    kind,
    /** Several for a common cause; exactly one for a correction about a record. */
    workerIds: z.array(ref('worker')).max(200, '一次最多 200 人').default([]),
    /** The record; for revoke the correction. */
    target: ref('attendanceEvent').optional(),
    time: instant.optional(),
    /** For a day without records: `time` is the entry and this the exit. Creates two corrections. */
    leftTime: instant.optional(),
    direction: z.enum(['01', '02'], '方向应为入场或出场').optional(),
    fromDay: day.optional(),
    toDay: day.optional(),
    reason: text(200, '原因').min(5, '原因至少 5 个字'),
    files: fileRefs('附件', 9).default([]),
  }),
  response: z.object({ ids: z.array(z.string()), needs: z.array(z.string()), remark: z.string() }),
})

export const actOnFix = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '审批考勤更正',
  needs: ['attendance.approve', 'attendance.correct'],
  acts: 'review',
  params: z.object({ id: ref('correction') }),
  query: ofProject,
  body: z.object({
    action: z.enum(['pass', 'reject', 'withdraw'], '不支持的操作'),
    opinion: text(200, '意见').optional(),
    version: z.coerce.number().int(),
  }),
  response: fixRow,
})

const monthTeam = z.object({
  teamSysNo: z.string(),
  teamName: z.string().nullable(),
  corpName: z.string().nullable(),
  people: z.number().int(),
  attendDays: z.number().int(),
  workHours: z.number(),
  /** The current leader of the team. */
  leaderName: moment,
  confirmedName: moment,
  /** The leader on whose behalf somebody else confirmed; null when the leader confirmed, or the team had none. */
  confirmedFor: moment,
  confirmedAt: moment,
  /** The figures have changed since the confirmation. */
  changed: z.boolean(),
})
const monthState = z.object({
  projectCode: z.string(),
  month: z.string(),
  closed: z.boolean(),
  /** Number of the newest version; 0 before the first. */
  version: z.number().int(),
  hash: moment,
  closedName: moment,
  closedAt: moment,
  /** The last work day of the month has settled. */
  over: z.boolean(),
  waitingFixes: z.number().int(),
  teams: z.array(monthTeam),
  /** For a closed month: people whose figures have changed since. */
  differences: z.array(
    z.object({
      workerId: z.string(),
      name: z.string(),
      teamName: z.string().nullable(),
      closedDays: z.number(),
      closedHours: z.number(),
      days: z.number(),
      hours: z.number(),
    }),
  ),
  versions: z.array(
    z.object({
      version: z.number().int(),
      hash: z.string(),
      closedName: moment,
      closedAt: z.string(),
      reopenedName: moment,
      reopenedAt: moment,
      reopenReason: moment,
      people: z.number().int(),
      attendDays: z.number(),
      workHours: z.number(),
    }),
  ),
  /**
   * Whether the caller may reopen the month: it is closed, and the caller works for the general contractor or the owner and has the right
   * to close.
   */
  mayReopen: z.boolean(),
  /** Why the month cannot be closed yet; empty when it can. */
  hindrances: z.array(z.string()),
})
export type MonthState = z.infer<typeof monthState>
const monthPath = '/api/v1/oa/process/attendanceMonth' as const
export const getMonth = endpoint({
  method: 'GET',
  path: monthPath,
  summary: '月考勤确认与封账',
  needs: 'attendance.view',
  query: ofProject.extend({ month }),
  response: monthState,
})
export const actOnMonth = endpoint({
  method: 'PUT',
  path: monthPath,
  summary: '确认、封账或重开月考勤',
  needs: ['attendance.confirm', 'attendance.close'],
  acts: 'site',
  query: ofProject,
  body: z.object({
    month,
    action: z.enum(['confirm', 'close', 'reopen'], '不支持的操作'),
    teamSysNos: z
      .array(pointsTo('teamNo', text(20, '班组')))
      .max(500)
      .default([]),
    reason: text(200, '原因').optional(),
    /** The version that the caller has seen. */
    version: z.coerce.number().int(),
  }),
  response: monthState,
})
