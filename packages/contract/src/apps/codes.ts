import { permissionName } from '../access/codes.ts'
import { dayMs } from '../kit/time.ts'

/** 1 of the platform, 2 an address outside. */
export const appTypes = { own: '1', external: '2' } as const
export const appTypeNames = { '1': '平台应用', '2': '外部链接' } as const
export type AppType = keyof typeof appTypeNames

/** Kinds of groups that hold apps; the platform has everything. */
export const holderTypes = { '1': '监管机构', '2': '企业', '3': '项目' } as const
export const holderName = (type: number | string): string => holderTypes[String(type) as keyof typeof holderTypes] ?? '平台'

/** Where a grant came from. */
export const grantSources = { default: '默认', scheme: '方案', single: '单独', passed: '下发' } as const
export type GrantSource = keyof typeof grantSources

export const grantStates = { valid: '有效', ending: '30 日内到期', grace: '宽限', pending: '未生效', ended: '已到期' } as const
export type GrantState = keyof typeof grantStates

/** Days ahead in which an end is announced. */
export const endingDays = 30
/** Days after the end in which everything can still be read: time to renew without losing sight of the site. */
export const graceDays = 15
/** Longest grant, in days: ten years, beyond which a deadline is a slip of the pen. */
export const longestDays = 3660
/** Groups times apps of one batch: what a person can still look through, and one transaction does in seconds. */
export const mostCells = 5000
/** Hours in which a batch can be taken back. */
export const undoHours = 24

/** Whole days from one yyyy-MM-dd to another. */
export const daysFrom = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
export const dayAfter = (day: string, days: number): string => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
/** The same day so many months later, or the last of a month that has no such day. */
export function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10)
}

interface Span {
  /** yyyy-MM-dd in Asia/Shanghai, both days included; no deadline is no end. */
  start: string
  deadline: string | null
}

/** How a grant stands on a day. Its last day is still valid; the days of grace follow. */
export function grantState({ start, deadline }: Span, day: string): GrantState {
  if (day < start) return 'pending'
  if (deadline === null) return 'valid'
  const left = daysFrom(day, deadline)
  if (left < -graceDays) return 'ended'
  if (left < 0) return 'grace'
  return left <= endingDays ? 'ending' : 'valid'
}

/** Days left after this one: 0 on the last day, negative afterwards; null without an end. */
export const leftTime = (deadline: string | null, day: string): number | null => (deadline === null ? null : daysFrom(day, deadline))

/** From the best to the worst: of several grants of one app the first counts. */
const order: readonly GrantState[] = ['valid', 'ending', 'grace', 'pending', 'ended']
export const bestState = (states: readonly GrantState[]): GrantState => order.find((one) => states.includes(one)) ?? 'ended'
export const isOpenState = (state: GrantState | 'none' | 'range'): boolean => state === 'valid' || state === 'ending'

/** Whichever of two ends comes first; null is no end. */
export function earlier(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  return a < b ? a : b
}
/** Whether one end lies beyond another. */
export const isBeyond = (deadline: string | null, limit: string | null): boolean =>
  limit !== null && (deadline === null || deadline > limit)

/**
 * What a code lets one do that changes nothing: it stays open in the days of grace. Exports stay, so that nobody is held by his own data.
 */
const readingVerbs = new Set(
  'view stats export report unmask photo location track video play playback download print verify frame health media rehearse run sensitive'.split(
    ' ',
  ),
)
/** Seeing and writing down under one code: closed like what writes. */
const writesAsWell = new Set(['personnel.health'])
export const isReading = (code: string): boolean => !writesAsWell.has(code) && readingVerbs.has(code.slice(code.indexOf('.') + 1))

/** What somebody is told whose app has come into its days of grace. */
export const graceWords = (app: string, deadline: string, code: string): string =>
  `“${app}”已于 ${deadline} 到期，${graceDays} 天宽限期内只能查看；“${permissionName(code)}”请在续期后办理`
/** What somebody is told whose group has the app no more, or who is out of its range. */
export const closedWords = (app: string, state: GrantState | 'none' | 'range'): string =>
  state === 'range'
    ? `“${app}”未对您开放，请联系本组管理员调整应用授权范围`
    : state === 'pending'
      ? `“${app}”的授权尚未生效`
      : state === 'none'
        ? `本组未开通“${app}”，可在应用中心申请`
        : `“${app}”的授权已到期，数据和设备不受影响，续期后恢复`
