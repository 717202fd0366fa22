import { AppError } from '@zhugong/contract/kit/errors'
import { workRoles } from '@zhugong/contract/labour/codes'
import type { moveWorker } from '@zhugong/contract/personnel/workers'
import { sql } from 'kysely'
import { conflictOf } from '#kit/change-row'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import { markStayChanged } from '../attendance/public.ts'
import { changeStay, continueStay, dropLeader, getStay, requirePresentTeam, requirePresentUnit, type Stay } from '../labour/public.ts'

type Move = NonNullable<(typeof moveWorker)['types']>['parsed']['body']

/**
 * Moves a person to another company or team from now on. The current stay ends and a new one begins, so past days stay with the old team.
 * A registration without any gate passage is corrected in place.
 */
export async function moveStay(ctx: Context, workerId: string, move: Move): Promise<Stay> {
  const stay = await getStay(ctx, move.projectWorkerId)
  if (stay.workerId !== workerId || stay.exitTime) throw new AppError('refused', '只能调整在场人员的班组')
  await requirePresentUnit(ctx, stay.projectCode, move.corpCode)
  if (move.teamId) await requirePresentTeam(ctx, stay.projectCode, move.corpCode, move.teamId, formatDay(ctx.clock.now()))
  else if (stay.workRole === workRoles.worker) throw new AppError('invalidInput', '建筑工人请选择班组', { field: 'teamId' })
  if (stay.version !== move.version) throw await conflictOf(ctx, 'projectWorker', { id: stay.id }, '在册人员')
  const isOther = stay.corpCode !== move.corpCode || stay.teamId !== move.teamId
  const now = ctx.clock.now()
  const place = {
    corpCode: move.corpCode,
    teamId: move.teamId,
    workType: move.workType ?? stay.workType,
    isTeamLeader: !isOther && stay.isTeamLeader,
  }
  const splits = isOther && (await hasPassed(ctx, stay))
  const left = { exitTime: new Date(now), stationed: '2', attendEnabled: false, isTeamLeader: false }
  await changeStay(ctx, stay, splits ? left : place)
  if (splits) await continueElsewhere(ctx, stay, place, now)
  if (isOther) {
    const from = splits ? now : stay.entryTime.getTime()
    await markStayChanged(ctx.db, { projectCode: stay.projectCode, workerId, before: from, after: now }, now)
  }
  if (stay.isTeamLeader && stay.teamId && stay.teamId !== move.teamId) await dropLeader(ctx.db, stay.teamId, stay.workerId)
  return stay
}

async function hasPassed(ctx: Context, stay: Stay): Promise<boolean> {
  const { rows } = await sql`
    select 1 from attendance_event where project_code = ${stay.projectCode} and worker_id = ${stay.workerId} and time >= ${stay.entryTime} limit 1`.execute(
    ctx.db,
  )
  return rows.length > 0
}

/** The person stays at the same gate, so training records move to the new stay. */
async function continueElsewhere(ctx: Context, stay: Stay, place: Parameters<typeof continueStay>[2], at: number): Promise<void> {
  const id = await continueStay(ctx, stay, place, at)
  await ctx.db.updateTable('workerTraining').set({ projectWorkerId: id }).where('projectWorkerId', '=', stay.id).execute()
}
