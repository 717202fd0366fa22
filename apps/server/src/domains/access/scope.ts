import { sql } from 'kysely'
import { type Group, groupTypes } from '#kit/context'
import type { Db, Scope } from '#kit/db'

/** Part types in which a company sees the whole project: 监理 007, 建设 008, 总包 009. Any other part ends at its own people and subcontractors. */
const wholeParts = ['007', '008', '009']

/** The significant front of an area code: 42 a province, 4202 a city, 420202 a district. */
export function areaPrefix(areaCode: string): string {
  return areaCode.replace(/(00){1,2}$/, '')
}

/**
 * What a group may see. A government: the projects in its area, and those added or taken away by hand. A corporation: where it takes
 * part; there the whole when it owns, leads or supervises, else its own people and its subcontractors'. A project: itself.
 */
export async function findScope(db: Db, group: Group, userId: string): Promise<Scope> {
  const base: Scope = { all: false, projects: [], limited: [], corps: [], governments: [], groupId: group.id, userId }
  if (group.type === groupTypes.platform) return { ...base, all: true }
  if (group.type === groupTypes.government) {
    const { rows } = await sql<{ code: string }>`
      select project_code as code from project p, government g
      where g.gov_code = ${group.code} and not (p.project_code = any (g.removed_projects))
        and (p.area_code like ${`${areaPrefix(group.areaCode ?? 'none')}%`} or p.project_code = any (g.added_projects))`.execute(db)
    const line = await sql<{ code: string }>`
      with recursive below as (
        select gov_code from government where gov_code = ${group.code}
        union select g.gov_code from government g join below b on g.parent_gov_code = b.gov_code),
      above as (
        select gov_code, parent_gov_code from government where gov_code = ${group.code}
        union select g.gov_code, g.parent_gov_code from government g join above a on g.gov_code = a.parent_gov_code)
      select gov_code as code from below union select gov_code from above`.execute(db)
    return { ...base, projects: rows.map((r) => r.code), governments: line.rows.map((r) => r.code) }
  }
  if (group.type === groupTypes.project) {
    const { rows } = await sql<{ org: string | null }>`select supervise_org as org from project where project_code = ${group.code}`.execute(
      db,
    )
    return { ...base, projects: [group.code], governments: rows.flatMap((r) => (r.org ? [r.org] : [])) }
  }
  const parts = await sql<{ code: string; whole: boolean; org: string | null }>`
    select pc.project_code as code, bool_or(pc.corp_type = any (${wholeParts})) as whole, max(p.supervise_org) as org
    from project_corp pc join project p using (project_code) where pc.corp_code = ${group.code} group by pc.project_code`.execute(db)
  const chain = await sql<{ code: string }>`
    with recursive below as (
      select corp_code, project_code from project_corp where corp_code = ${group.code}
      union select s.corp_code, s.project_code from project_corp s join below b on s.parent_corp_code = b.corp_code and s.project_code = b.project_code)
    select distinct corp_code as code from below`.execute(db)
  return {
    ...base,
    projects: parts.rows.map((r) => r.code),
    limited: parts.rows.filter((r) => !r.whole).map((r) => r.code),
    corps: [...new Set([group.code, ...chain.rows.map((r) => r.code)])],
    governments: [...new Set(parts.rows.flatMap((r) => (r.org ? [r.org] : [])))],
  }
}

/** Narrows a scope to one project of it; undefined when it is not one of them. */
export function narrow(scope: Scope, projectCode: string): Scope | undefined {
  if (projectCode === '*') return scope
  if (!scope.all && !scope.projects.includes(projectCode)) return undefined
  return { ...scope, all: false, projects: [projectCode], limited: scope.limited.filter((code) => code === projectCode) }
}
