import { familyOf } from '@zhugong/contract/telemetry/families'
import type { Tx } from '#kit/db'
import { Budget } from './budget.ts'
import { holds, shownMetric } from './conditions.ts'
import { Memory } from './history.ts'
import { rulesInForce } from './in-force.ts'
import type { Moment } from './moment.ts'
import { periodStart } from './schedule.ts'
import { maxGapMsOf, watchOf } from './trigger.ts'
import { inWords, wordingOf } from './words.ts'

export interface WouldOpen {
  alarmKey: string
  level: number | undefined
  ruleId: string | null
  ruleVersion: number | null
  text: string
  metric: string | null
}

/** The rules of a device that one reading would trigger, each at its most serious level; durations are ignored. */
export async function openedBy(
  db: Tx,
  device: {
    id: string
    projectCode: string
    family: string
    gatewayId: string | null
    params: Record<string, unknown>
    intervalSeconds: number
  },
  values: Record<string, unknown>,
  time: number,
): Promise<WouldOpen[]> {
  const family = familyOf(device.family)
  const rules = await rulesInForce(db, device)
  const intervalSeconds = Number(device.intervalSeconds)
  const gap = maxGapMsOf(intervalSeconds)
  const memory = new Memory(
    watchOf(
      rules.map((r) => r.trigger),
      gap,
    ),
    gap,
  )
  memory.add({ time, mark: 0, values })
  return rules.flatMap((rule): WouldOpen[] => {
    if (rule.trigger.excess) return []
    const moment: Moment = {
      time,
      memory,
      values,
      params: device.params,
      intervalMs: intervalSeconds * 1000,
      maxGapMs: gap,
      periodStart: periodStart(null, time),
      facts: {},
      budget: new Budget(),
      unitOf: (m) => family?.metric(m)?.unit,
    }
    const level = rule.levels.toSorted((a, b) => a.level - b.level).find((l) => holds(l.condition, moment).truth === true)
    if (!level) return []
    const around = wordingOf(device.family, rule.trigger.on, device.params)
    const metric = shownMetric(level.condition) ?? null
    return [
      { alarmKey: rule.alarmKey, level: level.level, ruleId: rule.id, ruleVersion: rule.version, text: inWords(level, around), metric },
    ]
  })
}
