import { isPermissionCode } from '@zhugong/contract/access/codes'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { requireHeld } from './held.ts'
import { reachOfRole } from './role-calls.ts'
import { projectsOfPlaces } from './role-places.ts'

interface TiedRole {
  id: string
  codes: string[]
  dataScope: string | null
  projects: string[]
  projectGroups: string[]
}

/**
 * Checks that the caller may put projects into a folder. The projects become visible to every holder of a role tied to the folder or to
 * one above it. The caller must therefore hold all permissions of these roles there, for as long. Projects the roles already reach are
 * ignored.
 */
export async function requireFillable(ctx: Context, folderId: string, projectCodes: readonly string[]): Promise<void> {
  const { rows: roles } = await sql<TiedRole>`
    with recursive up as (
      select id, parent_id from project_group where id = ${folderId} and group_id = ${ctx.group.id}
      union select g.id, g.parent_id from project_group g join up u on g.id = u.parent_id)
    select r.id, r.codes, r.data_scope, r.projects, r.project_groups from role r
    where r.group_id = ${ctx.group.id} and r.data_scope = '4' and r.project_groups && array(select id from up)
      and exists (select 1 from member_role mr where mr.role_id = r.id)`.execute(ctx.db)
  for (const role of roles) {
    const reached = new Set(await projectsOfPlaces(ctx, role))
    const added = projectCodes.filter((code) => !reached.has(code))
    if (added.length === 0) continue
    // Codes of older versions have no effect.
    const codes = role.codes.filter((code) => isPermissionCode(code))
    requireHeld(ctx, codes, { ...(await reachOfRole(ctx, role)), projects: added })
  }
}
