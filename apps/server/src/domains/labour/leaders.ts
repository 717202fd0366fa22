import type { Context } from '#kit/context'

/** At most one leader a team: the others lose the mark. */
export async function markLeader(ctx: Pick<Context, 'db'>, teamId: string, stayId: string | undefined): Promise<void> {
  await ctx.db
    .updateTable('projectWorker')
    .set({ isTeamLeader: false })
    .where('teamId', '=', teamId)
    .where('isTeamLeader', '=', true)
    .execute()
  if (stayId) await ctx.db.updateTable('projectWorker').set({ isTeamLeader: true }).where('id', '=', stayId).execute()
}
