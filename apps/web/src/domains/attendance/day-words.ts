/** State of a day that has no results (yet). */
export interface BareDay {
  /** The day is not settled yet. */
  open: boolean
  came: boolean
  expected: boolean
  inside: boolean
  /** Rest day of the whole site. */
  rest?: boolean | undefined
}

/** Describes a day without results. 未到 only applies to people who are expected, as in the tab 未到. */
export function bareDayWords({ open, came, expected, inside, rest }: BareDay): string {
  if (!came && expected) return '未到'
  if (!came && rest) return '休息'
  if (!open || !came) return '不考核'
  return inside ? '场内' : '已出场'
}

/** Attendance rate of a day, or why there is none. */
export function rateWords(day: { expected: number; attended: number; rate: number | null; rest: boolean } | undefined): string | undefined {
  if (!day) return undefined
  if (day.rest) return '休息或停工，不计出勤率'
  return day.rate === null ? '今日无应到人员' : `${day.attended} / ${day.expected}，出勤率 ${day.rate.toFixed(2)}%`
}

/** Corrections that may be requested for a day: none of a kind that is already pending, and none while a leave is pending. */
export function askable(waiting: readonly { kind: string }[]): ('add' | 'leave')[] {
  const wanted = new Set(waiting.map((fix) => fix.kind))
  return wanted.has('leave') ? [] : wanted.has('add') ? ['leave'] : ['add', 'leave']
}

/** Who confirmed a team's month, and on whose behalf. */
export const confirmedWords = (team: { confirmedName: string | null; confirmedFor: string | null; confirmedAt: string | null }): string =>
  [`${team.confirmedName ?? ''}${team.confirmedFor ? ` 代班组长${team.confirmedFor}` : ''}确认`, team.confirmedAt?.slice(5, 16)]
    .join(' ')
    .trim()
