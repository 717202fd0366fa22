import { delayOf, lateDays, type PlanNow, type PlannedTask } from './plan.ts'

const whole = 100

export interface ProgressReport {
  percent: number
  actualStart: string | null
  actualEnd: string | null
  reason: string
}

/** What is wrong with a report; undefined: nothing. `before` is the task as it was last reported. */
export function reportFault(
  before: Pick<PlannedTask, 'planStart' | 'planEnd' | 'percent'> & { delayReason: string | null },
  given: ProgressReport,
  { today, stops }: PlanNow,
): { field: 'percent' | 'actualStart' | 'actualEnd' | 'reason'; message: string } | undefined {
  const { percent, actualStart, actualEnd, reason } = given
  if (percent > 0 && actualStart === null) return { field: 'actualStart', message: '已有进度，请填写实际开始' }
  if (actualStart !== null && actualStart > today) return { field: 'actualStart', message: '实际开始不能晚于今天' }
  if (percent >= whole && actualEnd === null) return { field: 'actualEnd', message: '完成 100% 时请填写实际结束' }
  if (actualEnd !== null && percent < whole) return { field: 'percent', message: '已有实际结束，完成百分比应为 100' }
  if (actualEnd !== null && actualEnd > today) return { field: 'actualEnd', message: '实际结束不能晚于今天' }
  if (actualEnd !== null && actualStart !== null && actualEnd < actualStart)
    return { field: 'actualEnd', message: '实际结束不能早于实际开始' }
  if (percent < before.percent && reason === '') return { field: 'reason', message: `比上次的 ${before.percent}% 低，请说明原因` }
  const delay = delayOf({ ...before, ...given }, today, stops)
  if (delay > lateDays && reason === '' && !before.delayReason)
    return { field: 'reason', message: `滞后 ${delay} 天，超过 ${lateDays} 天请填写滞后原因` }
  return undefined
}

const byWords: readonly (readonly [RegExp, string])[] = [
  [/竣工验收|竣工|预验收/, '6'],
  [/室外|园林|绿化|道路|总平/, '5'],
  [/砌筑|砌体|抹灰|装饰|装修|安装|门窗|幕墙|防水|涂料|电梯|机电|消防|调试/, '4'],
  [/主体|结构|层|屋面|封顶|钢构/, '3'],
  [/桩|基坑|地基|基础|垫层|筏板|承台|土方|地下/, '2'],
  [/准备|临建|场地|三通一平|进场/, '1'],
]
/** The stage of the works (dictionary projectPhase) that a task's name speaks of; null when it says nothing. */
export function phaseOfName(name: string): string | null {
  // 地下 of 地下室 comes before 层.
  if (/地下/.test(name) && !/装|防水|安装/.test(name)) return '2'
  return byWords.find(([words]) => words.test(name))?.[1] ?? null
}

/** The furthest stage that has begun; 已竣工 when everything is finished. Null: nothing has begun. */
export function phaseReached(tasks: readonly (Pick<PlannedTask, 'actualStart' | 'actualEnd'> & { phase: string | null })[]): string | null {
  if (tasks.length > 0 && tasks.every((one) => one.actualEnd !== null)) return '7'
  return (
    tasks
      .flatMap((one) => (one.actualStart !== null && one.phase !== null ? [one.phase] : []))
      .sort()
      .at(-1) ?? null
  )
}
