import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { corporationQuery } from './corporations.ts'
import { corporationBody, corporationDetail, corporationRow } from './model.ts'

/** A company by its id or its code. */
const params = z.object({ id: ref('corporation') })

export const listCorporationsV1 = endpoint({
  method: 'GET',
  path: '/api/v1/oa/corporation',
  summary: '企业（旧版）列表',
  needs: 'corporation.view',
  answers: 'list',
  query: corporationQuery,
  response: paged(corporationRow),
})
export const createCorporationV1 = endpoint({
  method: 'POST',
  path: '/api/v1/oa/corporation',
  summary: '新增企业（旧版）',
  needs: 'corporation.create',
  acts: 'aside',
  body: corporationBody,
  response: z.object({ corpCode: z.string() }),
})
export const updateCorporationV1 = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/corporation/:id',
  summary: '修改企业（旧版）',
  needs: 'corporation.edit',
  acts: 'aside',
  params,
  body: corporationBody,
})
export const getCorporationV1 = endpoint({
  method: 'GET',
  path: '/api/v1/oa/corporation/:id',
  summary: '企业（旧版）详情',
  needs: 'corporation.view',
  params,
  response: corporationDetail,
})
export const corporationFormInfo = endpoint({
  method: 'GET',
  path: '/api/v1/oa/corporation/form/info',
  summary: '企业表单信息（旧版）',
  needs: ['corporation.create', 'corporation.edit'],
  response: z.object({
    areaCode: z.string().nullable(),
    /** Fields required to create a company. */
    required: z.array(z.string()),
    /** Dictionary code of each field with a fixed set of values. */
    dictionaries: z.record(z.string(), z.string()),
  }),
})

/** Shortest search text: a shorter one matches too many names. */
export const leastLetters = 4
/** Maximum number of companies returned: enough to distinguish companies of the same name. */
export const directoryHits = 10
/** Companies with the data of their registration authority, from the deployment's directory service. */
export const searchDirectory = endpoint({
  method: 'GET',
  path: '/api/v2/oa/corporation/qcc/search',
  summary: '企业工商信息查询',
  needs: ['corporation.create', 'corporation.edit', 'labour.unit'],
  answers: 'list',
  perMinute: 60,
  query: z.object({
    keyword: filled(100, '企业名称或统一社会信用代码'),
  }),
  response: z.object({
    list: z.array(
      z.object({
        corpCode: z.string(),
        corpName: z.string(),
        corpType: z.string().nullable(),
        areaCode: z.string().nullable(),
        address: z.string().nullable(),
        legalMan: z.string().nullable(),
        regCapital: z.number().nullable(),
        registerDate: z.string().nullable(),
        status: z.string(),
        source: z.string(),
        /** Already in the platform's list of companies. */
        known: z.boolean(),
      }),
    ),
    total: z.number().int(),
  }),
})
export const findUnits = endpoint({
  method: 'GET',
  path: '/api/v2/oa/corporation/part/querylist',
  summary: '参建单位查询列表',
  needs: 'self',
  answers: 'list',
  query: pageQuery.extend({ projectCode: ref('project').optional(), name: text(50).optional(), corpType: several.optional() }),
  response: paged(
    z.object({
      id: z.string(),
      projectCode: z.string(),
      corpCode: z.string(),
      corpName: z.string(),
      corpType: z.string(),
      corpTypeName: z.string().nullable(),
    }),
  ),
})

export interface BusinessNode {
  id: string
  kind: 'corp' | 'team' | 'user'
  name: string
  /** People present, including all lower levels. */
  count: number
  children: BusinessNode[]
}
const businessNode: z.ZodType<BusinessNode> = z.lazy(() =>
  z.object({
    id: z.string(),
    kind: z.enum(['corp', 'team', 'user']),
    name: z.string(),
    count: z.number().int(),
    children: z.array(businessNode),
  }),
)
/** Units of one project, each below the unit that hired it. */
export const corpTree = endpoint({
  method: 'GET',
  path: '/api/v1/oa/business/tree/corp',
  summary: '业务树（单位）',
  needs: ['labour.view', 'personnel.view'],
  answers: 'tree',
  query: z.object({ projectCode: ref('project').optional() }),
  response: z.array(businessNode),
})
/** Maximum number of people drawn in a tree; larger projects use a list. */
export const treePeople = 3000
/** Units, their teams, and the people present in them. */
export const userTree = endpoint({
  method: 'GET',
  path: '/api/v1/oa/business/tree/user',
  summary: '业务树（人员）',
  needs: 'personnel.view',
  answers: 'tree',
  query: z.object({ projectCode: ref('project').optional() }),
  response: z.array(businessNode),
})
