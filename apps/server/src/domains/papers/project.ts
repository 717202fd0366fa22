import { AppError } from '@zhugong/contract/kit/errors'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { sql } from 'kysely'
import { type Context, found, oneProject } from '#kit/context'

/** @throws AppError when the supervision of the project has ended, and its papers with it */
export async function requireOpenProject(ctx: Pick<Context, 'db'>, projectCode: string): Promise<void> {
  const { rows } = await sql<{ prjStatus: string }>`select prj_status from project where project_code = ${projectCode}`.execute(ctx.db)
  if (found(rows[0], '项目').prjStatus === projectStates.closed) throw new AppError('refused', '项目已终止监督，资料只读')
}

/**
 * The one project whose library is asked for. A company that sees only its own part of it would read everybody else's papers as missing.
 * @throws AppError `invalidInput` without one project, `notFound`, `forbidden`
 */
export function libraryOf(ctx: Pick<Context, 'scope' | 'scopeChecks' | 'projectCode' | 'group'>, requested: string | undefined): string {
  const projectCode = oneProject(ctx, requested)
  if (ctx.scope.limited.includes(projectCode))
    throw new AppError('forbidden', '分包单位只查看自己的记录，项目资料库由建设、总包与监理单位查看')
  return projectCode
}
