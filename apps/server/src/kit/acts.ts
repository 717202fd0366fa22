import type { Acts } from '@zhugong/contract/kit/endpoint'
import { isOpen, type Place, type ProjectRights, reach } from '@zhugong/contract/kit/project-rights'
import type { Context } from './context.ts'
import type { Scope } from './db.ts'

/**
 * Narrows a principal's scope to the projects it may change with a call of this kind. Row-level security reads the result from the
 * transaction's settings.
 */
export function actingScope(scope: Scope, acts: Acts): Scope {
  if (scope.all || acts === 'aside') return scope
  const far = reach[acts]
  const parts = ['supervised', 'limited'] as const
  const inParts = (answer: 'own' | 'none') => parts.flatMap((part) => (far[part] === answer ? scope[part] : []))
  const closed = new Set(inParts('none'))
  const inPart = new Set([...scope.supervised, ...scope.limited])
  const mayRun = scope.corps.length === 0 || far.run !== 'none'
  const projects = scope.projects.filter((code) => !closed.has(code) && (mayRun || inPart.has(code)))
  return { ...scope, projects, limited: inParts('own'), supervised: [] }
}

/** The projects in which the caller's company may change nothing, or only its own records, in the form that pages need. */
export function rightsIn(scope: Scope): ProjectRights {
  const { supervised, limited, corps, projects, all } = scope
  const runsAny = all || projects.length > supervised.length + limited.length
  return { supervised: [...supervised], limited: [...limited], corps: [...corps], runsAny }
}

/**
 * Whether the caller may make a call of this kind at a visible place. A response uses it to offer actions, so that offer and check follow
 * one rule.
 */
export const mayAct = (ctx: Pick<Context, 'principal'>, acts: Acts, place: Place): boolean =>
  isOpen(rightsIn(ctx.principal.scope), acts, place)
