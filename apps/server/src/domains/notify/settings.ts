import { AppError } from '@zhugong/contract/kit/errors'
import type { NoticeChannel } from '@zhugong/contract/notify/codes'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Context } from '#kit/context'
import { projectsFor } from '#kit/context'
import { allOf, inProjects } from '#kit/list'

export interface NoticeSettings {
  pool: pg.Pool
  /** Whether each channel is configured in this installation. */
  ready: Readonly<Record<NoticeChannel, boolean>>
}

/**
 * Throws if the user does not see the project. Required before reads without row-level security; does not rely on the application's
 * checks alone.
 */
export async function seesProject(ctx: Context, projectCode: string): Promise<void> {
  const { rows } =
    await sql`select 1 from project where project_code = ${projectCode} and ${allOf(...inProjects('project_code', projectsFor(ctx)))}`.execute(
      ctx.db,
    )
  if (rows.length === 0) throw new AppError('notFound', '项目不存在或不在您的管辖范围内', { field: 'projectCode' })
}
