import type { RangeRule } from './grant-endpoints.ts'

/** What of somebody a range is decided by. */
export interface RangeFacts {
  userId: string
  /** Departments he is in, with all above them. */
  orgIds: readonly string[]
  posts: readonly string[]
  roleIds: readonly string[]
  /** Units of the site he belongs to. */
  corps: readonly string[]
}

const meets = (a: readonly string[], b: readonly string[]): boolean => a.some((one) => b.includes(one))

/** Whether somebody is in the range of an app on a day: everybody, or whoever is named in any way; never who is excepted or whose time is over. */
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
