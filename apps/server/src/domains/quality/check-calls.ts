import * as contract from '@zhugong/contract/quality/inspection'
import { oneProject } from '#kit/context'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { changePatrol, countChecks, createPatrol, registerPatrolSource, removePatrol } from '../checks/public.ts'
import { sign } from '../process/public.ts'
import { readQualityCheck, readQualityHints } from './check-detail.ts'
import { conditions, countsOf, readQuality } from './check-rows.ts'
import { writeItems } from './items.ts'
import { qualityKind, qualityPatrol } from './patrol.ts'

export function qualityCheckRoutes(serve: Serve): void {
  registerPatrolSource(qualityPatrol)
  serve(contract.listQualityChecks, listQualityChecks)
  serve(contract.qualityHints, readQualityHints)
  serve(contract.getQualityCheck, readQualityCheck)
  serve(contract.createQualityCheck, createQualityCheck)
  serve(contract.changeQualityCheck, changeQualityCheck)
  serve(contract.removeQualityCheck, ({ params }, ctx) => removePatrol(ctx, qualityKind, params.id).then(() => undefined))
  serve(contract.signQualityCheck, ({ params, body }, ctx) => sign(ctx, qualityKind, params.id, body).then(() => undefined))
}

const listQualityChecks: HandlerOf<typeof contract.listQualityChecks> = async ({ query }, ctx) => {
  const where = conditions(ctx, query)
  const list = await readQuality(ctx, where, { sort: query.sort, ...pageSlice(query) })
  return { list, total: await countChecks(ctx, where), counts: await countsOf(ctx, query) }
}

const createQualityCheck: HandlerOf<typeof contract.createQualityCheck> = async ({ query, body }, ctx) => {
  const { id, action, ...fields } = body
  const projectCode = oneProject(ctx, query.projectCode)
  return createPatrol(ctx, qualityPatrol, qualityKind, { id, action, projectCode, fields }, writeItems)
}

const changeQualityCheck: HandlerOf<typeof contract.changeQualityCheck> = async ({ params: { id }, body }, ctx) => {
  const { action, version, ...fields } = body
  return changePatrol(ctx, qualityPatrol, qualityKind, { id, action, version, fields }, writeItems)
}
