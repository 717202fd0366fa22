import { dayMs } from '@zhugong/contract/kit/time'
import type { ListContext } from '../../exports/registry.ts'
import { driverSeen } from '../../readings/public.ts'
import { getDeviceRow } from '../shared/devices.ts'
import { scopeOf } from '../shared/list-query.ts'
import { longest } from '../shared/period.ts'
import { field } from '../shared/record-fields.ts'

type Query = Parameters<typeof scopeOf>[1]

/** Scope of a list of cycles: the last seven days by default. Drivers are found by the name that this user sees. */
export const cycleScope = (ctx: ListContext, query: Query) => ({
  ...scopeOf(ctx, query, 7 * dayMs, longest.records),
  driverSeen: driverSeen(ctx, field('driverName')),
})

/** Scope of a list of days, without days to come: the last seven days by default. */
export function dayScope(ctx: ListContext, query: Query) {
  const scope = scopeOf(ctx, query, 7 * dayMs, longest.readings)
  return { ...scope, period: { ...scope.period, to: Math.min(scope.period.to, ctx.clock.now() + 1) } }
}

/**
 * Scope of an analysis: the last thirty days by default.
 * @throws AppError when the user may not see the requested device
 */
export async function analysisScope(ctx: ListContext, family: string, query: Query) {
  if (query.deviceId) await getDeviceRow(ctx, query.deviceId, family)
  return scopeOf(ctx, query, 30 * dayMs, longest.analysis)
}

/** Sort of a list that answers readings or days: `time` orders readings only, every other name days only. */
export function splitSort<Name extends string>(sort: Name | undefined) {
  const isTime = sort === 'time' || sort === '-time'
  return {
    ofReadings: (isTime ? sort : undefined) as Extract<Name, 'time' | '-time'> | undefined,
    ofDays: (isTime ? undefined : sort) as Exclude<Name, 'time' | '-time'> | undefined,
  }
}
