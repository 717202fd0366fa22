import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, dayRange, nullable, numericRange, paged, pageQuery, phoneText, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { mayHoldNumber } from '../kit/private-query.ts'
import { menuNode } from './menu.ts'

export const initMenus = endpoint({
  method: 'POST',
  path: '/api/v1/sys/ui/tree/init',
  summary: '初始化界面菜单树',
  needs: 'self',
  acts: 'aside',
  unaudited: 'a read by POST',
  answers: 'tree',
  response: z.array(menuNode),
})

export const appCard = z.object({
  id: z.string(),
  name: z.string(),
  code: z.string(),
  icon: z.string(),
  category: z.string(),
  deadline: z.string().nullable(),
  leftTime: z.number().int().nullable(),
  firstPath: z.string().nullable(),
})
export const grantedApps = endpoint({
  method: 'GET',
  path: '/api/v1/sys/app/grant/list',
  summary: '已授权应用列表',
  needs: 'self',
  response: z.object({ apps: z.array(appCard), deadline: z.string().nullable(), leftTime: z.number().int().nullable() }),
})

export const currentRoles = endpoint({
  method: 'GET',
  path: '/api/v1/oa/groupRole/current/roles',
  summary: '当前组角色',
  needs: 'self',
  answers: 'list',
  response: z.object({
    list: z.array(z.object({ id: z.string(), name: z.string(), codes: z.array(z.string()) })),
    total: z.number().int(),
  }),
})

const projectNode = z.object({ code: z.string(), name: z.string(), areaCode: z.string(), prjStatus: z.string() })
const areaNode = z.object({ code: z.string(), name: z.string(), projects: z.array(projectNode) })
/** The projects that the user may enter, by district. */
export const myProjects = endpoint({
  method: 'GET',
  path: '/api/v1/sys/user/projects/byModule/new',
  summary: '按模块获取用户项目（新）',
  needs: 'self',
  answers: 'tree',
  query: z.object({ module: text(40).optional() }),
  response: z.array(areaNode),
})

/** A template (roleScope 1-4) or a group's own role (5). */
export const role = z.object({
  id: z.string(),
  name: z.string(),
  groupsType: z.number().int(),
  /** Delivered with the product: can be copied, not edited. */
  builtIn: z.boolean(),
  administrator: z.boolean(),
  roleScope: z.string(),
  dataScope: z.string(),
  codes: z.array(z.string()),
  functionCount: z.number().int(),
  userCount: z.number().int(),
  /** Number of groups in which codes are revoked from the role. */
  narrowed: z.number().int(),
  /** The group that owns the role; null for a template. */
  groupName: z.string().nullable(),
  templateName: z.string().nullable(),
  /** Number of codes that differ from the template it was made from. */
  drift: z.number().int(),
  remark: z.string(),
  enable: z.string(),
  createTime: z.string(),
  updateTime: z.string(),
  updateBy: z.string().nullable(),
  version: z.number().int(),
})
export const roleCodes = z.array(text(60)).max(2000)
const roleBody = z.object({
  name: text(30, '角色名称').min(1, '请填写角色名称'),
  codes: roleCodes,
  remark: text(200, '说明').default(''),
})
export const listRoles = endpoint({
  method: 'GET',
  path: '/api/v1/oa/role/',
  summary: '角色列表',
  needs: 'role.view',
  answers: 'list',
  query: pageQuery.extend({
    name: text(50).optional(),
    /**
     * For the platform: templates of every group type, or the own roles of all groups. Default: the roles that the caller's group can
     * assign.
     */
    view: z.enum(['template', 'group'], { error: '范围应为 template 或 group' }).optional(),
    groupsType: z.coerce.number().int().min(0).max(3).optional(),
    roleScope: several.optional(),
    groupName: text(50).optional(),
    builtIn: z.enum(['1', '0']).optional(),
    narrowed: z.enum(['1', '0']).optional(),
    drift: z.enum(['1', '0']).optional(),
    functionCount: numericRange.optional(),
    userCount: numericRange.optional(),
    updateTime: dayRange.optional(),
    sort: sortBy('name', 'functionCount', 'userCount', 'updateTime'),
  }),
  response: paged(role),
})
export const roleList = listOf(listRoles, {
  columns: {
    name: '角色',
    roleScope: '范围',
    groupsType: '适用组',
    groupName: '所属机构',
    templateName: '来自模板',
    drift: '与模板差异',
    dataScope: '数据范围',
    functionCount: '权限数',
    userCount: '人数',
    narrowed: '收窄的组',
    builtIn: '内置',
    updateTime: '更新时间',
  },
})
export const getRole = endpoint({
  method: 'GET',
  path: '/api/v1/oa/role/:id',
  summary: '角色详情',
  needs: 'role.view',
  params: z.object({ id: ref('role') }),
  response: role,
})
export const createRole = endpoint({
  method: 'POST',
  path: '/api/v1/oa/role/',
  summary: '新增角色',
  largeBody: 'every permission there is',
  needs: 'role.edit',
  acts: 'aside',
  /** With `groupsType`, a template for all groups of that type; platform only. */
  body: roleBody.extend({ groupsType: z.number().int().min(0).max(3).optional() }),
  response: z.object({ id: z.string() }),
})
export const updateRole = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/role/:id',
  summary: '修改角色',
  largeBody: 'every permission there is',
  needs: 'role.edit',
  acts: 'aside',
  params: z.object({ id: ref('role') }),
  body: roleBody.extend({ version: z.number().int() }),
})
export const removeRole = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/role/:id',
  summary: '删除角色',
  needs: 'role.remove',
  acts: 'aside',
  params: z.object({ id: ref('role') }),
})
export const permissionTree = endpoint({
  method: 'GET',
  path: '/api/v1/oa/role/tree/init',
  summary: '初始化角色权限树',
  needs: 'role.view',
  answers: 'tree',
  response: z.array(
    z.object({
      module: z.string(),
      name: z.string(),
      permissions: z.array(z.object({ code: z.string(), name: z.string(), sensitive: z.boolean(), held: z.boolean() })),
    }),
  ),
})

const membership = z.object({
  id: z.string(),
  groupId: z.string(),
  groupName: z.string(),
  groupsType: z.number().int(),
  roles: z.array(z.object({ id: z.string(), name: z.string() })),
  /** The widest data scope of the user's roles (dictionary dataScope). */
  dataScope: z.string(),
  temporary: z.number().int(),
  deadline: z.string().nullable(),
  enable: z.string(),
})
/** An account with those of its groups that the caller may see: all for the platform, else only the caller's own. */
export const user = z.object({
  id: z.string(),
  account: z.string(),
  name: z.string(),
  /** Masked. */
  phone: z.string().nullable(),
  groups: z.array(membership),
  /** The earliest end of a membership. */
  expireDate: z.string().nullable(),
  secondFactor: z.boolean(),
  mustChange: z.boolean(),
  enable: z.string(),
  lastLogin: z.string().nullable(),
  lockedUntil: z.string().nullable(),
  createTime: z.string(),
})
export const listUsers = endpoint({
  method: 'GET',
  path: '/api/v1/sys/user',
  summary: '用户列表',
  needs: 'user.view',
  answers: 'list',
  query: pageQuery.extend({
    name: text(50).optional(),
    account: text(50).optional(),
    /** The complete number. */
    phone: mayHoldNumber(phoneText('手机号', 20).optional()),
    groupName: text(50).optional(),
    groupsType: several.optional(),
    roleName: text(50).optional(),
    dataScope: text(2).optional(),
    expireDate: dayRange.optional(),
    lastLogin: dayRange.optional(),
    createTime: dayRange.optional(),
    secondFactor: z.enum(['1', '0']).optional(),
    locked: z.enum(['1', '0']).optional(),
    enable: z.enum(['1', '0']).optional(),
    /** Accounts to check: long inactive, locked, with the initial password, without an end date. */
    state: z.enum(['dormant', 'locked', 'initial', 'endless']).optional(),
    sort: sortBy('account', 'name', 'lastLogin', 'createTime'),
  }),
  response: paged(user),
})
export const userList = listOf(listUsers, {
  feature: 'account',
  columns: {
    account: '账号',
    name: '姓名',
    phone: '手机',
    groups: '所属组',
    groupsType: '组类型',
    roles: '角色',
    dataScope: '数据范围',
    expireDate: '有效期',
    lastLogin: '最近登录',
    secondFactor: '二次认证',
    locked: '锁定',
    enable: '状态',
    createTime: '创建时间',
  },
  onScreen: ['phone'],
})
export const createUser = endpoint({
  method: 'POST',
  path: '/api/v1/sys/user',
  summary: '新增用户',
  needs: 'user.create',
  acts: 'aside',
  body: z.object({
    account: text(32, '账号').regex(/^[a-zA-Z][\w.-]{3,31}$/, '账号为 4-32 位字母、数字、点、横线或下划线，以字母开头'),
    name: text(50, '姓名').min(2, '姓名为 2-50 字'),
    phone: phoneText('手机号', 20).optional(),
    roleIds: z.array(ref('role')).min(1, '请选择角色').max(20),
    /** Last day of the membership; unlimited if empty. */
    expireDate: nullable(day),
  }),
  response: z.object({ id: z.string(), password: z.string() }),
})
export const switchUser = endpoint({
  method: 'POST',
  path: '/api/v1/sys/user/switch/status',
  summary: '切换用户启停状态',
  needs: 'user.switch',
  acts: 'aside',
  body: z.object({ id: ref('user'), status: z.enum(['0', '1']), reason: text(200, '原因').default('') }),
})

export const auditRow = z.object({
  id: z.string(),
  at: z.string(),
  account: z.string(),
  userName: z.string(),
  groupName: z.string(),
  action: z.string(),
  summary: z.string(),
  objectId: z.string().nullable(),
  projectCode: z.string().nullable(),
  result: z.string(),
  ip: z.string(),
})
/**
 * Verifies the hash chains of the audit log: of every group for the platform, else of the caller's own. `broken` names the first altered
 * row of each chain.
 */
export const verifyAudit = endpoint({
  method: 'GET',
  path: '/api/v1/sys/audit/verify',
  summary: '核对操作日志',
  needs: 'audit.view',
  perMinute: 6,
  response: z.object({
    rows: z.number().int(),
    chains: z.number().int(),
    broken: z.array(z.object({ groupName: z.string(), seq: z.number().int(), at: z.string() })),
  }),
})
export const listAudit = endpoint({
  method: 'GET',
  path: '/api/v1/sys/audit',
  summary: '操作日志',
  needs: 'audit.view',
  answers: 'list',
  query: pageQuery.extend({
    /** Account or name of the user. */
    account: text(50).optional(),
    summary: text(50).optional(),
    /** The id of an object, or the code of its project. */
    object: text(64).optional(),
    result: z.enum(['ok', 'not'], { error: '结果只有成功和未成功' }).optional(),
    /** Prefix of an IP address. */
    ip: text(45, '地址').optional(),
    startTime: text(40).optional(),
    endTime: text(40).optional(),
  }),
  response: paged(auditRow),
})
export const auditList = listOf(listAudit, {
  feature: 'audit',
  columns: {
    at: '时间',
    userName: '人员',
    account: '账号',
    groupName: '机构',
    summary: '内容',
    action: '操作',
    objectId: '对象',
    projectCode: '项目编码',
    result: '结果',
    ip: '地址',
  },
})
