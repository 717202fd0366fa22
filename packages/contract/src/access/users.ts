import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, dayRange, filled, nullable, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { mayHoldNumber } from '../kit/private-query.ts'
import { user } from './endpoints.ts'

/** State of a source of a right: valid, expired, disabled, not begun, or revoked by a higher group. */
export const sourceStates = ['holds', 'over', 'off', 'early', 'taken'] as const
export const source = z.object({
  kind: z.enum(['role', 'temporary']),
  id: z.string(),
  name: z.string(),
  state: z.enum(sourceStates),
  /** Null: the group's whole scope. */
  projects: z.array(z.object({ code: z.string(), name: z.string() })).nullable(),
  until: z.string().nullable(),
})
const explained = z.object({
  code: z.string(),
  name: z.string(),
  module: z.string(),
  moduleName: z.string(),
  risk: z.string(),
  held: z.boolean(),
  /** Why nobody in the group may use the function, whatever the roles: it is disabled for all, or not in the group's apps. */
  closed: z.enum(['stopped', 'app']).nullable(),
  sources: z.array(source),
  /**
   * Projects granted to the user or hidden by hand: for the person, a role, or the company's part there. Expired rules are not included.
   */
  hands: z.array(
    z.object({
      kind: z.enum(['member', 'role', 'party']),
      shows: z.boolean(),
      project: z.object({ code: z.string(), name: z.string() }),
      until: z.string().nullable(),
    }),
  ),
})
export type Explained = z.output<typeof explained>

/** `with=permission&groupId=`: for each function, whether and why the user may use it in that group. */
export const getUser = endpoint({
  method: 'GET',
  path: '/api/v1/sys/user/:id',
  summary: '用户详情',
  needs: 'user.view',
  params: z.object({ id: ref('user') }),
  query: z.object({ with: z.enum(['permission']).optional(), groupId: pointsTo('group', text(64)).optional() }),
  response: user.extend({
    /** Membership in the caller's own group. */
    memberId: z.string().nullable(),
    permission: z
      .object({
        groupId: z.string(),
        /** Why the user has no rights at all: account, membership or group is disabled, or expired. */
        nothing: z.enum(['off', 'over']).nullable(),
        codes: z.array(explained),
      })
      .optional(),
  }),
})
export const updateUser = endpoint({
  method: 'PUT',
  path: '/api/v1/sys/user/:id',
  summary: '修改用户',
  needs: 'user.edit',
  acts: 'aside',
  params: z.object({ id: ref('user') }),
  body: z.object({
    name: text(50, '姓名').min(2, '姓名为 2-50 字'),
    expireDate: nullable(day),
    roleIds: z.array(ref('role')).max(20).optional(),
  }),
})
const one = z.object({ id: ref('user') })
export const unlockUser = endpoint({
  method: 'POST',
  path: '/api/v1/sys/user/unlock',
  summary: '解除账号锁定',
  needs: 'user.unlock',
  acts: 'aside',
  body: one,
})
export const endSessions = endpoint({
  method: 'POST',
  path: '/api/v1/sys/user/offline',
  summary: '强制下线',
  needs: 'user.unlock',
  acts: 'aside',
  body: one,
  response: z.object({ ended: z.number().int() }),
})
export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/v1/sys/user/reset',
  summary: '重置密码',
  needs: 'user.reset',
  acts: 'aside',
  body: one,
  response: z.object({ password: z.string() }),
})
/** For a user who has lost phone and recovery codes: removes the second factor and notifies the user who did it and why. */
export const resetFactor = endpoint({
  method: 'POST',
  path: '/api/v1/sys/user/otp/reset',
  summary: '重置动态口令',
  needs: 'user.reset',
  acts: 'aside',
  body: one.extend({ reason: filled(200, '原因') }),
})
export const userFigures = endpoint({
  method: 'GET',
  path: '/api/v1/sys/user/figures',
  summary: '账号概况',
  needs: 'user.view',
  response: z.object({ total: z.number().int(), dormant: z.number().int(), locked: z.number().int(), initial: z.number().int() }),
})

const brief = z.object({ id: z.string(), memberId: z.string(), name: z.string(), account: z.string(), roleNames: z.array(z.string()) })
const named = pageQuery.extend({ name: mayHoldNumber(text(50).optional()) })
/** People of the caller's own group, for selection. */
export const pickUsers = endpoint({
  method: 'GET',
  path: '/api/v1/sys/user/queryList2',
  summary: '查询用户列表',
  needs: 'self',
  answers: 'list',
  query: named,
  response: paged(brief),
})
export const usersByGroup = endpoint({
  method: 'GET',
  path: '/api/v1/sys/user/by/group',
  summary: '按组查询用户',
  needs: 'self',
  answers: 'list',
  query: named.extend({ roleId: ref('role').optional() }),
  response: paged(brief),
})
/** Finds a user of any group by the exact name; returns only that the account exists and its name. */
export const searchUser = endpoint({
  method: 'GET',
  path: '/api/v1/sys/user/search/direct',
  summary: '精确查询用户',
  needs: ['user.create', 'user.edit', 'role.member', 'adminGrant.edit', 'adminGrant.switch', 'org.member'],
  perMinute: 30,
  query: z.object({ account: text(32, '账号').min(1, '请填写完整的账号') }),
  response: z.object({ id: z.string(), name: z.string(), account: z.string(), inGroup: z.boolean() }),
})

/** Why a user sees a project: area of the group, added or led manually, part of the company, a role limited to it, temporary access. */
export const seeingSources = [
  { value: 'area', label: '区划自动' },
  { value: 'body', label: '机构手工增加' },
  { value: 'hand', label: '手工增加' },
  { value: 'part', label: '参建单位' },
  { value: 'own', label: '本项目' },
  { value: 'platform', label: '平台' },
  { value: 'role', label: '角色关联' },
  { value: 'temporary', label: '临时' },
] as const
export const usersByProject = endpoint({
  method: 'GET',
  path: '/api/v1/sys/user/by/project',
  summary: '按项目查询用户',
  needs: 'visible.view',
  answers: 'list',
  query: pageQuery.extend({
    projectCode: ref('project'),
    userName: text(50).optional(),
    groupName: text(50).optional(),
    groupsType: several.optional(),
    source: several.optional(),
    /** Modules by their names in the permission catalogue. */
    modules: several.optional(),
    until: dayRange.optional(),
    lastSeen: dayRange.optional(),
    sort: sortBy('userName', 'groupName', 'until', 'lastSeen'),
  }),
  response: paged(
    z.object({
      memberId: z.string(),
      userName: z.string(),
      groupName: z.string(),
      groupsType: z.number().int(),
      source: z.string(),
      /** Modules that the user may see there. */
      modules: z.array(z.string()),
      until: z.string().nullable(),
      lastSeen: z.string().nullable(),
    }),
  ).extend({
    /** Number of people who see the project, by reason, regardless of filters. */
    sources: z.array(z.object({ source: z.string(), people: z.number().int() })),
  }),
})
export const seerList = listOf(usersByProject, {
  columns: {
    userName: '姓名',
    groupName: '机构',
    groupsType: '类型',
    source: '来源',
    modules: '模块',
    until: '至',
    lastSeen: '最近访问',
  },
})
/** The projects that a user of the caller's group sees, with reason and modules; by default the caller's own. */
export const seenProjects = endpoint({
  method: 'GET',
  path: '/api/v1/sys/user/projects/byModule',
  summary: '按模块获取用户项目',
  needs: 'self',
  answers: 'tree',
  query: z.object({ module: text(40).optional(), memberId: ref('member').optional(), roleId: ref('role').optional() }),
  response: z.array(
    z.object({
      projectCode: z.string(),
      name: z.string(),
      areaCode: z.string(),
      areaName: z.string(),
      source: z.string(),
      until: z.string().nullable(),
      modules: z.array(z.object({ module: z.string(), name: z.string(), may: z.enum(['edit', 'view']) })),
    }),
  ),
})
/**
 * Why a page is closed although the user's roles would open it: the group, or this user, was not granted the app. Null if the roles are the
 * reason.
 */
export const whyClosed = endpoint({
  method: 'GET',
  path: '/api/v1/sys/my/closed',
  summary: '页面未开放的原因',
  needs: 'self',
  query: z.object({ codes: several }),
  response: z.object({ reason: z.string().nullable() }),
})
export const myRights = endpoint({
  method: 'GET',
  path: '/api/v1/sys/my/rights',
  summary: '本人权限版本',
  needs: 'self',
  /** A stamp that changes whenever the session's rights change. */
  response: z.object({ stamp: z.string() }),
})
