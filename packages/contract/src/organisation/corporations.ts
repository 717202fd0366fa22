import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, numericRange, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { onOff, pick } from './fields.ts'
import { corporationBody, corporationDetail, corporationRow, creditCode } from './model.ts'

const corporationFilters = {
  corpName: text(50).optional(),
  corpCode: pointsTo('corporation', text(50)).optional(),
  corpKind: several.optional(),
  corpType: several.optional(),
  areaCode: several.optional(),
  safetyLicenseEnd: dayRange.optional(),
  creditScore: numericRange.optional(),
  projectCount: numericRange.optional(),
  onSite: numericRange.optional(),
  enable: text(2).optional(),
  createTime: dayRange.optional(),
  q: text(50).optional(),
  sort: sortBy('corpName', 'corpCode', 'createTime', 'creditScore', 'safetyLicenseEnd', 'projectCount', 'onSite'),
}

export const corporationQuery = pageQuery.extend(corporationFilters)

export const listCorporations = endpoint({
  method: 'GET',
  path: '/api/v2/oa/corporation',
  summary: '企业列表',
  needs: 'corporation.view',
  answers: 'list',
  query: corporationQuery,
  response: paged(corporationRow),
})

export const corporationList = listOf(listCorporations, {
  feature: 'corporation',
  columns: {
    corpName: '企业名称',
    corpCode: '统一社会信用代码',
    corpKind: '业务类别',
    corpType: '登记类型',
    areaCode: '地区',
    legalMan: '法定代表人',
    linkMan: '联系人',
    safetyLicenseEnd: '安许证至',
    projectCount: '参与项目',
    onSite: '在册人数',
    creditScore: '信用分',
    missing: '信息不全',
    enable: '启用',
    createTime: '建档时间',
  },
})

export const corporationFigures = endpoint({
  method: 'GET',
  path: '/api/v2/oa/corporation/figures',
  summary: '企业概况',
  needs: 'corporation.view',
  response: z.object({
    total: z.number().int(),
    licenceEnding: z.number().int(),
    licenceEnded: z.number().int(),
    incomplete: z.number().int(),
  }),
})

export const pickCorporations = endpoint({
  method: 'GET',
  path: '/api/v2/oa/corporation/list',
  summary: '企业选择列表',
  needs: 'self',
  answers: 'list',
  query: z.object({ name: text(50).optional() }),
  response: z.object({ list: z.array(pick), total: z.number().int() }),
})

/** Finds a company by its exact code only, so that nobody can browse the platform's list of companies. */
export const findCorporation = endpoint({
  method: 'GET',
  path: '/api/v2/oa/corporation/direct/search',
  summary: '企业精确查询',
  needs: 'corporation.create',
  query: z.object({ corpCode: creditCode }),
  response: z.object({ found: z.boolean(), corpCode: z.string(), corpName: z.string().nullable(), visible: z.boolean() }),
})

export const getCorporation = endpoint({
  method: 'GET',
  path: '/api/v2/oa/corporation/:corpCode',
  summary: '企业详情',
  needs: 'corporation.view',
  params: z.object({ corpCode: ref('corporation') }),
  response: corporationDetail,
})

export const createCorporation = endpoint({
  method: 'POST',
  path: '/api/v2/oa/corporation',
  summary: '新增企业',
  needs: 'corporation.create',
  acts: 'aside',
  body: corporationBody,
  response: z.object({ corpCode: z.string() }),
})

export const updateCorporation = endpoint({
  method: 'PUT',
  path: '/api/v2/oa/corporation/:corpCode',
  summary: '修改企业',
  needs: 'corporation.edit',
  acts: 'aside',
  params: z.object({ corpCode: ref('corporation') }),
  body: corporationBody,
})

export const removeCorporation = endpoint({
  method: 'DELETE',
  path: '/api/v2/oa/corporation/:corpCode',
  summary: '删除企业',
  needs: 'corporation.remove',
  acts: 'aside',
  params: z.object({ corpCode: ref('corporation') }),
})

export const switchCorporation = endpoint({
  method: 'POST',
  path: '/api/v2/oa/corporation/switch/status',
  summary: '切换企业启停状态',
  needs: 'corporation.switch',
  acts: 'aside',
  body: z.object({ corpCode: ref('corporation'), status: onOff }),
})
