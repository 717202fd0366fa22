import { type AlarmKind, type Family, families } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import type { Db } from '#kit/db'
import { canEvaluate, type RuleLevel } from './evaluate.ts'

export interface DefaultRule {
  id: string
  name: string
  family: string
  alarmKey: string
  levels: RuleLevel[]
  schedule: readonly (readonly [number, number])[] | null
  options: Record<string, unknown>
}

export const defaultRuleId = (family: string, alarmKey: string) => `std-${family}-${alarmKey}`

/** Whether this version can hold an alarm kind to account; the others are listed as 暂不支持. */
export function isExpressible(alarm: AlarmKind): boolean {
  return (
    canEvaluate(alarm.condition) &&
    !alarm.counting &&
    alarm.on === undefined &&
    alarm.minConfidence === undefined &&
    alarm.confirmSamples === undefined &&
    (alarm.schedule === undefined || Array.isArray(alarm.schedule))
  )
}

function toRule(family: Family, alarm: AlarmKind): DefaultRule {
  return {
    id: defaultRuleId(family.key, alarm.key),
    name: `${family.name} ${alarm.label}`,
    family: family.key,
    alarmKey: alarm.key,
    levels: [
      {
        level: alarm.level,
        condition: alarm.condition,
        ...(alarm.forSeconds ? { forSeconds: alarm.forSeconds } : {}),
        ...(alarm.clearForSeconds ? { clearForSeconds: alarm.clearForSeconds } : {}),
      },
    ],
    schedule: Array.isArray(alarm.schedule) ? alarm.schedule : null,
    options: alarm.onlyWhen ? { onlyWhen: alarm.onlyWhen } : {},
  }
}

/** The delivered rules: one per family and alarm kind that this version can evaluate, for every project. */
export const defaultRules: readonly DefaultRule[] = families.flatMap((family) =>
  family.alarms.filter(isExpressible).map((alarm) => toRule(family, alarm)),
)

export const notYetExpressible: readonly { family: string; alarmKey: string; label: string }[] = families.flatMap((family) =>
  family.alarms.filter((a) => !isExpressible(a)).map((a) => ({ family: family.key, alarmKey: a.key, label: a.label })),
)

/** Delivers the rules an installation does not have yet; what somebody changed stays as it is. */
export async function deliverDefaultRules(db: Db): Promise<void> {
  const rows = defaultRules.map((r) => ({
    id: r.id,
    name: r.name,
    family: r.family,
    alarm_key: r.alarmKey,
    levels: r.levels,
    schedule: r.schedule,
    options: r.options,
  }))
  await sql`insert into rule_trigger (id, name, family, alarm_key, scope, levels, schedule, options)
    select id, name, family, alarm_key, '{"kind":"global"}', levels, nullif(schedule, 'null'), options
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(id text, name text, family text, alarm_key text, levels jsonb, schedule jsonb, options jsonb)
    on conflict (id) do nothing`.execute(db)
}
