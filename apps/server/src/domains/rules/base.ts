import { dayMs } from '@zhugong/contract/kit/time'
import { checkCondition, operators, type RuleCondition } from '@zhugong/contract/rules/conditions'
import { type AlarmKind, type Family, families } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { projectsFor } from '#kit/context'
import { pick } from '#kit/pick'

import type { ListContext } from '../exports/registry.ts'
import { metricsOf } from './conditions.ts'
import { defaultInWords, defaultRuleId, isExpressible } from './defaults.ts'
import { sourceInWords } from './sources.ts'
import type { StoredLevel, StoredSchedule } from './tables.ts'
import { fieldOf } from './trigger.ts'
import type { RuleOptions } from './trigger-parts.ts'
import { summaryOf } from './trigger-store.ts'

interface Standard {
  id: string
  enabled: boolean
  locked: boolean
  levels: StoredLevel[]
  schedule: StoredSchedule
  options: RuleOptions
  family: string
  overriding: number
  fired: number
  falses: number
}

/**
 * The alarm catalogue with the standard rule and statistics of each alarm, as a settings table. Statistics cover 30 days and the user's
 * projects.
 */
export async function ruleBaseOf(
  ctx: ListContext,
  query: { family?: string[] | undefined; alarmKey?: string[] | undefined; level?: string[] | undefined; label?: string | undefined },
  slice: { limit: number; offset: number },
) {
  const all = families
    .filter((f) => !query.family?.length || query.family.includes(f.key) || query.family.includes(String(f.code)))
    .flatMap((family) => family.alarms.map((alarm) => ({ family, alarm })))
    .filter(({ alarm }) => !query.alarmKey?.length || query.alarmKey.includes(alarm.key))
    .filter(({ alarm }) => !query.level?.length || query.level.includes(String(alarm.level)))
    .filter(({ alarm }) => !query.label || alarm.label.includes(query.label))
    .sort((a, b) => families.indexOf(a.family) - families.indexOf(b.family) || a.alarm.level - b.alarm.level)
  const page = all.slice(slice.offset, slice.offset + slice.limit)
  const ids = page.map(({ family, alarm }) => defaultRuleId(family.key, alarm.key))
  const projects = projectsFor(ctx)
  const mine = projects ? sql`= any (${[...projects]})` : sql`is not null`
  const { rows } = await sql<Standard>`
    select t.id, t.enabled, t.locked, t.levels, t.schedule, t.options, t.family,
      (select count(distinct o.project_code)::int from rule_trigger o where o.family = t.family and o.alarm_key = t.alarm_key and o.project_code ${mine}) as overriding,
      (select count(*)::int from alarm a where a.family = t.family and a.alarm_key = t.alarm_key and not a.simulated and not a.historical
        and a.start_time > ${new Date(ctx.clock.now() - 30 * dayMs)} and a.project_code ${mine}) as fired,
      (select count(*)::int from alarm a where a.family = t.family and a.alarm_key = t.alarm_key and a.state = 'false' and not a.simulated
        and a.start_time > ${new Date(ctx.clock.now() - 30 * dayMs)} and a.project_code ${mine}) as falses
    from rule_trigger t where t.id = any (${ids})`.execute(ctx.db)
  const byId = new Map(rows.map((r) => [r.id, r]))
  return { list: page.map((one) => toBase(one.family, one.alarm, byId)), total: all.length }
}

/** Condition types with a selectable operator. */
const compared = new Set(['threshold', 'rate', 'countInArea', 'craneClearance'])

function toBase(family: Family, alarm: AlarmKind, standards: ReadonlyMap<string, Standard>) {
  const condition: RuleCondition | undefined = checkCondition(alarm.condition).condition
  const metric = condition ? (metricsOf(condition)[0] ?? null) : null
  const field = metric ? fieldOf(family, alarm.on, metric) : undefined
  const standard = standards.get(defaultRuleId(family.key, alarm.key))
  return {
    id: `${family.key}.${alarm.key}`,
    family: family.key,
    familyName: family.name,
    alarmKey: alarm.key,
    ...pick(alarm, 'label', 'level', 'defaultThreshold'),
    kind: alarm.condition.type,
    metric,
    metricLabel: field?.label ?? null,
    unit: field?.unit ?? '',
    operators: compared.has(alarm.condition.type) ? [...operators] : [],
    params: family.params.filter((p) => p.type === 'number' || p.type === 'integer').map(({ key, label, unit }) => ({ key, label, unit })),
    condition: (condition ?? alarm.condition) as Record<string, unknown> & { type: string },
    forSeconds: alarm.forSeconds ?? 0,
    clearForSeconds: alarm.clearForSeconds ?? 0,
    schedule: (alarm.schedule ?? null) as StoredSchedule,
    on: alarm.on ?? null,
    onlyWhen: alarm.onlyWhen ? { ...alarm.onlyWhen } : null,
    text: defaultInWords(alarm, family.key),
    source: sourceInWords(alarm.source),
    confidence: (alarm as AlarmKind & { confidence?: string }).confidence ?? 'design',
    expressible: isExpressible(alarm),
    triggerId: standard?.id ?? null,
    enabled: standard?.enabled ?? false,
    locked: standard?.locked ?? false,
    currentText: standard ? summaryOf(standard) : null,
    projectsOverriding: standard?.overriding ?? 0,
    fired30d: standard?.fired ?? 0,
    precision: standard?.fired ? Math.round(((standard.fired - standard.falses) / standard.fired) * 1000) / 10 : null,
  }
}
