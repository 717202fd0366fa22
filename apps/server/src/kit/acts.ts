import type { Acts } from '@zhugong/contract/kit/endpoint'
import type { Context } from './context.ts'
import type { Scope } from './db.ts'

/**
 * What a principal may change by a call of a kind, as a part of what it sees. The one place in which a company's part in a project
 * becomes a right to write; row-level security reads the result from the transaction's settings.
 *
 * | call    | owner, leader | supervisor       | any other part   |
 * |---------|---------------|------------------|------------------|
 * | site    | yes           | no               | no               |
 * | parties | yes           | no               | no               |
 * | review  | yes           | yes              | no               |
 * | own     | yes           | its own people   | its own people   |
 * | machine | yes           | its own machines | its own machines |
 */
export function actingScope(scope: Scope, acts: Acts): Scope {
  if (scope.all || acts === 'aside') return scope
  if (acts === 'own' || acts === 'machine') return { ...scope, limited: [...scope.limited, ...scope.supervised], supervised: [] }
  const watching = new Set(acts === 'review' ? scope.limited : [...scope.limited, ...scope.supervised])
  return { ...scope, projects: scope.projects.filter((code) => !watching.has(code)), limited: [], supervised: [] }
}

/** Whether a call of a kind may concern a project at all: what a page offers and what the call then allows come from the same rule. */
export const mayAct = (ctx: Pick<Context, 'principal'>, acts: Acts, projectCode: string): boolean => {
  const scope = actingScope(ctx.principal.scope, acts)
  return scope.all || scope.projects.includes(projectCode)
}
