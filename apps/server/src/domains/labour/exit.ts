import { longAbsence } from '@zhugong/contract/labour/exits'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatDay, formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import { pick } from '#kit/pick'
import { markStayChanged } from '../attendance/public.ts'
import { dropLeader, entrySources } from './enter.ts'
import type { Stay } from './stay-store.ts'

/** dictionary attendanceSource: 系统生成. */
const bySystem = '6'

interface Exit {
  at: number
  reason: string
  attachments: readonly string[]
  /** Only a day was given: the exit time is moved to the last passage or the entry on that day, if that is later. */
  wholeDay: boolean
}

export async function exitProject(ctx: Context, stay: Stay, exit: Exit): Promise<string | undefined> {
  if (stay.exitTime) return '已经退场'
  let at = exit.at
  const { rows } = await sql<{ last: Date | null }>`
    select max(time) as last from attendance_event
    where project_code = ${stay.projectCode} and worker_id = ${stay.workerId} and quarantine is null and time >= ${stay.entryTime}`.execute(
    ctx.db,
  )
  const last = rows[0]?.last
  if (last && exit.wholeDay && formatDay(last) === formatDay(at) && last.getTime() > at) at = last.getTime()
  if (exit.wholeDay && formatDay(stay.entryTime) === formatDay(at) && stay.entryTime.getTime() > at) at = stay.entryTime.getTime()
  if (at < stay.entryTime.getTime()) return `退场时间早于进场时间 ${formatInstant(stay.entryTime)}`
  if (last && last.getTime() > at) return `最近通行在 ${formatInstant(last)}，退场时间不能早于它`
  await changeRow(ctx, 'projectWorker', {
    key: { id: stay.id },
    version: stay.version,
    noun: '人员',
    by: ctx.user.id,
    values: {
      exitTime: new Date(at),
      exitReason: exit.reason,
      exitAttachment: JSON.stringify(exit.attachments),
      stationed: '2',
      attendEnabled: false,
      isTeamLeader: false,
    },
  })
  await markStayChanged(ctx.db, { projectCode: stay.projectCode, workerId: stay.workerId, before: null, after: at }, ctx.clock.now())
  if (stay.teamId) await dropLeader(ctx.db, stay.teamId, stay.workerId)
  await ctx.db
    .insertInto('entryExitHistory')
    .values({
      id: ctx.newId(),
      ...pick(stay, 'projectCode', 'workerId', 'corpCode'),
      projectWorkerId: stay.id,
      type: '0',
      date: new Date(at),
      reason: exit.reason,
      // Proposed by the system, confirmed by a user.
      source: exit.reason === longAbsence ? bySystem : entrySources.hand,
      createBy: ctx.user.id,
    })
    .execute()
  return undefined
}
