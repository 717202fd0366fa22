import { sql } from 'kysely'
import { projectsFor } from '#kit/context'
import { allOf, equals, inProjects } from '#kit/list'
import { registerNoticeSource } from '../rectify/public.ts'
import { dust, pageOfDust } from './kind.ts'

/** Notices that come from a dust check. */
export function registerDustSource(): void {
  registerNoticeSource(dust, {
    title: '扬尘检查',
    page: pageOfDust,
    projectOf: async (ctx, id) => {
      const where = allOf(...equals('c.kind', dust), ...equals('c.id', id), ...inProjects('c.projectCode', projectsFor(ctx)))
      const { rows } = await sql<{ projectCode: string }>`select c.project_code from site_check c where ${where}`.execute(ctx.db)
      return rows[0]?.projectCode
    },
  })
}
