import { permissionName } from '../access/codes.ts'
import { dayMs } from '../kit/time.ts'

/** 1: an app of the platform; 2: an external address. */
export const appTypes = { own: '1', external: '2' } as const
export const appTypeNames = { '1': '平台应用', '2': '外部链接' } as const
export type AppType = keyof typeof appTypeNames

/** Types of groups that hold apps; the platform has all apps. */
export const holderTypes = { '1': '监管机构', '2': '企业', '3': '项目' } as const
export const holderName = (type: number | string): string => holderTypes[String(type) as keyof typeof holderTypes] ?? '平台'

/** How a grant was created. */
export const grantSources = { default: '默认', scheme: '方案', single: '单独', passed: '下发' } as const
export type GrantSource = keyof typeof grantSources

export const grantStates = { valid: '有效', ending: '30 日内到期', grace: '宽限', pending: '未生效', ended: '已到期' } as const
export type GrantState = keyof typeof grantStates

/** A grant that ends within this many days is shown as ending. */
export const endingDays = 30
/** Days after the end in which data can still be read, so that a site does not lose its data before the renewal. */
export const graceDays = 15
/** Longest grant in days (ten years): a later end is a typing error. */
export const longestDays = 3660
/** Maximum of groups times apps in one batch: a person can still review the result, and one transaction writes it in seconds. */
export const mostCells = 5000
/** Hours within which a batch can be undone. */
export const undoHours = 24

/** Number of days from one yyyy-MM-dd to another. */
export const daysFrom = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
export const dayAfter = (day: string, days: number): string => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
/** The same day of the month `months` later, or the last day of a month that has no such day. */
export function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10)
}

interface Span {
  /** yyyy-MM-dd in Asia/Shanghai, both days included; without a deadline the grant does not end. */
  start: string
  deadline: string | null
}

/** State of a grant on a day. The last day is still valid; the days of grace follow. */
export function grantState({ start, deadline }: Span, day: string): GrantState {
  if (day < start) return 'pending'
  if (deadline === null) return 'valid'
  const left = daysFrom(day, deadline)
  if (left < -graceDays) return 'ended'
  if (left < 0) return 'grace'
  return left <= endingDays ? 'ending' : 'valid'
}

/** Days left after the given day: 0 on the last day, negative afterwards; null without an end. */
export const leftTime = (deadline: string | null, day: string): number | null => (deadline === null ? null : daysFrom(day, deadline))

/** States from best to worst: of several grants of one app, the best one counts. */
const order: readonly GrantState[] = ['valid', 'ending', 'grace', 'pending', 'ended']
export const bestState = (states: readonly GrantState[]): GrantState => order.find((one) => states.includes(one)) ?? 'ended'
export const isOpenState = (state: GrantState | 'none' | 'range'): boolean => state === 'valid' || state === 'ending'

/** The earlier of two ends; null means no end. */
export function earlier(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  return a < b ? a : b
}
/** Whether `deadline` is later than `limit`; null means no end. */
export const isBeyond = (deadline: string | null, limit: string | null): boolean =>
  limit !== null && (deadline === null || deadline > limit)

/**
 * Verbs of codes that only read: their calls stay open in the days of grace. Exports are among them, so that a group can always take its
 * data out.
 */
const readingVerbs = new Set(
  'view stats export report unmask photo location track video play playback download print verify frame health media rehearse run sensitive'.split(
    ' ',
  ),
)
/** Codes that permit both reading and writing: closed like the writing ones. */
const writesAsWell = new Set(['personnel.health'])
export const isReading = (code: string): boolean => !writesAsWell.has(code) && readingVerbs.has(code.slice(code.indexOf('.') + 1))

/** Message for a user whose app is in its days of grace. */
export const graceWords = (app: string, deadline: string, code: string): string =>
  `“${app}”已于 ${deadline} 到期，${graceDays} 天宽限期内只能查看；“${permissionName(code)}”请在续期后办理`
/** Message for a user whose group no longer has the app, or who is outside its range. */
export const closedWords = (app: string, state: GrantState | 'none' | 'range'): string =>
  state === 'range'
    ? `“${app}”未对您开放，请联系本组管理员调整应用授权范围`
    : state === 'pending'
      ? `“${app}”的授权尚未生效`
      : state === 'none'
        ? `本组未开通“${app}”，可在应用中心申请`
        : `“${app}”的授权已到期，数据和设备不受影响，续期后恢复`
