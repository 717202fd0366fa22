import { failedStep } from '@zhugong/contract/steps/moves'
import { sql } from 'kysely'
import { projectsFor } from '#kit/context'
import { allOf, equals, inProjects } from '#kit/list'
import { registerNoticeSource } from '../rectify/public.ts'
import { pageOf, stepType } from './kind.ts'

/** Orders about a step that failed: they stay open until it passes again. */
export function registerStepSource(): void {
  registerNoticeSource(stepType, {
    title: '工序验收',
    page: (id) => pageOf({ id }),
    projectOf: async (ctx, id) => {
      const where = allOf(...equals('s.id', id), ...inProjects('s.projectCode', projectsFor(ctx)))
      const { rows } = await sql<{ projectCode: string }>`select s.project_code from site_step s where ${where}`.execute(ctx.db)
      return rows[0]?.projectCode
    },
    photosOf: async (ctx, id) => {
      const { rows } = await sql<{
        photos: string[]
      }>`select s.photos || coalesce((select array_agg(f) from site_step_point p, unnest(p.photos) as f
        where p.step_id = s.id), '{}') as photos from site_step s where s.id = ${id}`.execute(ctx.db)
      return rows[0]?.photos ?? []
    },
    keepsOpen: async (ctx, { sourceId }) => {
      const { rows } = await sql`select from site_step where id = ${sourceId} and state = ${failedStep}`.execute(ctx.system)
      return rows.length > 0 ? '工序尚未复验合格，不能销项' : undefined
    },
  })
}
