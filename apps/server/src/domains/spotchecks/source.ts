import { handledSpot } from '@zhugong/contract/spotchecks/moves'
import { sql } from 'kysely'
import { projectsFor } from '#kit/context'
import { allOf, equals, inProjects } from '#kit/list'
import { registerNoticeSource } from '../rectify/public.ts'
import { pageOf, spotType } from './kind.ts'

/** Orders about a failed spot check: they stay open until a new report passes. */
export function registerSpotCheckSource(): void {
  registerNoticeSource(spotType, {
    title: '质量抽查',
    page: (id) => pageOf({ id }),
    projectOf: async (ctx, id) => {
      const where = allOf(...equals('c.id', id), ...inProjects('c.projectCode', projectsFor(ctx)))
      const { rows } = await sql<{ projectCode: string }>`select c.project_code from spot_check c where ${where}`.execute(ctx.db)
      return rows[0]?.projectCode
    },
    photosOf: async (ctx, id) => {
      const { rows } = await sql<{ photos: string[] }>`select photos from spot_check where id = ${id}`.execute(ctx.db)
      return rows[0]?.photos ?? []
    },
    keepsOpen: async (ctx, { sourceId }) => {
      const { rows } = await sql`select from spot_check where id = ${sourceId} and state = ${handledSpot}`.execute(ctx.system)
      return rows.length > 0 ? '抽查尚未复检合格，不能销项' : undefined
    },
  })
}
