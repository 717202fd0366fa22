import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, filled, nullable, ofProject, pointsTo, ref, text } from '../kit/fields.ts'
import { fileRefs } from '../labour/model.ts'

/** Papers of a company: brought once, shown to whom the company says, taken over by the checklists of its projects. */

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

/** Days before its last day in which a paper is worth renewing. */
export const paperWarnDays = 30
/** Papers of one company: as many as somebody keeps in order by hand. */
export const mostPapers = 100

const paperUse = z.object({
  projectCode: z.string(),
  projectName: z.string(),
  item: z.string(),
  itemName: z.string(),
  /** The project still has an earlier edition. */
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
  /** Checklists it was taken into, as far as the caller sees their projects. */
  uses: z.array(paperUse),
  updateBy: z.string(),
  updateTime: z.string(),
  version: z.number().int(),
})
export type CompanyPaper = z.infer<typeof companyPaper>

const path = '/api/v1/oa/process/corpMaterial'
/** Of a company (one's own without a code); of a site: what its companies show it. */
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
/** `renew` brings another edition, the one before stays; `show` says who sees it. */
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
/** Projects of one linking: a company's running sites. */
export const mostLinked = 50
/** Puts the present edition into one item of the checklist of each project; a paper that waits or was accepted there stays, and is told of. */
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
