import type { Principal, Rights } from './context.ts'
import type { Scope } from './db.ts'

/** Restricts a scope to `projects`. */
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

/** The codes that are valid in all of `projects`; when `projects` is undefined, those valid everywhere. */
export function codesWithin({ codes, bounds }: Rights, projects: readonly string[] | undefined): ReadonlySet<string> {
  // Many codes share one set of projects: check each set once.
  const answers = new Map<ReadonlySet<string>, boolean>()
  const existing = [...codes].filter((code) => {
    const ends = bounds.get(code)?.projects
    if (!ends) return true
    const known = answers.get(ends) ?? projects?.every((project) => ends.has(project)) ?? false
    answers.set(ends, known)
    return known
  })
  return existing.length === codes.size ? codes : new Set(existing)
}

/** The union of the projects in which the codes are valid. Undefined: all projects of the group. */
export function reachOf({ codes, bounds }: Rights, requested: readonly string[]): ReadonlySet<string> | undefined {
  const several = new Set<ReadonlySet<string>>()
  for (const code of requested) {
    if (!codes.has(code)) continue
    const ends = bounds.get(code)?.projects
    if (!ends) return undefined
    several.add(ends)
  }
  const [only] = several
  return several.size === 1 && only ? only : new Set([...several].flatMap((ends) => [...ends]))
}

/** Whether a code is valid in this project; without a project, whether it is valid in any. */
export function isValidIn({ codes, bounds }: Rights, code: string, projectCode: string | null): boolean {
  if (!codes.has(code)) return false
  const bound = bounds.get(code)
  if (!bound || projectCode === null) return true
  return (bound.projects?.has(projectCode) ?? true) && !bound.except?.has(projectCode)
}

type Reaching = Pick<Principal, 'codes' | 'bounds' | 'scope'>

/**
 * Narrows a principal to a call that requires one of the `requested` codes. The scope becomes the projects in which one of them is valid;
 * other codes count only if valid in all of these projects. Without requested codes, all codes of the principal define the scope.
 */
export function within<P extends Reaching>(principal: P, requested: readonly string[]): P {
  if (!hasEnds(principal)) return principal
  const reach = reachOf(principal, requested.length ? requested : [...principal.codes])
  const scope = reach ? restrict(principal.scope, reach) : principal.scope
  return { ...principal, scope, codes: codesWithin(principal, scope.all ? undefined : scope.projects) }
}

/** Like `within`, for work that needs all of the codes: the scope becomes the projects in which every one is valid. */
export function withinAll<P extends Reaching>(principal: P, requested: readonly string[]): P {
  if (!hasEnds(principal)) return principal
  const scope = requested.reduce((rest, code) => {
    const reach = reachOf(principal, [code])
    return reach ? restrict(rest, reach) : rest
  }, principal.scope)
  return { ...principal, scope, codes: codesWithin(principal, scope.all ? undefined : scope.projects) }
}

function hasEnds({ bounds }: Reaching): boolean {
  for (const bound of bounds.values()) if (bound.projects) return true
  return false
}
