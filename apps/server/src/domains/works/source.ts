import { sql } from 'kysely'
import { projectsFor } from '#kit/context'
import { allOf, equals, inProjects } from '#kit/list'
import { registerNoticeSource } from '../rectify/public.ts'
import { pageOf, source } from './kind.ts'

/** Notices that come from a dangerous work: ordered by the authority, or by 监理 when it does not accept the work. */
export function registerWorkSource(): void {
  registerNoticeSource(source, {
    title: '危大工程',
    page: pageOf,
    projectOf: async (ctx, id) => {
      const where = allOf(...equals('b.id', id), ...inProjects('b.projectCode', projectsFor(ctx)))
      const { rows } = await sql<{ projectCode: string }>`select b.project_code from bigproject b where ${where}`.execute(ctx.db)
      return rows[0]?.projectCode
    },
  })
}
