import { sql } from 'kysely'
import { registerNoticeSource } from '../rectify/public.ts'
import { dayCheckType, detailPage } from './kind.ts'

/** Notices that come from a daily check. Its states 3 to 5 follow them in the database (trigger `day_check_state`). */
export function registerDayCheckSource(): void {
  registerNoticeSource(dayCheckType, {
    title: '日常检查',
    page: detailPage,
    projectOf: async (ctx, id) => {
      const { rows } = await sql<{ projectCode: string }>`select project_code from day_check where id = ${id}`.execute(ctx.db)
      return rows[0]?.projectCode
    },
  })
}
