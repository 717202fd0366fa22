import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { dayMs } from '@zhugong/contract/kit/time'
import type { craneRanks as craneRankCall } from '@zhugong/contract/telemetry/analysis'
import type * as lists from '@zhugong/contract/telemetry/crane-lists'
import { projectsFor } from '#kit/context'
import { pageSlice } from '#kit/list'
import type { ListContext } from '../exports/registry.ts'
import { drivenFor, driverGroupsFor, driverSeen } from '../readings/public.ts'
import { craneRanks } from './crane-analysis.ts'
import { type CycleGrouping, cycleGroups, findCycles } from './crane-cycles.ts'
import { craneDays } from './crane-days.ts'
import { cut, inRange, rankPage } from './in-memory.ts'
import { offlineSpans } from './offline-spans.ts'
import { longest, periodOf } from './period.ts'
import { field } from './record-fields.ts'

/** Pages of the cranes' lists, for whoever looks and for whoever takes them along: one query each. */
type QueryOf<E> = ParsedFor<E> extends { query: infer Q } ? Q : never

type CycleQuery = Omit<QueryOf<typeof lists.findCycles>, 'sort'> & { sort?: Parameters<typeof findCycles>[3] }
const cycleFilterOf = (ctx: ListContext, query: Omit<CycleQuery, 'sort'>) => ({
  ...query,
  projects: projectsFor(ctx, query.projectCode),
  period: periodOf(query, ctx.clock.now(), 7 * dayMs, longest.records),
  driverSeen: driverSeen(ctx, field('driverName')),
})
export const cyclePage = async (ctx: ListContext, query: CycleQuery) =>
  drivenFor(ctx, await findCycles(ctx.db, cycleFilterOf(ctx, query), pageSlice(query), query.sort))

export async function cycleGroupPage(ctx: ListContext, query: Omit<CycleQuery, 'sort'> & { groupBy: CycleGrouping }) {
  const groups = await cycleGroups(ctx.db, cycleFilterOf(ctx, query), query.groupBy)
  return cut(query.groupBy === 'driver' ? driverGroupsFor(ctx, groups) : groups, query)
}

export function craneDayPage(ctx: ListContext, query: Omit<QueryOf<typeof lists.findCraneDays>, 'groupBy'>) {
  const now = ctx.clock.now()
  const { from, to } = periodOf(query, now, 7 * dayMs, longest.readings)
  const period = { from, to: Math.min(to, now + 1) }
  return craneDays(ctx.db, { ...query, projects: projectsFor(ctx, query.projectCode), period }, pageSlice(query), query.sort)
}

export function offlinePage(ctx: ListContext, query: QueryOf<typeof lists.findOfflineSpans>) {
  const now = ctx.clock.now()
  const filter = { ...query, projects: projectsFor(ctx, query.projectCode), period: periodOf(query, now, 7 * dayMs, longest.records) }
  return offlineSpans(ctx.db, 'towerCrane', filter, pageSlice(query), now, query.sort)
}

export async function craneRankPage(ctx: ListContext, query: QueryOf<typeof craneRankCall>) {
  const now = ctx.clock.now()
  const period = periodOf(query, now, 30 * dayMs, longest.analysis)
  const all = await craneRanks(ctx.db, { projects: projectsFor(ctx, query.projectCode), deviceId: query.deviceId, period }, now)
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
