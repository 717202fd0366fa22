import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, dayRange, filled, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { role, roleCodes } from './endpoints.ts'

/** Longest duration of a temporary role; longer needs require an ordinary role. */
export const longestTemporaryDays = 90
/** Maximum number of people who get a temporary role in one request. */
const mostPeople = 100

/** Risk of a function; the highest is access to unmasked personal data. */
export const riskCodes = { ordinary: '1', important: '2', personal: '3' } as const
export const risks = [
  { code: riskCodes.ordinary, name: '普通' },
  { code: riskCodes.important, name: '重要' },
  { code: riskCodes.personal, name: '个人信息' },
] as const
export const riskName = (code: string): string => risks.find((one) => one.code === code)?.name ?? code

const functionNode = z.object({
  code: z.string(),
  /** What the function does, as displayed. */
  name: z.string(),
  remark: z.string(),
  risk: z.string(),
  /** The caller may assign this function to others. */
  held: z.boolean(),
  /** The group was granted an app with this function. */
  open: z.boolean(),
  enable: z.string(),
})
const menuOfFunctions = z.object({ path: z.string(), title: z.string(), codes: z.array(z.string()) })
const appOfMenus = z.object({ id: z.string(), title: z.string(), menus: z.array(menuOfFunctions) })
export type FunctionNode = z.output<typeof functionNode>
/** Apps, their menus, and the functions of each menu. A function may appear on several menus but is one permission. */
const functionTree = z.object({ apps: z.array(appOfMenus), functions: z.array(functionNode) })
export type FunctionTree = z.output<typeof functionTree>

export const roleFunctions = endpoint({
  method: 'GET',
  path: '/api/v2/oa/role/tree/init',
  summary: '初始化角色权限树（新版）',
  needs: 'role.view',
  answers: 'tree',
  query: z.object({ groupsType: z.coerce.number().int().min(0).max(3).optional() }),
  response: functionTree,
})
/** Functions that the caller's own group has, for its own roles. */
export const groupFunctions = endpoint({
  method: 'GET',
  path: '/api/v1/oa/groupRole/tree/permission/scope',
  summary: '权限范围树',
  needs: 'role.view',
  answers: 'tree',
  response: functionTree,
})
export const replaceRole = endpoint({
  method: 'DELETE',
  path: '/api/v2/oa/role/:id',
  summary: '删除角色（新版）',
  needs: 'role.remove',
  acts: 'aside',
  params: z.object({ id: ref('role') }),
  /** The role that its members get instead. */
  query: z.object({ replaceBy: ref('role').optional() }),
})

const person = z.object({ memberId: z.string(), name: z.string(), account: z.string(), groupName: z.string() })
export const roleHolders = endpoint({
  method: 'GET',
  path: '/api/v1/oa/role/:id/holders',
  summary: '角色使用情况',
  needs: 'role.view',
  params: z.object({ id: ref('role') }),
  response: z.object({ role, users: z.number().int(), groups: z.number().int(), people: z.array(person) }),
})

export const tempStates = ['early', 'running', 'over'] as const
export const tempRole = z.object({
  id: z.string(),
  name: z.string(),
  groupId: z.string(),
  groupName: z.string(),
  codes: z.array(z.string()),
  /** Null: the group's whole scope. */
  projects: z.array(z.string()).nullable(),
  projectNames: z.array(z.string()),
  memberIds: z.array(z.string()),
  people: z.array(z.string()),
  startTime: z.string(),
  endTime: z.string(),
  reason: z.string(),
  state: z.enum(tempStates),
  grantBy: z.string(),
  createTime: z.string(),
  version: z.number().int(),
})
export type TempRole = z.output<typeof tempRole>
const tempBody = z.object({
  name: filled(30, '名称'),
  codes: roleCodes.min(1, '请选择权限'),
  projects: z.array(ref('project')).max(500).nullable(),
  memberIds: z.array(ref('member')).min(1, '请选择人员').max(mostPeople, `一次最多 ${mostPeople} 人`),
  startTime: day,
  /** The last day of the role. */
  endTime: day,
  reason: filled(200, '原因'),
})
export const listTempRoles = endpoint({
  method: 'GET',
  path: '/api/v2/oa/role/temp',
  summary: '临时角色列表',
  needs: 'tempRole.view',
  answers: 'list',
  query: pageQuery.extend({
    name: text(50).optional(),
    person: text(50).optional(),
    state: several.optional(),
    endTime: dayRange.optional(),
    sort: sortBy('name', 'startTime', 'endTime'),
  }),
  response: paged(tempRole),
})
export const tempRoleList = listOf(listTempRoles, {
  columns: {
    name: '名称',
    groupName: '所属机构',
    people: '人员',
    projects: '项目',
    startTime: '开始',
    endTime: '结束',
    reason: '原因',
    state: '状态',
    grantBy: '授予人',
  },
})
export const getTempRole = endpoint({
  method: 'GET',
  path: '/api/v2/oa/role/temp/:id',
  summary: '临时角色详情',
  needs: 'tempRole.view',
  params: z.object({ id: ref('tempRole') }),
  response: tempRole,
})
export const createTempRole = endpoint({
  method: 'POST',
  path: '/api/v2/oa/role/temp',
  summary: '新增临时角色',
  largeBody: 'every permission there is',
  needs: 'tempRole.edit',
  acts: 'aside',
  body: tempBody,
  response: z.object({ id: z.string() }),
})
export const updateTempRole = endpoint({
  method: 'PUT',
  path: '/api/v2/oa/role/temp/:id',
  summary: '修改临时角色',
  needs: 'tempRole.edit',
  acts: 'aside',
  params: z.object({ id: ref('tempRole') }),
  body: tempBody.pick({ endTime: true, reason: true, memberIds: true }).extend({ version: z.number().int() }),
})
/** Ends the role now; the assignment remains as a record. */
export const endTempRole = endpoint({
  method: 'DELETE',
  path: '/api/v2/oa/role/temp/:id',
  summary: '结束临时角色',
  needs: 'tempRole.edit',
  acts: 'aside',
  params: z.object({ id: ref('tempRole') }),
})

/** The groups that use a role, with the codes revoked in each. */
export const roleGroups = endpoint({
  method: 'GET',
  path: '/api/v2/oa/role/group/perm',
  summary: '获取角色组权限',
  needs: 'role.view',
  query: z.object({ roleId: ref('role') }),
  response: z.object({
    roleId: z.string(),
    codes: z.array(z.string()),
    groups: z.array(
      z.object({
        groupId: z.string(),
        groupName: z.string(),
        userCount: z.number().int(),
        taken: z.array(z.string()),
        reason: z.string(),
        updateBy: z.string().nullable(),
        updateTime: z.string().nullable(),
        version: z.number().int(),
      }),
    ),
  }),
})
export const narrowRole = endpoint({
  method: 'POST',
  path: '/api/v2/oa/role/group/perm',
  summary: '设置角色组权限',
  largeBody: 'every permission there is',
  needs: 'roleGroup.edit',
  acts: 'aside',
  body: z.object({
    roleId: ref('role'),
    groupId: pointsTo('group', text(64, '机构')),
    /** Codes to revoke; an empty list restores all. */
    codes: roleCodes,
    reason: filled(200, '原因'),
    version: z.number().int(),
  }),
})
