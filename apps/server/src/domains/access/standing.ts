import type { Group, Principal } from '#kit/context'
import type { Db } from '#kit/db'
import { codesWithin, reachOf, restrict } from '#kit/reach'
import { rightsOf } from './find-rights.ts'
import { findScope } from './scope.ts'
import { narrow } from './scope-rules.ts'
import { findHidden, settle } from './sight.ts'

/** What somebody may do in a group, and as far as any of it reaches. */
export type Standing = Pick<Principal, 'codes' | 'bounds' | 'scope'>

/** How somebody stands in a group at this moment. */
export async function findStanding(db: Db, who: { group: Group; userId: string; memberId: string }, now: number): Promise<Standing> {
  const [held, whole] = await Promise.all([rightsOf(db, who.memberId, now), findScope(db, who.group, who.userId)])
  const rights = settle(held, whole, await findHidden(db, who.group, whole, now))
  // Whoever has had the last of it taken away sees nothing; who never had a role stands in his group as before.
  const reach = rights.codes.size || held.codes.size ? reachOf(rights, [...rights.codes]) : undefined
  return { ...rights, scope: reach ? restrict(whole, reach) : whole }
}

/** The same narrowed to one project, with the codes that hold there; undefined where the project is out of reach. `*` narrows nothing. */
export function standAt<S extends Standing>(standing: S, projectCode: string): S | undefined {
  if (projectCode === '*') return standing
  const scope = narrow(standing.scope, projectCode)
  return scope && { ...standing, scope, codes: codesWithin(standing, [projectCode]) }
}
