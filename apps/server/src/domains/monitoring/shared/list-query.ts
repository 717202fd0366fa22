import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { projectsFor } from '#kit/context'
import type { ListContext } from '../../exports/registry.ts'
import { type Period, type PeriodQuery, periodOf } from './period.ts'

/** The parsed query of a list call. */
export type QueryOf<E> = ParsedFor<E> extends { query: infer Q } ? Q : never

/** Devices and time that a query covers. `projects`: undefined means all. */
export interface DeviceScope {
  projects: readonly string[] | undefined
  deviceId?: string | undefined
  period: Period
}

/** The filters of a list call, with its projects and its period resolved. */
export type FilterOf<E> = Omit<QueryOf<E>, 'page' | 'size' | 'sort' | 'groupBy' | 'projectCode' | 'startTime' | 'endTime'> & DeviceScope

/**
 * Resolves the devices and the period of a query.
 * @param usualMs length of the period when the query has none
 * @param most longest period allowed, in milliseconds
 * @throws AppError when the period is reversed or too long
 */
export const scopeOf = (
  ctx: ListContext,
  query: PeriodQuery & { projectCode?: string | undefined; deviceId?: string | undefined },
  usualMs: number,
  most: number,
): DeviceScope => ({
  projects: projectsFor(ctx, query.projectCode),
  deviceId: query.deviceId,
  period: periodOf(query, ctx.clock.now(), usualMs, most),
})

/** Order columns that are called like the sort names of the contract. */
export const sameNames = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, name])) as Record<Name, Name>
