import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, dayRange, filled, nullable, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'

/** The status of an administrator's grant is inverted: 0 enabled, 1 disabled. The number is never displayed. */
export const grantStatuses = [
  { value: '0', label: '启用' },
  { value: '1', label: '停用' },
] as const
export const grantStatusName = (status: string): string => grantStatuses.find((one) => one.value === status)?.label ?? '--'
export const isGrantOn = (status: string): boolean => status === '0'

export const adminGrant = z.object({
  /** Null: a group without an administrator. */
  id: z.string().nullable(),
  groupId: z.string(),
  groupName: z.string(),
  groupsType: z.number().int(),
  roleScope: z.string(),
  userId: z.string().nullable(),
  userName: z.string().nullable(),
  account: z.string().nullable(),
  phone: z.string().nullable(),
  deadline: z.string().nullable(),
  reason: z.string(),
  grantBy: z.string().nullable(),
  lastLogin: z.string().nullable(),
  secondFactor: z.boolean(),
  /** 0 enabled, 1 disabled. */
  status: z.enum(['0', '1']),
  /** The only active administrator of the group today. */
  last: z.boolean(),
  createTime: z.string().nullable(),
  version: z.number().int(),
})
export type AdminGrant = z.output<typeof adminGrant>

export const listAdmins = endpoint({
  method: 'GET',
  path: '/api/v1/sys/adminGrant',
  summary: '管理员授权列表',
  needs: 'adminGrant.view',
  answers: 'list',
  query: pageQuery.extend({
    userName: text(50).optional(),
    account: text(50).optional(),
    groupName: text(50).optional(),
    groupsType: several.optional(),
    roleScope: several.optional(),
    deadline: dayRange.optional(),
    grantBy: text(50).optional(),
    lastLogin: dayRange.optional(),
    secondFactor: z.enum(['1', '0']).optional(),
    status: z.enum(['0', '1']).optional(),
    /** `none`: groups without an administrator; `ending`: grants that end within thirty days. */
    view: z.enum(['none', 'ending']).optional(),
    sort: sortBy('userName', 'groupName', 'deadline', 'lastLogin', 'createTime'),
  }),
  response: paged(adminGrant).extend({
    figures: z.object({ people: z.number().int(), without: z.number().int(), ending: z.number().int(), stopped: z.number().int() }),
  }),
})
export const adminList = listOf(listAdmins, {
  columns: {
    userName: '姓名',
    account: '账号',
    phone: '手机',
    groupName: '管理的组',
    groupsType: '组类型',
    roleScope: '级别',
    deadline: '有效期',
    grantBy: '授予人',
    lastLogin: '最近登录',
    secondFactor: '二次认证',
    status: '状态',
    createTime: '授予时间',
  },
})
export const getAdmin = endpoint({
  method: 'GET',
  path: '/api/v1/sys/adminGrant/:id',
  summary: '管理员授权详情',
  needs: 'adminGrant.view',
  params: z.object({ id: ref('adminGrant') }),
  response: adminGrant,
})
export const createAdmin = endpoint({
  method: 'POST',
  path: '/api/v1/sys/adminGrant',
  summary: '新增管理员授权',
  needs: 'adminGrant.edit',
  acts: 'aside',
  body: z.object({
    groupId: pointsTo('group', filled(64, '管理的组')),
    account: filled(32, '账号'),
    deadline: nullable(day),
    reason: filled(200, '原因'),
  }),
  /** `pending`: the user is not a member of the group yet and must accept first; `id` is then the request. */
  response: z.object({ id: z.string(), pending: z.boolean() }),
})
export const updateAdmin = endpoint({
  method: 'PUT',
  path: '/api/v1/sys/adminGrant/:id',
  summary: '修改管理员授权',
  needs: 'adminGrant.edit',
  acts: 'aside',
  params: z.object({ id: ref('adminGrant') }),
  body: z.object({ deadline: nullable(day), reason: filled(200, '原因'), version: z.number().int() }),
})
/** Disables (`status=1`) or enables (`status=0`) the grant, or transfers it to another account of the same group (`userId`). */
export const switchAdmin = endpoint({
  method: 'PUT',
  path: '/api/v1/sys/adminGrant/switch/account/:id',
  summary: '切换管理员授权账号',
  needs: 'adminGrant.switch',
  acts: 'aside',
  params: z.object({ id: ref('adminGrant') }),
  query: z.object({
    status: z.enum(['0', '1'], { error: '状态应为 0（启用）或 1（停用）' }).optional(),
    userId: pointsTo('user', text(64)).optional(),
  }),
  body: z
    .object({
      reason: text(200, '原因').default(''),
      /** On a transfer: the former administrator keeps all other roles, gets one ordinary role in their place, or keeps none. */
      former: z.enum(['others', 'role', 'none'], { error: '请选择原管理员保留什么角色' }).default('others'),
      formerRoleId: nullable(ref('role')).optional(),
    })
    .default({ reason: '', former: 'others' }),
})
/** The ordinary roles of the grant's group that its former administrator may keep. An addition to the original API. */
export const formerRoles = endpoint({
  method: 'GET',
  path: '/api/v1/sys/adminGrant/:id/roles',
  summary: '原管理员可保留的角色',
  needs: 'adminGrant.switch',
  answers: 'list',
  params: z.object({ id: ref('adminGrant') }),
  response: z.object({
    /** `held`: the user already has this role besides the grant. */
    list: z.array(z.object({ id: z.string(), name: z.string(), held: z.boolean() })),
    total: z.number().int(),
  }),
})
/**
 * Gives a new administrator to a group that has lost its own. The account must have been created in the group, and is named exactly. Its
 * new password is returned once.
 */
export const resetAdmin = endpoint({
  method: 'POST',
  path: '/api/v1/oa/groupRole/reset/admin',
  summary: '重置管理员',
  needs: 'adminGrant.switch',
  acts: 'aside',
  body: z.object({ groupId: pointsTo('group', filled(64, '机构')), account: filled(32, '账号'), reason: filled(200, '原因') }),
  response: z.object({ name: z.string(), password: z.string() }),
})
/** Groups to which the caller may assign an administrator. */
export const groupsBelow = endpoint({
  method: 'GET',
  path: '/api/v1/sys/adminGrant/groups',
  summary: '可指定管理员的组',
  needs: 'adminGrant.view',
  answers: 'list',
  query: z.object({ name: text(50).optional() }),
  response: z.object({
    list: z.array(z.object({ id: z.string(), name: z.string(), groupsType: z.number().int() })),
    total: z.number().int(),
  }),
})
