import { sql } from 'kysely'
import type { Context } from '#kit/context'

/** Ties the asker's account to a file, or to none. Whoever proves himself takes the file over: an account that had it before loses it. */
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
