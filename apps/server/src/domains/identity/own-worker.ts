import { sql } from 'kysely'
import type { Context } from '#kit/context'

/**
 * Links the caller's account to a worker file, or to none. The last verified person takes the file over; another account linked to it
 * loses the link.
 */
export async function linkWorker(ctx: Pick<Context, 'system' | 'user'>, workerId: string | null): Promise<{ taken: string[] }> {
  return ctx.system.transaction().execute(async (tx) => {
    const { rows } = await sql<{
      account: string
    }>`update app_user set worker_id = null where worker_id = ${workerId} and id <> ${ctx.user.id}
      returning account`.execute(tx)
    await tx.updateTable('appUser').set({ workerId }).where('id', '=', ctx.user.id).execute()
    return { taken: rows.map((row) => row.account) }
  })
}
