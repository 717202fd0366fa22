import { createHash } from 'node:crypto'
import type { Principal } from '#kit/context'

const digestOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)

/** Cached rights are the same object until something changes, so their bounds are serialised once. */
const ends = new WeakMap<Principal['bounds'], string>()
function endsOf(bounds: Principal['bounds']): string {
  const known = ends.get(bounds)
  if (known) return known
  const digest = digestOf([...bounds].map(([code, bound]) => [code, bound.projects && [...bound.projects].sort(), bound.until]).sort())
  ends.set(bounds, digest)
  return digest
}

/** A digest of a session's rights and scope. Pages compare it to detect changes without loading all rights. */
export function stampOf({ group, codes, bounds, scope }: Pick<Principal, 'group' | 'codes' | 'bounds' | 'scope'>): string {
  const current = [scope.all, [...scope.projects].sort(), [...scope.limited].sort(), [...scope.supervised].sort()]
  return digestOf([group?.id ?? null, [...codes].sort(), endsOf(bounds), current])
}
