import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, ofProject, paged, pageQuery, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'

/** Records from which the papers of supervision come; each is its own document and is opened where it was made. */
export const paperSources = {
  plan: '监督计划',
  sheet: '监督记录单',
  daycheck: '日常检查',
  rectify: '整改通知',
  reply: '整改回复',
  stop: '停复工申请',
} as const
export type PaperSource = keyof typeof paperSources
const source = z.enum(Object.keys(paperSources) as [PaperSource, ...PaperSource[]])

/** The parts of the directory: dictionary superviseDocType at its first level. */
export const partNames = { 1: '监督检查', 2: '违规处理', 3: '监督验收与终止' } as const

export const supervisionRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  code: z.string().nullable(),
  name: z.string(),
  docType: z.string(),
  docTypeName: z.string(),
  checkDate: z.string().nullable(),
  /** Signed, or served on whom it is for. */
  signed: z.boolean(),
  source,
  sourceName: z.string(),
  link: z.string(),
  versionNo: z.number().int(),
  filed: z.boolean(),
})
export type SupervisionRow = z.output<typeof supervisionRow>

export const listSupervision = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/document/supervision',
  summary: '监督资料',
  needs: 'documents.view',
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    /** 1, 2 or 3: a part of the directory. */
    part: z.enum(['1', '2', '3']).optional(),
    docType: several.optional(),
    code: text(50).optional(),
    checkDate: dayRange.optional(),
    signed: z.enum(['true', 'false']).optional(),
    source: several.optional(),
    sort: sortBy('docType', 'checkDate'),
  }),
  response: paged(supervisionRow).extend({
    /** By document type, with how many of them are signed. */
    directory: z.array(z.object({ docType: z.string(), name: z.string(), count: z.number().int(), signed: z.number().int() })),
    /** What the file of the one project lacks; null for several projects. */
    missing: z.array(z.string()).nullable(),
  }),
})

export const supervisionList = listOf(listSupervision, {
  feature: 'documentSupervision',
  columns: {
    code: '文书编号',
    name: '名称',
    projectName: '项目',
    docType: '文书类型',
    checkDate: '日期',
    signed: '送达与签字',
    source: '来源单据',
    versionNo: '版本',
    filed: '归档',
  },
})

interface Count {
  docType: string
  count: number
  signed: number
}
/** Each of these must be there once, as one of several documents. */
const always: readonly { name: string; of: readonly string[] }[] = [
  { name: '监督工作计划或方案', of: ['101', '107'] },
  { name: '监督交底记录', of: ['102'] },
  { name: '监督抽查记录', of: ['103', '104', '105', '106'] },
]
/** A document that asks for another: as many of the second as of the first. */
const pairs: readonly { name: string; first: string; reply: string }[] = [
  { name: '安全隐患整改报告', first: '201', reply: '203' },
  { name: '质量整改情况报告书', first: '204', reply: '205' },
  { name: '恢复施工安全监督告知书', first: '301', reply: '302' },
]

/** What a supervision file still needs before it can be closed. */
export function missingOf(counts: readonly Count[]): string[] {
  const of = (docType: string) => counts.find((one) => one.docType === docType)
  const n = (docType: string) => of(docType)?.count ?? 0
  const open = counts.filter((one) => one.signed < one.count)
  return [
    ...always.filter((one) => one.of.every((docType) => n(docType) === 0)).map((one) => `缺少${one.name}`),
    ...pairs.flatMap(({ name, first, reply }) => {
      // 停工整改 is reported on like 限期整改.
      const requests = n(first) + (first === '201' ? n('202') : 0)
      return requests > n(reply) ? [`缺少${name} ${requests - n(reply)} 份`] : []
    }),
    ...open.map((one) => `${one.count - one.signed} 份${one.docType}号文书未签字或送达`),
  ]
}
