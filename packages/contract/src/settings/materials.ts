import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, filled, nullable, ofProject, ref, text } from '../kit/fields.ts'
import { fileRefs } from '../labour/model.ts'
import { projectStates } from '../organisation/codes.ts'

/** Documents that a project submits for a fixed list of items: uploaded by the site and reviewed by the authority above it. */

export const materialStages = { '1': '开工前', '2': '施工中', '3': '竣工' } as const
export type MaterialStage = keyof typeof materialStages

export const materialStates = { brought: '0', waiting: '1', accepted: '2', returned: '3' } as const
export const materialStateNames: Readonly<Record<string, string>> = {
  missing: '缺',
  later: '未到阶段',
  '0': '未提交',
  '1': '待审',
  '2': '已接收',
  '3': '退回',
}

interface Item {
  name: string
  stage: MaterialStage
  requiredBy: string
  /** The document has an expiry date. */
  runsOut?: true
}
/** The items by code. */
export const materialItems: Readonly<Record<string, Item>> = {
  licence: { name: '施工许可证', stage: '1', requiredBy: '建筑法 第七条' },
  award: { name: '中标通知书', stage: '1', requiredBy: '招标投标法 第四十五条' },
  mainContract: { name: '施工总承包合同', stage: '1', requiredBy: '建筑法 第十五条' },
  superviseContract: { name: '监理合同', stage: '1', requiredBy: '建筑法 第三十一条' },
  safetySupervise: { name: '安全监督登记', stage: '1', requiredBy: '建设工程安全生产管理条例 第十条' },
  qualitySupervise: { name: '质量监督登记', stage: '1', requiredBy: '建设工程质量管理条例 第十三条' },
  design: { name: '施工组织设计', stage: '1', requiredBy: '建设工程安全生产管理条例 第二十六条' },
  safetyDuty: { name: '安全生产责任书', stage: '1', requiredBy: '安全生产法 第四条' },
  wageAccount: { name: '工资专户协议', stage: '1', requiredBy: '保障农民工工资支付条例 第二十六条' },
  wageGuarantee: { name: '工资保证金保函', stage: '1', requiredBy: '保障农民工工资支付条例 第三十二条', runsOut: true },
  injuryInsurance: { name: '工伤保险单', stage: '1', requiredBy: '建筑法 第四十八条', runsOut: true },
  liability: { name: '安全生产责任保险单', stage: '1', requiredBy: '安全生产法 第五十一条', runsOut: true },
  plan: { name: '施工总平面图', stage: '1', requiredBy: '建设工程安全生产管理条例 第二十九条' },
  emergency: { name: '应急预案及备案', stage: '2', requiredBy: '安全生产法 第八十一条', runsOut: true },
  dangerous: { name: '危大工程清单', stage: '2', requiredBy: '住建部令第 37 号 第七条' },
  crane: { name: '起重机械使用登记', stage: '2', requiredBy: '建筑起重机械安全监督管理规定 第十七条', runsOut: true },
  dust: { name: '扬尘防治方案', stage: '2', requiredBy: '大气污染防治法 第六十九条' },
  finish: { name: '竣工验收报告', stage: '3', requiredBy: '建设工程质量管理条例 第十六条' },
}
/** The stages whose documents are due, by the state of the project. */
export const stagesDue = (prjStatus: string): readonly MaterialStage[] =>
  prjStatus === projectStates.planned || prjStatus === projectStates.approved
    ? ['1']
    : prjStatus === projectStates.building || prjStatus === projectStates.stopped
      ? ['1', '2']
      : ['1', '2', '3']
/** Days before its last day from which a document is shown as ending. */
export const materialWarnDays = 30

/** Reads the expiry date from a file's name: the last date in it. */
export function dayIn(fileName: string): string | undefined {
  const days = [...fileName.matchAll(/(20\d{2})[-._年]?(0[1-9]|1[0-2])[-._月]?(0[1-9]|[12]\d|3[01])(?!\d)/g)].map(
    ([, y, m, d]) => `${y}-${m}-${d}`,
  )
  return days
    .filter((one) => day.safeParse(one).success)
    .sort()
    .at(-1)
}

export const version = z.object({
  files: z.array(z.string()),
  validEnd: z.string().nullable(),
  state: z.string(),
  opinion: z.string().nullable(),
  byName: z.string(),
  at: z.string(),
})
export const materialRow = z.object({
  /** Null: nothing has been uploaded yet. */
  id: z.string().nullable(),
  projectCode: z.string(),
  projectName: z.string(),
  item: z.string(),
  name: z.string(),
  stage: z.enum(['1', '2', '3']),
  requiredBy: z.string(),
  runsOut: z.boolean(),
  /** One of `materialStates`, or `missing`, or `later`. */
  state: z.string(),
  stateName: z.string(),
  /** For accepted documents: ending within a month, or expired. */
  due: z.enum(['ending', 'ended']).nullable(),
  files: z.array(z.string()),
  validEnd: z.string().nullable(),
  notNeeded: z.string().nullable(),
  opinion: z.string().nullable(),
  askedBy: z.string().nullable(),
  /** Name of the company paper it was taken from; null for the site's own uploads. */
  sourceName: z.string().nullable(),
  judgedBy: z.string().nullable(),
  judgeTime: z.string().nullable(),
  updateBy: z.string().nullable(),
  updateTime: z.string().nullable(),
  earlier: z.array(version),
  version: z.number().int(),
})
export type MaterialRow = z.infer<typeof materialRow>

const path = '/api/v1/oa/process/projectMaterial'
/** The whole list of one project; with `*` the documents of all projects that wait for review. */
export const listMaterials = endpoint({
  method: 'GET',
  path,
  summary: '项目资料',
  needs: 'setting.view',
  answers: 'list',
  query: ofProject,
  response: z.object({
    list: z.array(materialRow),
    total: z.number().int(),
    stages: z.array(z.object({ stage: z.enum(['1', '2', '3']), name: z.string(), total: z.number().int(), done: z.number().int() })),
  }),
})
/** Uploads a document or a newer one, or states why none is needed. It is reviewed only after its stage is submitted. */
export const bringMaterial = endpoint({
  method: 'POST',
  path,
  summary: '上传项目资料',
  needs: 'setting.material',
  query: ofProject,
  body: z
    .object({
      item: text(40, '资料项').min(1, '请选择资料项'),
      files: fileRefs('附件').default([]),
      validEnd: nullable(day),
      notNeeded: nullable(text(200, '不适用的原因')),
      /** The company paper to use, which must be visible to this site: its files and last day replace those in the request. */
      source: nullable(ref('corpMaterial')),
      /** 0 if nothing has been uploaded yet. */
      version: z.number().int(),
    })
    .refine((b) => b.notNeeded !== null || b.source !== null || b.files.length > 0, {
      path: ['files'],
      message: '请上传附件，或填写不适用的原因',
    })
    .refine((b) => b.notNeeded === null || b.notNeeded.length >= 2, { path: ['notNeeded'], message: '不适用的原因至少 2 个字' }),
  response: z.object({ id: z.string() }),
})
/** Submits the uploaded documents of a stage. */
export const submitMaterials = endpoint({
  method: 'POST',
  path: `${path}/submit`,
  summary: '提交项目资料',
  needs: 'setting.material',
  query: ofProject,
  body: z.object({ stage: z.enum(['1', '2', '3'], { error: '请选择阶段' }) }),
  response: z.object({ submitted: z.number().int() }),
})
export const judgeMaterial = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '审核项目资料',
  needs: 'setting.materialAudit',
  acts: 'review',
  groupTypes: [0, 1, 2],
  params: z.object({ id: ref('material') }),
  query: ofProject,
  body: z
    .object({
      action: z.enum(['accept', 'return'], { error: '请选择接收或退回' }),
      opinion: text(200, '意见').default(''),
      version: z.number().int(),
    })
    .refine((b) => b.action === 'accept' || b.opinion.length >= 2, { path: ['opinion'], message: '退回请填写意见（至少 2 个字）' }),
})
/** Accepts all waiting documents of a stage. */
export const acceptMaterials = endpoint({
  method: 'POST',
  path: `${path}/accept`,
  summary: '接收一个阶段的项目资料',
  needs: 'setting.materialAudit',
  acts: 'review',
  groupTypes: [0, 1, 2],
  query: ofProject,
  body: z.object({ stage: z.enum(['1', '2', '3'], { error: '请选择阶段' }) }),
  response: z.object({ accepted: z.number().int() }),
})
/** Requests a document that is not on the list. */
export const askMaterial = endpoint({
  method: 'POST',
  path: `${path}/ask`,
  summary: '要求补充项目资料',
  needs: 'setting.materialAudit',
  acts: 'review',
  groupTypes: [0, 1, 2],
  query: ofProject,
  body: z.object({ name: filled(50, '资料名称'), stage: z.enum(['1', '2', '3'], { error: '请选择阶段' }) }),
  response: z.object({ id: z.string() }),
})
