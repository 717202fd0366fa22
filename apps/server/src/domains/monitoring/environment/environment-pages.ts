import { dayMs } from '@zhugong/contract/kit/time'
import type * as lists from '@zhugong/contract/monitoring/environment/environment-lists'
import type { stationRanks } from '@zhugong/contract/monitoring/environment/station-ranks'
import { projectsFor } from '#kit/context'
import { pageSlice } from '#kit/list'
import type { ListContext } from '../../exports/registry.ts'
import { sprayDays } from '../shared/groups.ts'
import { cut, inRange, ownedAs, saysOf, sorted } from '../shared/in-memory.ts'
import { type QueryOf, scopeOf } from '../shared/list-query.ts'
import { longest } from '../shared/period.ts'
import { environmentAnalysis } from './environment.ts'
import { noiseLimitAt } from './noise-limit.ts'
import { findSprayRuns } from './spray-runs.ts'
import { countStationHours, stationHours, toStationHour } from './station-hours.ts'
import { stationsNow } from './stations-now.ts'
import { unsprayedOf } from './unsprayed.ts'

/** Pages of the lists of air and water: the endpoint and the export use the same query. */

export async function stationHourPage(ctx: ListContext, query: Omit<QueryOf<typeof lists.findStationHours>, 'kind'>) {
  const scope = scopeOf(ctx, query, 7 * dayMs, longest.records)
  const rows = await stationHours(ctx.db, scope, { ...pageSlice(query), falling: query.sort !== 'time' })
  return { list: rows.map(toStationHour), total: await countStationHours(ctx.db, scope) }
}

/** Rows per day have no totals. */
export const noRuns = { runs: 0, seconds: 0, water: 0, effect: null }

export function sprayRunPage(ctx: ListContext, query: QueryOf<typeof lists.findSprayRuns>) {
  return findSprayRuns(ctx.db, { ...query, ...scopeOf(ctx, query, 30 * dayMs, longest.records) }, pageSlice(query), query.sort)
}

export async function sprayDayPage(ctx: ListContext, query: Omit<QueryOf<typeof lists.findSprayDays>, 'groupBy'>) {
  const { projects, period } = scopeOf(ctx, query, 30 * dayMs, longest.records)
  const days = (await sprayDays(ctx.db, projects, period, ctx.clock.now())).filter(
    (one) =>
      saysOf(one.projectName, query.projectName) &&
      inRange(one.overMinutes, query.overMinutes) &&
      inRange(one.responsePercent, query.responsePercent),
  )
  const rows = sorted(days, query.sort ?? 'responsePercent', {
    responsePercent: (r) => r.responsePercent,
    day: (r) => r.day,
    overMinutes: (r) => r.overMinutes,
    waterVolume: (r) => r.waterVolume,
  })
  return cut(rows, query)
}

export function unsprayedPage(ctx: ListContext, query: QueryOf<typeof lists.findUnsprayed>) {
  const { projects, period } = scopeOf(ctx, query, 30 * dayMs, longest.records)
  const filter = { projects, period, projectName: query.projectName, reason: query.reason }
  return unsprayedOf(ctx.db, filter, pageSlice(query), query.sort, ctx.clock.now())
}

export async function stationPage(ctx: ListContext, query: QueryOf<typeof lists.findStations>) {
  const now = ctx.clock.now()
  const all = await stationsNow(ctx.db, projectsFor(ctx, query.projectCode), query.deviceId, now)
  const wanted = all.filter(
    (one) =>
      saysOf(one.deviceName, query.deviceName) &&
      saysOf(one.projectName, query.projectName) &&
      (query.state === undefined || query.state.length === 0 || query.state.includes(one.state)) &&
      inRange(typeof one.latest?.values.pm10 === 'number' ? one.latest.values.pm10 : null, query.pm10) &&
      inRange(one.delta, query.delta),
  )
  const are = (state: (typeof all)[number]['state']) => all.filter((one) => one.state === state).length
  return {
    ...cut(wanted, query),
    online: all.filter((one) => one.online).length,
    offline: all.filter((one) => !one.online).length,
    over: are('over'),
    doubtful: are('doubtful'),
    noiseLimit: noiseLimitAt(now),
  }
}

export async function stationRankPage(ctx: ListContext, query: QueryOf<typeof stationRanks>) {
  const { devices } = await environmentAnalysis(ctx.db, scopeOf(ctx, query, 30 * dayMs, longest.readings), ctx.clock.now())
  const wanted = devices.filter(
    (one) =>
      saysOf(one.name, query.name) &&
      saysOf(one.projectName, query.projectName) &&
      ownedAs(one, query) &&
      (query.stage === undefined || query.stage.length === 0 || query.stage.includes(one.stage ?? '')) &&
      inRange(one.overHours, query.overHours) &&
      inRange(one.validPercent, query.validPercent),
  )
  const rows = sorted(wanted, query.sort ?? '-score', {
    score: (r) => r.score,
    pm10Mean: (r) => r.pm10Mean,
    deltaToDistrict: (r) => r.deltaToDistrict,
    overHours: (r) => r.overHours,
    nightNoiseHours: (r) => r.nightNoiseHours,
    validPercent: (r) => r.validPercent,
  })
  return cut(rows, query)
}
