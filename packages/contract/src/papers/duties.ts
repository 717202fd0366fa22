/** What a site must file on safety, and how often. */
export const dutyGroups = {
  duty: '责任制与目标',
  plan: '施组与专项方案',
  brief: '技术交底',
  check: '安全检查',
  train: '教育培训',
  emergency: '应急',
  cert: '持证上岗',
  machine: '机械设备',
  fire: '用电消防',
} as const
export type DutyGroup = keyof typeof dutyGroups

export const rhythms = { once: '一次性', day: '日', week: '周', month: '月', node: '按节点' } as const
export type Rhythm = keyof typeof rhythms

/** Records that file themselves; `paper`: uploaded by hand. */
export const dutySources = {
  paper: '上传',
  log: '安全日志',
  briefing: '安全技术交底',
  workBriefing: '危大工程交底',
  workPlan: '危大工程方案',
  examine: '项目安全检查',
  monthExamine: '项目月检',
  training: '教育培训',
  drill: '应急演练',
  hazard: '危险源巡查',
  worker: '人员证书',
  insurance: '保险',
  licence: '安全生产许可证',
} as const
export type DutySource = keyof typeof dutySources

export interface Duty {
  code: string
  group: DutyGroup
  name: string
  rhythm: Rhythm
  source: DutySource
}
const duty = (code: string, group: DutyGroup, name: string, rhythm: Rhythm, source: DutySource = 'paper'): Duty => ({
  code,
  group,
  name,
  rhythm,
  source,
})

/** By JGJ 59-2011 (安全管理 general and secured items) and 住建部令第37号. */
export const duties: readonly Duty[] = [
  duty('system', 'duty', '安全生产责任制', 'once'),
  duty('target', 'duty', '安全管理目标分解', 'once'),
  duty('review', 'duty', '责任制考核', 'month'),
  duty('org', 'plan', '施工组织设计', 'once'),
  duty('workPlan', 'plan', '危大工程专项方案', 'node', 'workPlan'),
  duty('workBrief', 'brief', '危大工程安全技术交底', 'node', 'workBriefing'),
  duty('gangBrief', 'brief', '班组安全技术交底', 'week', 'briefing'),
  duty('log', 'check', '安全日志', 'day', 'log'),
  duty('weekCheck', 'check', '项目安全周检', 'week', 'examine'),
  duty('monthCheck', 'check', '项目安全月检', 'month', 'monthExamine'),
  duty('hazard', 'check', '危险源巡查', 'week', 'hazard'),
  duty('train', 'train', '月度安全教育', 'month', 'training'),
  duty('emergency', 'emergency', '应急救援预案', 'once'),
  duty('drill', 'emergency', '应急演练', 'once', 'drill'),
  duty('managers', 'cert', '安全管理人员证书', 'once'),
  duty('special', 'cert', '特种作业人员台账', 'month'),
  duty('filing', 'machine', '起重机械备案与使用登记', 'once'),
  duty('upkeep', 'machine', '机械维护保养记录', 'month'),
  duty('power', 'fire', '临时用电组织设计', 'once'),
  duty('powerCheck', 'fire', '临时用电巡检', 'week'),
  duty('fireCheck', 'fire', '消防检查', 'month'),
]
export const dutyOf = (code: string): Duty | undefined => duties.find((one) => one.code === code)
export const dutyCodes = duties.map((one) => one.code) as [string, ...string[]]

/** Days within which an expiring paper is shown. */
export const soonDays = 30
/** The furthest back that obligations are counted. */
export const mostDaysBack = 400

/** Working life of a site. Days are yyyy-MM-dd. */
export interface DutyCalendar {
  since: string
  today: string
  /** The site works on that day: it has begun, has not ended and is not stopped. */
  works: (day: string) => boolean
}
/** One obligation: of a day, of the week beginning on that Monday, of a month, of a node, or `once`. */
export interface Due {
  period: string
  due: string
}

const dayMs = 86_400_000
const plus = (day: string, days: number) => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
const later = (a: string, b: string) => (a > b ? a : b)
/** The Monday of the week of a day. */
export const mondayOf = (day: string): string => plus(day, -((new Date(Date.parse(day)).getUTCDay() + 6) % 7))
const lastOfMonth = (day: string) => plus(`${plus(`${day.slice(0, 7)}-01`, 31).slice(0, 7)}-01`, -1)

/** The period that a record of a day is filed under. */
export function periodOf(rhythm: Rhythm, day: string): string {
  if (rhythm === 'day') return day
  if (rhythm === 'week') return mondayOf(day)
  return rhythm === 'month' ? day.slice(0, 7) : 'once'
}

/**
 * When a duty falls due, up to the period that today lies in. A period is due on its last working day; one without a working day owes
 * nothing. Future days of the current period are working days unless the calendar says otherwise.
 */
export function duesOf(rhythm: Rhythm, { since, today, works }: DutyCalendar, nodes: readonly Due[] = []): Due[] {
  if (since > today) return []
  if (rhythm === 'once') return [{ period: 'once', due: since }]
  if (rhythm === 'node') return nodes.filter((one) => one.due >= since && one.due <= plus(today, soonDays))
  const found: Due[] = []
  for (let first = rhythm === 'month' ? `${since.slice(0, 7)}-01` : rhythm === 'week' ? mondayOf(since) : since; first <= today; ) {
    const last = rhythm === 'month' ? lastOfMonth(first) : rhythm === 'week' ? plus(first, 6) : first
    for (let day = last; day >= later(first, since); day = plus(day, -1)) {
      if (!works(day)) continue
      found.push({ period: periodOf(rhythm, first), due: day })
      break
    }
    first = plus(last, 1)
  }
  return found
}

/** 已归, 待归, 逾期, 将到期, 已免除. */
export const dutyStates = { filed: '已归', open: '待归', overdue: '逾期', ending: '将到期', exempt: '已免除' } as const
export type DutyState = keyof typeof dutyStates

export interface DutyDates {
  due: string
  today: string
  filed: boolean
  exempt: boolean
  /** A paper with an end date rather than an obligation. */
  expires: boolean
}
export function dutyState({ due, today, filed, exempt, expires }: DutyDates): DutyState {
  if (filed) return 'filed'
  if (exempt) return 'exempt'
  if (due < today) return 'overdue'
  return expires ? 'ending' : 'open'
}
/** Whole days from today to the due day; negative: past. */
export const daysLeft = (due: string, today: string): number => Math.round((Date.parse(due) - Date.parse(today)) / dayMs)
