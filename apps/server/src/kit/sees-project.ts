import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { type Context, projectsFor } from './context.ts'
import { allOf, inProjects } from './list.ts'

/**
 * Throws if the user does not see the project; `*` and none are every project of the scope. Asks the database, because calls whose records
 * belong to no project have no other condition that row-level security could apply to `projectCode`.
 * @throws AppError `notFound`
 */
export async function seesProject(ctx: Context, projectCode: string | undefined): Promise<void> {
  if (!projectCode || projectCode === '*') return
  const { rows } =
    await sql`select 1 from project where project_code = ${projectCode} and ${allOf(...inProjects('project_code', projectsFor(ctx)))}`.execute(
      ctx.db,
    )
  if (rows.length === 0) throw new AppError('notFound', '项目不存在或不在您的管辖范围内', { field: 'projectCode' })
}
