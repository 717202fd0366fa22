import type { Acts } from '@zhugong/contract/kit/endpoint'
import { isOpen, type Place, reach, type Standing } from '@zhugong/contract/kit/standing'
import type { Context } from './context.ts'
import type { Scope } from './db.ts'

/** What a principal may change by a call of a kind, as a part of what it sees; row-level security reads the result from the transaction's settings. */
export function actingScope(scope: Scope, acts: Acts): Scope {
  if (scope.all || acts === 'aside') return scope
  const far = reach[acts]
  const parts = ['supervised', 'limited'] as const
  const inParts = (answer: 'own' | 'none') => parts.flatMap((part) => (far[part] === answer ? scope[part] : []))
  const closed = new Set(inParts('none'))
  return { ...scope, projects: scope.projects.filter((code) => !closed.has(code)), limited: inParts('own'), supervised: [] }
}

/** What the caller's company may change nothing of, or only its own, as a page needs it. */
export function standingOf(scope: Scope): Standing {
  const { supervised, limited, corps, projects, all } = scope
  const runsAny = all || projects.length > supervised.length + limited.length
  return { supervised: [...supervised], limited: [...limited], corps: [...corps], runsAny }
}

/** Whether a call of a kind is open to the caller at a place it sees: what an answer offers and what the call then allows come from the same rule. */
export const mayAct = (ctx: Pick<Context, 'principal'>, acts: Acts, place: Place): boolean =>
  isOpen(standingOf(ctx.principal.scope), acts, place)
