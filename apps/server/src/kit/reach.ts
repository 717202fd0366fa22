import type { Principal, Rights } from './context.ts'
import type { Scope } from './db.ts'

/** A scope without the projects outside `projects`. */
export function restrict(scope: Scope, projects: ReadonlySet<string>): Scope {
  const here = (code: string) => projects.has(code)
  return {
    ...scope,
    all: false,
    projects: scope.all ? [...projects] : scope.projects.filter(here),
    limited: scope.limited.filter(here),
    supervised: scope.supervised.filter(here),
  }
}

/** The codes of somebody that hold in every one of these projects; with none named those that hold everywhere. */
export function codesWithin({ codes, bounds }: Rights, projects: readonly string[] | undefined): ReadonlySet<string> {
  // Many codes end at the same places: each set is looked through once.
  const answers = new Map<ReadonlySet<string>, boolean>()
  const held = [...codes].filter((code) => {
    const ends = bounds.get(code)?.projects
    if (!ends) return true
    const known = answers.get(ends) ?? projects?.every((project) => ends.has(project)) ?? false
    answers.set(ends, known)
    return known
  })
  return held.length === codes.size ? codes : new Set(held)
}

/** Where codes reach together: the union of where each does. Undefined: as far as the group. */
export function reachOf({ codes, bounds }: Rights, asked: readonly string[]): ReadonlySet<string> | undefined {
  const several = new Set<ReadonlySet<string>>()
  for (const code of asked) {
    if (!codes.has(code)) continue
    const ends = bounds.get(code)?.projects
    if (!ends) return undefined
    several.add(ends)
  }
  const [only] = several
  return several.size === 1 && only ? only : new Set([...several].flatMap((ends) => [...ends]))
}

type Reaching = Pick<Principal, 'codes' | 'bounds' | 'scope'>

/**
 * Somebody as he stands in a call that asks for one of `asked` codes: its rows are those of the roles that hold one of them, and a further
 * code counts only where it holds in all of these rows. Without codes asked: as far as any of his reaches.
 */
export function within<P extends Reaching>(principal: P, asked: readonly string[]): P {
  if (!hasEnds(principal)) return principal
  const reach = reachOf(principal, asked.length ? asked : [...principal.codes])
  const scope = reach ? restrict(principal.scope, reach) : principal.scope
  return { ...principal, scope, codes: codesWithin(principal, scope.all ? undefined : scope.projects) }
}

/** As `within`, for work that needs every one of the codes: only rows for which all of them hold. */
export function withinAll<P extends Reaching>(principal: P, asked: readonly string[]): P {
  if (!hasEnds(principal)) return principal
  const scope = asked.reduce((rest, code) => {
    const reach = reachOf(principal, [code])
    return reach ? restrict(rest, reach) : rest
  }, principal.scope)
  return { ...principal, scope, codes: codesWithin(principal, scope.all ? undefined : scope.projects) }
}

function hasEnds({ bounds }: Reaching): boolean {
  for (const bound of bounds.values()) if (bound.projects) return true
  return false
}
