import { sql } from 'kysely'
import type { Tx } from '#kit/db'
import type { RuleLevel } from './evaluate.ts'
import type { RuleScope } from './tables.ts'

export interface RuleInForce {
  id: string
  name: string
  alarmKey: string
  version: number
  levels: RuleLevel[]
}

/** The rules that hold for a device: for each alarm key the narrowest that is switched on. */
export async function rulesInForce(db: Tx, device: { id: string; projectCode: string; family: string }): Promise<RuleInForce[]> {
  const { rows } = await sql<RuleInForce & { scope: RuleScope; projectCode: string | null }>`
    select id, name, alarm_key, version, levels, scope, project_code from rule_trigger
    where family = ${device.family} and enabled and (project_code is null or project_code = ${device.projectCode})`.execute(db)
  const best = new Map<string, { rule: RuleInForce; narrow: number }>()
  for (const { scope, projectCode, ...rule } of rows) {
    const own = projectCode === null ? 0 : 1
    const narrow =
      scope.kind === 'global'
        ? own
        : scope.kind === 'projects'
          ? scope.projectCodes.includes(device.projectCode)
            ? 2 + own
            : -1
          : scope.deviceIds.includes(device.id)
            ? 4 + own
            : -1
    const other = best.get(rule.alarmKey)
    if (narrow >= 0 && (!other || narrow > other.narrow)) best.set(rule.alarmKey, { rule, narrow })
  }
  return [...best.values()].map((b) => b.rule)
}
