import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import type { Context } from '#kit/context'
import { markStateChanged } from '../attendance/public.ts'
import { getRaw, type RawProject } from './project-rows.ts'

/** Locks a project for a change of its state. @throws AppError `notFound` outside the scope */
export async function holdProject(ctx: Context, projectCode: string): Promise<RawProject> {
  await sql`select 1 from project where project_code = ${projectCode} for update`.execute(ctx.db)
  return getRaw(ctx, projectCode)
}

interface Move {
  to: string
  reason: string
  /** Of a stop: attendance goes on as usual. */
  keepsAttendance?: boolean
  values?: { actualStartDate?: string | undefined; actualCompleteDate?: string | undefined }
}

/** Writes a project's state with its log, and queues the attendance days that it changes. The caller holds the project. */
export async function writeState(
  ctx: Context,
  project: Pick<RawProject, 'projectCode' | 'prjStatus' | 'version'>,
  { to, reason, keepsAttendance = false, values = {} }: Move,
): Promise<void> {
  const { projectCode, prjStatus, version } = project
  const now = ctx.clock.now()
  if (to !== prjStatus)
    await changeRow(ctx, 'project', {
      key: { projectCode },
      version,
      by: ctx.user.id,
      noun: '项目',
      values: { prjStatus: to, ...values },
    })
  await ctx.db
    .insertInto('projectStateLog')
    .values({
      id: ctx.newId(),
      projectCode,
      fromState: prjStatus,
      toState: to,
      at: new Date(now),
      reason,
      byUser: ctx.user.id,
      keepsAttendance,
    })
    .execute()
  await markStateChanged(ctx.db, projectCode, now, null, now)
}

/** Whether attendance goes on in the present state. */
export async function attendanceKept(ctx: Pick<Context, 'db'>, projectCode: string): Promise<boolean> {
  const { rows } = await sql<{ kept: boolean }>`select keeps_attendance as kept from project_state_log
    where project_code = ${projectCode} order by at desc, id desc limit 1`.execute(ctx.db)
  return rows[0]?.kept ?? false
}
