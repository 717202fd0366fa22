import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { pointsTo, ref, text } from '../kit/fields.ts'

/** The home page of a site: arranged by the site for each role; groups above can make cards mandatory. */

/** The cards of a site's home page, in their usual order and size. */
export const homeCards = {
  figures: { name: '今日指标', size: 3 },
  tasks: { name: '待办', size: 1 },
  site: { name: '现场', size: 2 },
  keyPosts: { name: '关键岗位到岗', size: 1 },
  devices: { name: '设备', size: 1 },
  hours: { name: '今日进场', size: 1 },
  week: { name: '近 7 日出勤', size: 2 },
} as const
export type HomeCard = keyof typeof homeCards
export const homeCardKeys = Object.keys(homeCards) as [HomeCard, ...HomeCard[]]
/** Number of the page's three columns that a card occupies. */
export const cardSizes = { '1': '窄', '2': '中', '3': '宽' } as const

/** The roles that have a page of their own; `*` is for everybody else. */
export const dashboardRoles = { '*': '其他人员', 项目经理: '项目经理', 安全员: '安全员', 劳务员: '劳务员' } as const
export type DashboardRole = keyof typeof dashboardRoles
const roleKeys = Object.keys(dashboardRoles) as [DashboardRole, ...DashboardRole[]]

/** Figures that a site can colour by its own limit: low values are bad, or high ones. Only the colour changes; alarms need rules. */
export const limitedFigures = {
  attendanceRate: { name: '今日出勤率', unit: '%', bad: 'low' },
  online: { name: '设备在线率', unit: '%', bad: 'low' },
  openAlarms: { name: '待处理告警', unit: '条', bad: 'high' },
  absentPosts: { name: '关键岗位未到', unit: '人', bad: 'high' },
} as const
export type LimitedFigure = keyof typeof limitedFigures
const figureKeys = Object.keys(limitedFigures) as [LimitedFigure, ...LimitedFigure[]]

export const cardPlace = z.object({
  card: z.enum(homeCardKeys),
  size: z.number().int().min(1, '宽度为 1-3').max(3, '宽度为 1-3'),
  hidden: z.boolean(),
})
export type CardPlace = z.infer<typeof cardPlace>
const places = z
  .array(cardPlace)
  .max(homeCardKeys.length)
  .refine((list) => new Set(list.map((one) => one.card)).size === list.length, '卡片不能重复')
export const figureLimits = z.partialRecord(z.enum(figureKeys), z.number().min(0, '阈值不能为负').max(100_000, '阈值过大'))
export type FigureLimits = z.infer<typeof figureLimits>

export const dashboard = z.object({ roles: z.partialRecord(z.enum(roleKeys), places), limits: figureLimits })
export type Dashboard = z.infer<typeof dashboard>
/** Set from above: mandatory cards, and limits that override the site's. */
export const dashboardPolicy = z.object({ forced: z.array(z.enum(homeCardKeys)).max(homeCardKeys.length), limits: figureLimits })
export type DashboardPolicy = z.infer<typeof dashboardPolicy>

const usual: readonly CardPlace[] = homeCardKeys.map((card) => ({ card, size: homeCards[card].size, hidden: false }))

/**
 * The cards of a user's page in order: those of the role, else of everybody, else the default ones. Mandatory cards are always included.
 */
export function cardsFor(arranged: Dashboard | null, policy: DashboardPolicy | null, roles: readonly string[]): CardPlace[] {
  const role = roleKeys.find((one) => one !== '*' && roles.includes(one) && arranged?.roles[one])
  const own = arranged?.roles[role ?? '*'] ?? arranged?.roles['*'] ?? usual
  // Cards added by a later version come last.
  const all = [...own, ...usual.filter((one) => !own.some((other) => other.card === one.card))]
  return all.map((one) => (policy?.forced.includes(one.card) ? { ...one, hidden: false } : one))
}

/** The limits in force: those from above, else the site's own. */
export const limitsFor = (arranged: Dashboard | null, policy: DashboardPolicy | null): FigureLimits => ({
  ...arranged?.limits,
  ...policy?.limits,
})

export const isBeyond = (figure: LimitedFigure, value: number | null, limit: number | undefined): boolean =>
  value !== null && limit !== undefined && (limitedFigures[figure].bad === 'low' ? value < limit : value > limit)

const kept = <T extends z.ZodType>(value: T) =>
  z.object({ value: value.nullable(), updateBy: z.string().nullable(), updateTime: z.string().nullable(), version: z.number().int() })

export const getDashboard = endpoint({
  method: 'GET',
  path: '/api/v1/oa/project/setting/dashboard',
  summary: '获取项目看板设置',
  needs: ['dashboard.edit', 'setting.view'],
  query: z.object({ projectCode: pointsTo('project', text(64)).optional() }),
  response: z.object({ projectCode: z.string(), name: z.string(), dashboard: kept(dashboard), policy: kept(dashboardPolicy) }),
})
/** `version` is the last one read: 0 if nothing has been saved yet. */
export const saveDashboard = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/project/setting/dashboard',
  summary: '保存项目看板设置',
  needs: 'dashboard.edit',
  body: z.object({ projectCode: ref('project'), value: dashboard, version: z.number().int() }),
})
export const saveDashboardPolicy = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/project/setting/dashboardPolicy',
  summary: '设定项目看板要求',
  needs: 'dashboard.lock',
  groupTypes: [0, 1, 2],
  body: z.object({ projectCode: ref('project'), value: dashboardPolicy, version: z.number().int() }),
})
/** Applies the same to other projects; without `apply` it only returns what would change. */
export const spreadDashboardPolicy = endpoint({
  method: 'POST',
  path: '/api/v1/oa/project/setting/dashboardPolicy/spread',
  summary: '将看板要求用于其他项目',
  needs: 'dashboard.lock',
  groupTypes: [0, 1, 2],
  body: z.object({
    projectCode: ref('project'),
    to: z.array(ref('project')).min(1, '请选择项目').max(200, '一次最多 200 个项目'),
    apply: z.boolean(),
  }),
  response: z.object({
    list: z.array(z.object({ projectCode: z.string(), name: z.string(), change: z.enum(['new', 'replace', 'same']) })),
  }),
})
