import { dayMs } from '@zhugong/contract/kit/time'
import { startOfDay } from '#kit/clock'
import type { Rights } from '#kit/context'
import type { TemporaryFact } from './rights.ts'

/** A temporary role as granted, with the giver's membership; null if that no longer exists. */
export type GivenTemporary = Omit<TemporaryFact, 'taken' | 'judgedUntil'> & { giver: string | null }

/**
 * Limits a temporary role to what its giver holds: per code, projects and end date. Codes with different limits become separate parts.
 * `current` are the giver's rights now, undefined if the giver has left the group.
 */
export function worthNow({ giver: _, ...role }: GivenTemporary, current: Rights | undefined): TemporaryFact[] {
  if (!current) return [{ ...role, taken: role.codes }]
  const parts = new Map<string, { part: TemporaryFact; codes: string[] }>()
  for (const code of role.codes) {
    const part = current.codes.has(code) ? cut(role, current.bounds.get(code)) : { ...role, taken: role.codes }
    const key = JSON.stringify([part.taken.length > 0, part.projects, part.to])
    const known = parts.get(key)
    if (known) known.codes.push(code)
    else parts.set(key, { part, codes: [code] })
  }
  return [...parts.values()].map(({ part, codes }) => ({ ...part, codes, taken: part.taken.length ? codes : [] }))
}

type Role = Omit<TemporaryFact, 'taken'>
function cut(role: Role, bound: ReturnType<Rights['bounds']['get']>): TemporaryFact {
  const ends = bound?.projects
  const projects = ends ? (role.projects ?? [...ends]).filter((one) => ends.has(one)).sort() : role.projects
  if (projects?.length === 0 && role.projects?.length !== 0) return { ...role, taken: role.codes }
  const to = bound?.until ? Math.min(role.to, startOfDay(bound.until) + dayMs) : role.to
  return { ...role, projects, to, taken: [] }
}
