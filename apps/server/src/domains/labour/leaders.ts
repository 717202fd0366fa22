import type { Context } from '#kit/context'

/** Marks one person as team leader and removes the mark from the others. */
export async function markLeader(ctx: Pick<Context, 'db'>, teamId: string, stayId: string | undefined): Promise<void> {
  await ctx.db
    .updateTable('projectWorker')
    .set({ isTeamLeader: false })
    .where('teamId', '=', teamId)
    .where('isTeamLeader', '=', true)
    .execute()
  if (stayId) await ctx.db.updateTable('projectWorker').set({ isTeamLeader: true }).where('id', '=', stayId).execute()
}
