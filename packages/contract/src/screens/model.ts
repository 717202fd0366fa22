import { z } from 'zod'
import { groupTypes } from '../access/group-types.ts'
import { clockTime, filled, pointsTo, ref, text } from '../kit/fields.ts'
import { figureNames, grid, mostPages, type PanelKey, type PanelParam, panelOf, panelParams, planLayers } from './catalogue.ts'

export const screenLevels = [groupTypes.government, groupTypes.corporation, groupTypes.project] as const
export const screenLevelNames: Readonly<Record<number, string>> = { 1: '监管', 2: '企业', 3: '项目' }
export const templateState = { draft: '0', published: '1', stopped: '2' } as const
export const templateStates = { '0': '草稿', '1': '已发布', '2': '停用' } as const
export type TemplateState = keyof typeof templateStates

/** How long a page is displayed, in seconds. */
export const pageSeconds = { least: 10, usual: 30, most: 600 } as const
const mostPanels = grid.columns * grid.rows

const names = <T extends object>(of: T) => Object.keys(of) as [keyof T & string, ...(keyof T & string)[]]
/** Parameters of a panel. A parameter restricts what the viewer may see and never extends it. */
export const panelSettings = z.strictObject(
  {
    topN: z.coerce.number().int('应为整数').min(3, '条数至少 3').max(20, '条数最多 20').optional(),
    days: z.coerce.number().int('应为整数').min(1, '天数至少 1').max(90, '天数最多 90').optional(),
    figures: z
      .array(z.enum(names(figureNames), '没有这个指标'))
      .min(1, '请选择指标')
      .max(6, '最多 6 个指标')
      .optional(),
    levels: z.array(z.number().int().min(1).max(4)).min(1, '请选择等级').max(4).optional(),
    layers: z
      .array(z.enum(names(planLayers), '没有这个图层'))
      .max(6)
      .optional(),
    tiles: z.union([z.literal(1), z.literal(4)], '画面数应为 1 或 4').optional(),
  },
  '面板参数不在目录中',
)
export type PanelSettings = z.infer<typeof panelSettings>

const cell = (most: number) => z.number({ error: '位置应为数字' }).int('位置应为整数').min(0, '位置不能为负').max(most, '超出画布')
export const panel = z.object({
  uid: filled(20, '面板编号').regex(/^[\w-]+$/, '面板编号只能用字母、数字和短横线'),
  panelKey: filled(40, '面板'),
  x: cell(grid.columns),
  y: cell(grid.rows),
  w: cell(grid.columns),
  h: cell(grid.rows),
  title: text(20, '面板标题').optional(),
  params: panelSettings.default({}),
})
export type ScreenPanel = z.infer<typeof panel>

const page = z.object({
  title: text(20, '页名').default(''),
  seconds: z
    .number()
    .int('停留秒数应为整数')
    .min(pageSeconds.least, `停留至少 ${pageSeconds.least} 秒`)
    .max(pageSeconds.most, `停留最多 ${pageSeconds.most} 秒`)
    .default(pageSeconds.usual),
  panels: z.array(panel).min(1, '每页至少一个面板').max(mostPanels, '面板过多'),
})
export const screenBody = z.object({
  pages: z.array(page).min(1, '至少一页').max(mostPages, `最多 ${mostPages} 页`),
  titleBar: z
    .object({
      name: text(30, '标题').default(''),
      clock: z.boolean().default(true),
      weather: z.boolean().default(true),
      logo: z.boolean().default(true),
    })
    .default({ name: '', clock: true, weather: true, logo: true }),
  sound: z.object({ level1: z.boolean(), level2: z.boolean() }).default({ level1: true, level2: false }),
  night: z.object({ from: clockTime, to: clockTime, dim: z.boolean() }).default({ from: '22:00', to: '06:00', dim: true }),
})
export type ScreenBody = z.infer<typeof screenBody>

export interface LayoutFault {
  path: (string | number)[]
  message: string
}

const overlaps = (a: ScreenPanel, b: ScreenPanel) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h

/**
 * Errors of a layout according to the catalogue: unknown panels, wrong level, size or parameters, panels outside the canvas or overlapping.
 */
export function layoutFaults(level: number, { pages }: Pick<ScreenBody, 'pages'>): LayoutFault[] {
  return pages.flatMap(({ panels: placed }, p) => {
    const twice = placed.find((one, i) => placed.findIndex((other) => other.uid === one.uid) !== i)
    const doubled = twice ? [{ path: ['pages', p, 'panels'], message: `面板编号 ${twice.uid} 重复` }] : []
    return [
      ...doubled,
      ...placed.flatMap((one, i) =>
        faultsOf(level, one, placed.slice(0, i)).map((message) => ({ path: ['pages', p, 'panels', i], message })),
      ),
    ]
  })
}

function faultsOf(level: number, one: ScreenPanel, before: readonly ScreenPanel[]): string[] {
  const kind = panelOf(one.panelKey)
  if (!kind) return [`没有面板 ${one.panelKey}`]
  const faults: string[] = []
  const { title, least, most, takes = [] } = kind
  if (!kind.levels.includes(level)) faults.push(`“${title}”不能放在${screenLevelNames[level] ?? '这一级'}大屏`)
  if (one.x + one.w > grid.columns || one.y + one.h > grid.rows) faults.push(`“${title}”超出画布（${grid.columns} × ${grid.rows} 格）`)
  if (one.w < least[0] || one.h < least[1]) faults.push(`“${title}”最小 ${least.join(' × ')} 格`)
  if (one.w > most[0] || one.h > most[1]) faults.push(`“${title}”最大 ${most.join(' × ')} 格`)
  const unknown = panelParams.find((param: PanelParam) => one.params[param] !== undefined && !takes.includes(param))
  if (unknown) faults.push(`“${title}”没有参数 ${unknown}`)
  const under = before.find((other) => overlaps(one, other))
  if (under) faults.push(`“${title}”与“${panelOf(under.panelKey)?.title ?? under.panelKey}”重叠`)
  return faults
}

/** The same checks as a schema refinement. */
export const checkLayout = (level: number, body: Pick<ScreenBody, 'pages'>, context: z.RefinementCtx, at: (string | number)[] = []) => {
  for (const { path, message } of layoutFaults(level, body)) context.addIssue({ code: 'custom', path: [...at, ...path], message })
}

const mostPlaced = 100
/** A group's own settings of its screen: the settings page changes these and nothing else. */
export const screenSetting = z.object({
  /** One of the assigned templates; null: the one in force by default. */
  templateId: ref('screenTemplate').nullable().default(null),
  title: text(30, '大屏标题').default(''),
  /** Seconds per page; null: as in the template. */
  seconds: z
    .number({ error: '请填写轮播秒数' })
    .int('轮播秒数应为整数')
    .min(pageSeconds.least, `轮播至少 ${pageSeconds.least} 秒`)
    .max(pageSeconds.most, `轮播最多 ${pageSeconds.most} 秒`)
    .nullable()
    .default(null),
  /** Replaces a panel, identified by its uid, by another that fits the same place. */
  swaps: z.record(z.string().max(20), z.string().max(40)).default({}),
  night: z.object({ on: z.boolean(), from: clockTime, to: clockTime }).default({ on: true, from: '22:00', to: '06:00' }),
  sound: z.object({ level1: z.boolean(), level2: z.boolean() }).default({ level1: true, level2: false }),
  /** Centre of the map; null: all projects of the group. */
  centre: z
    .object({
      lng: z.number({ error: '经度应为数字' }).min(73, '经度应在 73-136 之间').max(136, '经度应在 73-136 之间'),
      lat: z.number({ error: '纬度应为数字' }).min(3, '纬度应在 3-54 之间').max(54, '纬度应在 3-54 之间'),
      zoom: z.number().int().min(5, '缩放应在 5-17 之间').max(17, '缩放应在 5-17 之间'),
    })
    .nullable()
    .default(null),
  layers: z
    .array(z.enum(names(planLayers), '没有这个图层'))
    .max(6)
    .nullable()
    .default(null),
  levels: z.array(z.number().int().min(1).max(4)).max(4).nullable().default(null),
  /** Districts that rankings show by name; null: all. */
  named: z.array(text(6)).max(100).nullable().default(null),
  /** Seconds per district when the map cycles through districts; null: always the whole area. */
  rotate: z
    .number({ error: '请填写轮换秒数' })
    .int()
    .min(pageSeconds.least, `轮换至少 ${pageSeconds.least} 秒`)
    .max(pageSeconds.most)
    .nullable()
    .default(null),
  /** Shows one project on the whole screen until somebody ends it. */
  incident: pointsTo('project', text(64)).nullable().default(null),
  /** Positions of machines on the plan, as fractions of its width and height from the upper left corner. */
  placed: z
    .array(z.object({ deviceId: ref('device'), x: z.number().min(0).max(1), y: z.number().min(0).max(1) }))
    .max(mostPlaced, `最多摆放 ${mostPlaced} 台`)
    .default([]),
  /** Leaves out everything about people: passages and teams. */
  visitor: z.boolean().default(false),
})
export type ScreenSetting = z.infer<typeof screenSetting>

/** The panels that fit the place of another. */
export const fitsPlace = (level: number, key: string, { w, h }: Pick<ScreenPanel, 'w' | 'h'>): boolean => {
  const kind = panelOf(key)
  if (!kind?.levels.includes(level)) return false
  return w >= kind.least[0] && h >= kind.least[1] && w <= kind.most[0] && h <= kind.most[1]
}

/** The template with the group's own title, seconds, panels and map. */
export function composed(level: number, body: ScreenBody, setting: ScreenSetting | undefined): ScreenBody {
  if (!setting) return body
  return {
    ...body,
    titleBar: { ...body.titleBar, name: setting.title || body.titleBar.name },
    sound: setting.sound,
    night: { from: setting.night.from, to: setting.night.to, dim: setting.night.on },
    pages: body.pages.map((one) => ({
      ...one,
      seconds: setting.seconds ?? one.seconds,
      panels: one.panels.map((placed) => {
        const other = setting.swaps[placed.uid]
        if (other && fitsPlace(level, other, placed)) return { ...placed, panelKey: other, title: undefined, params: {} }
        const kind: PanelKey | string = placed.panelKey
        if (kind === 'alarmTicker' && setting.levels?.length) return { ...placed, params: { ...placed.params, levels: setting.levels } }
        if (kind === 'sitePlan' && setting.layers) return { ...placed, params: { ...placed.params, layers: setting.layers } }
        return placed
      }),
    })),
  }
}
