import { z } from 'zod'
import { endpoint, type OutputFor } from '../kit/endpoint.ts'
import { dayRange, filled, flag, ofProject, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { dict } from '../settings/dict-field.ts'
import { eventView } from '../workflow/endpoints.ts'
import { type AlterField, alterFields, alterNames, isAlterType, isKeyPersonType, mostAlterFiles } from './alter-types.ts'
import { changeableFields } from './model.ts'

const path = '/api/v1/oa/process/projectAlter'
const view = 'documents.view'
const apply = 'documents.alterApply'
const applicants = [2, 3]

const difference = z.object({
  field: z.string(),
  label: z.string(),
  before: z.string().nullable(),
  after: z.string(),
})
export const alterRow = z.object({
  id: z.string(),
  code: z.string().nullable(),
  projectCode: z.string(),
  projectName: z.string(),
  type: z.string(),
  typeName: z.string(),
  /** Old and new values in one line. */
  summary: z.string(),
  applicant: z.string(),
  createTime: z.string(),
  /** The step it waits in. */
  node: z.string().nullable(),
  /** Hours in this step. */
  stay: z.number().nullable(),
  late: z.boolean(),
  state: z.string(),
  stateName: z.string(),
  /** The caller can decide it now. */
  waits: z.boolean(),
  version: z.number().int(),
})
export type AlterRow = z.output<typeof alterRow>

/** 待我审批, 我发起的 (of the caller's group), 全部. */
export const alterTabs = { waiting: '待我审批', mine: '我发起的', all: '全部' } as const
export type AlterTab = keyof typeof alterTabs

export const listAlters = endpoint({
  method: 'GET',
  path,
  summary: '项目变更列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    tab: z.enum(Object.keys(alterTabs) as [AlterTab, ...AlterTab[]]).optional(),
    code: text(50).optional(),
    projectName: text(50).optional(),
    type: several.optional(),
    applicant: text(50).optional(),
    createTime: dayRange.optional(),
    decideTime: dayRange.optional(),
    state: several.optional(),
    /** Longer than three working days in one step. */
    late: flag.optional(),
    sort: sortBy('createTime', 'stay', 'projectName'),
  }),
  response: paged(alterRow).extend({
    counts: z.object({
      waiting: z.number().int(),
      mine: z.number().int(),
      all: z.number().int(),
      running: z.number().int(),
      late: z.number().int(),
      managers: z.number().int(),
      chiefs: z.number().int(),
    }),
    /** First and last day of this year, which the last two figures count. */
    year: z.object({ from: z.string(), to: z.string() }),
  }),
})

export const alterList = listOf(listAlters, {
  feature: 'projectAlter',
  columns: {
    code: '编号',
    projectName: '项目',
    type: '变更类型',
    summary: '变更内容',
    applicant: '申请',
    createTime: '申请时间',
    node: '当前节点',
    stay: '停留时长',
    state: '状态',
  },
})

const id = z.object({ id: ref('projectChange') })
const person = z.object({
  role: z.string(),
  corpName: z.string(),
  oldName: z.string().nullable(),
  newName: z.string(),
  idCardMask: z.string(),
  cellPhoneMask: z.string().nullable(),
})
export const getAlter = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '项目变更详情',
  needs: view,
  params: id,
  query: ofProject,
  response: alterRow.extend({
    reason: z.string(),
    opinion: z.string().nullable(),
    decidedName: z.string().nullable(),
    decideTime: z.string().nullable(),
    differences: z.array(difference),
    person: person.nullable(),
    /** Addresses signed for this session. */
    files: z.array(z.string()),
    consent: z.array(z.string()),
    /** Fields whose present value is no longer the one before. */
    moved: z.array(z.object({ label: z.string(), before: z.string().nullable(), now: z.string().nullable() })),
    /** What an approver has to know of the newcomer; for the groups that take part. */
    hits: z.array(z.string()),
    /** The approval, if the caller's group takes part in it. */
    itemId: z.string().nullable(),
    events: z.array(eventView),
    mayWithdraw: z.boolean(),
  }),
})
export type AlterDetail = OutputFor<typeof getAlter>

const candidate = z.object({
  stayId: z.string(),
  name: z.string(),
  projectName: z.string(),
  idCardMask: z.string(),
  /** Name of a valid certificate for the post; null without one. */
  cert: z.string().nullable(),
})
/** What stands in the file now, from which the form is filled, and who of the company can become 项目负责人 or 总监. */
export const alterForm = endpoint({
  method: 'GET',
  path: `${path}/form`,
  summary: '项目变更填报信息',
  needs: apply,
  groupTypes: applicants,
  answers: 'object',
  query: ofProject.extend({ type: dict('projectAlterType', '变更类型') }),
  response: z.object({
    fields: z.array(z.object({ field: z.string(), label: z.string(), value: z.string().nullable(), text: z.string().nullable() })),
    person: z.object({ role: z.string(), corpName: z.string(), name: z.string().nullable(), candidates: z.array(candidate) }).nullable(),
    /** The application of this type that still waits. */
    waiting: z.string().nullable(),
  }),
})

const files = (label: string) => z.array(text(400, label)).max(mostAlterFiles, `${label}最多 ${mostAlterFiles} 个`)
export const fileAlter = endpoint({
  method: 'POST',
  path,
  summary: '发起项目变更',
  needs: apply,
  groupTypes: applicants,
  query: ofProject,
  body: changeableFields
    .extend({
      type: dict('projectAlterType', '变更类型'),
      /** The newcomer: a person of the company on any of its sites. */
      stayId: ref('projectWorker').optional(),
      reason: filled(500, '变更原因').min(5, '变更原因至少 5 个字'),
      files: files('证明文件').min(1, '请上传证明文件'),
      consent: files('建设单位同意文件').default([]),
    })
    .superRefine((body, context) => {
      const { type } = body
      if (!isAlterType(type)) {
        context.addIssue({ code: 'custom', path: ['type'], message: '变更类型不正确' })
        return
      }
      const given = (Object.keys(alterNames) as AlterField[]).filter((field) => body[field] !== undefined)
      const strange = given.find((field) => !alterFields[type].includes(field))
      if (strange) context.addIssue({ code: 'custom', path: [strange], message: `${alterNames[strange]}不属于所选的变更类型` })
      if (isKeyPersonType(type)) {
        if (!body.stayId) context.addIssue({ code: 'custom', path: ['stayId'], message: '请选择变更后的人员' })
        if (body.consent.length === 0) context.addIssue({ code: 'custom', path: ['consent'], message: '请上传建设单位同意文件' })
        return
      }
      if (body.stayId) context.addIssue({ code: 'custom', path: ['stayId'], message: '所选的变更类型不涉及人员' })
      if (given.length === 0) context.addIssue({ code: 'custom', path: [alterFields[type][0] ?? 'type'], message: '请填写要变更的内容' })
    }),
  response: z.object({ id: z.string(), code: z.string() }),
})

export const withdrawAlter = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '撤回项目变更',
  needs: apply,
  groupTypes: applicants,
  params: id,
  query: ofProject,
  body: z.object({
    action: z.literal('withdraw', { error: '不支持的操作' }),
    version: z.number().int(),
    reason: text(200, '原因').default(''),
  }),
})

/** What the print `projectAlterSheet` takes. */
export const alterPrint = id
