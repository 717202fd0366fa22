import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { dayMs } from '@zhugong/contract/kit/time'
import type { dailyQuery } from '@zhugong/contract/telemetry/model'
import type { z } from 'zod'
import { formatDay, startOfDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import { dailyAlarms } from './statistics.ts'

const longestDays = 400
const usualDays = 30

/** Alarms of one family by day, machine or project; by default for the last thirty days. */
export const daily =
  (family: string) =>
  async ({ query }: { query: z.output<typeof dailyQuery> }, ctx: Context) => {
    const now = ctx.clock.now()
    const to = query.endTime ? (parseInstant(query.endTime) ?? now) : now
    const from = query.startTime ? (parseInstant(query.startTime) ?? to) : startOfDay(formatDay(now)) - (usualDays - 1) * dayMs
    if (to - from > longestDays * dayMs) throw new AppError('invalidInput', `时间范围最多 ${longestDays} 天`, { field: 'startTime' })
    const list = await dailyAlarms(ctx.db, family, projectsFor(ctx, query.projectCode), query.deviceId, { from, to: to + 1 }, query.groupBy)
    return { list, total: list.length }
  }
