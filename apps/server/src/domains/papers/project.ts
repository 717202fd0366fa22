import { AppError } from '@zhugong/contract/kit/errors'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { sql } from 'kysely'
import { type Context, found } from '#kit/context'

/** @throws AppError when the supervision of the project has ended, and its papers with it */
export async function requireOpenProject(ctx: Pick<Context, 'db'>, projectCode: string): Promise<void> {
  const { rows } = await sql<{ prjStatus: string }>`select prj_status from project where project_code = ${projectCode}`.execute(ctx.db)
  if (found(rows[0], '项目').prjStatus === projectStates.closed) throw new AppError('refused', '项目已终止监督，资料只读')
}
