import type { corpStats } from '@zhugong/contract/attendance/stats'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'

type DayRow = OutputFor<typeof corpStats.byDay>['list'][number]

export interface UnitDays {
  key: string
  corpCode: string | null
  teamSysNo: string | null
  name: string
  days: readonly DayRow[]
}

/** Groups rows of days by unit. */
export function unitsOf(rows: readonly DayRow[]): UnitDays[] {
  return [...Map.groupBy(rows, (r) => `${r.corpCode ?? ''}|${r.teamSysNo ?? ''}`)].map(([key, days]) => {
    const { corpCode = null, teamSysNo = null, corpName, teamName } = days[0] ?? {}
    return { key, corpCode, teamSysNo, name: teamName ?? corpName ?? corpCode ?? '全部', days }
  })
}

/** Nobody was expected: a rest day, a stop of work, or a day that has not begun for the unit. */
export const isRest = (d: Pick<DayRow, 'expected' | 'inPlace'>): boolean => d.inPlace > 0 && d.expected === 0

/** Percentage with one decimal; null if `whole` is 0. */
export const percent = (part: number, whole: number): number | null => (whole ? Math.round((part / whole) * 1000) / 10 : null)

/** How steady a team is: mean attendance on working days as a percentage of its best day. Null for fewer than three days. */
export function steadiness(days: readonly DayRow[]): number | null {
  const came = days.filter((d) => !isRest(d) && d.inPlace > 0).map((d) => d.entered)
  const best = Math.max(0, ...came)
  return came.length < 3 || best === 0 ? null : percent(came.reduce((a, b) => a + b, 0) / came.length, best)
}

/** Difference between two rates in percentage points, with an arrow; `--` if one of them is missing. */
export function changeWords(now: number | null, before: number | null | undefined): { text: string; tone: 'up' | 'down' | '' } {
  if (now === null || before === null || before === undefined) return { text: '--', tone: '' }
  const by = Math.round((now - before) * 10) / 10
  return by === 0 ? { text: '持平', tone: '' } : { text: `${by > 0 ? '↑' : '↓'} ${Math.abs(by).toFixed(1)}`, tone: by > 0 ? 'up' : 'down' }
}
