import type { Group, Principal } from '#kit/context'
import type { Db } from '#kit/db'
import { codesWithin, reachOf, restrict } from '#kit/reach'
import { rightsOf } from './find-rights.ts'
import { findScope } from './scope.ts'
import { narrow } from './scope-rules.ts'
import { findHidden, settle } from './sight.ts'

/** A user's rights in a group, and the scope they reach. */
export type MemberRights = Pick<Principal, 'codes' | 'bounds' | 'scope'>

/** The current rights and scope of a member. */
export async function findMemberRights(
  db: Db,
  who: { group: Group; userId: string; memberId: string },
  now: number,
): Promise<MemberRights> {
  const [current, whole] = await Promise.all([rightsOf(db, who.memberId, now), findScope(db, who.group, who.userId)])
  const rights = settle(current, whole, await findHidden(db, who.group, whole, now))
  // A member whose rights were all hidden sees nothing. A member who never had a role keeps the scope of the group.
  const reach = rights.codes.size || current.codes.size ? reachOf(rights, [...rights.codes]) : undefined
  return { ...rights, scope: reach ? restrict(whole, reach) : whole }
}

/** Rights narrowed to one project, with the codes valid there; undefined if the project is out of reach. `*` changes nothing. */
export function rightsAt<S extends MemberRights>(rights: S, projectCode: string): S | undefined {
  if (projectCode === '*') return rights
  const scope = narrow(rights.scope, projectCode)
  return scope && { ...rights, scope, codes: codesWithin(rights, [projectCode]) }
}
