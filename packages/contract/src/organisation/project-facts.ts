import { z } from 'zod'
import { checkEmail, checkPhone } from '../kit/checks.ts'
import { endpoint } from '../kit/endpoint.ts'
import { checked, day, filled, nullable, phoneText, pointsTo, ref, text } from '../kit/fields.ts'
import { dict } from '../settings/dict-field.ts'

/** Data that a site maintains itself, as opposed to registered data. */

const dailyFields = z.object({
  shortName: nullable(text(50, '项目简称')),
  linkMan: filled(50, '联系人'),
  /** Omitted: unchanged. */
  linkPhone: checked(phoneText('联系人电话'), checkPhone).optional(),
  chargeEmail: nullable(checked(text(100, '邮箱'), checkEmail)),
  description: nullable(text(1000, '项目简介')),
  phase: nullable(dict('projectPhase', '形象进度')),
  floorsUp: nullable(
    z.coerce.number({ error: '地上层数应为数字' }).int('地上层数为整数').min(0, '地上层数 0-200').max(200, '地上层数 0-200'),
  ),
  floorsDown: nullable(
    z.coerce.number({ error: '地下层数应为数字' }).int('地下层数为整数').min(0, '地下层数 0-20').max(20, '地下层数 0-20'),
  ),
  isClosedSite: z.boolean(),
  payRollCreateDay: nullable(z.coerce.number().int('造册日为 1-28').min(1, '造册日为 1-28').max(28, '造册日为 1-28')),
  payRollDay: nullable(z.coerce.number().int('发薪日为 1-28').min(1, '发薪日为 1-28').max(28, '发薪日为 1-28')),
})

const licence = z.object({
  prjName: filled(200, '工程名称'),
  builderLicenseNum: filled(30, '施工许可证编号'),
  licenseDate: day,
  grantOrg: filled(100, '发证机关'),
})

export const confirmation = z.object({ quarter: z.string(), by: z.string(), at: z.string() })
export type Confirmation = z.infer<typeof confirmation>

/** Registered data without location and participants, which change only by an application or by the government. */
export const registeredFields = {
  name: filled(200, '项目名称').min(2, '项目名称为 2-200 字'),
  address: filled(200, '项目地址'),
  invest: z.coerce.number({ error: '请填写总投资' }).positive('总投资应大于 0').max(1e10, '总投资过大'),
  contractPrice: nullable(z.coerce.number({ error: '合同总价应为数字' }).min(0, '合同总价不能为负').max(1e12, '合同总价过大')),
  buildingArea: nullable(z.coerce.number({ error: '总面积应为数字' }).min(0, '总面积不能为负').max(1e12, '总面积过大')),
  startDate: day,
  completeDate: day,
  prjSize: nullable(dict('prjSize', '建设规模')),
  structureType: nullable(dict('structureType', '结构类型')),
  fundSource: nullable(dict('fundSource', '资金来源')),
  investProjectCode: nullable(text(24, '投资项目代码')),
  approvalNum: nullable(text(50, '立项文号')),
  builderLicenses: z.array(licence).max(20, '施工许可证最多 20 个').default([]),
}
/** Omitted: unchanged; empty: cleared. */
const leftOrCleared = <T extends z.ZodType>(schema: T) => z.preprocess((v) => (v === '' ? null : v), schema.nullable().optional())
/** Maintained by the government and the platform only. */
export const bodyFields = {
  superviseNo: leftOrCleared(text(50, '监督登记号')),
  payRollDelayDays: leftOrCleared(z.coerce.number({ error: '应为数字' }).int('应为整数').min(0, '0-90 天').max(90, '0-90 天')),
}
export const registeredRead = z.object({
  name: z.string(),
  address: z.string(),
  invest: z.number().nullable(),
  contractPrice: z.number().nullable(),
  buildingArea: z.number().nullable(),
  startDate: z.string().nullable(),
  completeDate: z.string().nullable(),
  prjSize: z.string().nullable(),
  structureType: z.string().nullable(),
  fundSource: z.string().nullable(),
  investProjectCode: z.string().nullable(),
  approvalNum: z.string().nullable(),
  builderLicenses: z.array(z.object({ prjName: z.string(), builderLicenseNum: z.string(), licenseDate: z.string(), grantOrg: z.string() })),
  superviseNo: z.string().nullable(),
  payRollDelayDays: z.number().nullable(),
})

const gap = z.object({ field: z.string(), label: z.string(), why: z.string(), keeper: z.enum(['site', 'body']), reported: z.boolean() })

export const getProjectFacts = endpoint({
  method: 'GET',
  path: '/api/v1/oa/project/setting/facts',
  summary: '获取项目信息设置',
  needs: 'setting.view',
  query: z.object({ projectCode: pointsTo('project', text(64)).optional() }),
  response: z.object({
    projectCode: z.string(),
    name: z.string(),
    closed: z.boolean(),
    daily: dailyFields.extend({ linkPhone: z.string().nullable() }),
    /** Registered data in groups for display, each with who maintains it. */
    groups: z.array(
      z.object({
        group: z.string(),
        keeper: z.string(),
        items: z.array(z.object({ field: z.string(), label: z.string(), value: z.string().nullable(), appliesFor: z.boolean() })),
      }),
    ),
    registered: registeredRead,
    parties: z.array(z.object({ part: z.string(), corpName: z.string() })),
    /** What the caller may write: registered data, and data that only a government maintains. */
    mayRegister: z.boolean(),
    mayRegisterBody: z.boolean(),
    gaps: z.array(gap),
    completeness: z.number().int(),
    /** The current quarter, and who confirmed the data in it. */
    quarter: z.string(),
    confirmed: confirmation.nullable(),
    pendingChanges: z.number().int(),
    updateBy: z.string().nullable(),
    updateTime: z.string().nullable(),
    version: z.number().int(),
  }),
})
export const saveProjectDaily = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/project/setting/daily',
  summary: '修改项目日常信息',
  needs: 'project.edit',
  body: dailyFields.extend({
    projectCode: ref('project'),
    version: z.number().int(),
  }),
})
/** Changes registered data, by a group above the site. The platform must give a reason, because it does not maintain these data. */
export const saveProjectRegistered = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/project/setting/registered',
  summary: '修改项目登记信息',
  needs: 'project.edit',
  groupTypes: [0, 1, 2],
  body: z
    .object({
      ...registeredFields,
      ...bodyFields,
      projectCode: ref('project'),
      reason: text(200, '修改原因').default(''),
      version: z.number().int(),
    })
    .superRefine((p, context) => {
      if (p.completeDate <= p.startDate) context.addIssue({ code: 'custom', path: ['completeDate'], message: '计划竣工日期应晚于开工日期' })
    }),
})
/** The site confirms its data once a quarter; the confirming person is recorded. */
export const confirmProjectFacts = endpoint({
  method: 'POST',
  path: '/api/v1/oa/project/setting/confirm',
  summary: '确认项目信息属实',
  needs: 'project.edit',
  groupTypes: [2, 3],
  body: z.object({ projectCode: ref('project') }),
  response: confirmation,
})
