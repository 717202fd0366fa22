import type { RangeRule } from './grant-endpoints.ts'

/** Facts about a person that a range is evaluated on. */
export interface RangeFacts {
  userId: string
  /** The person's departments, with all departments above them. */
  orgIds: readonly string[]
  posts: readonly string[]
  roleIds: readonly string[]
  /** Companies of the site that the person belongs to. */
  corps: readonly string[]
}

const meets = (a: readonly string[], b: readonly string[]): boolean => a.some((one) => b.includes(one))

/**
 * Whether a person is in the range of an app on a day: everybody, or anybody named by one of the lists; but not the exceptions, and nobody
 * whose limited time is over.
 */
export function inRange(rule: RangeRule, who: RangeFacts, day: string): boolean {
  if (rule.exceptIds.includes(who.userId)) return false
  const until = rule.until[who.userId]
  if (until !== undefined && until < day) return false
  if (rule.mode === 'all') return true
  return (
    rule.userIds.includes(who.userId) ||
    meets(rule.orgIds, who.orgIds) ||
    meets(rule.posts, who.posts) ||
    meets(rule.roleIds, who.roleIds) ||
    rule.units.some(
      (unit) =>
        who.corps.includes(unit.corpCode) &&
        (unit.mode === 'all' || (unit.mode === 'users' ? unit.userIds.includes(who.userId) : meets(unit.posts, who.posts))),
    )
  )
}
