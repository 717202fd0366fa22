import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, filled, nullable, numericRange, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { brandFields, brandRead, checkColor, orgRules } from './brand.ts'
import { creditCode } from './model.ts'

/** An authorisation that ends within this many days is highlighted. */
export const endingDays = 30

export const groupRow = z.object({
  id: z.string(),
  /** 1 government, 2 company. */
  type: z.number().int(),
  code: z.string(),
  name: z.string(),
  /** Dictionary govType for a government, corpKind for a company. */
  kind: z.array(z.string()),
  kindName: z.string(),
  level: z.string().nullable(),
  levelName: z.string().nullable(),
  areaCode: z.string().nullable(),
  areaName: z.string().nullable(),
  parentGovCode: z.string().nullable(),
  parentName: z.string().nullable(),
  projectCount: z.number().int(),
  userCount: z.number().int(),
  /** Users now logged in, who would lose access if the group were disabled. */
  online: z.number().int(),
  adminName: z.string().nullable(),
  nearestDeadline: z.string().nullable(),
  lastLogin: z.string().nullable(),
  enable: z.string(),
  createTime: z.string(),
})
export type GroupRow = z.infer<typeof groupRow>

/** The two kinds of group that the platform can admit. */
export const groupKinds = { body: '1', company: '2' } as const
const groupType = z.enum(groupKinds, { error: '类型应为 1 监管机构或 2 企业' })
const codes = ['government.view', 'corporation.view'] as const

export const listGroups = endpoint({
  method: 'GET',
  path: '/api/v1/oa/group/',
  summary: '组列表',
  needs: 'government.view',
  answers: 'list',
  query: pageQuery.extend({
    type: groupType.default('1'),
    name: text(50).optional(),
    code: text(50).optional(),
    kind: several.optional(),
    level: several.optional(),
    areaCode: several.optional(),
    parentGovCode: pointsTo('government', text(50)).optional(),
    projectCount: numericRange.optional(),
    userCount: numericRange.optional(),
    adminName: several.optional(),
    nearestDeadline: dayRange.optional(),
    lastLogin: dayRange.optional(),
    enable: text(2).optional(),
    sort: sortBy('createTime', 'name', 'code', 'projectCount', 'userCount', 'nearestDeadline', 'lastLogin', 'level'),
  }),
  response: paged(groupRow),
})
export const groupList = listOf(listGroups, {
  feature: 'group',
  columns: {
    name: '机构名称',
    code: '编码',
    kind: '类别',
    level: '层级',
    areaCode: '区划',
    parentGovCode: '上级机构',
    projectCount: '项目数',
    userCount: '账号数',
    adminName: '管理员',
    nearestDeadline: '账号最近到期',
    lastLogin: '最近登录',
    enable: '状态',
    createTime: '开通时间',
  },
})
export const groupFigures = endpoint({
  method: 'GET',
  path: '/api/v1/oa/group/figures',
  summary: '组概况',
  needs: 'government.view',
  query: z.object({ type: groupType.default('1') }),
  response: z.object({
    enabled: z.number().int(),
    withoutAdmin: z.number().int(),
    ending: z.number().int(),
    disabled: z.number().int(),
    /** By area, largest first. */
    byArea: z.array(
      z.object({
        areaCode: z.string(),
        areaName: z.string(),
        groups: z.number().int(),
        users: z.number().int(),
        projects: z.number().int(),
      }),
    ),
  }),
})

export interface GroupNode {
  key: string
  title: string
  type: number
  code: string
  enable: string
  children: GroupNode[]
}
const groupNode: z.ZodType<GroupNode> = z.object({
  key: z.string(),
  title: z.string(),
  type: z.number().int(),
  code: z.string(),
  enable: z.string(),
  children: z.array(z.lazy(() => groupNode)),
})
/** Visible governments by hierarchy, or companies with the projects they lead. */
export const groupTree = endpoint({
  method: 'GET',
  path: '/api/v1/oa/group/tree/init',
  summary: '初始化项目组树',
  needs: [...codes],
  answers: 'tree',
  query: z.object({ kind: z.enum(['government', 'corporation'], { error: '类型应为 government 或 corporation' }).default('government') }),
  response: z.object({ tree: z.array(groupNode) }),
})

export const getGroup = endpoint({
  method: 'GET',
  path: '/api/v1/oa/group/:id',
  summary: '组详情',
  needs: ['org.set', 'org.view', 'government.view'],
  params: z.object({ id: ref('group') }),
  response: brandRead.extend({
    type: z.number().int(),
    name: z.string(),
    areaName: z.string().nullable(),
    enable: z.string(),
    settings: z.object({ org: orgRules }),
    people: z.number().int(),
    administrators: z.array(z.string()),
  }),
})
/** Admits a company from the platform's list: it can then have accounts. */
export const openCompany = endpoint({
  method: 'POST',
  path: '/api/v1/oa/group/',
  summary: '新增组',
  needs: 'corporation.create',
  acts: 'aside',
  groupTypes: [0],
  body: z.object({
    corpCode: pointsTo('corporation', creditCode),
    sysName: nullable(text(40, '系统名称')),
    /** An existing account, which becomes the first administrator. */
    account: nullable(text(50, '管理员账号')),
  }),
  response: z.object({ id: z.string() }),
})
export const updateGroup = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/group/:id',
  summary: '修改组',
  needs: 'org.set',
  acts: 'aside',
  params: z.object({ id: ref('group') }),
  body: z
    .object({ ...brandFields, settings: z.object({ org: orgRules }).optional(), version: z.number().int() })
    .partial(Object.fromEntries(Object.keys(brandFields).map((key) => [key, true])) as { [K in keyof typeof brandFields]: true })
    .superRefine(checkColor),
})
/**
 * Appoints an administrator, by the complete account name, for a government or company that has none. In addition to the agreed list of
 * calls.
 */
export const appointAdministrator = endpoint({
  method: 'POST',
  path: '/api/v1/oa/group/administrator',
  summary: '指定组管理员',
  needs: ['government.create', 'corporation.create'],
  acts: 'aside',
  groupTypes: [0],
  /** Accounts must be named exactly and cannot be listed; the rate limit stops guessing. */
  perMinute: 30,
  body: z.object({ id: ref('group'), account: filled(50, '账号') }),
  /** `pending`: the user is not a member of the group yet and must accept first. */
  response: z.object({ name: z.string(), pending: z.boolean() }),
})
