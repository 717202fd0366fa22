import { AppError } from '@zhugong/contract/kit/errors'
import type { RuleCondition } from '@zhugong/contract/rules/conditions'
import { innerOf } from '@zhugong/contract/rules/conditions'
import { namesIn, parseExpression } from '@zhugong/contract/rules/expression'
import type { Family } from '@zhugong/contract/telemetry/families'
import { lookedAt, mostLookedAt } from './cost.ts'
import type { RuleLevel } from './evaluate.ts'
import { compareConditions } from './strictness.ts'
import { fieldOf } from './trigger.ts'
import type { RuleOptions } from './trigger-parts.ts'

/** The optional parts of a rule as stored. */
export function optionsOf(body: { [K in keyof RuleOptions]?: RuleOptions[K] | null | undefined }): RuleOptions {
  const { on, onlyWhen, maxGapSeconds, minConfidence, confirmSamples, daySeconds, noDataSeconds, off } = body
  const all = { on, onlyWhen, maxGapSeconds, minConfidence, confirmSamples, daySeconds, noDataSeconds, off: off || undefined }
  return Object.fromEntries(Object.entries(all).filter(([, v]) => v !== undefined && v !== null && v !== '')) as RuleOptions
}

const levelWords: Record<number, string> = { 1: '一级', 2: '二级', 3: '三级', 4: '四级' }
/** Names in expressions that stand for one metric per phase. */
const phaseNames = new Set(['v', 'i'])
/** Fields used by conditions besides the family's metrics. */
const positions = new Set(['longitude', 'latitude', 'speed'])

/**
 * Checks that a rule makes sense for its family: metrics exist, limits can be reached, levels are ordered.
 * @throws AppError with the field at fault.
 */
export function checkMeaning(
  family: Family,
  rule: {
    levels: readonly { level: number; condition: RuleCondition; clear?: RuleCondition | undefined; forSeconds?: number | undefined }[]
    options: RuleOptions
  },
  place = '',
): void {
  const { on, onlyWhen } = rule.options
  if (on !== undefined && !family.record(on)) throw new AppError('invalidInput', `${family.name}没有“${on}”记录`, { field: `${place}on` })
  const known = (metric: string) => fieldOf(family, on, metric) !== undefined
  for (const metric of Object.keys(onlyWhen ?? {})) {
    if (!known(metric)) throw new AppError('invalidInput', `${family.name}没有指标“${metric}”`, { field: `${place}onlyWhen` })
  }
  for (const [i, level] of rule.levels.entries()) {
    checkCondition(family, on, level.condition, `${place}levels.${i}.condition`)
    if (level.clear) checkCondition(family, on, level.clear, `${place}levels.${i}.clear`)
  }
  checkCost(family, rule.levels, place)
  checkOrder(rule.levels as readonly RuleLevel[], place)
}

/** Refuses rules whose windows need too many readings, naming the most expensive level. */
function checkCost(
  family: Family,
  levels: readonly { condition: RuleCondition; clear?: RuleCondition | undefined }[],
  place: string,
): void {
  const costs = levels.map((l) => lookedAt(l.clear ? [l.condition, l.clear] : [l.condition], family.intervalSeconds))
  const sum = costs.reduce((a, b) => a + b, 0)
  if (sum <= mostLookedAt) return
  const hours = Math.floor((mostLookedAt * family.intervalSeconds) / 360) / 10
  throw new AppError(
    'invalidInput',
    `统计窗口过长：${family.name}每 ${family.intervalSeconds} 秒一个读数，一条规则的窗口合计最多 ${mostLookedAt} 个读数（约 ${hours} 小时）`,
    { field: `${place}levels.${costs.indexOf(Math.max(...costs))}.condition` },
  )
}

function checkCondition(family: Family, on: string | undefined, c: RuleCondition, field: string): void {
  const refuse = (message: string): never => {
    throw new AppError('invalidInput', message, { field })
  }
  const metrics: string[] = []
  if ('metric' in c && c.metric) metrics.push(c.metric)
  if ('fallbackMetric' in c && c.fallbackMetric) metrics.push(c.fallbackMetric)
  if (c.type === 'ratioToAverage') metrics.push(...c.metrics)
  for (const metric of metrics) {
    if (!fieldOf(family, on, metric) && !positions.has(metric)) refuse(`${family.name}没有指标“${metric}”`)
  }
  if (c.type === 'expression') {
    for (const name of namesIn(parseExpression(c.expr))) {
      const isKnown = fieldOf(family, on, name) ?? family.params.find((p) => p.key === name)
      if (!isKnown && !phaseNames.has(name)) refuse(`表达式中的“${name}”既不是指标也不是设备参数`)
    }
  }
  if (c.type === 'threshold' && c.value !== undefined && c.window !== 'sum') {
    const metric = fieldOf(family, on, c.metric)
    const absolute = c.op.startsWith('abs')
    const [min, max] = [
      absolute ? undefined : metric?.min,
      absolute ? Math.max(Math.abs(metric?.min ?? 0), metric?.max ?? Number.POSITIVE_INFINITY) : metric?.max,
    ]
    // Values beyond the plausible range are marked outOfRange and never trigger.
    if ((min !== undefined && c.value < min) || (max !== undefined && c.value > max)) {
      refuse(`${metric?.label}的阈值应在 ${metric?.min ?? '-∞'} 到 ${metric?.max ?? '+∞'} ${metric?.unit ?? ''}之间`)
    }
  }
  const params = [...('param' in c && c.param !== undefined ? [c.param] : []), ...Object.keys(('byParam' in c && c.byParam) || {})]
  for (const param of params) if (!family.params.some((p) => p.key === param)) refuse(`${family.name}没有设备参数“${param}”`)
  for (const inner of innerOf(c)) checkCondition(family, on, inner, field)
}

/** A more serious level must not be easier to reach than a less serious one. */
function checkOrder(levels: readonly RuleLevel[], place: string): void {
  const sorted = [...levels].sort((a, b) => a.level - b.level)
  for (let i = 1; i < sorted.length; i++) {
    const [worse, lesser] = [sorted[i - 1] as RuleLevel, sorted[i] as RuleLevel]
    const stands = compareConditions(lesser.condition, worse.condition)
    const sooner = (worse.forSeconds ?? 0) < (lesser.forSeconds ?? 0)
    if (stands === 'stricter' || (stands === 'same' && sooner)) {
      throw new AppError('invalidInput', `${levelWords[worse.level]}的条件不能比${levelWords[lesser.level]}更容易达到`, {
        field: `${place}levels.${levels.indexOf(worse)}.condition`,
      })
    }
  }
}
