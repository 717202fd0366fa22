import type { InputFor, OutputFor } from '@zhugong/contract/kit/endpoint'
import type { createTrigger, getTrigger } from '@zhugong/contract/rules/endpoints'
import type { FamilyView } from '@zhugong/contract/telemetry/model'
import { type DraftLevel, emptyCondition, isGroup, type Schedule } from './condition-words.ts'
import { orderProblems, withClear } from './level-checks.ts'

type Body = NonNullable<InputFor<typeof createTrigger>['body']>

/** Unsaved rule in the editor. */
export interface RuleDraft {
  name: string
  family: string
  alarmKey: string | undefined
  /** Device ids; empty for all of the family. */
  devices: string[]
  levels: DraftLevel[]
  schedule: Schedule
  on: string | null
  onlyWhen: Body['onlyWhen'] | null
  execIds: string[]
  /** Fields that the editor does not show and leaves unchanged. */
  kept: Pick<Body, 'maxGapSeconds' | 'minConfidence' | 'confirmSamples' | 'daySeconds' | 'noDataSeconds' | 'scope'>
}

export const freshRule = (): RuleDraft => ({
  name: '',
  family: '',
  alarmKey: undefined,
  devices: [],
  levels: [{ level: 2, condition: emptyCondition('threshold'), forSeconds: 10 }],
  schedule: null,
  on: null,
  onlyWhen: null,
  execIds: [],
  kept: {},
})

type Single = Extract<OutputFor<typeof getTrigger>, { template: false }>

/** Converts a saved rule to a draft; a copy gets a new name. */
export function ruleOf(saved: Single, isSame: boolean): RuleDraft {
  return {
    name: isSame ? saved.name : `${saved.name} 副本`,
    family: saved.family,
    alarmKey: saved.alarmKey,
    devices: saved.scope.kind === 'devices' ? saved.scope.deviceIds : [],
    levels: saved.levels.map(({ text: _, ...level }) => level as unknown as DraftLevel),
    schedule: saved.schedule as Schedule,
    on: saved.on,
    onlyWhen: saved.onlyWhen,
    execIds: saved.execIds,
    kept: {
      maxGapSeconds: saved.maxGapSeconds,
      minConfidence: saved.minConfidence,
      confirmSamples: saved.confirmSamples,
      daySeconds: saved.daySeconds,
      noDataSeconds: saved.noDataSeconds,
      scope: saved.scope.kind === 'devices' ? undefined : saved.scope,
    },
  }
}

/** Request body of a rule; `projectCode` for a new rule of one site. */
export const bodyOfRule = (rule: RuleDraft, projectCode: string | undefined, levels: readonly DraftLevel[] = rule.levels) => ({
  ...rule.kept,
  name: rule.name.trim(),
  family: rule.family,
  alarmKey: rule.alarmKey || undefined,
  levels: levels.map((level) => withClear(level)),
  schedule: rule.schedule,
  on: rule.on,
  onlyWhen: rule.onlyWhen,
  execIds: rule.execIds,
  scope: rule.devices.length > 0 ? { kind: 'devices' as const, deviceIds: rule.devices } : undefined,
  projectCode,
})

/** Errors by path in the body: limits outside the range of the metric, and levels in the wrong order. */
export function levelProblems(levels: readonly DraftLevel[], family: FamilyView | undefined): Record<string, string> {
  const wrong: Record<string, string> = {}
  levels.forEach(({ condition }, i) => {
    const metric = isGroup(condition.type) ? undefined : family?.metrics.find((m) => m.key === condition.metric)
    const { value } = condition
    if (!metric || typeof value !== 'number' || condition.type !== 'threshold') return
    const at = `levels.${i}.condition.value`
    if (metric.max !== undefined && value > metric.max) wrong[at] = `超出${metric.label}的量程上限 ${metric.max} ${metric.unit}`
    if (metric.min !== undefined && value < metric.min && !String(condition.op).startsWith('abs'))
      wrong[at] = `低于${metric.label}的量程下限 ${metric.min} ${metric.unit}`
  })
  for (const [i, problem] of orderProblems(levels)) wrong[`levels.${i}.condition.value`] ??= problem
  return wrong
}
