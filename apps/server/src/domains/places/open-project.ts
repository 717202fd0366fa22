import { AppError } from '@zhugong/contract/kit/errors'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { sql } from 'kysely'
import { type Context, found, oneProject } from '#kit/context'

/**
 * The code of a visible project that may still be edited; other editors of it wait until the transaction ends, so that limits and order hold.
 * @throws AppError `refused` when its supervision has ended
 */
export async function openProject(ctx: Context, requested: string): Promise<string> {
  const projectCode = oneProject(ctx, requested)
  await sql`select pg_advisory_xact_lock(hashtext(${`places ${projectCode}`}))`.execute(ctx.db)
  const { rows } = await sql<{ prjStatus: string }>`select prj_status from project where project_code = ${projectCode}`.execute(ctx.db)
  if (found(rows[0], '项目').prjStatus === projectStates.closed) throw new AppError('refused', '项目已终止监督，资料只读')
  return projectCode
}
