import { sheetStates } from '@zhugong/contract/sheets/moves'
import { sql } from 'kysely'
import { projectsFor } from '#kit/context'
import { allOf, condition, equals, inProjects } from '#kit/list'
import { registerNoticeSource } from '../rectify/public.ts'
import { pageOf, sheetType } from './kind.ts'

/** Notices of rectification that come from the problems of a record sheet. */
export function registerSheetSource(): void {
  registerNoticeSource(sheetType, {
    title: '监督记录单',
    page: pageOf,
    projectOf: async (ctx, id) => {
      const where = allOf(
        ...equals('m.id', id),
        ...equals('m.groupId', ctx.group.id),
        condition(sql`m.state in (${sheetStates.signing}, ${sheetStates.signed})`),
        ...inProjects('m.projectCode', projectsFor(ctx)),
      )
      const { rows } = await sql<{ projectCode: string }>`select m.project_code from manualsheet m where ${where}`.execute(ctx.db)
      return rows[0]?.projectCode
    },
    photosOf: async (ctx, id) => {
      const { rows } = await sql<{ photos: string[] }>`select photos from manualsheet_problem where sheet_id = ${id}
        union all select photos from manualsheet where id = ${id}`.execute(ctx.db)
      return rows.flatMap((one) => one.photos)
    },
  })
}
