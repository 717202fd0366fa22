import { groupTypes } from '../access/group-types.ts'
import type { PanelKey } from './catalogue.ts'
import type { PanelSettings, ScreenBody, ScreenPanel } from './model.ts'

type Line = [x: number, y: number, w: number, h: number, panelKey: PanelKey, params?: PanelSettings, title?: string]

const place = (lines: readonly Line[]): ScreenPanel[] =>
  lines.map(([x, y, w, h, panelKey, params = {}, title], i) => ({
    uid: `p${i + 1}`,
    panelKey,
    x,
    y,
    w,
    h,
    params,
    title: title || undefined,
  }))

const bodyOf = (lines: readonly Line[], level2 = false): ScreenBody => ({
  pages: [{ title: '总览', seconds: 30, panels: place(lines) }],
  titleBar: { name: '', clock: true, weather: true, logo: true },
  sound: { level1: true, level2 },
  night: { from: '22:00', to: '06:00', dim: true },
})

export interface DeliveredScreen {
  id: string
  level: number
  name: string
  description: string
  body: ScreenBody
}

/** The screens that every group has by default, one for each type of group. */
export const deliveredScreens: readonly DeliveredScreen[] = [
  {
    id: 'delivered-government',
    level: groupTypes.government,
    name: '城市监管',
    description: '哪个区县、哪个工地、什么风险',
    body: bodyOf([
      [0, 0, 2, 2, 'areaCompare'],
      [0, 2, 2, 2, 'laborCompliance'],
      [0, 4, 2, 1, 'keyPost'],
      [0, 5, 2, 1, 'dataHealth'],
      [2, 0, 4, 1, 'kpiStrip', { figures: ['building', 'inPlace', 'attended', 'online', 'openAlarms', 'grave'] }],
      [2, 1, 4, 4, 'projectMap'],
      [2, 5, 4, 1, 'alarmTicker', { levels: [1, 2] }],
      [6, 0, 2, 2, 'alarmTrend', { days: 14 }],
      [6, 2, 2, 2, 'deviceOnline'],
      [6, 4, 2, 2, 'envRank'],
    ]),
  },
  {
    id: 'delivered-corporation',
    level: groupTypes.corporation,
    name: '企业项目',
    description: '今天早上该给哪个工地打电话',
    body: bodyOf([
      [0, 0, 2, 4, 'projectHealth'],
      [0, 4, 2, 2, 'laborCompliance'],
      [2, 0, 4, 1, 'kpiStrip', { figures: ['building', 'attended', 'rate', 'openAlarms', 'absentPosts', 'online'] }],
      [2, 1, 4, 3, 'projectMap'],
      [2, 4, 2, 1, 'attendanceDay', { days: 30 }],
      [4, 4, 2, 1, 'alarmTrend', { days: 14 }],
      [2, 5, 4, 1, 'alarmTicker', { levels: [1, 2, 3, 4] }],
      [6, 0, 2, 2, 'alarmRank'],
      [6, 2, 2, 2, 'deviceOnline'],
      [6, 4, 2, 2, 'dueSoon', { topN: 7 }],
    ]),
  },
  {
    id: 'delivered-project',
    level: groupTypes.project,
    name: '项目现场',
    description: '谁在场、什么在动、这一小时哪里危险',
    body: bodyOf([
      [0, 0, 2, 1, 'attendanceNow'],
      [0, 1, 2, 2, 'gateLive', { topN: 8 }],
      [0, 3, 2, 1, 'attendanceHour'],
      [0, 4, 2, 2, 'workTypeMix', { topN: 6 }],
      [2, 0, 4, 1, 'kpiStrip', { figures: ['siteDays', 'inPlace', 'onDuty', 'openAlarms', 'absentPosts', 'online'] }],
      [2, 1, 4, 4, 'sitePlan', { layers: ['towerCrane', 'lifter', 'faceGate', 'videoAi', 'environment'] }],
      [2, 5, 4, 1, 'alarmTicker', { levels: [1, 2, 3, 4] }],
      [6, 0, 2, 2, 'craneGroup'],
      [6, 2, 2, 1, 'envLive'],
      [6, 3, 2, 1, 'lifterLive'],
      [6, 4, 2, 2, 'videoWall', { tiles: 4 }],
    ]),
  },
]
