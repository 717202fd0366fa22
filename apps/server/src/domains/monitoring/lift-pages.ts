import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { dayMs } from '@zhugong/contract/kit/time'
import type * as lists from '@zhugong/contract/monitoring/lift-lists'
import { projectsFor } from '#kit/context'
import { pageSlice } from '#kit/list'
import type { ListContext } from '../exports/registry.ts'
import { drivenFor, driverGroupsFor, driverSeen } from '../readings/public.ts'
import { cut, inRange, longest, periodOf, rankPage } from '../telemetry/views/public.ts'
import { liftRanks } from './lift-analysis.ts'
import { liftDays } from './lift-days.ts'
import { findRuns, type RunGrouping, type RunOrder, runGroups } from './lift-runs.ts'
import { field } from './records.ts'

/** Pages of the lifts' lists, for whoever looks and for whoever takes them along: one query each. */
type QueryOf<E> = ParsedFor<E> extends { query: infer Q } ? Q : never

type RunQuery = Omit<QueryOf<typeof lists.findLiftRuns>, 'sort'> & { sort?: RunOrder }
const runFilterOf = (ctx: ListContext, query: Omit<RunQuery, 'sort'>) => ({
  ...query,
  projects: projectsFor(ctx, query.projectCode),
  period: periodOf(query, ctx.clock.now(), 7 * dayMs, longest.records),
  driverSeen: driverSeen(ctx, field('driverName')),
})
export const liftRunPage = async (ctx: ListContext, query: RunQuery) =>
  drivenFor(ctx, await findRuns(ctx.db, runFilterOf(ctx, query), pageSlice(query), query.sort))

export async function liftRunGroupPage(ctx: ListContext, query: Omit<RunQuery, 'sort'> & { groupBy: RunGrouping }) {
  const all = await runGroups(ctx.db, runFilterOf(ctx, query), query.groupBy)
  const groups = all.map(({ full: _, ...group }) => group)
  return cut(query.groupBy === 'driver' ? driverGroupsFor(ctx, groups) : groups, query)
}

export function liftDayPage(ctx: ListContext, query: Omit<QueryOf<typeof lists.findLiftDays>, 'groupBy'>) {
  const now = ctx.clock.now()
  const { from, to } = periodOf(query, now, 7 * dayMs, longest.readings)
  const period = { from, to: Math.min(to, now + 1) }
  return liftDays(ctx.db, { ...query, projects: projectsFor(ctx, query.projectCode), period }, pageSlice(query), now, query.sort)
}

export async function liftRankPage(ctx: ListContext, query: QueryOf<typeof lists.liftRanks>) {
  const now = ctx.clock.now()
  const period = periodOf(query, now, 30 * dayMs, longest.analysis)
  const all = await liftRanks(ctx.db, { projects: projectsFor(ctx, query.projectCode), deviceId: query.deviceId, period }, now)
  return rankPage(
    all,
    query,
    {
      sort: query.sort ?? '-doorOpenPer1000',
      values: {
        overPer1000: (r) => (r.doubtful ? null : r.overPer1000),
        doorOpenPer1000: (r) => (r.doubtful ? null : r.doorOpenPer1000),
        noDriverPercent: (r) => r.noDriverPercent,
        onlinePercent: (r) => r.onlinePercent,
        handledHours: (r) => r.handledHours,
        expiryDays: (r) => r.expiryDays,
        coverage: (r) => r.coverage,
      },
    },
    (one) =>
      inRange(one.overPer1000, query.overPer1000) &&
      inRange(one.doorOpenPer1000, query.doorOpenPer1000) &&
      inRange(one.onlinePercent, query.onlinePercent) &&
      inRange(one.expiryDays, query.expiryDays),
  )
}
