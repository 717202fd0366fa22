import { type Context, found } from '#kit/context'
import { pick } from '#kit/pick'
import type { RightsFacts } from './rights.ts'
import { projectsOfPlaces } from './role-places.ts'

/** The facts of a single role, as if a member held it without end. */
export async function factsOfRole(ctx: Context, roleId: string): Promise<RightsFacts> {
  const role = found(
    await ctx.db
      .selectFrom('role')
      .select(['id', 'name', 'codes', 'dataScope', 'projects', 'projectGroups', 'enable'])
      .where('id', '=', roleId)
      .where('groupsType', '=', ctx.group.type)
      .where((eb) => eb.or([eb('groupId', 'is', null), eb('groupId', '=', ctx.group.id)]))
      .executeTakeFirst(),
    '角色',
  )
  const projects = role.dataScope === '4' ? await projectsOfPlaces(ctx, role) : null
  const hand = await ctx.db.selectFrom('sightRule').selectAll().where('roleId', '=', roleId).where('groupId', '=', ctx.group.id).execute()
  const narrowed = await ctx.db
    .selectFrom('roleNarrowing')
    .select('codes')
    .where('roleId', '=', roleId)
    .where('groupId', '=', ctx.group.id)
    .executeTakeFirst()
  const fact = {
    ...pick(role, 'id', 'name', 'codes'),
    taken: narrowed?.codes ?? [],
    enabled: role.enable === '1',
    deadline: null,
    projects,
  }
  return { groupsType: ctx.group.type, enabled: true, deadline: null, roles: [fact], temporary: [], stopped: [], open: 'every', hand }
}
