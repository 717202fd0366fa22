import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { checkLayout, screenBody, screenLevels, screenSetting, templateStates } from './model.ts'
import { runningTemplate, whoseScreen } from './part.ts'

const level = z.coerce.number().refine((n) => screenLevels.includes(n as 1), '大屏级别应为监管、企业或项目')
const byId = z.object({ id: ref('screenTemplate') })
const ids = z.array(ref('screenTemplate')).min(1, '请选择模板').max(50, '一次最多 50 个模板')

export const templateRow = z.object({
  id: z.string(),
  name: z.string(),
  level: z.number().int(),
  description: z.string(),
  state: z.enum(Object.keys(templateStates) as [keyof typeof templateStates]),
  pages: z.number().int(),
  version: z.number().int(),
  publishedVersion: z.number().int().nullable(),
  /** A template of the platform, which only the platform can change. */
  delivered: z.boolean(),
  own: z.boolean(),
  /** Number of groups it is assigned to. */
  usedCount: z.number().int(),
  updateBy: z.string().nullable(),
  updateTime: z.string().nullable(),
})
export type TemplateRow = z.infer<typeof templateRow>

export const listTemplates = endpoint({
  method: 'GET',
  path: '/api/v1/screen/template',
  summary: '大屏模板列表',
  needs: ['screens.view', 'screens.set'],
  answers: 'list',
  query: pageQuery.extend({
    name: text(50).optional(),
    level: several.optional(),
    state: several.optional(),
    /** Only templates that this group may choose. */
    ...whoseScreen,
    sort: sortBy('updateTime', 'name'),
  }),
  response: paged(templateRow),
})

export const templateList = listOf(listTemplates, {
  columns: {
    name: '模板',
    level: '级别',
    state: '状态',
    pages: '页数',
    publishedVersion: '发布版本',
    usedCount: '分配机构',
    updateBy: '更新人',
    updateTime: '更新时间',
  },
})

const assignments = z.array(z.object({ groupId: ref('group'), inherit: z.boolean().default(false) })).max(200, '一次最多分配 200 个机构')

export const getTemplate = endpoint({
  method: 'GET',
  path: '/api/v1/screen/template/:id',
  summary: '大屏模板详情',
  needs: ['screens.view', 'screens.set'],
  params: byId,
  response: templateRow.extend({
    sourceId: z.string().nullable(),
    body: screenBody,
    versions: z.array(z.object({ version: z.number().int(), note: z.string(), time: z.string(), byName: z.string() })),
    assignments: z.array(z.object({ groupId: z.string(), name: z.string(), inherit: z.boolean() })),
  }),
})

const written = { name: filled(40, '模板名称'), description: text(200, '说明').default('') }
export const createTemplate = endpoint({
  method: 'POST',
  path: '/api/v1/screen/template',
  summary: '新增大屏模板',
  needs: 'screens.edit',
  acts: 'aside',
  body: z
    .object({ ...written, level, body: screenBody })
    .superRefine((given, context) => checkLayout(given.level, given.body, context, ['body'])),
  response: z.object({ id: z.string() }),
})
const at = { version: z.number({ error: '缺少版本号' }).int() }
/** Saves a draft, publishes it as a version, returns to an earlier version, assigns or disables a template. */
export const updateTemplate = endpoint({
  method: 'PUT',
  path: '/api/v1/screen/template/:id',
  summary: '修改大屏模板',
  needs: ['screens.edit', 'screens.publish', 'screens.assign'],
  acts: 'aside',
  params: byId,
  body: z.discriminatedUnion(
    'action',
    [
      z.object({ action: z.literal('save'), ...written, body: screenBody, ...at }),
      z.object({ action: z.literal('publish'), note: text(200, '发布说明').default(''), ...at }),
      z.object({ action: z.literal('rollback'), to: z.number({ error: '请指明版本' }).int().min(1), ...at }),
      z.object({ action: z.literal('assign'), assignments, ...at }),
      z.object({ action: z.literal('disable'), ...at }),
    ],
    { error: '不支持的操作' },
  ),
  response: z.object({ version: z.number().int(), publishedVersion: z.number().int().nullable() }),
})
export const copyTemplate = endpoint({
  method: 'POST',
  path: '/api/v1/screen/template/copy/:id',
  summary: '复制大屏模板',
  needs: 'screens.edit',
  acts: 'aside',
  params: byId,
  response: z.object({ id: z.string() }),
})
export const removeTemplate = endpoint({
  method: 'DELETE',
  path: '/api/v1/screen/template/:id',
  summary: '删除大屏模板',
  needs: 'screens.delete',
  acts: 'aside',
  params: byId,
})
export const removeTemplates = endpoint({
  method: 'DELETE',
  path: '/api/v1/screen/template/batch',
  summary: '批量删除大屏模板',
  needs: 'screens.delete',
  acts: 'aside',
  body: z.object({ ids }),
})

/** The published versions with all their pages. */
export const batchLoadTemplates = endpoint({
  method: 'POST',
  path: '/api/v1/screen/template/batchLoad',
  summary: '批量加载大屏模板',
  needs: ['screens.view', 'screens.set'],
  unaudited: 'reads by POST, as the ids may be many',
  answers: 'list',
  body: z.object({ ids }),
  response: z.object({ list: z.array(runningTemplate), total: z.number().int() }),
})

interface Use {
  id: string
  name: string
  type: number
  templateName: string | null
  source: 'own' | 'inherited' | 'default'
  from: string | null
  version: number | null
  walls: number
  children: Use[]
}
export type TemplateUse = Use
const use: z.ZodType<Use> = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    type: z.number().int(),
    templateName: z.string().nullable(),
    source: z.enum(['own', 'inherited', 'default']),
    from: z.string().nullable(),
    version: z.number().int().nullable(),
    walls: z.number().int(),
    children: z.array(use),
  }),
)
/** The screen in force for each group, from the caller's own group down. */
export const templateTree = endpoint({
  method: 'GET',
  path: '/api/v1/screen/template/treeTable',
  summary: '大屏模板树表',
  needs: ['screens.view', 'screens.set'],
  answers: 'tree',
  response: z.array(use),
})

/** Whether a screen may run here, and in which version; called at its start and every minute. */
export const checkScreen = endpoint({
  method: 'GET',
  path: '/api/v1/screen/page/check',
  summary: '大屏页面校验',
  needs: ['screens.view', 'screens.set'],
  query: z.object({ tpl: ref('screenTemplate').optional(), groupId: ref('group').optional(), ...whoseScreen }),
  response: z.object({
    allowed: z.boolean(),
    reason: z.string(),
    templateId: z.string().nullable(),
    publishedVersion: z.number().int().nullable(),
    /** Incremented with every change of the group's own settings. */
    settingVersion: z.number().int(),
    group: z.object({
      id: z.string(),
      type: z.number().int(),
      name: z.string(),
      title: z.string(),
      logo: z.string().nullable(),
      code: z.string(),
    }),
    setting: screenSetting.nullable(),
    /** Panels whose app the group does not have. */
    closed: z.array(z.string()),
    now: z.number(),
    /** For a display token: when it expires, and from when it can be renewed; null for people. */
    display: z.object({ expiresAt: z.number(), renewFrom: z.number() }).nullable(),
  }),
})

export const tokenDays = 90
/**
 * A display token is renewed within this many days before it expires, so that a wall still works after being switched off for some weeks.
 */
export const renewWithinDays = 30
/**
 * Creates a display token: it may make the calls of the panels with the rights of its group, and nothing else. The token is returned only
 * once.
 */
export const createScreenToken = endpoint({
  method: 'POST',
  path: '/api/v1/home/token',
  summary: '获取首页令牌',
  needs: 'screens.wall',
  body: z.object({
    purpose: z.literal('screen', { error: '只签发大屏令牌' }),
    name: filled(30, '墙屏名称'),
    templateId: ref('screenTemplate'),
    ...whoseScreen,
  }),
  response: z.object({ id: z.string(), token: z.string(), path: z.string(), expiresAt: z.string() }),
})
export const tokenRow = z.object({
  id: z.string(),
  name: z.string(),
  groupName: z.string(),
  templateId: z.string(),
  templateName: z.string(),
  createTime: z.string(),
  createBy: z.string(),
  expiresAt: z.string(),
  /** Epoch milliseconds; null: never used. */
  seenAt: z.number().nullable(),
  /** `on`: used within the last minutes; `stopped`: its issuer has lost the right to see the screen. */
  state: z.enum(['on', 'idle', 'stopped', 'expired', 'revoked']),
  /** Epoch milliseconds of the last renewal. */
  renewedAt: z.number().nullable(),
  /** Why a `stopped` token is refused. */
  fault: z.string().nullable(),
})
export type TokenRow = z.infer<typeof tokenRow>
export const listScreenTokens = endpoint({
  method: 'GET',
  path: '/api/v1/screen/token',
  summary: '墙屏链接列表',
  needs: ['screens.wall', 'screens.set'],
  answers: 'list',
  query: pageQuery.extend(whoseScreen),
  response: paged(tokenRow),
})
/** Called by the wall itself: returns the token that replaces its current one. */
export const renewScreenToken = endpoint({
  method: 'POST',
  path: '/api/v1/screen/token/renew',
  summary: '墙屏链接续期',
  needs: 'screens.view',
  acts: 'aside',
  response: z.object({ id: z.string(), token: z.string(), expiresAt: z.number() }),
})
export const revokeScreenToken = endpoint({
  method: 'DELETE',
  path: '/api/v1/screen/token/:id',
  summary: '吊销墙屏链接',
  needs: 'screens.wall',
  params: z.object({ id: ref('screenToken') }),
})
