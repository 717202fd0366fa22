import type { RuleOptions, RuleScope } from './tables.ts'

/** What a rule's reach is judged by. */
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

/** How narrowly a rule's scope names a device's point; below zero when it does not. A project's own comes before the platform's. */
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
 * Of the enabled rules for one device's point the narrowest of each alarm key. A locked rule of the platform gives way only to one that is
 * not looser (`mayReplace`); one that is switched off for its scope silences the wider ones and is left out.
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
