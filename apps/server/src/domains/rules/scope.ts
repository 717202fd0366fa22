import type { RuleScope } from './tables.ts'
import type { RuleOptions } from './trigger-parts.ts'

/** The data of a device that scopes are compared with. */
export interface Placed {
  id: string
  projectCode: string
  gatewayId: string | null
}
export interface Scoped {
  id: string
  alarmKey: string
  scope: RuleScope
  projectCode: string | null
  options: RuleOptions
  locked: boolean
}

/** How narrowly a rule's scope matches a device's point; negative if it does not match. A project's own rule ranks above the platform's. */
export function reach(rule: Pick<Scoped, 'scope' | 'projectCode'>, device: Placed, point: string): number {
  if (rule.projectCode !== null && rule.projectCode !== device.projectCode) return -1
  const own = rule.projectCode === null ? 0 : 1
  const { scope } = rule
  switch (scope.kind) {
    case 'points':
      return scope.points.some((p) => p.deviceId === device.id && p.point === point) ? 8 + own : -1
    case 'devices':
      return scope.deviceIds.includes(device.id) ? 6 + own : -1
    case 'gateways':
      return device.gatewayId !== null && scope.gatewayIds.includes(device.gatewayId) ? 4 + own : -1
    case 'projects':
      return scope.projectCodes.includes(device.projectCode) ? 2 + own : -1
    case 'global':
      return own
  }
}

/**
 * For each alarm key, the enabled rule with the narrowest scope for a device's point. A locked rule is replaced only by one that
 * `mayReplace` accepts. A rule with `off` hides the wider rules and is itself left out.
 */
export function narrowest<R extends Scoped>(
  rules: Iterable<R>,
  device: Placed,
  point: string,
  mayReplace: (locked: R, by: R) => boolean,
): R[] {
  const byKey = new Map<string, { rule: R; narrow: number }[]>()
  for (const rule of rules) {
    const narrow = reach(rule, device, point)
    if (narrow < 0) continue
    const list = byKey.get(rule.alarmKey)
    if (list) list.push({ rule, narrow })
    else byKey.set(rule.alarmKey, [{ rule, narrow }])
  }
  const chosen: R[] = []
  for (const list of byKey.values()) {
    list.sort((a, b) => b.narrow - a.narrow || a.rule.id.localeCompare(b.rule.id))
    const locks = list.filter((one) => one.rule.locked)
    const best = list.find(({ rule }) =>
      locks.every(
        (lock) => lock.rule === rule || reach(lock.rule, device, point) > reach(rule, device, point) || mayReplace(lock.rule, rule),
      ),
    )
    if (best && !best.rule.options.off) chosen.push(best.rule)
  }
  return chosen
}
