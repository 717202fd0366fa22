import { groupTypes } from '../access/group-types.ts'
import type { CallKey } from './calls.ts'

/** The canvas: 8 x 6 cells of 222 x 148 px, margin and gap of 16 px, and a title bar of 80 px. */
export const grid = { columns: 8, rows: 6 } as const
export const canvas = { width: 1920, height: 1080, bar: 80, margin: 16, gap: 16 } as const
export const mostPages = 5

const { government: G, corporation: C, project: P } = groupTypes

/** Parameters of panels; each panel accepts some of them. */
export const panelParams = ['topN', 'days', 'figures', 'levels', 'layers', 'tiles'] as const
export type PanelParam = (typeof panelParams)[number]

export const figureNames = {
  building: '在建项目',
  inPlace: '在册人数',
  attended: '今日出勤',
  rate: '出勤率',
  onDuty: '现在场内',
  online: '设备在线率',
  openAlarms: '待处理告警',
  grave: '一、二级待处理',
  absentPosts: '关键岗位未到',
  siteDays: '开工天数',
} as const
export type FigureKey = keyof typeof figureNames

export const planLayers = { towerCrane: '塔机', lifter: '升降机', faceGate: '闸机', videoAi: '摄像机', environment: '扬尘' } as const

interface Panel {
  title: string
  theme: '人员' | '设备' | '告警风险' | '环境物料' | '通用'
  levels: readonly number[]
  /** Columns and rows: minimum, default, maximum. */
  least: readonly [number, number]
  usual: readonly [number, number]
  most: readonly [number, number]
  /** The calls it makes; panels with the same query share one response. */
  calls: readonly CallKey[]
  takes?: readonly PanelParam[]
}

/** All panels. Templates can only name panels of this catalogue; they contain no addresses and no data. */
export const panels = {
  kpiStrip: {
    title: '关键指标',
    theme: '通用',
    levels: [G, C, P],
    least: [3, 1],
    usual: [4, 1],
    most: [8, 1],
    calls: ['main', 'alarms', 'presence'],
    takes: ['figures'],
  },
  projectMap: {
    title: '项目分布图',
    theme: '通用',
    levels: [G, C],
    least: [3, 3],
    usual: [4, 4],
    most: [8, 5],
    calls: ['main', 'alarms'],
  },
  sitePlan: {
    title: '工地平面图',
    theme: '通用',
    levels: [P],
    least: [3, 3],
    usual: [4, 4],
    most: [6, 5],
    calls: ['main', 'devices', 'cranes'],
    takes: ['layers'],
  },
  alarmTicker: {
    title: '实时告警',
    theme: '告警风险',
    levels: [G, C, P],
    least: [2, 1],
    usual: [4, 1],
    most: [8, 2],
    calls: ['alarms'],
    takes: ['levels'],
  },
  alarmTrend: {
    title: '告警趋势',
    theme: '告警风险',
    levels: [G, C, P],
    least: [2, 1],
    usual: [2, 2],
    most: [4, 2],
    calls: ['report'],
    takes: ['days'],
  },
  alarmRank: {
    title: '告警排名',
    theme: '告警风险',
    levels: [G, C],
    least: [2, 2],
    usual: [2, 2],
    most: [2, 4],
    calls: ['main'],
    takes: ['topN'],
  },
  areaCompare: {
    title: '区县对比',
    theme: '通用',
    levels: [G],
    least: [2, 2],
    usual: [2, 2],
    most: [4, 3],
    calls: ['main'],
    takes: ['topN'],
  },
  projectHealth: {
    title: '项目健康度',
    theme: '通用',
    levels: [G, C],
    least: [2, 3],
    usual: [2, 4],
    most: [4, 6],
    calls: ['main'],
    takes: ['topN'],
  },
  attendanceNow: {
    title: '今日出勤',
    theme: '人员',
    levels: [G, C, P],
    least: [2, 1],
    usual: [2, 1],
    most: [4, 1],
    calls: ['presence'],
  },
  attendanceHour: {
    title: '进出场时段',
    theme: '人员',
    levels: [G, C, P],
    least: [2, 1],
    usual: [2, 2],
    most: [4, 2],
    calls: ['hours'],
  },
  attendanceDay: {
    title: '出勤趋势',
    theme: '人员',
    levels: [G, C, P],
    least: [2, 1],
    usual: [2, 2],
    most: [4, 2],
    calls: ['report'],
    takes: ['days'],
  },
  workTypeMix: {
    title: '工种分布',
    theme: '人员',
    levels: [C, P],
    least: [2, 1],
    usual: [2, 2],
    most: [2, 3],
    calls: ['report'],
    takes: ['topN'],
  },
  corpRank: {
    title: '参建单位出勤',
    theme: '人员',
    levels: [C, P],
    least: [2, 2],
    usual: [2, 2],
    most: [2, 3],
    calls: ['presence'],
    takes: ['topN'],
  },
  gateLive: {
    title: '门禁通行',
    theme: '人员',
    levels: [P],
    least: [2, 2],
    usual: [2, 2],
    most: [2, 3],
    calls: ['presence'],
    takes: ['topN'],
  },
  keyPost: {
    title: '关键岗位到岗',
    theme: '人员',
    levels: [G, C, P],
    least: [2, 1],
    usual: [2, 2],
    most: [4, 2],
    calls: ['keyPosts', 'main'],
  },
  laborCompliance: {
    title: '实名制合规',
    theme: '人员',
    levels: [G, C, P],
    least: [2, 2],
    usual: [2, 2],
    most: [4, 2],
    calls: ['report'],
  },
  dueSoon: {
    title: '设备到期提醒',
    theme: '设备',
    levels: [C, P],
    least: [2, 2],
    usual: [2, 2],
    most: [2, 4],
    calls: ['dues'],
    takes: ['topN'],
  },
  deviceOnline: {
    title: '设备在线',
    theme: '设备',
    levels: [G, C, P],
    least: [2, 1],
    usual: [2, 2],
    most: [4, 2],
    calls: ['fleet'],
  },
  deviceColumn: {
    title: '设备接入',
    theme: '设备',
    levels: [G, C],
    least: [2, 2],
    usual: [2, 2],
    most: [4, 2],
    calls: ['columns'],
    takes: ['topN'],
  },
  craneGroup: {
    title: '群塔运行',
    theme: '设备',
    levels: [P],
    least: [2, 2],
    usual: [2, 2],
    most: [4, 4],
    calls: ['devices', 'cranes'],
  },
  craneLive: {
    title: '塔机实时',
    theme: '设备',
    levels: [P],
    least: [2, 2],
    usual: [2, 2],
    most: [2, 3],
    calls: ['devices', 'cranes'],
  },
  lifterLive: {
    title: '升降机实时',
    theme: '设备',
    levels: [P],
    least: [2, 1],
    usual: [2, 2],
    most: [2, 3],
    calls: ['lifts'],
  },
  envLive: {
    title: '环境实时',
    theme: '环境物料',
    levels: [P],
    least: [2, 1],
    usual: [2, 2],
    most: [4, 2],
    calls: ['stations'],
  },
  envRank: {
    title: '扬尘噪声排名',
    theme: '环境物料',
    levels: [G, C],
    least: [2, 2],
    usual: [2, 2],
    most: [2, 3],
    calls: ['stations'],
    takes: ['topN'],
  },
  pitLive: {
    title: '基坑监测',
    theme: '设备',
    levels: [P],
    least: [2, 2],
    usual: [2, 2],
    most: [4, 2],
    calls: ['pits'],
    takes: ['topN'],
  },
  unloadingLive: {
    title: '卸料平台',
    theme: '设备',
    levels: [P],
    least: [2, 1],
    usual: [2, 1],
    most: [2, 2],
    calls: ['devices', 'unloading'],
  },
  truckAccess: {
    title: '渣土车出场',
    theme: '环境物料',
    levels: [G, C, P],
    least: [2, 1],
    usual: [2, 2],
    most: [2, 3],
    calls: ['trucks'],
  },
  aiEvents: {
    title: 'AI 识别',
    theme: '告警风险',
    levels: [G, C, P],
    least: [2, 2],
    usual: [2, 2],
    most: [2, 4],
    calls: ['sightings'],
    takes: ['topN'],
  },
  formworkLive: {
    title: '高支模监测',
    theme: '设备',
    levels: [P],
    least: [2, 2],
    usual: [2, 2],
    most: [2, 3],
    calls: ['devices', 'formwork'],
    takes: ['topN'],
  },
  energyUse: {
    title: '水电用量',
    theme: '环境物料',
    levels: [C, P],
    least: [2, 1],
    usual: [2, 2],
    most: [4, 2],
    calls: ['meters'],
  },
  weighToday: {
    title: '今日过磅',
    theme: '环境物料',
    levels: [P],
    least: [2, 1],
    usual: [2, 2],
    most: [2, 2],
    calls: ['tickets'],
    takes: ['topN'],
  },
  helmetMap: {
    title: '安全帽定位',
    theme: '人员',
    levels: [P],
    least: [2, 2],
    usual: [2, 2],
    most: [4, 4],
    calls: ['helmets'],
  },
  videoWall: {
    title: '视频监控',
    theme: '设备',
    levels: [G, C, P],
    least: [2, 2],
    usual: [2, 2],
    most: [4, 4],
    calls: ['devices', 'media'],
    takes: ['tiles'],
  },
  dataHealth: {
    title: '数据可信度',
    theme: '通用',
    levels: [G, C, P],
    least: [2, 1],
    usual: [2, 1],
    most: [2, 2],
    calls: ['gateways', 'presence'],
  },
} as const satisfies Readonly<Record<string, Panel>>

export type PanelKey = keyof typeof panels
export const panelKeys = Object.keys(panels) as [PanelKey, ...PanelKey[]]
export const panelOf = (key: string): Panel | undefined => (Object.hasOwn(panels, key) ? panels[key as PanelKey] : undefined)
/** Panels that a screen of a level may contain. */
export const panelsFor = (level: number): PanelKey[] => panelKeys.filter((key) => panelOf(key)?.levels.includes(level))
