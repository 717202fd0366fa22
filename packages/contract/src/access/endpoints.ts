import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { paged, pageQuery, ref, text } from '../kit/fields.ts'
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
/** The projects one may enter, by district. */
export const myProjects = endpoint({
  method: 'GET',
  path: '/api/v1/sys/user/projects/byModule/new',
  summary: '按模块获取用户项目（新）',
  needs: 'self',
  answers: 'tree',
  query: z.object({ module: text(40).optional() }),
  response: z.array(areaNode),
})

export const role = z.object({
  id: z.string(),
  name: z.string(),
  groupsType: z.number().int(),
  builtIn: z.boolean(),
  codes: z.array(z.string()),
  userCount: z.number().int(),
  remark: z.string(),
  createTime: z.string(),
})
const roleBody = z.object({
  name: text(30, '角色名称').min(1, '请填写角色名称'),
  codes: z.array(text(60)).max(2000),
  remark: text(200).default(''),
})
export const listRoles = endpoint({
  method: 'GET',
  path: '/api/v1/oa/role/',
  summary: '角色列表',
  needs: 'role.view',
  answers: 'list',
  query: pageQuery.extend({ name: text(50).optional() }),
  response: paged(role),
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
  body: roleBody,
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
  body: roleBody,
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

export const user = z.object({
  id: z.string(),
  account: z.string(),
  name: z.string(),
  phone: z.string().nullable(),
  roleNames: z.array(z.string()),
  roleIds: z.array(z.string()),
  groupName: z.string(),
  groupsType: z.number().int(),
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
  query: pageQuery.extend({ name: text(50).optional(), account: text(50).optional(), enable: text(4).optional() }),
  response: paged(user),
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
    phone: text(20).optional(),
    roleIds: z.array(ref('role')).min(1, '请选择角色').max(20),
  }),
  response: z.object({ id: z.string(), password: z.string() }),
})
export const switchUser = endpoint({
  method: 'POST',
  path: '/api/v1/sys/user/switch/status',
  summary: '切换用户启停状态',
  needs: 'user.switch',
  acts: 'aside',
  body: z.object({ id: ref('user'), status: z.enum(['0', '1']) }),
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
/** Whether the log is as it was written: of every group for the platform, else of the caller's own. `broken` names the first row of each chain that is not. */
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
    account: text(50).optional(),
    summary: text(50).optional(),
    startTime: text(40).optional(),
    endTime: text(40).optional(),
  }),
  response: paged(auditRow),
})
