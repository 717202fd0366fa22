import { projectStates } from '@zhugong/contract/organisation/codes'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { holdProject } from '../organisation/public.ts'
import { registerFullStops } from '../rectify/public.ts'
import { beginStop, endStops } from './project-stop.ts'

/** Notices that order a full stop begin and end stops of their project. */
export function followNotices(): void {
  registerFullStops({
    begin: async (ctx, notice) => {
      await beginStop(ctx, {
        projectCode: notice.projectCode,
        source: 'rectify',
        sourceId: notice.id,
        code: notice.code,
        orderedBy: notice.issuerGroupName,
        reason: `全面停工整改通知 ${notice.code ?? ''}`,
        affectAttendance: true,
        planResumeDate: notice.deadline,
        fromDay: formatDay(ctx.clock.now()),
      })
      const { prjStatus } = await holdProject(ctx, notice.projectCode)
      return prjStatus === projectStates.stopped ? '项目停工' : '项目未在施工，状态不变'
    },
    end: (ctx, notice) =>
      endStops(ctx, notice.projectCode, [{ source: 'rectify', sourceId: notice.id }], `全面停工整改通知 ${notice.code ?? ''} 已结束`),
    postpone: async (ctx, { id, deadline }) => {
      await sql`update project_stop set plan_resume_date = ${deadline} where source = 'rectify' and source_id = ${id} and until_day is null`.execute(
        ctx.db,
      )
    },
  })
}
