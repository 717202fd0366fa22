import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, filled, nullable, ref, text } from '../kit/fields.ts'
import { fileRefs } from '../labour/model.ts'
import { dict } from '../settings/dict-field.ts'

/** Qualifications of a company: what it may build (平台数据标准 SubContractorCertifications). */

/** Dictionary corpCertStatus; expiry is derived from the last day. */
export const aptitudeStates = { valid: '001', cancelled: '002', ended: '003', lowered: '004' } as const

/**
 * Kinds of qualification with the groups of trades they can be granted for (dictionaries corpCertType, corpTrade); other kinds allow any
 * trade.
 */
const tradesOf: Readonly<Record<string, string>> = {
  '1': 'G101',
  '2': 'G102',
  '3': 'G714',
  '4': 'G714',
  '6': 'G714',
  '11': 'G714',
  '12': 'G714',
}
export const tradeGroupOf = (certType: string): string | undefined => tradesOf[certType]

/** Prefixes of a trade's code: general contracting (施工总承包), and within it building construction (建筑工程). */
export const leadingTrade = '71401'
const buildingTrade = '71401001'

/**
 * Largest building area, in square metres, that a qualification of 建筑工程施工总承包 permits; first and special class are unlimited (建筑业企业资质标准
 * 1.2.2, 1.3.2 as changed by 建市〔2016〕226 号).
 */
const areaLimits: Readonly<Record<string, number>> = { '3-76': 150_000, '3-75': 80_000 }
export const largestArea = (level: string): number => areaLimits[level] ?? Number.POSITIVE_INFINITY
export const isBuildingTrade = (trade: string): boolean => trade === buildingTrade

export const aptitude = z.object({
  id: z.string(),
  corpCode: z.string(),
  certTypeNum: z.string(),
  certTypeName: z.string().nullable(),
  tradeBoundNum: z.string(),
  tradeBoundName: z.string().nullable(),
  titleLevelNum: z.string(),
  titleLevelName: z.string().nullable(),
  certCode: z.string(),
  organName: z.string(),
  organDate: z.string(),
  endDate: z.string(),
  /** Whole days until its last day; negative once it has expired. */
  left: z.number().int(),
  addTypeNum: z.string().nullable(),
  /** One of `aptitudeStates`; "ended" after its last day. */
  status: z.string(),
  statusName: z.string().nullable(),
  ending: z.boolean(),
  files: z.array(z.string()),
  reason: z.string().nullable(),
  updateBy: z.string(),
  updateTime: z.string(),
  version: z.number().int(),
})
export type Aptitude = z.infer<typeof aptitude>

const path = '/api/v2/oa/corporation/:corpCode/qualification'
const params = z.object({ corpCode: ref('corporation') })
const named = z.object({ corpCode: ref('corporation'), id: ref('qualification') })

export const listAptitudes = endpoint({
  method: 'GET',
  path,
  summary: '企业资质',
  needs: ['corporation.view', 'setting.view'],
  answers: 'list',
  params,
  response: z.object({
    list: z.array(aptitude),
    total: z.number().int(),
    figures: z.object({ valid: z.number().int(), ending: z.number().int(), ended: z.number().int() }),
    /** Projects visible to the caller that exceed what the company may now build. */
    beyond: z.array(z.object({ projectCode: z.string(), projectName: z.string(), corpTypeName: z.string().nullable(), why: z.string() })),
    remindDays: z.number().int(),
    mayEdit: z.boolean(),
  }),
})

const fields = {
  certTypeNum: dict('corpCertType', '资质类型'),
  tradeBoundNum: dict('corpTrade', '专业类别'),
  titleLevelNum: dict('corpCertLevel', '资质等级'),
  certCode: filled(50, '证书编号'),
  organName: filled(100, '发证机关'),
  organDate: day,
  endDate: day,
  addTypeNum: nullable(dict('corpCertGainWay', '取得方式')),
  files: fileRefs('证书扫描件').min(1, '请上传证书扫描件'),
}
const inOrder = (b: { organDate: string; endDate: string }, context: z.RefinementCtx) => {
  if (b.endDate <= b.organDate) context.addIssue({ code: 'custom', path: ['endDate'], message: '有效期至应晚于发证日期' })
}
export const addAptitude = endpoint({
  method: 'POST',
  path,
  summary: '新增企业资质',
  needs: 'corporation.edit',
  acts: 'aside',
  groupTypes: [0, 2],
  params,
  body: z.object(fields).superRefine(inOrder),
  response: z.object({ id: z.string() }),
})
/** `edit` corrects or renews it; `cancel` and `lower` record with proof that it was cancelled or lowered. */
export const changeAptitude = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '修改企业资质',
  needs: 'corporation.edit',
  acts: 'aside',
  groupTypes: [0, 2],
  params: named,
  body: z
    .object({
      action: z.enum(['edit', 'cancel', 'lower'], { error: '请选择操作' }),
      ...fields,
      reason: nullable(text(200, '原因')),
      version: z.number().int(),
    })
    .superRefine((b, context) => {
      inOrder(b, context)
      if (b.action !== 'edit' && (b.reason ?? '').length < 5)
        context.addIssue({ code: 'custom', path: ['reason'], message: '请填写原因与依据（至少 5 个字）' })
    }),
})
export const setAptitudeReminder = endpoint({
  method: 'PUT',
  path: `${path}-reminder`,
  summary: '企业资质提醒天数',
  needs: 'corporation.edit',
  acts: 'aside',
  groupTypes: [0, 2],
  params,
  body: z.object({ days: z.number().int('应为整数').min(7, '至少 7 天').max(365, '最多 365 天') }),
})
