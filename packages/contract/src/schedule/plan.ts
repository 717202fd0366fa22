import { dayMs } from '../kit/time.ts'

/** Dictionary scheduleState. */
export const scheduleStates = { ahead: '4', done: '5', late: '2', normal: '1', notStarted: '0', severe: '3', stopped: '6' } as const
export type ScheduleState = (typeof scheduleStates)[keyof typeof scheduleStates]

/** Days of delay above which a task is 滞后, and needs a reason. */
export const lateDays = 7
/** Days above which it is 严重滞后: the company is told, and the project's risk rises. */
export const severeDays = 30
/** A task more than a week before its plan is 提前. */
const aheadDays = 7
const whole = 100
/** Weights have two decimals; a sum that differs by less is a rounding. */
const roundedBy = 0.011

/** Days during which the site stands still; `until`, the first day of work again, is null while it lasts. */
export interface StopSpan {
  from: string
  until: string | null
}

export interface PlannedTask {
  id: string
  parentId: string | null
  weight: number
  critical: boolean
  planStart: string
  planEnd: string
  actualStart: string | null
  actualEnd: string | null
  percent: number
}

export interface JudgedTask extends PlannedTask {
  leaf: boolean
  planPercent: number
  delayDays: number
  state: ScheduleState
  /** Sum of the weights of its children where that is not 100. */
  weightSum: number | null
}

export const dayNumber = (day: string): number => Math.round(Date.parse(`${day}T00:00:00Z`) / dayMs)
export const dayOf = (n: number): string => new Date(n * dayMs).toISOString().slice(0, 10)
export const shiftDay = (day: string, days: number): string => dayOf(dayNumber(day) + days)

/** Days that the site stood still up to and including a day. Spans may overlap. */
export function stoppedDays(upTo: string, stops: readonly StopSpan[]): number {
  const last = dayNumber(upTo) + 1
  const spans = stops
    .map(({ from, until }) => [dayNumber(from), Math.min(until === null ? last : dayNumber(until), last)] as const)
    .filter(([from, until]) => until > from)
    .sort((a, b) => a[0] - b[0])
  let [days, covered] = [0, Number.NEGATIVE_INFINITY]
  for (const [from, until] of spans) {
    days += Math.max(0, until - Math.max(from, covered))
    covered = Math.max(covered, until)
  }
  return days
}

/** A day of the calendar as a day of the plan: a stop delays nothing, the plan waits for it. */
const planDay = (day: string, stops: readonly StopSpan[]): number => dayNumber(day) - stoppedDays(day, stops)

type Dates = Pick<PlannedTask, 'planStart' | 'planEnd'>
const durationOf = ({ planStart, planEnd }: Dates): number => dayNumber(planEnd) - dayNumber(planStart) + 1

/** How much of a task should be finished at the end of a day: evenly over its planned days. */
export const planPercentOf = (task: Dates, day: string, stops: readonly StopSpan[]): number =>
  plannedOn(planDay(day, stops), dayNumber(task.planStart), durationOf(task))

const plannedOn = (now: number, start: number, duration: number): number =>
  Math.min(whole, Math.max(0, ((now - start + 1) / duration) * whole))

/**
 * Days that a task is behind its plan; negative when ahead. A finished task is compared by its last day, a running one by the day on which
 * the plan reaches its percentage, one that has not begun by its first day. Today counts from tomorrow on.
 */
export function delayOf(
  task: Omit<PlannedTask, 'id' | 'parentId' | 'weight' | 'critical'>,
  today: string,
  stops: readonly StopSpan[],
): number {
  if (task.actualEnd !== null) return planDay(task.actualEnd, stops) - dayNumber(task.planEnd)
  const passed = planDay(shiftDay(today, -1), stops) - dayNumber(task.planStart) + 1
  const behind = passed - (task.percent / whole) * durationOf(task)
  const days = Math.trunc(behind)
  // What has not begun before its day is not ahead.
  return task.actualStart === null ? Math.max(0, days) : days
}

export function stateOf(task: Pick<PlannedTask, 'percent' | 'actualStart'>, delay: number, stopped: boolean): ScheduleState {
  if (task.percent >= whole) return scheduleStates.done
  if (stopped) return scheduleStates.stopped
  if (delay > severeDays) return scheduleStates.severe
  if (delay > lateDays) return scheduleStates.late
  if (task.actualStart === null) return scheduleStates.notStarted
  return delay < -aheadDays ? scheduleStates.ahead : scheduleStates.normal
}

const round = (n: number): number => Math.round(n * 100) / 100

/** Children by parent; the roots by null. A task whose parent is not among them is a root. */
export function childrenOf<T extends { id: string; parentId: string | null }>(tasks: readonly T[]): Map<string | null, T[]> {
  const known = new Set(tasks.map((one) => one.id))
  return Map.groupBy(tasks, (one) => (one.parentId !== null && known.has(one.parentId) ? one.parentId : null))
}

/** Share of the whole that every leaf has: its weight among its siblings, times that of its parent. Together they are 1. */
export function leafShares(tasks: readonly Pick<PlannedTask, 'id' | 'parentId' | 'weight'>[]): Map<string, number> {
  const children = childrenOf(tasks)
  const shares = new Map<string, number>()
  const spread = (parent: string | null, share: number) => {
    const some = children.get(parent) ?? []
    const sum = some.reduce((total, one) => total + one.weight, 0)
    for (const one of some) {
      const own = share * (sum > 0 ? one.weight / sum : 1 / some.length)
      if (children.has(one.id)) spread(one.id, own)
      else shares.set(one.id, own)
    }
  }
  spread(null, 1)
  return shares
}

/** Finished share of some tasks, by their weights. */
export function percentOf(tasks: readonly Pick<PlannedTask, 'id' | 'parentId' | 'weight' | 'percent'>[]): number {
  const shares = leafShares(tasks)
  return round(tasks.reduce((sum, one) => sum + one.percent * (shares.get(one.id) ?? 0), 0))
}

export interface ScheduleFigures {
  planPercent: number
  percent: number
  /** The worst of the tasks that are not finished. */
  delayDays: number
  /** Days by which the last task will end late if nothing changes. */
  finishDeviation: number
  planStart: string
  planEnd: string
  late: number
  severe: number
  state: ScheduleState
}

export interface PlanNow {
  today: string
  stops: readonly StopSpan[]
}

/** Judges every task of a tree: leaves by what was reported, the others from their leaves. Null figures: nothing is planned. */
export function judge(tasks: readonly PlannedTask[], { today, stops }: PlanNow): { tasks: JudgedTask[]; figures: ScheduleFigures | null } {
  const stopped = stops.some((one) => one.from <= today && (one.until === null || one.until > today))
  const children = childrenOf(tasks)
  const judged = new Map<string, JudgedTask>()
  const visit = (task: PlannedTask): JudgedTask => {
    const below = (children.get(task.id) ?? []).map(visit)
    const one = below.length === 0 ? judgeLeaf(task, { today, stops }, stopped) : gather(task, below, { today, stops }, stopped)
    judged.set(task.id, one)
    return one
  }
  const roots = (children.get(null) ?? []).map(visit)
  const list = tasks.flatMap((one) => judged.get(one.id) ?? [])
  return { tasks: list, figures: roots.length === 0 ? null : figuresOf(list, roots, stopped) }
}

function judgeLeaf(task: PlannedTask, { today, stops }: PlanNow, stopped: boolean): JudgedTask {
  const delayDays = delayOf(task, today, stops)
  const planPercent = round(planPercentOf(task, today, stops))
  return { ...task, leaf: true, planPercent, delayDays, state: stateOf(task, delayDays, stopped), weightSum: null }
}

function gather(task: PlannedTask, below: readonly JudgedTask[], { stops }: PlanNow, stopped: boolean): JudgedTask {
  const sum = below.reduce((total, one) => total + one.weight, 0)
  const weigh = (of: (one: JudgedTask) => number) =>
    round(below.reduce((total, one) => total + of(one) * (sum > 0 ? one.weight / sum : 1 / below.length), 0))
  const done = below.every((one) => one.actualEnd !== null)
  const starts = below.flatMap((one) => one.actualStart ?? []).sort()
  const actualEnd = done ? last(below.flatMap((one) => one.actualEnd ?? [])) : null
  const planEnd = last(below.map((one) => one.planEnd)) ?? task.planEnd
  const open = below.filter((one) => one.actualEnd === null)
  const gathered = {
    ...task,
    planStart: below.map((one) => one.planStart).sort()[0] ?? task.planStart,
    planEnd,
    actualStart: starts[0] ?? null,
    actualEnd: actualEnd ?? null,
    percent: done
      ? whole
      : Math.min(
          weigh((one) => one.percent),
          whole - 0.01,
        ),
  }
  const delayDays = actualEnd ? planDay(actualEnd, stops) - dayNumber(planEnd) : Math.max(...open.map((one) => one.delayDays))
  return {
    ...gathered,
    leaf: false,
    planPercent: weigh((one) => one.planPercent),
    delayDays,
    state: stateOf(gathered, delayDays, stopped),
    weightSum: Math.abs(sum - whole) > roundedBy ? round(sum) : null,
  }
}

const last = (days: readonly string[]): string | undefined => [...days].sort().at(-1)

function figuresOf(list: readonly JudgedTask[], roots: readonly JudgedTask[], stopped: boolean): ScheduleFigures {
  const leaves = list.filter((one) => one.leaf)
  const open = leaves.filter((one) => one.actualEnd === null)
  const shares = leafShares(list)
  const total = (of: (one: JudgedTask) => number) => round(leaves.reduce((sum, one) => sum + of(one) * (shares.get(one.id) ?? 0), 0))
  const planEnd = last(roots.map((one) => one.planEnd)) ?? ''
  const delayDays = open.length === 0 ? 0 : Math.max(0, ...open.map((one) => one.delayDays))
  const percent =
    open.length === 0
      ? whole
      : Math.min(
          total((one) => one.percent),
          whole - 0.01,
        )
  const started = leaves.flatMap((one) => one.actualStart ?? [])[0] ?? null
  // A critical task passes its whole delay on to the end; another one only what exceeds its float.
  const ends = open.map((one) =>
    Math.max(dayNumber(one.planEnd) + Math.max(0, one.delayDays), one.critical ? dayNumber(planEnd) + one.delayDays : 0),
  )
  return {
    planPercent: total((one) => one.planPercent),
    percent,
    delayDays,
    finishDeviation: open.length === 0 ? 0 : Math.max(...ends) - dayNumber(planEnd),
    planStart: roots.map((one) => one.planStart).sort()[0] ?? '',
    planEnd,
    late: open.filter((one) => one.state === scheduleStates.late).length,
    severe: open.filter((one) => one.state === scheduleStates.severe).length,
    state: stateOf({ percent, actualStart: started }, delayDays, stopped),
  }
}

export interface ReportedPercent {
  taskId: string
  day: string
  percent: number
}

const week = 7
/** Points of a curve; a plan of several years is drawn by longer steps. */
const mostPoints = 120

/** The S-curve: planned and reported share of the whole on the days between the first and the last; what lies ahead has no actual value. */
export function curveOf(
  tasks: readonly PlannedTask[],
  reports: readonly ReportedPercent[],
  { today, stops }: PlanNow,
): { day: string; plan: number; actual: number | null }[] {
  const shares = leafShares(tasks)
  const leaves = tasks.filter((one) => shares.has(one.id))
  if (leaves.length === 0) return []
  const starts = leaves.flatMap((one) => [one.planStart, one.actualStart ?? one.planStart])
  const [from, to] = [Math.min(...starts.map(dayNumber)), Math.max(...leaves.map((one) => dayNumber(one.planEnd)))]
  const now = dayNumber(today)
  const end = now > from ? Math.max(to, now) : to
  const step = week * Math.ceil((end - from + 1) / (week * mostPoints))
  const days = new Set<number>([end, ...(now >= from && now <= end ? [now] : [])])
  for (let day = from; day < end; day += step) days.add(day)
  const byTask = Map.groupBy(
    [...reports].sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)),
    (one) => one.taskId,
  )
  // What is the same on every day is worked out once: a plan has hundreds of tasks, its curve a hundred days.
  const drawn = leaves.map((one) => ({
    share: shares.get(one.id) ?? 0,
    start: dayNumber(one.planStart),
    duration: durationOf(one),
    reports: byTask.get(one.id) ?? [],
  }))
  return [...days]
    .sort((a, b) => a - b)
    .map((n) => {
      const day = dayOf(n)
      const at = planDay(day, stops)
      const sum = (of: (one: (typeof drawn)[number]) => number) => round(drawn.reduce((total, one) => total + of(one) * one.share, 0))
      return {
        day,
        plan: sum(({ start, duration }) => plannedOn(at, start, duration)),
        actual: n > now ? null : sum(({ reports }) => reports.findLast((report) => report.day <= day)?.percent ?? 0),
      }
    })
}
