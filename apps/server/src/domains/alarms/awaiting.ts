import { sql } from 'kysely'
import type { Db } from '#kit/db'
import { allOf, inProjects } from '#kit/list'

/** Condition of an unhandled alarm, active or ended. Drills and alarms found late do not count. */
export const awaits = (alarm: string) => {
  const a = (column: string) => sql.ref(`${alarm}.${column}`)
  return sql`${a('state')} in ('open', 'acknowledged') and not ${a('simulated')} and not ${a('historical')}`
}

/** Levels that must be handled one by one, with pictures (1 重大, 2 较大). */
export const graveLevel = 2

export interface Awaiting {
  count: number
  /** Of levels 1 and 2. */
  grave: number
  /** The most serious unhandled level. */
  worst: number
}

/** 待处理告警 by project, for every page that shows the figure; projects without any are not in the map. */
export async function awaitingByProject(db: Db, projects: readonly string[] | undefined): Promise<Map<string, Awaiting>> {
  const { rows } = await sql<Awaiting & { projectCode: string }>`
    select a.project_code, count(*)::int as count, count(*) filter (where a.level <= ${graveLevel})::int as grave, min(a.level)::int as worst
    from alarm a where ${awaits('a')} and ${allOf(...inProjects('a.projectCode', projects))} group by 1`.execute(db)
  return new Map(rows.map(({ projectCode, ...one }) => [projectCode, one]))
}

/** Ids of the unhandled alarms of levels 1 and 2, each once even if the user sees the project twice. */
export async function awaitingGrave(db: Db, projects: readonly string[] | undefined): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select a.id from alarm a where ${awaits('a')} and a.level <= ${graveLevel} and ${allOf(...inProjects('a.projectCode', projects))}`.execute(
    db,
  )
  return rows.map((row) => row.id)
}
