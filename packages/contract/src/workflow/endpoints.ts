import { z } from 'zod'
import { endpoint, type OutputFor } from '../kit/endpoint.ts'
import { instant, ref, text } from '../kit/fields.ts'
import { drawnSignature, flowNode, mostNodes, opinionText } from './flow.ts'

const moment = z.string().nullable()

export const approvalActs = {
  pass: '同意',
  reject: '驳回',
  transfer: '转办',
  addSign: '加签',
  withdraw: '撤回',
  urge: '催办',
} as const
export type ApprovalAct = keyof typeof approvalActs

/** Names of the events in an item's history. */
export const eventNames: Readonly<Record<string, string>> = {
  ...approvalActs,
  submit: '发起',
  resubmit: '重新提交',
  exempt: '免审通过',
  return: '退回',
  late: '超时',
  fallback: '转管理员',
  order: '直接办理',
  renew: '内容更新',
  end: '终止',
}

export const approvalRow = z.object({
  id: z.string(),
  code: z.string(),
  bizType: z.string(),
  bizTypeName: z.string(),
  objectId: z.string(),
  title: z.string(),
  groupName: z.string(),
  projectCode: moment,
  projectName: moment,
  applicant: z.string(),
  node: z.string(),
  createTime: z.string(),
  deadline: moment,
  overdue: z.boolean(),
  /** Hours since it reached its current step; for a finished item, its total duration. */
  stay: z.number(),
  state: z.string(),
  stateName: moment,
  doneTime: moment,
  /** What the caller may do now. */
  actions: z.array(z.enum(Object.keys(approvalActs) as [ApprovalAct, ...ApprovalAct[]])),
  /** Can be approved together with others of its kind. */
  batch: z.boolean(),
  version: z.number().int(),
})
export type ApprovalRow = z.infer<typeof approvalRow>

const seatView = z.object({
  /** A person, or the group and the function whose holders may decide: 「企业 · 审批补正」. */
  name: z.string(),
  groupName: z.string(),
  state: z.string(),
  at: moment,
  opinion: moment,
  forName: moment,
  origin: z.string(),
})
export const stepView = z.object({
  id: z.string(),
  key: z.string(),
  name: z.string(),
  stage: z.number().int(),
  modeName: z.string(),
  state: z.string(),
  note: moment,
  deadline: moment,
  endedAt: moment,
  sign: z.boolean(),
  seats: z.array(seatView),
})
export type StepView = z.infer<typeof stepView>

export const eventView = z.object({
  id: z.string(),
  at: z.string(),
  name: z.string(),
  groupName: z.string(),
  action: z.string(),
  actionName: z.string(),
  node: moment,
  opinion: moment,
  note: moment,
})
export type EventView = z.infer<typeof eventView>

const difference = z.object({ label: z.string(), before: moment, after: moment })
export const approvalDetail = approvalRow.extend({
  /** Null if the caller may no longer see the object; its title is still shown. */
  document: z
    .object({
      fields: z.array(z.object({ label: z.string(), value: moment })),
      changes: z.array(difference),
      /** Addresses signed for this session. */
      files: z.array(z.string()),
    })
    .nullable(),
  link: moment,
  findings: z.array(z.object({ level: z.enum(['bad', 'warn', 'good']), text: z.string() })),
  hash: z.string(),
  /** What has changed since the submission; the item cannot be approved while there are differences. */
  changed: z.array(difference),
  steps: z.array(stepView),
  events: z.array(eventView),
  /** What the caller must confirm to agree; sent back as `choice`. */
  asks: z.array(z.object({ key: z.string(), value: z.string(), text: z.string() })),
  comments: z.array(z.object({ id: z.string(), at: z.string(), name: z.string(), groupName: z.string(), text: z.string() })),
  /** `valid`: the signed data is unchanged. */
  signatures: z.array(z.object({ id: z.string(), name: z.string(), at: z.string(), image: z.string(), valid: z.boolean() })),
  /** The caller's step requires a drawn signature. */
  sign: z.boolean(),
  /** Earlier steps to which it can be returned. */
  returnTo: z.array(z.object({ key: z.string(), name: z.string() })),
  /** People to whom the caller can transfer it. */
  colleagues: z.array(z.object({ id: z.string(), name: z.string() })),
  mayResubmit: z.boolean(),
  /** The person for whom the caller acts as deputy, if any. */
  standsInFor: moment,
})
export type ApprovalDetail = z.infer<typeof approvalDetail>

export const getApproval = endpoint({
  method: 'GET',
  path: '/api/v1/oa/todo/:id',
  summary: '待办审批详情',
  needs: 'approval.view',
  params: z.object({ id: ref('todo') }),
  response: approvalDetail,
})

/** Acts other than a decision: a comment, marking a copy as read, resubmitting a refused item. */
export const changeApproval = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/todo/:id',
  summary: '评论或重新提交审批',
  needs: 'approval.view',
  acts: 'answer',
  params: z.object({ id: ref('todo') }),
  body: z
    .object({
      action: z.enum(['comment', 'read', 'resubmit'], '不支持的操作'),
      text: text(500, '评论').default(''),
      version: z.coerce.number().int().default(0),
    })
    .refine((b) => b.action !== 'comment' || b.text.length > 0, { path: ['text'], message: '请填写评论' }),
  response: z.object({ id: z.string(), version: z.number().int() }),
})

export const actOnApproval = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/todo/audit/:id',
  summary: '审批待办',
  needs: ['approval.view', 'approval.audit'],
  acts: 'answer',
  largeBody: 'a signature as it is drawn',
  params: z.object({ id: ref('todo') }),
  body: z
    .object({
      result: z.enum(Object.keys(approvalActs) as [ApprovalAct, ...ApprovalAct[]], '不支持的操作'),
      opinion: opinionText.default(''),
      /** Drawn signature, where the step requires one. */
      signature: drawnSignature.optional(),
      transferTo: ref('user').optional(),
      addSign: z.array(ref('user')).max(5, '一次最多加签 5 人').default([]),
      /** For `reject`: the key of the earlier step to return to; by default the submitter. */
      returnTo: z.string().max(30).optional(),
      /** Choices that a kind requires from its approver. */
      choice: z.record(z.string().max(40), z.string().max(64)).default({}),
      version: z.coerce.number().int(),
    })
    .refine((b) => b.result !== 'reject' || b.opinion.length >= 2, { path: ['opinion'], message: '请填写驳回原因（至少 2 个字）' })
    .refine((b) => b.result !== 'transfer' || b.transferTo !== undefined, { path: ['transferTo'], message: '请选择转给谁' })
    .refine((b) => b.result !== 'addSign' || b.addSign.length > 0, { path: ['addSign'], message: '请选择加签人' }),
  response: z.object({
    id: z.string(),
    state: z.string(),
    stateName: moment,
    node: z.string(),
    version: z.number().int(),
  }),
})

const deputy = z.object({
  id: z.string(),
  deputyId: z.string(),
  deputyName: z.string(),
  fromTime: z.string(),
  toTime: z.string(),
  reason: z.string(),
  running: z.boolean(),
})
export const listDeputies = endpoint({
  method: 'GET',
  path: '/api/v1/oa/todo/deputy',
  summary: '我的委托',
  needs: 'approval.view',
  response: z.object({ list: z.array(deputy), colleagues: z.array(z.object({ id: z.string(), name: z.string() })) }),
})
export const appointDeputy = endpoint({
  method: 'POST',
  path: '/api/v1/oa/todo/deputy',
  summary: '委托他人审批',
  needs: 'approval.audit',
  acts: 'aside',
  body: z.object({ deputyId: ref('user'), fromTime: instant, toTime: instant, reason: text(100, '原因').default('') }),
  response: z.object({ id: z.string() }),
})
export const endDeputy = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/todo/deputy/:id',
  summary: '结束委托',
  needs: 'approval.audit',
  acts: 'aside',
  params: z.object({ id: ref('todo') }),
})

const resolvedNode = z.object({
  key: z.string(),
  name: z.string(),
  stage: z.number().int(),
  /** False: the step's conditions do not match the sample. */
  meant: z.boolean(),
  people: z.array(z.object({ name: z.string(), groupName: z.string() })),
  /** No approver was found, so the administrators would decide. */
  empty: z.boolean(),
})
export const flowVersion = z.object({
  version: z.number().int(),
  mode: z.string(),
  note: z.string(),
  by: z.string(),
  at: z.string(),
  nodes: z.array(flowNode),
})
const place = z.object({ key: z.string(), name: z.string() })

/** Every kind with its current setting; with `bizType` one of them in full. */
export const getFlowSettings = endpoint({
  method: 'GET',
  path: '/api/v1/oa/todo/audit/config',
  summary: '获取审批配置',
  needs: 'approval.set',
  query: z.object({ bizType: text(40).optional(), groupId: ref('group').optional() }),
  response: z.object({
    groupId: z.string(),
    groupName: z.string(),
    kinds: z.array(
      z.object({
        kind: z.string(),
        name: z.string(),
        mode: z.enum(['upper', 'own', 'none']),
        running: z.number().int(),
        empty: z.boolean(),
      }),
    ),
    setting: z
      .object({
        kind: z.string(),
        name: z.string(),
        mode: z.enum(['upper', 'own', 'none']),
        /** Version of this group's own setting; 0 before the first. */
        version: z.number().int(),
        nodes: z.array(flowNode),
        /** Keys of steps fixed by a higher group, which must stay. */
        locked: z.array(z.string()),
        /** The group whose setting applies, if it is not the caller's. */
        from: moment,
        upper: z.array(flowNode),
        mayExempt: z.boolean(),
        maySet: z.boolean(),
        facts: z.array(
          z.object({
            key: z.string(),
            label: z.string(),
            type: z.enum(['number', 'flag', 'code']),
            options: z.array(z.object({ value: z.string(), label: z.string() })),
          }),
        ),
        resolved: z.array(resolvedNode),
        versions: z.array(flowVersion),
        places: z.array(place),
        codes: z.array(place),
        roles: z.array(z.object({ id: z.string(), name: z.string(), groupsType: z.number().int() })),
        people: z.array(z.object({ id: z.string(), name: z.string() })),
        posts: z.array(z.string()),
        projects: z.array(z.object({ projectCode: z.string(), name: z.string() })),
      })
      .nullable(),
  }),
})
export type FlowSettings = OutputFor<typeof getFlowSettings>

const flowNodes = z.array(flowNode).max(mostNodes, `最多 ${mostNodes} 个步骤`)
export const saveFlowSetting = endpoint({
  method: 'POST',
  path: '/api/v1/oa/todo/audit/config',
  summary: '保存审批配置',
  needs: 'approval.set',
  acts: 'site',
  body: z
    .object({
      bizType: text(40),
      mode: z.enum(['own', 'none', 'upper'], '请选择沿用上级、自定义或免审'),
      nodes: flowNodes.default([]),
      note: text(100, '说明').default(''),
      /** The version on which the change is based. */
      version: z.number().int(),
      /** Projects that get a copy as their own version. */
      copyTo: z.array(ref('project')).max(200, '一次最多 200 个项目').default([]),
    })
    .refine((b) => b.mode !== 'own' || b.nodes.length > 0, { path: ['nodes'], message: '请至少设置一个步骤' })
    .refine((b) => new Set(b.nodes.map((n) => n.key)).size === b.nodes.length, { path: ['nodes'], message: '步骤标识重复' }),
  response: z.object({ version: z.number().int(), copied: z.number().int() }),
})
/** Simulates a flow: who would decide, for sample data. */
export const tryFlow = endpoint({
  method: 'POST',
  path: '/api/v1/oa/todo/audit/config/try',
  summary: '审批试跑',
  needs: 'approval.set',
  unaudited: 'changes nothing',
  body: z.object({
    bizType: text(40),
    nodes: flowNodes,
    applicantId: ref('user').optional(),
    projectCode: ref('project').optional(),
    facts: z.record(z.string().max(40), z.union([z.number(), z.boolean(), z.string().max(100)])).default({}),
  }),
  response: z.object({ steps: z.array(resolvedNode) }),
})
