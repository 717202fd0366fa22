import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, dayRange, filled, nullable, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { role, roleCodes } from './endpoints.ts'
import { longestTemporaryDays } from './role-work.ts'

const mostAtOnce = 200
const members = z.array(ref('member')).min(1, '请选择人员').max(mostAtOnce, `一次最多 ${mostAtOnce} 人`)
const roles = z.array(ref('role')).max(20)
const places = z.object({
  /** Limited to the named projects and folders; otherwise it covers the group's whole scope. */
  tied: z.boolean(),
  projects: z.array(ref('project')).max(1000),
  projectGroups: z.array(ref('projectGroup')).max(200),
})
const body = z.object({ name: filled(30, '角色名称'), codes: roleCodes, remark: text(200, '说明').default('') })

export const groupRole = role.extend({
  ...places.shape,
  templateId: z.string().nullable(),
  templateCodes: z.array(z.string()).nullable(),
  /** Codes that a higher group has revoked from the role here. */
  taken: z.array(z.string()),
  people: z.array(z.object({ memberId: z.string(), name: z.string(), deadline: z.string().nullable() })),
  /** Number of its members who are logged in. */
  online: z.number().int(),
  editable: z.boolean(),
})
export type GroupRole = z.output<typeof groupRole>

export const getGroupRole = endpoint({
  method: 'GET',
  path: '/api/v1/oa/groupRole/:id',
  summary: '组角色详情',
  needs: 'role.view',
  params: z.object({ id: ref('role') }),
  response: groupRole,
})
export const createGroupRole = endpoint({
  method: 'POST',
  path: '/api/v1/oa/groupRole',
  summary: '新增组角色',
  largeBody: 'every permission there is',
  needs: 'role.edit',
  acts: 'aside',
  body: body.extend({ ...places.shape, templateId: nullable(ref('role')) }),
  response: z.object({ id: z.string() }),
})
export const updateGroupRole = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/groupRole/:id',
  summary: '修改组角色',
  largeBody: 'every permission there is',
  needs: 'role.edit',
  acts: 'aside',
  params: z.object({ id: ref('role') }),
  body: body.extend({ ...places.shape, version: z.number().int() }),
})
export const groupRoleStat = endpoint({
  method: 'GET',
  path: '/api/v1/oa/groupRole/user/stat',
  summary: '组角色用户统计',
  needs: 'role.view',
  response: z.object({
    roles: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        administrator: z.boolean(),
        own: z.boolean(),
        enable: z.string(),
        users: z.number().int(),
      }),
    ),
    members: z.number().int(),
    administrators: z.number().int(),
    temporary: z.number().int(),
    without: z.number().int(),
    ending: z.number().int(),
  }),
})

export const groupUser = z.object({
  /** Id of the membership. */
  id: z.string(),
  userId: z.string(),
  name: z.string(),
  account: z.string(),
  phone: z.string().nullable(),
  departments: z.array(z.string()),
  posts: z.array(z.string()),
  roles: z.array(z.object({ id: z.string(), name: z.string(), deadline: z.string().nullable(), enable: z.string(), tied: z.boolean() })),
  temporary: z.array(z.object({ id: z.string(), name: z.string(), endTime: z.string() })),
  /** How the role was assigned: 1 manually, 3 as administrator, 4 temporarily. */
  sources: z.array(z.string()),
  deadline: z.string().nullable(),
  lastLogin: z.string().nullable(),
  enable: z.string(),
  createTime: z.string(),
  version: z.number().int(),
})
export type GroupUser = z.output<typeof groupUser>
export const roleSources = [
  { value: '1', label: '手工' },
  { value: '3', label: '管理员授权' },
  { value: '4', label: '临时' },
] as const

export const listGroupUsers = endpoint({
  method: 'GET',
  path: '/api/v1/sys/groupUser',
  summary: '组用户列表',
  needs: ['user.view', 'role.view'],
  answers: 'list',
  query: pageQuery.extend({
    name: text(50).optional(),
    account: text(50).optional(),
    dept: text(50).optional(),
    post: text(50).optional(),
    roleId: ref('role').optional(),
    /**
     * Filters other than roles: administrators, members with a temporary role, without any role, or whose membership ends within seven
     * days.
     */
    view: z.enum(['administrator', 'temporary', 'without', 'ending']).optional(),
    source: several.optional(),
    expireDate: dayRange.optional(),
    lastLogin: dayRange.optional(),
    sort: sortBy('name', 'expireDate', 'lastLogin'),
  }),
  response: paged(groupUser),
})
export const groupUserList = listOf(listGroupUsers, {
  feature: 'groupUser',
  columns: {
    name: '姓名',
    account: '账号',
    phone: '手机',
    dept: '部门',
    post: '岗位',
    roles: '角色',
    projects: '范围',
    expireDate: '有效期',
    source: '来源',
    lastLogin: '最近登录',
  },
  onScreen: ['phone'],
})
export const getGroupUser = endpoint({
  method: 'GET',
  path: '/api/v1/sys/groupUser/:id',
  summary: '组用户详情',
  needs: ['user.view', 'role.view'],
  params: z.object({ id: ref('member') }),
  response: groupUser,
})
export const addGroupUser = endpoint({
  method: 'POST',
  path: '/api/v1/sys/groupUser',
  summary: '新增组用户',
  needs: ['user.edit', 'role.member'],
  acts: 'aside',
  body: z.object({ account: filled(32, '账号'), roleIds: roles, expireDate: nullable(day) }),
  /** `pending`: the user is not a member of the group yet and must accept first; `id` is then the request. */
  response: z.object({ id: z.string(), name: z.string(), pending: z.boolean() }),
})
export const updateGroupUser = endpoint({
  method: 'PUT',
  path: '/api/v1/sys/groupUser/:id',
  summary: '修改组用户',
  needs: ['user.edit', 'role.member'],
  acts: 'aside',
  params: z.object({ id: ref('member') }),
  body: z.object({ roleIds: roles, expireDate: nullable(day), version: z.number().int() }),
})
export const removeGroupUser = endpoint({
  method: 'DELETE',
  path: '/api/v1/sys/groupUser/:id',
  summary: '删除组用户',
  needs: ['user.edit', 'role.member'],
  acts: 'aside',
  params: z.object({ id: ref('member') }),
})

export const addToRole = endpoint({
  method: 'POST',
  path: '/api/v1/oa/groupRole/user/add',
  summary: '添加组角色用户',
  needs: 'role.member',
  acts: 'aside',
  body: z.object({ roleId: ref('role'), memberIds: members, expireDate: nullable(day) }),
})
export const removeFromRole = endpoint({
  method: 'POST',
  path: '/api/v1/oa/groupRole/user/remove',
  summary: '移除组角色用户',
  needs: 'role.member',
  acts: 'aside',
  body: z.object({ roleId: ref('role'), memberIds: members }),
})
export const changeRoles = endpoint({
  method: 'POST',
  path: '/api/v1/oa/groupRole/user/changeRole',
  summary: '变更用户组角色',
  needs: 'role.member',
  acts: 'aside',
  body: z.object({ memberIds: members, roleIds: roles.min(1, '请选择角色'), expireDate: nullable(day) }),
})

/** Extends several memberships to a later end; a membership that already ends later is unchanged. */
export const extendMembers = endpoint({
  method: 'POST',
  path: '/api/v1/sys/groupUser/extend',
  summary: '批量延长有效期',
  needs: ['user.edit', 'role.member'],
  acts: 'aside',
  body: z.object({ memberIds: members, expireDate: nullable(day) }),
  response: z.object({ extended: z.number().int(), kept: z.number().int() }),
})

export const relatedProjects = endpoint({
  method: 'GET',
  path: '/api/v1/oa/groupRole/related/project',
  summary: '获取组角色关联项目',
  needs: ['role.view', 'visible.view'],
  answers: 'list',
  query: z.object({ roleId: ref('role') }),
  response: z.object({
    ...places.shape,
    list: z.array(z.object({ projectCode: z.string(), name: z.string(), source: z.string() })),
    total: z.number().int(),
    version: z.number().int(),
  }),
})
export const tieRole = endpoint({
  method: 'POST',
  path: '/api/v1/oa/groupRole/related/project',
  summary: '设置组角色关联项目',
  largeBody: 'a thousand projects',
  needs: ['role.edit', 'visible.edit'],
  acts: 'aside',
  body: places.extend({ roleId: ref('role'), version: z.number().int() }),
})

export const delegationRules = z.object({
  /** Role for new members who are added without one. */
  defaultRoleId: nullable(ref('role')),
  /** Whether users other than administrators may create roles. */
  makers: z.enum(['administrator', 'holder'], { error: '请选择谁可建角色' }),
  temporary: z.boolean(),
  temporaryDays: z
    .number({ error: '请填写天数' })
    .int('请填写整数')
    .min(1, '至少 1 天')
    .max(longestTemporaryDays, `最长 ${longestTemporaryDays} 天`),
  /** Days that a role assignment lasts by default; null for unlimited. */
  defaultDays: nullable(z.number().int('请填写整数').min(1, '至少 1 天').max(3650, '最长 3650 天')),
  /** Whether every account must have a second factor while it works for the group. */
  secondFactor: z.boolean().default(false),
})
export type DelegationRules = z.output<typeof delegationRules>
export const delegationNames = [
  'defaultRoleId',
  'makers',
  'temporary',
  'temporaryDays',
  'defaultDays',
  'secondFactor',
] as const satisfies (keyof DelegationRules)[]
export const getDelegation = endpoint({
  method: 'GET',
  path: '/api/v1/oa/groupRole/global/set',
  summary: '获取组角色全局设置',
  needs: 'role.view',
  response: z.object({
    own: delegationRules,
    /** The rules that apply: the stricter of the platform's and the group's own. */
    inForce: delegationRules,
    /** Rules that a higher group has fixed. */
    locked: z.array(z.string()),
    /** Rules that the platform sets for all; null for the platform itself. */
    above: delegationRules.nullable(),
    mayLock: z.boolean(),
    administrators: z.array(
      z.object({ memberId: z.string(), name: z.string(), deadline: z.string().nullable(), lastLogin: z.string().nullable() }),
    ),
    /** Existing assignments that violate the rules in force. */
    violations: z.array(z.object({ what: z.string(), detail: z.string() })),
    roles: z.array(z.object({ id: z.string(), name: z.string() })),
    updateBy: z.string().nullable(),
    updateTime: z.string().nullable(),
    version: z.number().int(),
  }),
})
export const setDelegation = endpoint({
  method: 'POST',
  path: '/api/v1/oa/groupRole/global/set',
  summary: '保存组角色全局设置',
  needs: 'delegation.set',
  acts: 'aside',
  body: delegationRules.extend({ locked: z.array(z.enum(delegationNames)).default([]), version: z.number().int() }),
})
