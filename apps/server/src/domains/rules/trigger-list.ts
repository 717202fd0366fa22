import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import type { findTriggers as listed } from '@zhugong/contract/rules/endpoints'
import { projectsFor } from '#kit/context'
import { pageSlice } from '#kit/list'
import type { ListContext } from '../exports/registry.ts'
import { findTriggers, toTrigger } from './trigger-store.ts'
import { findUnjudged } from './unjudged.ts'

/** A page of rules, each with what prevents its evaluation, and the counts shown above the list. */
export async function triggersOf(ctx: ListContext, query: ParsedFor<typeof listed>['query']) {
  const now = ctx.clock.now()
  const projects = projectsFor(ctx, query.projectCode)
  const { rows, total, counts } = await findTriggers(ctx.db, { ...query, projects }, pageSlice(query), query.sort, now)
  const shown = [...new Set(rows.map((r) => r.family))]
  const stuck = shown.length ? await findUnjudged(ctx.db, { projects, family: shown }) : undefined
  const byRule = new Map(stuck?.list.map((one) => [one.ruleId, one]))
  return { list: rows.map((r) => toTrigger(r, now, byRule.get(r.id))), total, counts }
}
