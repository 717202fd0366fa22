import { z } from 'zod'
import { endpoint, viewOf } from '../kit/endpoint.ts'
import { day, dayRange, filled, flag, numericRange, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { sourceField, stateField, version } from './app-endpoints.ts'
import { mostCells } from './codes.ts'

/** The last day on which a grant is valid; null without an end. */
const deadline = day.nullable()
const contractNo = text(50, '合同号')
const reason = filled(200, '原因')
const apps = z.array(ref('app')).min(1, '请选择应用').max(100)
const groups = z.array(ref('group')).min(1, '请选择授权对象').max(1000)

/** Who in a group gets an app: everybody named by any of the lists, except the accounts in the exceptions. */
export const rangeRule = z.object({
  mode: z.enum(['all', 'some'], { error: '范围应为 all 全员或 some 指定' }),
  orgIds: z.array(ref('org')).max(500).default([]),
  posts: z.array(text(20)).max(100).default([]),
  roleIds: z.array(ref('role')).max(100).default([]),
  userIds: z.array(ref('user')).max(1000).default([]),
  exceptIds: z.array(ref('user')).max(1000).default([]),
  /** By company of a site: all its people, or those named. A company that leaves the site loses the app automatically. */
  units: z
    .array(
      z.object({
        corpCode: ref('corporation'),
        mode: z.enum(['all', 'posts', 'users']),
        posts: z.array(text(20)).max(100).default([]),
        userIds: z.array(ref('user')).max(1000).default([]),
      }),
    )
    .max(200)
    .default([]),
  /** By account, the last day of people who have the app for a limited time. */
  until: z.record(z.string().max(64), day).default({}),
})
export type RangeRule = z.infer<typeof rangeRule>
export const everybody: RangeRule = { mode: 'all', orgIds: [], posts: [], roleIds: [], userIds: [], exceptIds: [], units: [], until: {} }

export const groupRow = z.object({
  groupId: z.string(),
  groupName: z.string(),
  groupType: z.number().int(),
  areaCode: z.string().nullable(),
  areaName: z.string().nullable(),
  appCount: z.number().int(),
  nearestDeadline: z.string().nullable(),
  leftTime: z.number().int().nullable(),
  /** Of the app's or group's grants, the state that needs attention most. */
  state: stateField,
  sources: z.array(sourceField),
  contact: z.string().nullable(),
  updateTime: z.string().nullable(),
})
export type GrantGroup = z.infer<typeof groupRow>
export const grantRow = z.object({
  id: z.string(),
  groupId: z.string(),
  groupName: z.string(),
  groupType: z.number().int(),
  areaCode: z.string().nullable(),
  areaName: z.string().nullable(),
  appId: z.string(),
  appName: z.string(),
  appIcon: z.string(),
  categoryName: z.string(),
  start: z.string(),
  deadline,
  leftTime: z.number().int().nullable(),
  state: stateField,
  source: sourceField,
  parentGrantId: z.string().nullable(),
  /** The person who gave the grant. */
  grantBy: z.string().nullable(),
  byGroupId: z.string().nullable(),
  contractNo: z.string().nullable(),
  required: z.boolean(),
  visible: z.boolean(),
  sort: z.number().int(),
  /** Accounts of the group that opened the app in the last 7 days, and whether anybody ever did. */
  users: z.number().int(),
  everUsed: z.boolean(),
  /** Number of grants that were passed on from this one. */
  children: z.number().int(),
  /** Whether the caller may change the end of the grant or revoke it. */
  mayChange: z.boolean(),
  range: rangeRule.nullable(),
  rangeVersion: z.number().int().nullable(),
  version,
})
export type GrantRow = z.infer<typeof grantRow>

/** Sort keys of the two views of the list. */
export const grantSorts = {
  groups: sortBy('groupName', 'appCount', 'nearestDeadline', 'leftTime', 'updateTime'),
  grants: sortBy('groupName', 'deadline', 'appName', 'users'),
}

const ledgerQuery = pageQuery.extend({
  view: z.literal('groups').default('groups'),
  groupName: text(50).optional(),
  groupType: several.optional(),
  areaCode: several.optional(),
  appCount: numericRange.optional(),
  nearestDeadline: dayRange.optional(),
  leftTime: numericRange.optional(),
  state: several.optional(),
  source: several.optional(),
  sort: grantSorts.groups,
})
const grantsQuery = pageQuery.extend({
  view: z.literal('grants').default('grants'),
  appId: ref('app').optional(),
  groupId: ref('group').optional(),
  groupName: text(50).optional(),
  groupType: several.optional(),
  areaCode: several.optional(),
  deadline: dayRange.optional(),
  state: several.optional(),
  unused: flag.optional(),
  sort: grantSorts.grants,
})
/** Grants by group (`view=groups`), or the single grants of an app or a group (`view=grants`, also when either is named). */
export const listGrants = endpoint({
  method: 'GET',
  path: '/api/v1/sys/grant',
  summary: '应用授权列表',
  needs: ['grant.view', 'grant.pass', 'appRange.edit', 'app.order'],
  answers: 'list',
  query: pageQuery.extend({
    view: z.enum(['groups', 'grants'], { error: '视图应为 groups 或 grants' }).optional(),
    appId: ref('app').optional(),
    groupId: ref('group').optional(),
    groupName: text(50).optional(),
    groupType: several.optional(),
    areaCode: several.optional(),
    appCount: numericRange.optional(),
    nearestDeadline: dayRange.optional(),
    deadline: dayRange.optional(),
    leftTime: numericRange.optional(),
    state: several.optional(),
    source: several.optional(),
    unused: flag.optional(),
    sort: text(30).optional(),
  }),
  response: paged(z.union([groupRow, grantRow])),
})
export const grantGroups = viewOf(listGrants, { query: ledgerQuery, response: paged(groupRow) })
export const grantsOf = viewOf(listGrants, { query: grantsQuery, response: paged(grantRow) })
export const grantLedger = listOf(grantGroups, {
  feature: 'grant',
  columns: {
    groupName: '机构/项目',
    groupType: '类型',
    areaCode: '地区',
    appCount: '应用数',
    nearestDeadline: '最近到期',
    leftTime: '剩余天数',
    state: '状态',
    source: '来源',
    contact: '联系人',
    updateTime: '更新时间',
  },
})
export const grantHolders = listOf(grantsOf, {
  feature: 'grantHolder',
  columns: {
    groupName: '授权对象',
    groupType: '类型',
    areaCode: '地区',
    deadline: '到期',
    state: '状态',
    users: '近 7 日使用人数',
    grantBy: '授权人',
  },
})
/** Figures and timeline of ends, counted with the conditions of the list. An addition to the original API. */
export const grantFigures = endpoint({
  method: 'GET',
  path: '/api/v1/sys/grant/figures',
  summary: '应用授权概况',
  needs: 'grant.view',
  response: z.object({
    valid: z.number().int(),
    ending: z.number().int(),
    grace: z.number().int(),
    ended: z.number().int(),
    pending: z.number().int(),
    /** Number of grants that end in each of the next twelve months. */
    months: z.array(z.object({ month: z.string(), grants: z.number().int(), groups: z.array(z.string()) })),
  }),
})
/** The groups that the caller may grant apps to. */
export const grantTargets = endpoint({
  method: 'GET',
  path: '/api/v1/sys/grant/target',
  summary: '可授权对象',
  needs: ['grant.view', 'grant.pass', 'appRange.edit'],
  answers: 'list',
  query: z.object({ name: text(50).optional(), type: several.optional() }),
  response: z.object({
    list: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        type: z.number().int(),
        code: z.string(),
        areaName: z.string().nullable(),
        /** Apps that the group holds, and how many of them end within 30 days or have ended. */
        apps: z.number().int(),
        ending: z.number().int(),
      }),
    ),
    total: z.number().int(),
  }),
})

const history = z.object({ at: z.string(), by: z.string(), summary: z.string() })
export const getGrant = endpoint({
  method: 'GET',
  path: '/api/v1/sys/grant/:id',
  summary: '应用授权详情',
  needs: ['grant.view', 'grant.pass', 'appRange.edit', 'app.order'],
  params: z.object({ id: ref('appGrant') }),
  response: grantRow.extend({
    /** All grants passed on from this one, at every level: a shorter end shortens them too. */
    below: z.array(z.object({ id: z.string(), groupName: z.string(), deadline })),
    history: z.array(history),
  }),
})
/**
 * Grants apps to a group. A caller other than the platform passes on the apps of its own group: from `parentGrantId`, or else from the
 * grant that is found.
 */
export const createGrant = endpoint({
  method: 'POST',
  path: '/api/v1/sys/grant',
  summary: '新增应用授权',
  needs: ['grant.create', 'grant.pass'],
  body: z.object({
    groupId: ref('group'),
    apps,
    start: day.optional(),
    deadline: deadline.default(null),
    contractNo: contractNo.optional(),
    reason: text(200, '事由').default(''),
    parentGrantId: ref('appGrant').optional(),
  }),
  response: z.object({
    ids: z.array(z.string()),
    /** Names of apps that were granted too, because a requested app requires them. */
    added: z.array(z.string()),
  }),
})
export const updateGrant = endpoint({
  method: 'PUT',
  path: '/api/v1/sys/grant/:id',
  summary: '修改应用授权',
  needs: ['grant.edit', 'grant.pass', 'app.order', 'appRange.edit'],
  params: z.object({ id: ref('appGrant') }),
  body: z.object({
    deadline: deadline.optional(),
    contractNo: contractNo.nullable().optional(),
    required: flag.optional(),
    /** Visibility that the holding group has set. */
    visible: flag.optional(),
    sort: z.number().int().min(0).max(100_000).optional(),
    range: rangeRule.optional(),
    rangeVersion: z.number().int().nullable().optional(),
    reason: text(200, '原因').optional(),
    version,
  }),
  response: z.object({ shortened: z.number().int() }),
})
/** A group is reminded of the grants of one giver at most once in this many hours. */
export const remindEveryHours = 24
/** Notifies the administrators of groups of the grants by the caller that end within thirty days or have ended. */
export const remindGrants = endpoint({
  method: 'POST',
  path: '/api/v1/sys/grant/remind',
  summary: '发送续期提醒',
  needs: ['grant.edit', 'grant.pass'],
  body: z.object({ groupIds: z.array(ref('group')).min(1, '请选择对象').max(100, '一次最多 100 个对象') }),
  response: z.object({
    /** Number of people notified. */
    told: z.number().int(),
    /** Groups that were not notified, with the reason. */
    left: z.array(z.object({ groupName: z.string(), why: z.string() })),
  }),
})
/** Revokes a grant, and all grants passed on from it. */
export const revokeGrant = endpoint({
  method: 'DELETE',
  path: '/api/v1/sys/grant/:id',
  summary: '删除应用授权',
  needs: ['grant.revoke', 'grant.pass'],
  params: z.object({ id: ref('appGrant') }),
  query: z.object({ reason }),
  response: z.object({ revoked: z.number().int() }),
})
export const projectGrants = endpoint({
  method: 'GET',
  path: '/api/v1/sys/grant/project/app',
  summary: '获取项目应用授权',
  needs: ['grant.view', 'grant.pass', 'app.order', 'appRange.edit'],
  answers: 'list',
  query: z.object({ projectCode: ref('project') }),
  response: z.object({
    list: z.array(
      grantRow.extend({
        /** Devices of the project that serve the app. */
        devices: z.number().int(),
      }),
    ),
    total: z.number().int(),
    project: z.object({ code: z.string(), name: z.string(), category: z.string(), areaCode: z.string(), groupId: z.string() }),
    /** Apps offered to projects that the project does not hold. */
    offered: z.array(z.object({ id: z.string(), name: z.string(), summary: z.string(), categoryName: z.string(), icon: z.string() })),
  }),
})

export const cell = z.object({
  groupId: z.string(),
  groupName: z.string(),
  appId: z.string(),
  appName: z.string(),
  /** add 新增, extend 延期, shorten 缩短, same 不变, not 不可, remove 撤销 */
  result: z.enum(['add', 'extend', 'shorten', 'same', 'not', 'remove']),
  before: z.string().nullable(),
  after: z.string().nullable(),
  why: z.string(),
})
export type BatchCell = z.infer<typeof cell>
const answer = z.object({
  cells: z.array(cell),
  /** Id for undoing the batch; null in a dry run. */
  batchId: z.string().nullable(),
})
/**
 * Sets new ends of grants, by day or by a number of months. Grants are shortened only with `exact`. `dryRun` returns the result for each
 * grant without saving.
 */
export const batchDeadline = endpoint({
  method: 'POST',
  path: '/api/v1/sys/grant/batch/deadline',
  summary: '批量设置授权期限',
  needs: 'grant.batch',
  largeBody: 'ids of all grants of a campaign',
  body: z
    .object({
      ids: z.array(ref('appGrant')).min(1, '请选择授权').max(mostCells, `一次最多 ${mostCells} 条授权`),
      deadline: deadline.optional(),
      months: z.number().int().min(1, '至少延 1 个月').max(120, '最多延 120 个月').optional(),
      /** Everything ends exactly on `deadline`, including grants without an end or with a later one. */
      exact: flag.default(false),
      dryRun: flag.default(false),
    })
    .refine((body) => (body.deadline === undefined) !== (body.months === undefined), {
      error: '请填写到期日或延长的月数',
      path: ['deadline'],
    })
    .refine((body) => !body.exact || Boolean(body.deadline), { error: '请填写到期日', path: ['deadline'] }),
  response: answer,
})
/** Grants apps to many groups at once: adds missing grants and extends those that end earlier. `undo` revokes what a batch added. */
export const batchApps = endpoint({
  method: 'POST',
  path: '/api/v1/sys/grant/batch/app',
  summary: '批量设置授权应用',
  needs: 'grant.batch',
  largeBody: 'ids of all groups of a campaign',
  body: z.object({
    ids: groups.optional(),
    apps: apps.optional(),
    /** Uses the package's apps and days instead of `apps`. */
    packageId: ref('appPackage').optional(),
    deadline: deadline.default(null),
    mode: z.enum(['add', 'remove', 'undo'], { error: '方式应为 add、remove 或 undo' }).default('add'),
    reason: text(200, '原因').default(''),
    batchId: ref('appGrant').optional(),
    dryRun: flag.default(false),
  }),
  response: answer,
})
