import { checkCondition } from '@zhugong/contract/rules/conditions'
import { type AlarmKind, type Family, families } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import type { Db } from '#kit/db'
import { pick } from '#kit/pick'
import type { StoredLevel, StoredSchedule } from './tables.ts'
import type { RuleOptions } from './trigger-parts.ts'
import { inWords, wordingOf } from './words.ts'

export interface DefaultRule {
  id: string
  name: string
  family: string
  alarmKey: string
  levels: StoredLevel[]
  schedule: StoredSchedule
  options: RuleOptions
}

export const defaultRuleId = (family: string, alarmKey: string) => `std-${family}-${alarmKey}`

/** Counting rules of the catalogue, which are written as text, with the seconds per day. */
export const countings: Readonly<Record<string, number>> = { 'per day, more than 2 hours': 2 * 3600 }

/** Whether this version can evaluate an alarm kind; others are shown as 暂不支持. */
export function isExpressible(alarm: AlarmKind): boolean {
  const schedule = alarm.schedule === undefined || Array.isArray(alarm.schedule) || alarm.schedule === 'workHours'
  return schedule && (!alarm.counting || alarm.counting in countings) && checkCondition(alarm.condition).condition !== undefined
}

/** Text of an alarm kind's default condition. */
export function defaultInWords(alarm: AlarmKind, family: string): string {
  const { condition } = checkCondition(alarm.condition)
  return condition ? inWords({ condition, forSeconds: alarm.forSeconds || undefined }, wordingOf(family, alarm.on)) : alarm.defaultThreshold
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
        condition: checkCondition(alarm.condition).condition,
        forSeconds: alarm.forSeconds || undefined,
        clearForSeconds: alarm.clearForSeconds || undefined,
      },
    ],
    schedule: (alarm.schedule as StoredSchedule | undefined) ?? null,
    options: {
      on: alarm.on || undefined,
      onlyWhen: alarm.onlyWhen ? { ...alarm.onlyWhen } : undefined,
      ...(alarm.minConfidence === undefined ? {} : { minConfidence: alarm.minConfidence }),
      ...(alarm.confirmSamples === undefined ? {} : { confirmSamples: alarm.confirmSamples }),
      daySeconds: alarm.counting ? (countings[alarm.counting] as number) : undefined,
    },
  }
}

/** The default rules: one per family and alarm kind, for every project. */
export const defaultRules: readonly DefaultRule[] = families.flatMap((family) =>
  family.alarms.filter(isExpressible).map((alarm) => toRule(family, alarm)),
)

/** Inserts the default rules that an installation lacks; existing rules remain unchanged. */
export async function deliverDefaultRules(db: Db): Promise<void> {
  const rows = defaultRules.map((r) => ({
    ...pick(r, 'id', 'name', 'family', 'levels', 'schedule', 'options'),
    alarm_key: r.alarmKey,
  }))
  await sql`insert into rule_trigger (id, name, family, alarm_key, scope, levels, schedule, options)
    select id, name, family, alarm_key, '{"kind":"global"}', levels, nullif(schedule, 'null'), options
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(id text, name text, family text, alarm_key text, levels jsonb, schedule jsonb, options jsonb)
    on conflict (id) do nothing`.execute(db)
}
