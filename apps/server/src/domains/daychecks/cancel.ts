import { dayCheckStates } from '@zhugong/contract/daychecks/moves'
import { AppError } from '@zhugong/contract/kit/errors'
import { changeRow } from '#kit/change-row'
import type { Context } from '#kit/context'
import { replaceTodos, writeLog } from '../process/public.ts'
import { tellOfficers } from './create.ts'
import { dayCheckKind, dayCheckType } from './kind.ts'

/**
 * Cancels a planned check as the effect of another record, for example because its project left a campaign. The right to do so is the right
 * to that action.
 * @throws AppError `refused` when the officers have signed in already
 */
export async function cancelDayCheck(ctx: Context, id: string, opinion: string): Promise<void> {
  const row = await dayCheckKind.lock(ctx, id)
  if (row.state !== dayCheckStates.planned) throw new AppError('refused', `检查${dayCheckKind.stateName(row.state)}，不能取消`)
  const values = { state: dayCheckStates.cancelled }
  await changeRow(ctx, 'dayCheck', { key: { id }, version: row.version, noun: dayCheckKind.noun, by: ctx.user.id, values })
  const after = await dayCheckKind.lock(ctx, id)
  await writeLog(ctx, dayCheckType, after, { action: 'cancel', from: row.state, to: after.state, opinion })
  await replaceTodos(ctx, dayCheckKind, after)
  await tellOfficers(ctx, after, '检查任务已取消')
}
