/**
 * Days between two checks of one kind (deviceInspectType) of a machine in use; null: no fixed interval. 顶升附着 follows the height of the
 * building, a test (检测) its own certificate.
 */
const intervals: Readonly<Record<string, number | null>> = { 1: 1, 2: 1, 3: 7, 4: 30, 5: null, 7: null }
/** Kinds of checks on the board, in its order. */
export const boardTypes = Object.keys(intervals)
export const intervalOf = (type: string): number | null => intervals[type] ?? null

/** Days between two jobs of maintenance of a tower crane or hoist: at least one a month. */
export const maintainDays = 30
/** 日常保养, 一级, 二级保养, 润滑, 年度检修 in dictionary deviceMaintainType; 故障维修 and 部件更换 are no maintenance by plan. */
export const plannedMaintenance: readonly string[] = ['1', '2', '3', '6', '7']

const dayMs = 86_400_000
const after = (day: string, days: number): string => new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** The day of the next check of this kind (yyyy-MM-dd); null without an interval. */
export function nextCheck(type: string, day: string): string | null {
  const days = intervalOf(type)
  return days === null ? null : after(day, days)
}
export const nextMaintenance = (day: string): string => after(day, maintainDays)
