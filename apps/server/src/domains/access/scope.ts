import { sql } from 'kysely'
import { type Group, groupTypes } from '#kit/context'
import { type Db, type Scope, seesNothing } from '#kit/db'
import { areaPrefix, corporationScope, isInArea, type Part, unique } from './scope-rules.ts'

/**
 * The projects a group may see. Authority: those in its area, with manual additions and removals. Company: where it takes part today;
 * whole as owner, general contractor or supervisor, otherwise its own people and its subcontractors'. Project: itself.
 */
export async function findScope(db: Db, group: Group, userId: string): Promise<Scope> {
  const base = seesNothing(group, userId)
  if (group.type === groupTypes.platform) return { ...base, all: true }
  if (group.type === groupTypes.government) {
    const found = await sql<{ added: string[]; removed: string[] }>`
      select added_projects as added, removed_projects as removed from government where gov_code = ${group.code}`.execute(db)
    const hand = found.rows[0]
    if (!hand) return base
    // The prefix leaves few projects, which are then checked one by one.
    const { rows } = await sql<{ projectCode: string; areaCode: string }>`
      select project_code, area_code from project
      where area_code like ${`${areaPrefix(group.areaCode || 'none')}%`} or project_code = any (${hand.added})`.execute(db)
    const line = await sql<{ code: string }>`
      with recursive below as (
        select gov_code from government where gov_code = ${group.code}
        union select g.gov_code from government g join below b on g.parent_gov_code = b.gov_code),
      above as (
        select gov_code, parent_gov_code from government where gov_code = ${group.code}
        union select g.gov_code, g.parent_gov_code from government g join above a on g.gov_code = a.parent_gov_code)
      select gov_code as code from below union select gov_code from above`.execute(db)
    const area = { ...hand, areaCode: group.areaCode }
    return {
      ...base,
      projects: rows.filter((p) => isInArea(p, area)).map((p) => p.projectCode),
      governments: line.rows.map((r) => r.code),
    }
  }
  if (group.type === groupTypes.project) {
    const { rows } = await sql<{ org: string | null }>`select supervise_org as org from project where project_code = ${group.code}`.execute(
      db,
    )
    return { ...base, projects: [group.code], governments: unique(rows.map((r) => r.org)) }
  }
  const parts = await sql<Part>`
    select pc.project_code, pc.corp_type, p.supervise_org from project_corp pc join project p using (project_code) 
    where pc.corp_code = ${group.code} and pc.exit_time is null`.execute(db)
  const chain = await sql<{ code: string }>`
    with recursive below as (
      select corp_code, project_code from project_corp where corp_code = ${group.code} and exit_time is null
      union select s.corp_code, s.project_code from project_corp s join below b on s.parent_corp_code = b.corp_code and s.project_code = b.project_code
        where s.exit_time is null)
    select distinct corp_code as code from below`.execute(db)
  return corporationScope(
    group,
    userId,
    parts.rows,
    chain.rows.map((r) => r.code),
  )
}
