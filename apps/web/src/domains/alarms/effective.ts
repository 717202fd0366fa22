import type { TriggerRow } from '@zhugong/contract/rules/model'
import type { Draft, DraftLevel } from '../rules/public.tsx'

/** The rule in force on one site for each kind of alarm, whether set by the platform, a company or the project. */

export type Difference = 'same' | 'stricter' | 'looser' | 'different'
export type Origin = 'platform' | 'company' | 'project'
export const originWords: Record<Origin | 'device', string> = { platform: '平台', company: '企业', project: '本项目', device: '设备级' }

export interface KeyRow {
  id: string
  family: string
  familyName: string
  alarmKey: string
  label: string
  level: number
  expressible: boolean
  /** The platform's rule, the standard for comparison. */
  base: TriggerRow | undefined
  /** The site's own rule, from a template or written by the site. */
  own: TriggerRow | undefined
  /** The rule in force; undefined = this alarm is off. */
  rule: TriggerRow | undefined
  origin: Origin
  /** Rules for single devices or points, which take precedence there. */
  narrower: TriggerRow[]
  difference: Difference | undefined
  locked: boolean
}

interface Catalogue {
  id: string
  family: string
  familyName: string
  alarmKey: string
  label: string
  level: number
  expressible: boolean
}

export function effectiveRows(catalogue: readonly Catalogue[], rules: readonly TriggerRow[], projectCode: string): KeyRow[] {
  const byKey = Map.groupBy(rules, (rule) => `${rule.family}.${rule.alarmKey}`)
  return catalogue.map((one) => {
    const all = byKey.get(`${one.family}.${one.alarmKey}`) ?? []
    const base = all.find((rule) => rule.projectCode === null && rule.scope.kind === 'global')
    const own = newest(all.filter((rule) => rule.projectCode === projectCode && rule.scope.kind === 'projects'))
    const given = newest(
      all.filter((rule) => rule.projectCode === null && rule.scope.kind === 'projects' && rule.scope.projectCodes.includes(projectCode)),
    )
    const winner = [own, given, base].find((rule) => rule?.enabled)
    const narrower = all.filter((rule) => rule.enabled && rule.scope.kind !== 'global' && rule.scope.kind !== 'projects')
    return {
      id: one.id,
      family: one.family,
      familyName: one.familyName,
      alarmKey: one.alarmKey,
      label: one.label,
      level: one.level,
      expressible: one.expressible,
      base,
      own,
      rule: winner?.off ? undefined : winner,
      origin: winner === undefined || winner.projectCode === null ? 'platform' : winner.templateId ? 'company' : 'project',
      narrower,
      difference: winner && base && winner !== base ? (winner.off ? 'looser' : differenceOf(base.levels, winner.levels)) : undefined,
      locked: base?.locked === true && base.enabled,
    }
  })
}

const newest = (rules: readonly TriggerRow[]): TriggerRow | undefined =>
  [...rules].sort((a, b) => Number(b.enabled) - Number(a.enabled) || b.updateTime.localeCompare(a.updateTime))[0]

type Level = Pick<DraftLevel, 'level' | 'forSeconds' | 'clearForSeconds'> & { condition: Draft }

/** Which direction of a parameter makes a condition stricter (1: smaller, -1: larger). Comparisons take it from their operator. */
const sides: Readonly<Record<string, Readonly<Record<string, 1 | -1>>>> = {
  range: { low: -1, high: 1 },
  constant: { seconds: 1 },
  noData: { seconds: 1 },
  dwell: { seconds: 1 },
  dueDate: { daysBefore: -1 },
  countInWindow: { count: 1, windowSeconds: -1 },
  craneZone: { marginMeters: -1 },
  ratioToAverage: { factor: 1 },
  deviationFromHistory: { absolute: 1 },
}

function together(parts: readonly Difference[]): Difference {
  if (parts.includes('different')) return 'different'
  if (parts.includes('looser')) return 'looser'
  return parts.includes('stricter') ? 'stricter' : 'same'
}

function byNumber(before: unknown, now: unknown, side: 1 | -1): Difference {
  if (before === now) return 'same'
  if (typeof before !== 'number' || typeof now !== 'number') return 'different'
  return (before - now) * side > 0 ? 'stricter' : 'looser'
}

function compareConditions(before: Draft, now: Draft): Difference {
  if (before.type !== now.type) return 'different'
  const sign = String(before.op ?? '').replace('abs', '')
  const side = sign.startsWith('>') ? 1 : sign.startsWith('<') ? -1 : undefined
  const parts: Difference[] = []
  for (const key of new Set([...Object.keys(before), ...Object.keys(now)])) {
    if (key === 'of' || key === 'clearValue') continue
    const turn = sides[before.type]?.[key] ?? (side && (key === 'value' || key === 'factor') ? side : undefined)
    if (turn) parts.push(byNumber(before[key], now[key], turn))
    else if (JSON.stringify(before[key]) !== JSON.stringify(now[key])) parts.push('different')
  }
  const [inside, outside] = [before.of ?? [], now.of ?? []]
  if (inside.length !== outside.length) return 'different'
  inside.forEach((one, i) => {
    const other = outside[i]
    if (!other) return
    const found = compareConditions(one, other)
    parts.push(before.type !== 'not' ? found : found === 'stricter' ? 'looser' : found === 'looser' ? 'stricter' : found)
  })
  return together(parts)
}

/** Compares a site's levels with the standard's: stricter if they fire earlier. Every standard level must have a counterpart. */
export function differenceOf(standard: readonly object[], given: readonly object[]): Difference {
  const [before, now] = [standard as readonly Level[], given as readonly Level[]]
  const parts = before.map((level): Difference => {
    const answers = now
      .filter((one) => one.level <= level.level)
      .map((one) =>
        together([
          compareConditions(level.condition, one.condition),
          byNumber(level.forSeconds ?? 0, one.forSeconds ?? 0, 1),
          one.level < level.level ? 'stricter' : 'same',
        ]),
      )
    return answers.find((one) => one === 'same') ?? answers.find((one) => one === 'stricter') ?? answers[0] ?? 'looser'
  })
  if (now.length > before.length) parts.push('stricter')
  return together(parts)
}
