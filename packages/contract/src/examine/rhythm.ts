/** 检查形式 of a site's own scored checks. */
export const rounds = { daily: '1', weekly: '2', monthly: '3', leader: '4' } as const
export type Round = (typeof rounds)[keyof typeof rounds]
export const roundCodes = [rounds.daily, rounds.weekly, rounds.monthly, rounds.leader] as const
export const roundNames: Readonly<Record<Round, string>> = { 1: '日巡查', 2: '周检', 3: '月检', 4: '领导带班检查' }

export interface RoundDue {
  round: Round
  /** Checks of this form that the week asks for. */
  due: number
  /** Of these, held. */
  done: number
  /** Should have been held before today. */
  missed: number
}

const daysOfWeek = 7
const dayMs = 86_400_000
const at = (day: string): number => Date.parse(`${day}T00:00:00Z`)
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** Monday to Sunday around a day; days are yyyy-MM-dd. */
export function weekOf(day: string): string[] {
  const monday = at(day) - ((new Date(at(day)).getUTCDay() + 6) % daysOfWeek) * dayMs
  return Array.from({ length: daysOfWeek }, (_, i) => dayOf(monday + i * dayMs))
}

/**
 * What the week of `today` asks of a site: a patrol every day, one weekly check, one round of the leader on duty, and the monthly check in the
 * week in which the month ends, unless it was held before. `held`: the checks of the month and of the week, in any order.
 */
export function rhythmOf(held: readonly { round: Round; day: string }[], today: string): RoundDue[] {
  const week = weekOf(today)
  const [monday = today, sunday = today] = [week[0], week[daysOfWeek - 1]]
  const daysOf = (round: Round) => new Set(held.filter((one) => one.round === round).map((one) => one.day))
  const inWeek = (round: Round) => [...daysOf(round)].filter((day) => day >= monday && day <= sunday).length
  const once = (round: Round): RoundDue => ({ round, due: 1, done: Math.min(1, inWeek(round)), missed: 0 })
  const patrolled = daysOf(rounds.daily)
  return [
    {
      round: rounds.daily,
      due: daysOfWeek,
      done: inWeek(rounds.daily),
      missed: week.filter((day) => day < today && !patrolled.has(day)).length,
    },
    once(rounds.weekly),
    monthly(daysOf(rounds.monthly), monday, sunday, today),
    once(rounds.leader),
  ]
}

function monthly(days: ReadonlySet<string>, monday: string, sunday: string, today: string): RoundDue {
  const month = monday.slice(0, 7)
  const last = lastDayOf(month)
  const before = [...days].some((day) => day < monday && day.startsWith(month))
  const within = [...days].some((day) => day >= monday && day <= sunday)
  const isDue = !before && (within || last <= sunday)
  const done = isDue && within ? 1 : 0
  return { round: rounds.monthly, due: isDue ? 1 : 0, done, missed: isDue && done === 0 && last < today ? 1 : 0 }
}

/** `month`: yyyy-MM. */
function lastDayOf(month: string): string {
  const [year = 0, of = 1] = month.split('-').map(Number)
  return dayOf(Date.UTC(year, of, 0))
}
