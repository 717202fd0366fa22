import { AppError } from '@zhugong/contract/kit/errors'
import type { Context } from '#kit/context'
import { isUniqueViolation } from '#kit/db'

/** Ties the asker's account to a file, or to none. */
export async function linkWorker(ctx: Pick<Context, 'system' | 'user'>, workerId: string | null): Promise<void> {
  try {
    await ctx.system.updateTable('appUser').set({ workerId }).where('id', '=', ctx.user.id).execute()
  } catch (error) {
    if (isUniqueViolation(error, 'app_user_worker')) throw new AppError('refused', '该档案已关联其他账号，请联系项目劳务员核实')
    throw error
  }
}
