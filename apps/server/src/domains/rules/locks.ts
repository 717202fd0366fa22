import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import type { Tx } from '#kit/db'
import { comparable } from './in-force.ts'
import { type Placed, reach, type Scoped } from './scope.ts'
import { compareRules } from './strictness.ts'
import type { StoredLevel, StoredSchedule } from './tables.ts'

interface Lockable extends Scoped {
  family: string
  levels: StoredLevel[]
  schedule: StoredSchedule
  enabled?: boolean
}
type Lock = Lockable & { name: string }

/**
 * Checks a rule against locked rules of the platform or company. Where a locked rule applies, a project's rule may only be stricter: never
 * later, less serious or off. The engine (`narrowest`) would ignore a looser rule; here it is refused with the lock's name.
 * @throws AppError when the rule is looser than a lock.
 */
export async function checkLocks(db: Tx, rule: Lockable): Promise<void> {
  if (rule.projectCode === null) return
  const { rows: locks } = await sql<Lock>`
    select id, name, family, alarm_key, scope, project_code, levels, schedule, options, locked from rule_trigger
    where family = ${rule.family} and alarm_key = ${rule.alarmKey} and locked and enabled and id <> ${rule.id}
      and (project_code is null or project_code = ${rule.projectCode})`.execute(db)
  if (locks.length === 0) return
  const places = await placesOf(db, rule.projectCode, rule.family)
  for (const lock of locks) {
    if (!placesOrPoints(places, lock, rule).some(([place, point]) => isUnder(lock, rule, place, point))) continue
    const stands = compareRules(comparable(lock), comparable(rule))
    if (stands === 'same' || stands === 'stricter') continue
    const message = rule.options.off ? '不能关闭' : stands === 'looser' ? '只能更严，不能更松' : '不能改为另一种条件'
    const by = lock.projectCode === null ? '平台' : '上级'
    throw new AppError('invalidInput', `${by}已锁定“${lock.name}”：${message}`, { field: 'levels', locked: lock.name })
  }
}

/** Whether both rules apply at a place and the rule is at least as narrow, so that it would replace the lock. */
function isUnder(lock: Scoped, rule: Scoped, place: Placed, point: string): boolean {
  const state = reach(lock, place, point)
  return state >= 0 && state <= reach(rule, place, point)
}

/** The site's devices of a family, plus a placeholder for future ones. */
async function placesOf(db: Tx, projectCode: string, family: string): Promise<Placed[]> {
  const { rows } = await sql<Placed>`
    select id, project_code, gateway_id from device where project_code = ${projectCode} and family = ${family}`.execute(db)
  return [{ id: '', projectCode, gatewayId: null }, ...rows]
}

function placesOrPoints(places: readonly Placed[], lock: Scoped, rule: Scoped): [place: Placed, point: string][] {
  const points = [lock, rule].flatMap(({ scope }) => (scope.kind === 'points' ? scope.points : []))
  return places.flatMap((place) =>
    ['', ...points.flatMap((p) => (p.deviceId === place.id ? [p.point] : []))].map((point): [Placed, string] => [place, point]),
  )
}
