import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, flag, paged, pageQuery, ref, text } from '../kit/fields.ts'
import { sortBy } from '../kit/list.ts'
import { enableField, version } from './app-endpoints.ts'

/** Levels of the menu: module, directory, page. */
export const menuDepth = 3

export const menuRow = z.object({
  id: z.string(),
  parentId: z.string().nullable(),
  title: z.string(),
  name: z.string(),
  menuType: z.enum(['MENU', 'DIR']),
  route: z.string().nullable(),
  icon: z.string().nullable(),
  appId: z.string().nullable(),
  appName: z.string().nullable(),
  /** The code that opens the page, and the number of codes that its buttons require. */
  code: z.string().nullable(),
  functions: z.number().int(),
  sort: z.number().int(),
  enable: z.string(),
  delivered: z.boolean(),
  /** Published schemes that hide or rename the menu. */
  usedBy: z.number().int(),
  version,
})
export type MenuRow = z.infer<typeof menuRow>
/** A line of the displayed tree; `depth` 0 is a module. */
const seenMenu = z.object({ id: z.string(), title: z.string(), depth: z.number().int(), path: z.string().nullable() })
export type SeenMenu = z.infer<typeof seenMenu>
const freePage = z.object({ path: z.string(), title: z.string(), code: z.string() })

/** All menus, and the pages that are in none. An addition to the original API. */
export const listMenus = endpoint({
  method: 'GET',
  path: '/api/v1/sys/menu',
  summary: '菜单列表',
  needs: 'menu.view',
  answers: 'list',
  query: z.object({ appId: ref('app').optional() }),
  response: z.object({ list: z.array(menuRow), total: z.number().int(), unattached: z.array(freePage) }),
})
const fields = {
  title: filled(12, '标题'),
  name: filled(40, '标识').regex(/^[\w\u4e00-\u9fff/-]+$/, '标识只含文字、数字、横线和斜线'),
  icon: text(30, '图标').nullable().optional(),
  appId: ref('app').nullable().optional(),
}
/** The menus as one account sees them now in one of its groups, by default the first. An addition to the original API. */
export const previewMenus = endpoint({
  method: 'GET',
  path: '/api/v1/sys/menu/preview',
  summary: '以账号预览菜单',
  needs: 'menu.view',
  groupTypes: [0],
  query: z.object({ account: filled(32, '账号'), groupId: ref('group').optional() }),
  response: z.object({
    name: z.string(),
    groups: z.array(z.object({ id: z.string(), name: z.string() })),
    groupId: z.string().nullable(),
    homePath: z.string(),
    menus: z.array(seenMenu),
  }),
})
export const createMenu = endpoint({
  method: 'POST',
  path: '/api/v1/sys/menu',
  summary: '新增菜单',
  needs: 'menu.edit',
  acts: 'aside',
  groupTypes: [0],
  body: z
    .object({
      ...fields,
      menuType: z.enum(['MENU', 'DIR'], { error: '类型应为 MENU 页面或 DIR 目录' }),
      parentId: ref('menu').nullable().default(null),
      /** A page of the product, chosen from the list of pages. */
      route: text(120, '路由').nullable().default(null),
    })
    .refine((menu) => (menu.menuType === 'MENU') === Boolean(menu.route), { error: '页面须选择路由，目录没有路由', path: ['route'] }),
  response: z.object({ id: z.string() }),
})
export const updateMenu = endpoint({
  method: 'PUT',
  path: '/api/v1/sys/menu/:id',
  summary: '修改菜单',
  needs: 'menu.edit',
  acts: 'aside',
  groupTypes: [0],
  params: z.object({ id: ref('menu') }),
  body: z.object({
    title: fields.title.optional(),
    name: fields.name.optional(),
    icon: fields.icon,
    enable: enableField.optional(),
    /** Moves the menu; null: to the top level. */
    parentId: ref('menu').nullable().optional(),
    /** Position among the menus of the same parent, from 0. */
    position: z.number().int().min(0).max(1000).optional(),
    version,
  }),
})
export const removeMenu = endpoint({
  method: 'DELETE',
  path: '/api/v1/sys/menu/:id',
  summary: '删除菜单',
  needs: 'menu.edit',
  acts: 'aside',
  groupTypes: [0],
  params: z.object({ id: ref('menu') }),
})
export const getMenu = endpoint({
  method: 'GET',
  path: '/api/v1/sys/menu/edit/fill/:id',
  summary: '菜单编辑回填',
  needs: 'menu.view',
  params: z.object({ id: ref('menu') }),
  response: menuRow.extend({ updateBy: z.string().nullable(), updateTime: z.string().nullable() }),
})
/** Resets a delivered menu to its delivered title, icon and position. */
export const freshMenu = endpoint({
  method: 'PUT',
  path: '/api/v1/sys/menu/fresh/menu/:id',
  summary: '刷新菜单节点',
  needs: 'menu.edit',
  acts: 'aside',
  groupTypes: [0],
  params: z.object({ id: ref('menu') }),
  body: z.object({ version }),
})
/** Assigns another app to a menu and its descendants; `dryRun` returns how many groups would lose the menu. */
export const changeMenuApp = endpoint({
  method: 'PUT',
  path: '/api/v1/sys/menu/change/app/:id',
  summary: '变更菜单所属应用',
  needs: 'menu.edit',
  acts: 'aside',
  groupTypes: [0],
  params: z.object({ id: ref('menu') }),
  body: z.object({ appId: ref('app'), dryRun: flag.default(false), version }),
  response: z.object({ lost: z.array(z.string()), menus: z.number().int() }),
})

// ---- schemes: which menus each kind of group sees, and in which order. Schemes hide and arrange menus but never grant rights.

const item = z.object({
  title: filled(12, '标题').optional(),
  icon: text(30).optional(),
  hidden: z.boolean().optional(),
  sort: z.number().int().min(0).max(100_000).optional(),
})
export type SchemeItem = z.infer<typeof item>
const arrangement = z.record(z.string().max(120), item)
export type Arrangement = z.infer<typeof arrangement>

export const scheme = z.object({
  id: z.string(),
  name: z.string(),
  remark: z.string(),
  /** Whether the draft differs from the published version. */
  dirty: z.boolean(),
  mayRollBack: z.boolean(),
  publishedAt: z.string().nullable(),
  publishedBy: z.string().nullable(),
  rules: z.number().int(),
  groups: z.number().int(),
  version,
})
export type Scheme = z.infer<typeof scheme>
export const listSchemes = endpoint({
  method: 'GET',
  path: '/api/v1/sys/ui/group',
  summary: '界面菜单组列表',
  needs: ['menu.view', 'appPackage.edit'],
  answers: 'list',
  query: pageQuery,
  response: paged(scheme),
})
export const createScheme = endpoint({
  method: 'POST',
  path: '/api/v1/sys/ui/group',
  summary: '新增界面菜单组',
  needs: 'uiRule.edit',
  acts: 'aside',
  groupTypes: [0],
  body: z.object({ name: filled(20, '方案名称'), remark: text(100, '说明').default(''), copyOf: ref('uiScheme').optional() }),
  response: z.object({ id: z.string() }),
})
export const updateScheme = endpoint({
  method: 'PUT',
  path: '/api/v1/sys/ui/group/:id',
  summary: '修改界面菜单组',
  needs: 'uiRule.edit',
  acts: 'aside',
  groupTypes: [0],
  params: z.object({ id: ref('uiScheme') }),
  body: z.object({ name: filled(20, '方案名称'), remark: text(100, '说明').default(''), version }),
})
export const removeScheme = endpoint({
  method: 'DELETE',
  path: '/api/v1/sys/ui/group/:id',
  summary: '删除界面菜单组',
  needs: 'uiRule.edit',
  acts: 'aside',
  groupTypes: [0],
  params: z.object({ id: ref('uiScheme') }),
})
/** The arrangement of the menus in a scheme: draft and published version. */
export const getArrangement = endpoint({
  method: 'GET',
  path: '/api/v1/sys/ui/menu/:id',
  summary: '界面菜单详情',
  needs: 'menu.view',
  params: z.object({ id: ref('uiScheme') }),
  response: z.object({ id: z.string(), name: z.string(), draft: arrangement, published: arrangement.nullable(), version }),
})
export const saveArrangement = endpoint({
  method: 'PUT',
  path: '/api/v1/sys/ui/menu/:id',
  summary: '修改界面菜单',
  needs: 'uiRule.edit',
  acts: 'aside',
  groupTypes: [0],
  largeBody: 'every menu there is',
  params: z.object({ id: ref('uiScheme') }),
  body: z.object({ items: arrangement, version }),
})
/** Discards the draft and returns to the published version. */
export const dropDraft = endpoint({
  method: 'DELETE',
  path: '/api/v1/sys/ui/menu/:id',
  summary: '删除界面菜单',
  needs: 'uiRule.edit',
  acts: 'aside',
  groupTypes: [0],
  params: z.object({ id: ref('uiScheme') }),
})
const published = z.object({
  id: z.string(),
  name: z.string(),
  items: arrangement,
  publishedAt: z.string().nullable(),
  publishedBy: z.string().nullable(),
})
/** The schemes in force: every published one. */
export const listPublished = endpoint({
  method: 'GET',
  path: '/api/v1/sys/ui',
  summary: '界面配置列表',
  needs: 'menu.view',
  answers: 'list',
  query: pageQuery,
  response: paged(published),
})
const difference = z.object({ menuId: z.string(), title: z.string(), before: z.string(), after: z.string() })
/** Publishes a draft, or restores the previous version; `dryRun` returns the difference and the number of groups that see it. */
export const publishScheme = endpoint({
  method: 'POST',
  path: '/api/v1/sys/ui',
  summary: '保存界面配置',
  needs: 'uiRule.edit',
  acts: 'aside',
  groupTypes: [0],
  body: z.object({
    id: ref('uiScheme'),
    action: z.enum(['publish', 'rollback'], { error: '操作应为 publish 发布或 rollback 回退' }),
    dryRun: flag.default(false),
    version,
  }),
  response: z.object({ differences: z.array(difference), groups: z.number().int() }),
})

const conditions = z.object({
  groupTypes: z.array(z.number().int().min(0).max(3)).max(4).default([]),
  govTypes: z.array(text(4)).max(20).default([]),
  levels: z.array(text(4)).max(20).default([]),
  areaCodes: z.array(text(6)).max(100).default([]),
  corpKinds: z.array(text(4)).max(40).default([]),
  projectCategories: z.array(text(4)).max(40).default([]),
})
export type RuleConditions = z.infer<typeof conditions>
export const noConditions: RuleConditions = {
  groupTypes: [],
  govTypes: [],
  levels: [],
  areaCodes: [],
  corpKinds: [],
  projectCategories: [],
}
/** Pages that can be set as the start page. */
export const homePaths = { '/main': '首页', '/main/v1': '首页（经典版）' } as const
const homePath = z.enum(Object.keys(homePaths) as [keyof typeof homePaths], { error: '首页应为平台的首页之一' })

export const rule = z.object({
  id: z.string(),
  name: z.string(),
  conditions,
  uiGroupId: z.string().nullable(),
  schemeName: z.string().nullable(),
  homePath,
  enable: z.string(),
  isDefault: z.boolean(),
  sort: z.number().int(),
  /** Groups for which this rule is the first match, with some names, and groups that match but are taken by an earlier rule. */
  groups: z.number().int(),
  names: z.array(z.string()),
  alsoFits: z.number().int(),
  version,
})
export type UiRule = z.infer<typeof rule>
export const listRules = endpoint({
  method: 'GET',
  path: '/api/v1/sys/uiRule',
  summary: '界面规则列表',
  needs: 'menu.view',
  answers: 'list',
  query: pageQuery.extend({ sort: sortBy('sort') }),
  response: z.object({
    list: z.array(rule),
    total: z.number().int(),
    /** Groups that no rule matches: they see every menu that they may open. */
    unmatched: z.array(z.object({ id: z.string(), name: z.string(), type: z.number().int() })),
  }),
})
const ruleBody = z.object({
  name: filled(20, '规则名称'),
  conditions,
  uiGroupId: ref('uiScheme').nullable().default(null),
  homePath: homePath.default('/main'),
})
export const createRule = endpoint({
  method: 'POST',
  path: '/api/v1/sys/uiRule',
  summary: '新增界面规则',
  needs: 'uiRule.edit',
  acts: 'aside',
  groupTypes: [0],
  body: ruleBody,
  response: z.object({ id: z.string() }),
})
export const updateRule = endpoint({
  method: 'PUT',
  path: '/api/v1/sys/uiRule/:id',
  summary: '修改界面规则',
  needs: 'uiRule.edit',
  acts: 'aside',
  groupTypes: [0],
  params: z.object({ id: ref('uiRule') }),
  body: ruleBody.partial().extend({ enable: enableField.optional(), position: z.number().int().min(0).max(500).optional(), version }),
})
export const removeRule = endpoint({
  method: 'DELETE',
  path: '/api/v1/sys/uiRule/:id',
  summary: '删除界面规则',
  needs: 'uiRule.edit',
  acts: 'aside',
  groupTypes: [0],
  params: z.object({ id: ref('uiRule') }),
})
/** Which groups the conditions match; or which rule matches a group, and the menus it would see. An addition to the original API. */
export const tryRules = endpoint({
  method: 'POST',
  path: '/api/v1/sys/uiRule/try',
  summary: '试算界面规则',
  needs: 'menu.view',
  acts: 'aside',
  unaudited: 'a read by POST',
  groupTypes: [0],
  body: z.object({ conditions: conditions.optional(), groupId: ref('group').optional() }),
  response: z.object({
    groups: z.number().int(),
    names: z.array(z.string()),
    rule: z.object({ id: z.string(), name: z.string(), schemeName: z.string().nullable(), homePath: z.string() }).nullable(),
    menus: z.array(seenMenu),
  }),
})
