import { dayMs } from '@zhugong/contract/kit/time'
import type * as lists from '@zhugong/contract/monitoring/lift/lift-lists'
import { pageSlice } from '#kit/list'
import type { ListContext } from '../../exports/registry.ts'
import { drivenFor, driverGroupsFor } from '../../readings/public.ts'
import { cycleScope, dayScope } from '../cycles/scopes.ts'
import { cut, inRange, rankPage } from '../shared/in-memory.ts'
import { type QueryOf, scopeOf } from '../shared/list-query.ts'
import { longest } from '../shared/period.ts'
import { liftRanks } from './lift-analysis.ts'
import { liftDays } from './lift-days.ts'
import { findRuns, type RunGrouping, type RunOrder, runGroups } from './lift-runs.ts'

/** Pages of the lifts' lists: the endpoint and the export use the same query. */
type RunQuery = Omit<QueryOf<typeof lists.findLiftRuns>, 'sort'>

export const liftRunPage = async (ctx: ListContext, query: RunQuery & { sort?: RunOrder }) =>
  drivenFor(ctx, await findRuns(ctx.db, { ...query, ...cycleScope(ctx, query) }, pageSlice(query), query.sort))

export async function liftRunGroupPage(ctx: ListContext, query: RunQuery & { groupBy: RunGrouping }) {
  const all = await runGroups(ctx.db, { ...query, ...cycleScope(ctx, query) }, query.groupBy)
  const groups = all.map(({ full: _, ...group }) => group)
  return cut(query.groupBy === 'driver' ? driverGroupsFor(ctx, groups) : groups, query)
}

export const liftDayPage = (ctx: ListContext, query: Omit<QueryOf<typeof lists.findLiftDays>, 'groupBy'>) =>
  liftDays(ctx.db, { ...query, ...dayScope(ctx, query) }, pageSlice(query), ctx.clock.now(), query.sort)

export async function liftRankPage(ctx: ListContext, query: QueryOf<typeof lists.liftRanks>) {
  const all = await liftRanks(ctx.db, scopeOf(ctx, query, 30 * dayMs, longest.analysis), ctx.clock.now())
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
