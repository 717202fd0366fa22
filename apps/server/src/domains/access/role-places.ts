import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'

/** The projects a role is limited to: those named and those in its folders today. */
export async function projectsOfPlaces(
  ctx: Pick<Context, 'db' | 'group'>,
  role: Pick<Row<'role'>, 'projects' | 'projectGroups'>,
): Promise<string[]> {
  if (role.projectGroups.length === 0) return role.projects
  const { rows } = await sql<{ code: string }>`
    with recursive down as (
      select id from project_group where id = any (${role.projectGroups}) and group_id = ${ctx.group.id}
      union select g.id from project_group g join down d on g.parent_id = d.id)
    select distinct project_code as code from project_group_item where project_group_id in (select id from down)`.execute(ctx.db)
  return [...new Set([...role.projects, ...rows.map((row) => row.code)])]
}
