import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, nullable, numericRange, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { type AppType, appTypeNames, grantSources, grantStates, longestDays } from './codes.ts'

const appTypeKeys = Object.keys(appTypeNames) as [AppType, ...AppType[]]
export const appType = z.enum(appTypeKeys, { error: '应用类型应为 1 平台应用或 2 外部链接' })
const stateKeys = Object.keys(grantStates) as [keyof typeof grantStates, ...(keyof typeof grantStates)[]]
export const stateField = z.enum(stateKeys)
const sourceKeys = Object.keys(grantSources) as [keyof typeof grantSources, ...(keyof typeof grantSources)[]]
export const sourceField = z.enum(sourceKeys)
export const enableField = z.enum(['0', '1'], { error: '状态应为 0 停用或 1 启用' })
export const version = z.number().int()
export const groupTypesField = z.array(z.number().int().min(0).max(3, '组类型应为 0 至 3')).max(4)
/** Ids in the order in which they are to be shown. */
const idsInOrder = (subject: 'app' | 'appCategory' | 'uiRule') => z.array(ref(subject)).min(1, '请给出顺序').max(500)

/**
 * Returns why an address cannot be opened in a frame; undefined when it can. Only https, another host than the product's, and no password
 * in the URL.
 */
export function externalFault(address: string): string | undefined {
  if (!/^https:\/\//i.test(address)) return '外部地址须以 https:// 开头'
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'https:') return '外部地址格式不正确'
  if (url.username || url.password) return '外部地址不能含账号或密码'
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(url.hostname) && !/^\[[0-9a-f:]+\]$/i.test(url.hostname)) return '外部地址的主机名不正确'
  return undefined
}

/** The state of an app for the caller's own group. */
const mine = z.object({
  grantId: z.string().nullable(),
  state: stateField,
  start: z.string(),
  deadline: z.string().nullable(),
  leftTime: z.number().int().nullable(),
  visible: z.boolean(),
  required: z.boolean(),
})
export const appRow = z.object({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  summary: z.string(),
  categoryId: z.string(),
  categoryName: z.string(),
  appType,
  icon: z.string(),
  entry: z.string().nullable(),
  groupTypes: z.array(z.number().int()),
  prerequisites: z.array(z.object({ id: z.string(), name: z.string() })),
  defaultDays: z.number().int().nullable(),
  devices: z.string(),
  base: z.boolean(),
  builtIn: z.boolean(),
  enable: z.string(),
  sort: z.number().int(),
  /** Number of groups that hold the app now, for callers who may see grants, else 0. */
  grantCount: z.number().int(),
  /** Number of accounts of the caller's group that opened it in the last 7 days. */
  users: z.number().int(),
  mine: mine.nullable(),
  version,
})
export type AppRow = z.infer<typeof appRow>

const appQuery = pageQuery.extend({
  appType: appType.optional(),
  name: text(50).optional(),
  code: text(50).optional(),
  category: several.optional(),
  groupTypes: several.optional(),
  grantCount: numericRange.optional(),
  enable: text(2).optional(),
  sort: sortBy('sort', 'name', 'code', 'grantCount'),
})
const list = {
  method: 'GET',
  needs: 'app.view',
  answers: 'list',
  query: appQuery,
  response: paged(appRow),
} as const
export const listApps = endpoint({ ...list, path: '/api/v2/sys/app', summary: '应用（新版）列表' })
export const listAppsBefore = endpoint({ ...list, path: '/api/v1/sys/app', summary: '应用列表' })
export const appList = listOf(listApps, {
  feature: 'app',
  columns: {
    name: '名称',
    code: '编码',
    appType: '类型',
    category: '分类',
    groupTypes: '适用',
    defaultDays: '默认天数',
    grantCount: '授权数',
    enable: '状态',
  },
})

const appDetail = appRow.extend({
  functions: z.array(z.object({ code: z.string(), name: z.string(), sensitive: z.boolean() })),
  menus: z.array(z.object({ id: z.string(), title: z.string(), path: z.string() })),
  /** Host of an external app's frame, displayed so that users see whose page it is. */
  host: z.string().nullable(),
})
const one = { method: 'GET', params: z.object({ id: ref('app') }), response: appDetail } as const
export const getApp = endpoint({ ...one, path: '/api/v2/sys/app/:id', summary: '应用（新版）详情', needs: 'app.view' })
/** Also for everybody who may open the app: the frame of an external app is opened with this response. */
export const getAppBefore = endpoint({ ...one, path: '/api/v1/sys/app/:id', summary: '应用详情', needs: 'self' })

const fields = {
  name: filled(30, '应用名称'),
  code: filled(40, '应用编码').regex(/^[a-z][a-z0-9-]*$/, '编码以小写字母开头，只含小写字母、数字和横线'),
  summary: text(80, '一句话说明').default(''),
  categoryId: ref('appCategory'),
  appType,
  icon: text(30, '图标').default('box'),
  entry: nullable(text(400, '入口')),
  groupTypes: groupTypesField.min(1, '请选择适用的组类型'),
  prerequisites: z.array(ref('app')).max(20).default([]),
  defaultDays: nullable(z.number().int().min(1, '默认天数至少 1 天').max(longestDays, `默认天数最多 ${longestDays} 天`)),
  devices: text(100, '所需设备').default(''),
  codes: z.array(text(60)).max(500).default([]),
}
const checkEntry = (app: { appType?: AppType | undefined; entry?: string | null | undefined }, context: z.RefinementCtx) => {
  const fault =
    app.appType === '2'
      ? app.entry
        ? externalFault(app.entry)
        : '请填写外部地址'
      : app.appType === '1' && app.entry && !/^\/[\w./-]*$/.test(app.entry)
        ? '入口应为平台内的页面路径'
        : undefined
  if (fault) context.addIssue({ code: 'custom', path: ['entry'], message: fault })
}
const body = z.object(fields).superRefine(checkEntry)
const create = { method: 'POST', needs: 'app.edit', acts: 'aside', groupTypes: [0], body, response: z.object({ id: z.string() }) } as const
export const createApp = endpoint({ ...create, path: '/api/v2/sys/app', summary: '新增应用（新版）' })
export const createAppBefore = endpoint({ ...create, path: '/api/v1/sys/app', summary: '新增应用' })

const change = {
  method: 'PUT',
  needs: 'app.edit',
  acts: 'aside',
  groupTypes: [0],
  params: z.object({ id: ref('app') }),
  /** Fields left out are unchanged. The code of an app never changes. */
  body: z
    .object({
      name: fields.name.optional(),
      summary: text(80, '一句话说明').optional(),
      categoryId: ref('appCategory').optional(),
      appType: appType.optional(),
      icon: text(30, '图标').optional(),
      entry: text(400, '入口').nullable().optional(),
      groupTypes: fields.groupTypes.optional(),
      prerequisites: z.array(ref('app')).max(20).optional(),
      defaultDays: z.number().int().min(1).max(longestDays).nullable().optional(),
      devices: text(100, '所需设备').optional(),
      codes: z.array(text(60)).max(500).optional(),
      enable: enableField.optional(),
      version,
    })
    .superRefine(checkEntry),
} as const
export const updateApp = endpoint({ ...change, path: '/api/v2/sys/app/:id', summary: '修改应用（新版）' })
export const updateAppBefore = endpoint({ ...change, path: '/api/v1/sys/app/:id', summary: '修改应用' })

const drop = { method: 'DELETE', needs: 'app.edit', acts: 'aside', groupTypes: [0], params: z.object({ id: ref('app') }) } as const
export const removeApp = endpoint({ ...drop, path: '/api/v2/sys/app/:id', summary: '删除应用（新版）' })
export const removeAppBefore = endpoint({ ...drop, path: '/api/v1/sys/app/:id', summary: '删除应用' })

/** Apps of one category in their new order. An app of another category is moved into this one. */
export const sortApps = endpoint({
  method: 'POST',
  path: '/api/v2/sys/app/sort',
  summary: '应用排序',
  needs: 'app.sort',
  acts: 'aside',
  groupTypes: [0],
  body: z.object({ ids: idsInOrder('app'), categoryId: ref('appCategory').optional() }),
})

const category = z.object({
  id: z.string(),
  name: z.string(),
  icon: z.string(),
  hiddenTypes: z.array(z.number().int()),
  appCount: z.number().int(),
  sort: z.number().int(),
  version,
})
export type Category = z.infer<typeof category>
export const listCategories = endpoint({
  method: 'GET',
  path: '/api/v1/sys/app/category',
  summary: '应用分类列表',
  needs: 'app.view',
  answers: 'list',
  query: pageQuery,
  response: paged(category),
})
export const createCategory = endpoint({
  method: 'POST',
  path: '/api/v1/sys/app/category',
  summary: '新增应用分类',
  needs: 'appCategory.edit',
  acts: 'aside',
  groupTypes: [0],
  body: z.object({ name: filled(12, '分类名称'), icon: text(30, '图标').default('box') }),
  response: z.object({ id: z.string() }),
})
/** Changes one category, or with `ids` the order of all. */
export const updateCategory = endpoint({
  method: 'PUT',
  path: '/api/v1/sys/app/category',
  summary: '修改应用分类',
  needs: 'appCategory.edit',
  acts: 'aside',
  groupTypes: [0],
  body: z.union([
    z.object({ ids: idsInOrder('appCategory') }),
    z.object({
      id: ref('appCategory'),
      name: filled(12, '分类名称').optional(),
      icon: text(30, '图标').optional(),
      hiddenTypes: groupTypesField.optional(),
      version,
    }),
  ]),
})
/** Refused while the category contains apps, unless `moveTo` names the category to move them to. */
export const removeCategory = endpoint({
  method: 'DELETE',
  path: '/api/v1/sys/app/category/:id',
  summary: '删除应用分类',
  needs: 'appCategory.edit',
  acts: 'aside',
  groupTypes: [0],
  params: z.object({ id: ref('appCategory') }),
  query: z.object({ moveTo: ref('appCategory').optional() }),
})

/**
 * Records that a page was opened: its app counts as used by the account on that day. `code` is the app's code, or the permission code of
 * the page.
 */
export const useApp = endpoint({
  method: 'POST',
  path: '/api/v1/sys/app/use',
  summary: '记录应用使用',
  needs: 'self',
  acts: 'aside',
  unaudited: 'opening a page is no change',
  body: z.object({ code: text(40).min(1) }),
})
