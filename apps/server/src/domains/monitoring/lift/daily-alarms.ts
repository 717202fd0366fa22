import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { dayMs } from '@zhugong/contract/kit/time'
import { type Context, projectsFor } from '#kit/context'
import { dailyAlarms } from '../../alarms/daily/public.ts'
import { todayStart } from '../shared/family.ts'
import type { PeriodQuery } from '../shared/period.ts'

/** Alarms of a family by day, device or project; by default of the last thirty days. */
export async function dailyAlarmsOf(
  ctx: Context,
  family: string,
  query: PeriodQuery & { projectCode?: string | undefined; deviceId?: string | undefined; groupBy: 'day' | 'device' | 'project' },
) {
  const now = ctx.clock.now()
  const to = query.endTime ? (parseInstant(query.endTime) ?? now) : now
  const from = query.startTime ? (parseInstant(query.startTime) ?? to) : todayStart(now) - 29 * dayMs
  if (to - from > 400 * dayMs) throw new AppError('invalidInput', '时间范围最多 400 天', { field: 'startTime' })
  const list = await dailyAlarms(ctx.db, family, projectsFor(ctx, query.projectCode), query.deviceId, { from, to: to + 1 }, query.groupBy)
  return { list, total: list.length }
}
