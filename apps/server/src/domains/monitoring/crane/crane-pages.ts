import { dayMs } from '@zhugong/contract/kit/time'
import type { craneRanks as craneRankCall } from '@zhugong/contract/monitoring/crane/crane-analysis'
import type * as lists from '@zhugong/contract/monitoring/crane/crane-lists'
import { pageSlice } from '#kit/list'
import type { ListContext } from '../../exports/registry.ts'
import { drivenFor, driverGroupsFor } from '../../readings/public.ts'
import { cycleScope, dayScope } from '../cycles/scopes.ts'
import { cut, inRange, rankPage } from '../shared/in-memory.ts'
import { type QueryOf, scopeOf } from '../shared/list-query.ts'
import { longest } from '../shared/period.ts'
import { craneRanks } from './crane-analysis.ts'
import { type CycleGrouping, type CycleSort, cycleGroups, findCycles } from './crane-cycles.ts'
import { craneDays } from './crane-days.ts'
import { offlineSpans } from './offline-spans.ts'

/** Pages of the cranes' lists: the endpoint and the export use the same query. */
type CycleQuery = Omit<QueryOf<typeof lists.findCycles>, 'sort'>

export const cyclePage = async (ctx: ListContext, query: CycleQuery & { sort?: CycleSort | undefined }) =>
  drivenFor(ctx, await findCycles(ctx.db, { ...query, ...cycleScope(ctx, query) }, pageSlice(query), query.sort))

export async function cycleGroupPage(ctx: ListContext, query: CycleQuery & { groupBy: CycleGrouping }) {
  const groups = await cycleGroups(ctx.db, { ...query, ...cycleScope(ctx, query) }, query.groupBy)
  return cut(query.groupBy === 'driver' ? driverGroupsFor(ctx, groups) : groups, query)
}

export const craneDayPage = (ctx: ListContext, query: Omit<QueryOf<typeof lists.findCraneDays>, 'groupBy'>) =>
  craneDays(ctx.db, { ...query, ...dayScope(ctx, query) }, pageSlice(query), query.sort)

export const offlinePage = (ctx: ListContext, query: QueryOf<typeof lists.findOfflineSpans>) =>
  offlineSpans(
    ctx.db,
    'towerCrane',
    { ...query, ...scopeOf(ctx, query, 7 * dayMs, longest.records) },
    pageSlice(query),
    ctx.clock.now(),
    query.sort,
  )

export async function craneRankPage(ctx: ListContext, query: QueryOf<typeof craneRankCall>) {
  const all = await craneRanks(ctx.db, scopeOf(ctx, query, 30 * dayMs, longest.analysis), ctx.clock.now())
  return rankPage(
    all,
    query,
    {
      sort: query.sort ?? '-alarmPer100',
      values: {
        alarmPer100: (r) => (r.doubtful ? null : r.alarmPer100),
        utilisation: (r) => r.utilisation,
        level1: (r) => r.level1,
        handledHours: (r) => r.handledHours,
        onlinePercent: (r) => r.onlinePercent,
        falsePercent: (r) => r.falsePercent,
        coverage: (r) => r.coverage,
      },
    },
    (one) =>
      inRange(one.utilisation, query.utilisation) &&
      inRange(one.alarmPer100, query.alarmPer100) &&
      inRange(one.onlinePercent, query.onlinePercent),
  )
}
