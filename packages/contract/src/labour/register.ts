import { z } from 'zod'
import { checkCreditCode, checkIdCard } from '../kit/checks.ts'
import { endpoint } from '../kit/endpoint.ts'
import {
  checked,
  day,
  dayRange,
  filled,
  idNumberText,
  nullable,
  numericRange,
  paged,
  pageQuery,
  pointsTo,
  several,
  text,
} from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'

/** Data of an external register about companies and their people, dated and read only, beside the product's own records. */
const count = z.number().int()
/** How a company of the register relates to the product's own record. */
export const registerStates = { known: '已引入', unknown: '未引入', differs: '信息不一致' } as const
export type RegisterState = keyof typeof registerStates
export const operatorKinds = ['注册', '安管', '技术', '特种'] as const

export const enterpriseRow = z.object({
  corpCode: z.string(),
  corpName: z.string(),
  areaName: z.string().nullable(),
  corpKindNames: z.array(z.string()),
  qualification: z.string().nullable(),
  safetyLicenseEnd: z.string().nullable(),
  /** Null: not stated, which differs from zero. */
  registered: count.nullable(),
  safety: count.nullable(),
  here: z.enum(['known', 'unknown', 'differs']),
  source: z.string(),
  asOf: z.string(),
})
export type EnterpriseRow = z.infer<typeof enterpriseRow>
export const listEnterprises = endpoint({
  method: 'GET',
  path: '/api/v1/integrated_enterprise/enterprises',
  summary: '综合企业列表',
  needs: 'labour.view',
  answers: 'list',
  query: pageQuery.extend({
    q: text(50).optional(),
    area: several.optional(),
    corpKind: several.optional(),
    here: several.optional(),
    safetyLicenseEnd: dayRange.optional(),
    registered: numericRange.optional(),
    safety: numericRange.optional(),
    sort: sortBy('corpName', 'safetyLicenseEnd', 'registered', 'safety', 'asOf'),
  }),
  response: paged(enterpriseRow).extend({
    figures: z.object({ total: count, licenceEnded: count, qualificationEnding: count, differs: count }),
  }),
})
export const enterpriseList = listOf(listEnterprises, {
  feature: 'integratedEnterprise',
  columns: {
    corpName: '企业名称',
    corpCode: '统一社会信用代码',
    area: '注册地区',
    corpKind: '业务类别',
    qualification: '主要资质',
    safetyLicenseEnd: '安许证至',
    registered: '注册人员',
    safety: '安管人员',
    here: '本平台',
    asOf: '数据日期',
  },
})

const compared = z.object({
  field: z.string(),
  label: z.string(),
  register: z.string().nullable(),
  own: z.string().nullable(),
  differs: z.boolean(),
})
export const enterpriseDetail = enterpriseRow.extend({
  /** Each field of the register, compared with the product's own. */
  fields: z.array(compared),
  qualifications: z.array(
    z.object({ name: z.string(), level: z.string(), certCode: z.string(), endDate: z.string().nullable(), left: count.nullable() }),
  ),
  records: z.array(
    z.object({
      date: z.string(),
      title: z.string(),
      org: z.string(),
      docNo: z.string().nullable(),
      endDate: z.string().nullable(),
      good: z.boolean(),
      over: z.boolean(),
    }),
  ),
  kinds: z.array(z.object({ kind: z.string(), count })),
  /** Values that the form of a new company takes over. */
  draft: z.object({
    corpCode: z.string(),
    corpName: z.string(),
    corpKind: z.array(z.string()),
    areaCode: z.string().nullable(),
    address: z.string().nullable(),
    legalMan: z.string().nullable(),
    regCapital: z.number().nullable(),
    establishDate: z.string().nullable(),
    safetyLicenseNo: z.string().nullable(),
    safetyLicenseEnd: z.string().nullable(),
  }),
})
export type EnterpriseDetail = z.infer<typeof enterpriseDetail>
export const getEnterprise = endpoint({
  method: 'GET',
  path: '/api/v1/integrated_enterprise/enterprise',
  summary: '综合企业详情',
  needs: 'labour.view',
  query: z.object({ id: text(50, '统一社会信用代码') }),
  response: enterpriseDetail,
})

export const operatorRow = z.object({
  id: z.string(),
  corpCode: z.string(),
  corpName: z.string(),
  name: z.string(),
  idCardNumber: z.string(),
  kind: z.string(),
  certName: z.string(),
  certNo: z.string(),
  trade: z.string().nullable(),
  validEnd: z.string().nullable(),
  state: z.string(),
  left: count.nullable(),
  post: z.string().nullable(),
  projectName: z.string().nullable(),
  /** Number of companies that list this person; more than one needs clarification. */
  named: count,
})
export type OperatorRow = z.infer<typeof operatorRow>
export const listOperators = endpoint({
  method: 'GET',
  path: '/api/v1/integrated_enterprise/operators',
  summary: '综合企业人员列表',
  needs: 'labour.view',
  answers: 'list',
  query: pageQuery.extend({
    corpCode: text(50).optional(),
    q: text(50).optional(),
    kind: several.optional(),
    validEnd: dayRange.optional(),
    sort: sortBy('name', 'validEnd'),
  }),
  response: paged(operatorRow),
})
export const operatorList = listOf(listOperators, {
  columns: {
    name: '姓名',
    idCardNumber: '证件号码',
    kind: '类别',
    certName: '证书',
    certNo: '证书编号',
    trade: '专业',
    validEnd: '有效期至',
    projectName: '现任项目',
  },
})
const byId = z.object({ id: text(64, '人员') })
/** A person's certificates from all companies that list this person. */
export const listRegisterCertificates = endpoint({
  method: 'GET',
  path: '/api/v1/integrated_enterprise/certificate',
  summary: '综合企业证书',
  needs: ['labour.view', 'personnel.view'],
  query: byId,
  response: z.object({
    list: z.array(operatorRow),
    own: z.array(z.object({ name: z.string(), certNo: z.string(), validEnd: z.string().nullable(), matches: z.boolean() })),
  }),
})
export const getOperator = endpoint({
  method: 'GET',
  path: '/api/v1/integrated_enterprise/operator',
  summary: '综合企业人员详情',
  needs: 'labour.view',
  query: byId,
  response: operatorRow.extend({
    /** The product's own person with the same ID number, if visible to the caller. */
    workerId: z.string().nullable(),
    /** Number of people with the same name: only a hint, never a link. */
    sameName: count,
    companies: z.array(
      z.object({ corpCode: z.string(), corpName: z.string(), post: z.string().nullable(), projectName: z.string().nullable() }),
    ),
    posts: z.array(
      z.object({
        projectName: z.string(),
        postName: z.string().nullable(),
        present: z.boolean(),
        isLeader: z.boolean(),
        entryTime: z.string(),
      }),
    ),
    warnings: z.array(z.string()),
  }),
})

const mostEnterprises = 500
const mostOperators = 5_000
/** Imports a register's list. Companies in it are replaced; others keep their data and its date. */
export const uploadRegister = endpoint({
  method: 'POST',
  path: '/api/v1/integrated_enterprise/register',
  summary: '上传综合企业名录',
  needs: 'corporation.create',
  groupTypes: [0],
  acts: 'aside',
  largeBody: 'a list of some hundred companies with their qualified people',
  body: z.object({
    source: filled(50, '来源'),
    asOf: day,
    enterprises: z
      .array(
        z.object({
          corpCode: checked(filled(18, '统一社会信用代码'), (v) => checkCreditCode(v)),
          corpName: filled(200, '企业名称'),
          corpKind: z.array(text(4)).max(11).default([]),
          status: text(20).default('存续'),
          areaCode: nullable(text(6)),
          address: nullable(text(200)),
          legalMan: nullable(text(50)),
          regCapital: nullable(z.coerce.number().min(0)),
          establishDate: nullable(day),
          safetyLicenseNo: nullable(text(50)),
          safetyLicenseEnd: nullable(day),
          qualifications: z
            .array(
              z.object({ name: filled(100, '资质'), level: text(20).default(''), certCode: text(50).default(''), endDate: nullable(day) }),
            )
            .max(50)
            .default([]),
        }),
      )
      .max(mostEnterprises, `一次最多 ${mostEnterprises} 家企业`)
      .default([]),
    operators: z
      .array(
        z.object({
          corpCode: pointsTo('corporation', filled(18, '企业')),
          name: filled(50, '姓名'),
          idCardNumber: checked(idNumberText('证件号码', 18).min(1, '请填写证件号码'), (v) => checkIdCard(v)),
          kind: z.enum(operatorKinds, '人员类别应为注册、安管、技术或特种'),
          certName: filled(100, '证书'),
          certNo: filled(60, '证书编号'),
          trade: nullable(text(50)),
          validEnd: nullable(day),
          state: text(20).default('有效'),
          post: nullable(text(50)),
          projectName: nullable(text(100)),
        }),
      )
      .max(mostOperators, `一次最多 ${mostOperators} 人`)
      .default([]),
  }),
  response: z.object({ enterprises: count, operators: count }),
})
