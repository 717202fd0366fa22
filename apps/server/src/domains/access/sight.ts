import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Bound, type Group, groupTypes, type Rights } from '#kit/context'
import type { Db, Scope } from '#kit/db'
import { moduleOf } from './rights.ts'

/** Modules hidden from a company, by project; null: all modules. */
export type Hidden = ReadonlyMap<string, ReadonlySet<string> | null>
const none: Hidden = new Map()

interface Kept {
  projectCode: string
  /** For each of its parts: what is hidden. */
  kept: { every: boolean; modules: string[] }[]
}

/**
 * What is hidden by hand from a company, by the kinds of its parts in a project. A module is hidden only if all its parts are affected.
 * Companies that run or supervise a project are never affected.
 */
export async function findHidden(db: Db, group: Group, scope: Scope, now: number): Promise<Hidden> {
  if (group.type !== groupTypes.corporation || scope.limited.length === 0) return none
  const { rows } = await sql<Kept>`
    select x.project_code, json_agg(json_build_object('every', x.every, 'modules', x.modules)) as kept from (
      select pc.project_code, pc.corp_type, coalesce(bool_or(r.id is not null and r.modules is null), false) as every,
        coalesce(array_agg(m) filter (where m is not null), '{}') as modules
      from project_corp pc
        left join sight_rule r on r.project_code = pc.project_code and r.party = pc.corp_type and (r.until is null or r.until >= ${formatDay(now)}::date)
        left join lateral unnest(r.modules) m on true
      where pc.corp_code = ${group.code} and pc.exit_time is null and pc.project_code in (
        select h.project_code from sight_rule h where h.party is not null and h.project_code = any (${[...scope.limited]}))
      group by pc.project_code, pc.corp_type) x
    group by x.project_code`.execute(db)
  return new Map(
    rows.flatMap(({ projectCode, kept }): [string, ReadonlySet<string> | null][] => {
      const named = kept.filter((one) => !one.every).map((one) => new Set(one.modules))
      const [first, ...others] = named
      if (!first) return [[projectCode, null]]
      const everywhere = [...first].filter((module) => others.every((one) => one.has(module)))
      return everywhere.length ? [[projectCode, new Set(everywhere)]] : []
    }),
  )
}

/** Removes manually hidden projects from a user's rights. A code with no project left is dropped. */
export function settle(rights: Rights, scope: Scope, hidden: Hidden): Rights {
  const isPlain = hidden.size === 0 && ![...rights.bounds.values()].some((one) => one.except)
  if (scope.all || isPlain) return rights
  const out = (module: string) => [...hidden].flatMap(([project, modules]) => (modules?.has(module) === false ? [] : [project]))
  // Codes of one module with the same bound get the same result, so the set is shared.
  const known = new Map<string, Map<Bound | undefined, Bound | undefined>>()
  const bounds = new Map<string, Bound>()
  const codes = new Set<string>()
  for (const code of rights.codes) {
    // Without hidden modules the module does not matter.
    const module = hidden.size ? moduleOf(code) : ''
    const alike = known.get(module) ?? new Map<Bound | undefined, Bound | undefined>()
    known.set(module, alike)
    const before = rights.bounds.get(code)
    if (!alike.has(before)) alike.set(before, without(before, scope, out(module)))
    const after = alike.get(before)
    if (after?.projects?.size === 0 && before?.projects?.size !== 0) continue
    codes.add(code)
    if (after) bounds.set(code, after)
  }
  return { codes, bounds }
}

function without(bound: Bound | undefined, scope: Scope, hidden: readonly string[]): Bound | undefined {
  const gone = new Set([...(bound?.except ?? []), ...hidden])
  if (gone.size === 0) return bound
  const reach = bound?.projects ?? scope.projects
  return { projects: new Set([...reach].filter((project) => !gone.has(project))), until: bound?.until ?? null }
}
