import { sql } from 'kysely'
import { projectsFor } from '#kit/context'
import { allOf, equals, inProjects } from '#kit/list'
import { registerNoticeSource } from '../rectify/public.ts'
import { pageOf, source } from './kind.ts'

/** Notices about a hoisting machine. */
export function registerMachineSource(): void {
  registerNoticeSource(source, {
    title: '起重机械',
    page: pageOf,
    projectOf: async (ctx, id) => {
      const where = allOf(...equals('s.id', id), ...inProjects('s.projectCode', projectsFor(ctx)))
      const { rows } = await sql<{ projectCode: string }>`select s.project_code from machine_stay s where ${where}`.execute(ctx.db)
      return rows[0]?.projectCode
    },
  })
}
