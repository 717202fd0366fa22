import { sql } from 'kysely'
import type { Tx } from '#kit/db'
import type { RuleLevel } from './evaluate.ts'
import { narrowest, type Placed, type Scoped } from './scope.ts'
import { type Comparable, isAtLeastAsStrict } from './strictness.ts'
import type { RuleScope, StoredLevel, StoredSchedule } from './tables.ts'
import { type ReadyTrigger, readyTrigger } from './trigger.ts'
import type { RuleOptions } from './trigger-parts.ts'

export interface RuleInForce {
  id: string
  name: string
  alarmKey: string
  version: number
  levels: readonly RuleLevel[]
  trigger: ReadyTrigger
}

interface Row {
  id: string
  name: string
  alarmKey: string
  version: number
  scope: RuleScope
  projectCode: string | null
  options: RuleOptions
  locked: boolean
  levels: StoredLevel[]
  schedule: StoredSchedule
}

export const comparable = (rule: {
  levels: readonly StoredLevel[]
  schedule: StoredSchedule
  options: RuleOptions
  enabled?: boolean
}): Comparable => {
  const { levels, schedule, onlyWhen } = readyTrigger(rule)
  return { levels, schedule, onlyWhen, enabled: rule.enabled ?? true, off: rule.options.off ?? false }
}

/** Of the stored rules, those that apply at a place. A locked rule is replaced only by one that is at least as strict. */
export const holdingAt = <R extends Parameters<typeof comparable>[0] & Scoped>(rules: readonly R[], place: Placed): R[] =>
  narrowest(rules, place, '', (locked, by) => isAtLeastAsStrict(comparable(locked), comparable(by)))

/** The rules that apply to a device: for each alarm key the enabled rule with the narrowest scope. */
export async function rulesInForce(
  db: Tx,
  device: Pick<Placed, 'id' | 'projectCode'> & { family: string; gatewayId?: string | null },
): Promise<RuleInForce[]> {
  const { rows } = await sql<Row>`
    select id, name, alarm_key, version, levels, schedule, scope, options, locked, project_code from rule_trigger
    where family = ${device.family} and enabled and (project_code is null or project_code = ${device.projectCode})`.execute(db)
  const placed = { id: device.id, projectCode: device.projectCode, gatewayId: device.gatewayId ?? null }
  const chosen = holdingAt(rows, placed)
  return chosen.map((rule) => {
    const trigger = readyTrigger(rule)
    return { id: rule.id, name: rule.name, alarmKey: rule.alarmKey, version: rule.version, levels: trigger.levels, trigger }
  })
}
