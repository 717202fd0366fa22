import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, filled, nullable, ofProject, pointsTo, ref, text } from '../kit/fields.ts'
import { fileRefs } from '../labour/model.ts'

/** Papers of a company: uploaded once, visible to the groups that the company chooses, and usable in the checklists of its projects. */

export const paperKinds = {
  licence: '营业执照',
  safety: '安全生产许可证',
  account: '开户许可证',
  attorney: '授权委托书',
  insurance: '保险',
  credit: '信用报告',
  rules: '管理制度',
  other: '其他',
} as const
export type PaperKind = keyof typeof paperKinds
const kinds = Object.keys(paperKinds) as [PaperKind, ...PaperKind[]]

/** Days before its last day from which a paper is shown as ending. */
export const paperWarnDays = 30
/** Maximum number of papers of a company. */
export const mostPapers = 100

const paperUse = z.object({
  projectCode: z.string(),
  projectName: z.string(),
  item: z.string(),
  itemName: z.string(),
  /** The project uses an earlier edition. */
  old: z.boolean(),
})
export const companyPaper = z.object({
  id: z.string(),
  corpCode: z.string(),
  corpName: z.string(),
  kind: z.string(),
  kindName: z.string(),
  name: z.string(),
  number: z.string().nullable(),
  files: z.array(z.string()),
  validEnd: z.string().nullable(),
  due: z.enum(['ending', 'ended']).nullable(),
  toSites: z.boolean(),
  toBodies: z.boolean(),
  edition: z.number().int(),
  earlier: z.array(
    z.object({
      edition: z.number().int(),
      number: z.string().nullable(),
      files: z.array(z.string()),
      validEnd: z.string().nullable(),
      byName: z.string(),
      at: z.string(),
    }),
  ),
  /** Checklists that use the paper, in projects that the caller sees. */
  uses: z.array(paperUse),
  updateBy: z.string(),
  updateTime: z.string(),
  version: z.number().int(),
})
export type CompanyPaper = z.infer<typeof companyPaper>

const path = '/api/v1/oa/process/corpMaterial'
/** Papers of a company (without a code the caller's own), or those that the companies of a site show to it. */
export const listPapers = endpoint({
  method: 'GET',
  path,
  summary: '企业资料',
  needs: 'setting.view',
  answers: 'list',
  query: ofProject.extend({ corpCode: pointsTo('corporation', text(50)).optional() }),
  response: z.object({ list: z.array(companyPaper), total: z.number().int(), mayEdit: z.boolean() }),
})

const shown = { toSites: z.boolean().default(false), toBodies: z.boolean().default(false) }
const edition = {
  number: nullable(text(60, '编号')),
  files: fileRefs('附件').min(1, '请上传附件'),
  validEnd: nullable(day),
}
export const bringPaper = endpoint({
  method: 'POST',
  path,
  summary: '新增企业资料',
  needs: 'setting.material',
  acts: 'aside',
  groupTypes: [2],
  query: ofProject,
  body: z.object({ kind: z.enum(kinds, { error: '请选择类别' }), name: filled(60, '资料名称'), ...edition, ...shown }),
  response: z.object({ id: z.string() }),
})
/** `renew` adds a new edition and keeps the previous one; `show` sets who sees the paper. */
export const changePaper = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '修改企业资料',
  needs: 'setting.material',
  acts: 'aside',
  groupTypes: [2],
  params: z.object({ id: ref('corpMaterial') }),
  query: ofProject,
  body: z.discriminatedUnion('action', [
    z.object({ action: z.literal('renew'), ...edition, version: z.number().int() }),
    z.object({ action: z.literal('show'), ...shown, version: z.number().int() }),
  ]),
})
/** Maximum number of projects in one call. */
export const mostLinked = 50
/** Puts the current edition into one checklist item of each project. A paper there that is waiting or accepted is kept and reported. */
export const linkPaper = endpoint({
  method: 'POST',
  path: `${path}/:id/link`,
  summary: '企业资料关联到项目资料',
  needs: 'setting.material',
  groupTypes: [2],
  params: z.object({ id: ref('corpMaterial') }),
  query: ofProject,
  body: z.object({
    item: filled(40, '资料项'),
    projectCodes: z.array(ref('project')).min(1, '请选择项目').max(mostLinked, `一次最多 ${mostLinked} 个项目`),
  }),
  response: z.object({
    linked: z.number().int(),
    left: z.array(z.object({ projectName: z.string(), why: z.string() })),
  }),
})
