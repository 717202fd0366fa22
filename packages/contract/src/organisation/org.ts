import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, flag, paged, pageQuery, ref, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'

/** Maximum departments per group: the tree is drawn completely. */
export const maxDepartments = 2000
/** Maximum levels below the group: deeper ones do not fit beside a list. */
export const maxDepth = 8
/** Maximum people per request: as many as a user can check before confirming. */
export const maxAtOnce = 200
/** Days without login after which an account counts as dormant; the person may have left. */
export const dormantDays = 90

export interface OrgNode {
  id: string
  parentId: string | null
  name: string
  enable: string
  /** Names of the heads of the department. */
  heads: string[]
  /** People of the department itself, and including all lower ones; each counted once. */
  own: number
  people: number
  version: number
  children: OrgNode[]
}
const orgNode: z.ZodType<OrgNode> = z.object({
  id: z.string(),
  parentId: z.string().nullable(),
  name: z.string(),
  enable: z.string(),
  heads: z.array(z.string()),
  own: z.number().int(),
  people: z.number().int(),
  version: z.number().int(),
  children: z.array(z.lazy(() => orgNode)),
})

const orgRow = z.object({
  id: z.string(),
  name: z.string(),
  /** Names from the top level, separated by `/`. */
  path: z.string(),
  parentId: z.string().nullable(),
  heads: z.array(z.string()),
  own: z.number().int(),
  people: z.number().int(),
  enable: z.string(),
  version: z.number().int(),
})

const place = z.object({
  orgId: z.string(),
  orgName: z.string(),
  post: z.string(),
  isHead: z.boolean(),
  version: z.number().int(),
})
export const orgMember = z.object({
  /** Id of the membership, not of the account. */
  id: z.string(),
  name: z.string(),
  account: z.string(),
  /** Masked. */
  phone: z.string().nullable(),
  places: z.array(place),
  roleNames: z.array(z.string()),
  deadline: z.string().nullable(),
  lastLogin: z.string().nullable(),
  enable: z.string(),
  createTime: z.string(),
})
export type OrgMember = z.output<typeof orgMember>

/** Members to check: in no department, dormant, in several departments, or head of one. */
export const memberViews = ['unplaced', 'dormant', 'several', 'head'] as const
const memberView = z.enum(memberViews, { error: '类型应为 unplaced、dormant、several 或 head' })

const figures = z.object({
  people: z.number().int(),
  unplaced: z.number().int(),
  dormant: z.number().int(),
  several: z.number().int(),
})

const name = filled(30, '部门名称').refine((v) => !v.includes('/'), '部门名称不能含有“/”')
const post = text(20, '岗位').default('')
const parentId = ref('org').nullable()
const version = z.number().int()
/** A project's department belongs to its own group; `projectCode` only confirms the project. */
const ofProject = z.object({ projectCode: ref('project').optional() })
const people = z.array(ref('member')).min(1, '请选择人员').max(maxAtOnce, `一次最多 ${maxAtOnce} 人`)

export const orgTree = endpoint({
  method: 'GET',
  path: '/api/v1/oa/org/tree/init',
  summary: '初始化组织树',
  needs: 'org.view',
  answers: 'tree',
  response: z.object({ tree: z.array(orgNode), figures }),
})
export const listOrgs = endpoint({
  method: 'GET',
  path: '/api/v1/oa/org/list',
  summary: '组织列表',
  needs: 'org.view',
  answers: 'list',
  query: pageQuery.extend({ name: text(30).optional(), enable: text(2).optional() }),
  response: paged(orgRow),
})
export const createOrg = endpoint({
  method: 'POST',
  path: '/api/v1/oa/org',
  summary: '新增组织节点',
  needs: 'org.edit',
  acts: 'aside',
  body: z.object({ parentId, name }),
  response: z.object({ id: z.string() }),
})
export const updateOrg = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/org/:id',
  summary: '修改组织节点',
  needs: 'org.edit',
  acts: 'aside',
  params: z.object({ id: ref('org') }),
  query: ofProject,
  body: z.object({
    name: name.optional(),
    /** New parent; null is the top level. */
    parentId: parentId.optional(),
    /** Position among its siblings, starting at 0. */
    position: z.number().int().min(0).max(maxDepartments).optional(),
    enable: z.enum(['0', '1'], { error: '状态应为 0 停用或 1 启用' }).optional(),
    version,
  }),
})
export const removeOrg = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/org/:id',
  summary: '删除组织节点',
  needs: 'org.edit',
  acts: 'aside',
  params: z.object({ id: ref('org') }),
  /** `moveTo`: moves its people and departments there before removing it (a merge). */
  query: ofProject.extend({ moveTo: ref('org').optional() }),
})
export const refreshOrg = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/org/fresh/node/:id',
  summary: '刷新组织节点',
  needs: 'org.view',
  unaudited: 'reads one branch of the tree again',
  params: z.object({ id: ref('org') }),
  response: orgNode,
})
export const orgAncestors = endpoint({
  method: 'GET',
  path: '/api/v1/oa/org/get/ancestors',
  summary: '获取上级组织',
  needs: 'org.view',
  answers: 'list',
  query: z.object({ id: ref('org') }),
  response: z.object({ list: z.array(z.object({ id: z.string(), name: z.string() })), total: z.number().int() }),
})

const memberFilters = {
  orgId: ref('org').optional(),
  /** Includes all lower departments. */
  below: flag.optional(),
  name: text(50).optional(),
  account: text(50).optional(),
  post: text(20).optional(),
  enable: text(2).optional(),
  sort: sortBy('rank', 'name', 'lastLogin', 'createTime'),
}
export const listOrgMembers = endpoint({
  method: 'GET',
  path: '/api/v1/oa/org/all/users',
  summary: '组织全部人员',
  needs: 'org.view',
  answers: 'list',
  query: pageQuery.extend({ ...memberFilters, view: memberView.optional() }),
  response: paged(orgMember),
})
export const orgMemberList = listOf(listOrgMembers, {
  feature: 'orgMember',
  columns: {
    name: '姓名',
    account: '账号',
    phone: '手机',
    place: '部门',
    post: '岗位',
    roles: '角色',
    deadline: '有效期',
    lastLogin: '最近登录',
    enable: '状态',
    createTime: '加入时间',
  },
})
export const listOrgMembersOf = endpoint({
  method: 'GET',
  path: '/api/v1/oa/org/all/users/type/:type',
  summary: '按类型获取组织人员',
  needs: 'org.view',
  answers: 'list',
  params: z.object({ type: memberView }),
  query: pageQuery.extend(memberFilters),
  response: paged(orgMember),
})
export interface PeopleNode {
  key: string
  title: string
  /** A department, or a person in it with a post. */
  kind: 'org' | 'member'
  post: string | null
  children: PeopleNode[]
}
const peopleNode: z.ZodType<PeopleNode> = z.object({
  key: z.string(),
  title: z.string(),
  kind: z.enum(['org', 'member']),
  post: z.string().nullable(),
  children: z.array(z.lazy(() => peopleNode)),
})
export const orgPeopleTree = endpoint({
  method: 'GET',
  path: '/api/v1/oa/org/tree/users',
  summary: '组织人员树',
  needs: 'org.view',
  answers: 'tree',
  response: z.object({ tree: z.array(peopleNode) }),
})
export const addOrgUser = endpoint({
  method: 'POST',
  path: '/api/v1/oa/org/add/user',
  summary: '组织添加人员',
  needs: 'org.member',
  acts: 'aside',
  /** Accounts must be named exactly and cannot be listed; the rate limit stops guessing. */
  perMinute: 30,
  body: z.object({
    orgId: ref('org'),
    account: filled(50, '账号'),
    post,
    isHead: z.boolean().default(false),
    /** For a person who is new to the group. */
    roleIds: z.array(ref('role')).max(20).default([]),
  }),
  /**
   * `pending`: the user is not a member of the group yet and must accept first. `id` is then the request; the user joins the department on
   * acceptance.
   */
  response: z.object({ id: z.string(), name: z.string(), pending: z.boolean() }),
})
export const addOrgMembers = endpoint({
  method: 'POST',
  path: '/api/v1/oa/org/batch/addUser',
  summary: '批量添加组织人员',
  needs: 'org.member',
  acts: 'aside',
  body: z.object({ orgId: ref('org'), memberIds: people, post }),
})
export const changeOrgPosts = endpoint({
  method: 'POST',
  path: '/api/v1/oa/org/batch/changePos',
  summary: '批量变更岗位',
  needs: 'org.member',
  acts: 'aside',
  body: z.object({
    orgId: ref('org'),
    memberIds: people,
    post,
    /** Moves them to another department in the same step. */
    toOrgId: ref('org').optional(),
  }),
})
export const removeOrgMembers = endpoint({
  method: 'POST',
  path: '/api/v1/oa/org/batch/remove',
  summary: '批量移除组织人员',
  needs: 'org.member',
  acts: 'aside',
  /** Removes them from this department; without one, from the group, which ends their rights and sessions. */
  body: z.object({ orgId: ref('org').optional(), memberIds: people }),
})
export const updateOrgMember = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/org/update/user/:id',
  summary: '修改组织人员',
  needs: 'org.member',
  acts: 'aside',
  params: z.object({ id: ref('member') }),
  body: z.object({ orgId: ref('org'), post, isHead: z.boolean(), version }),
})
export const leaveGroup = endpoint({
  method: 'POST',
  path: '/api/v1/oa/org/exit/group',
  summary: '退出组',
  needs: 'self',
  acts: 'aside',
})
