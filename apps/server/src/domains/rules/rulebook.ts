import { isDeepStrictEqual } from 'node:util'
import type { DeviceState, Plan, Rule } from './device-state.ts'
import { isAboutDevice } from './device-state.ts'
import { comparable } from './in-force.ts'
import { recordsOf } from './record-log.ts'
import { narrowest } from './scope.ts'
import type { StoredRule } from './stored.ts'
import { isAtLeastAsStrict } from './strictness.ts'
import { maxGapMsOf, readyTrigger, watchOf } from './trigger.ts'
import type { World } from './world.ts'

/** All rules, and the rules that apply to a device. */
export class Rulebook {
  private readonly world: World
  readonly rules = new Map<string, Rule>()
  readonly byFamily = new Map<string, Set<Rule>>()

  constructor(world: World) {
    this.world = world
  }

  hold(stored: StoredRule): void {
    this.drop(stored.id)
    const { levels, schedule, ...rest } = stored
    const parts = { levels, schedule, options: stored.options }
    const rule: Rule = { ...rest, stored: parts, ready: readyTrigger(parts) }
    this.rules.set(rule.id, rule)
    let family = this.byFamily.get(rule.family)
    if (!family) {
      family = new Set()
      this.byFamily.set(rule.family, family)
    }
    family.add(rule)
  }

  /** Whether the loaded rule equals the stored one. */
  isHeld({ levels, schedule, ...rest }: StoredRule): boolean {
    const rule = this.rules.get(rest.id)
    if (!rule) return false
    const { stored, ready: _worked, ...held } = rule
    return isDeepStrictEqual({ ...held, ...stored }, { ...rest, levels, schedule })
  }

  drop(id: string): string | undefined {
    const rule = this.rules.get(id)
    if (!rule) return undefined
    this.rules.delete(id)
    this.byFamily.get(rule.family)?.delete(rule)
    return rule.family
  }

  /** The rules that apply to a device's point; calculated once and cached. */
  planOf(state: DeviceState, point: string): Plan {
    const known = state.plans.get(point)
    if (known) return known
    const { device } = state
    const enabled = [...(this.byFamily.get(device.family.key) ?? [])].filter((r) => r.enabled)
    const rules = narrowest(enabled, device, point, (locked, by) =>
      isAtLeastAsStrict(comparable({ ...locked.stored }), comparable({ ...by.stored })),
    )
    const byRecord = new Map<string, Rule[]>()
    const records = new Map<string, number>()
    const push = (map: Map<string, Rule[]>, key: string, rule: Rule) => {
      const list = map.get(key)
      if (list) list.push(rule)
      else map.set(key, [rule])
    }
    // Rules suspended permanently need no history.
    const judged = rules.filter((r) => r.ready.excess === undefined)
    for (const rule of judged) {
      for (const level of rule.ready.levels) recordsOf(level.condition, rule.ready.on, records)
      if (rule.ready.on !== undefined) push(byRecord, rule.ready.on, rule)
    }
    const live = judged.filter((r) => r.ready.on === undefined)
    const plan: Plan = {
      rules,
      live: live.flatMap((rule) => {
        if (rule.ready.isAboutSilence || !this.canKnow(rule)) return []
        const own = isAboutDevice(rule) ? '' : point
        return [{ rule, key: `${rule.alarmKey}|${own}`, metrics: [...rule.ready.metrics] }]
      }),
      silence: live.filter((r) => r.ready.levels.some((l) => l.condition.type === 'noData')),
      byRecord,
      maxGapMs: Math.max(maxGapMsOf(device.intervalSeconds), ...live.map((r) => maxGapMsOf(device.intervalSeconds, r.ready.maxGapSeconds))),
      watched: new Map(),
      records,
      // If the platform evaluates the same bit as a metric, the device's alarm bit is not used as well.
      bits: device.family.deviceAlarmBits.flatMap((key, bit) => {
        const rule = rules.find((r) => r.alarmKey === key && r.ready.levels.every((l) => l.condition.type !== 'state'))
        return rule ? [{ bit, rule, key: `${key}|${point}` }] : []
      }),
    }
    plan.watched = watchOf(
      live.map((r) => r.ready),
      plan.maxGapMs,
    )
    state.plans.set(point, plan)
    return plan
  }

  /** False for rules about crane distances if this process cannot calculate them; they would always be unknown. */
  private canKnow(rule: Rule): boolean {
    const { clearanceAt, zoneDistanceAt } = this.world.ports
    return rule.ready.levels.some(
      ({ condition: { type } }) => !(type === 'craneClearance' && !clearanceAt) && !(type === 'craneZone' && !zoneDistanceAt),
    )
  }
}
