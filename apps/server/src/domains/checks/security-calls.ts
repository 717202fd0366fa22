import { signSecurityCheck } from '@zhugong/contract/checks/seats'
import * as contract from '@zhugong/contract/checks/security-check'
import { sql } from 'kysely'
import { type Context, oneProject } from '#kit/context'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { registerPlaceUse } from '../places/public.ts'
import { sign } from '../process/public.ts'
import { changePatrol, createPatrol, registerPatrolSource, removePatrol } from './patrol-calls.ts'
import { readPatrol } from './patrol-detail.ts'
import { securityKind, securityPatrol } from './patrol-kind.ts'
import { conditions, countChecks, countsOf, readChecks } from './patrol-rows.ts'
import { readFrequent, readHints } from './security-hints.ts'

export function checkRoutes(serve: Serve): void {
  registerPlaceUse(placesOfChecks)
  registerPatrolSource(securityPatrol)
  serve(contract.listSecurityChecks, listSecurityChecks)
  serve(contract.securityHints, readHints)
  serve(contract.frequentProblems, readFrequent)
  serve(contract.getSecurityCheck, ({ params }, ctx) => readPatrol(ctx, securityPatrol, securityKind, params.id))
  serve(contract.createSecurityCheck, createSecurityCheck)
  serve(contract.changeSecurityCheck, changeSecurityCheck)
  serve(contract.removeSecurityCheck, ({ params }, ctx) => removePatrol(ctx, securityKind, params.id).then(() => undefined))
  serve(signSecurityCheck, ({ params, body }, ctx) => sign(ctx, securityKind, params.id, body).then(() => undefined))
}

async function placesOfChecks(ctx: Pick<Context, 'db'>, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ placeId: string }>`select place_id from site_check where place_id = any (${[...ids]})
    union select place_id from site_check_problem where place_id = any (${[...ids]})`.execute(ctx.db)
  return rows.map((one) => one.placeId)
}

const listSecurityChecks: HandlerOf<typeof contract.listSecurityChecks> = async ({ query }, ctx) => {
  const where = conditions(ctx, securityPatrol.kind, query)
  const list = await readChecks(ctx, where, { sort: query.sort, ...pageSlice(query) })
  return { list, total: await countChecks(ctx, where), counts: await countsOf(ctx, securityPatrol.kind, query) }
}

const createSecurityCheck: HandlerOf<typeof contract.createSecurityCheck> = async ({ query, body }, ctx) => {
  const { id, action, ...fields } = body
  return createPatrol(ctx, securityPatrol, securityKind, { id, action, projectCode: oneProject(ctx, query.projectCode), fields })
}

const changeSecurityCheck: HandlerOf<typeof contract.changeSecurityCheck> = async ({ params: { id }, body }, ctx) => {
  const { action, version, ...fields } = body
  return changePatrol(ctx, securityPatrol, securityKind, { id, action, version, fields })
}
