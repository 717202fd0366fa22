import * as contract from '@zhugong/contract/examine/calls'
import { sql } from 'kysely'
import { type Context, oneProject } from '#kit/context'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { addToPatrol, changePatrol, countChecks, createPatrol, patrolAnswer, registerPatrolSource, removePatrol } from '../checks/public.ts'
import { sign, take } from '../process/public.ts'
import { proposalOf } from '../scoring/public.ts'
import { readExamine, readTrend } from './detail.ts'
import { examineKind, examinePatrol } from './kind.ts'
import { conditions, countsOf, readExamines, readRhythm } from './rows.ts'
import { fieldsOf, writeSheets } from './sheets.ts'

export function examineRoutes(serve: Serve): void {
  registerPatrolSource(examinePatrol)
  serve(contract.listExamines, listExamines)
  serve(contract.examineTrend, readTrend)
  serve(contract.examineProposal, ({ query }, ctx) => proposalOf(ctx, oneProject(ctx, query.projectCode), examinePatrol.kind))
  serve(contract.getExamine, ({ params }, ctx) => readExamine(ctx, params.id))
  serve(contract.createExamine, createExamine)
  serve(contract.changeExamine, changeExamine)
  serve(contract.removeExamine, ({ params }, ctx) => removePatrol(ctx, examineKind, params.id).then(() => undefined))
  serve(contract.signExamine, ({ params, body }, ctx) => sign(ctx, examineKind, params.id, body).then(() => undefined))
}

const listExamines: HandlerOf<typeof contract.listExamines> = async ({ query }, ctx) => {
  const where = conditions(ctx, query)
  const list = await readExamines(ctx, where, { sort: query.sort, ...pageSlice(query) })
  return { list, total: await countChecks(ctx, where), counts: await countsOf(ctx, query), rhythm: await readRhythm(ctx, query) }
}

const createExamine: HandlerOf<typeof contract.createExamine> = async ({ query, body }, ctx) => {
  const { id, action, ...given } = body
  const projectCode = oneProject(ctx, query.projectCode)
  return createPatrol(ctx, examinePatrol, examineKind, { id, action, projectCode, fields: fieldsOf(given) }, writeSheets)
}

const changeExamine: HandlerOf<typeof contract.changeExamine> = async ({ params: { id }, body }, ctx) => {
  switch (body.action) {
    case 'supplement': {
      const { action, version, problems } = body
      return patrolAnswer(await take(ctx, examineKind, { id, action, version }, (row) => addToPatrol(ctx, examinePatrol, row, problems)))
    }
    case 'archive':
      return archive(ctx, id, body.version)
    default: {
      const { action, version, ...given } = body
      return changePatrol(ctx, examinePatrol, examineKind, { id, action, version, fields: fieldsOf(given) }, writeSheets)
    }
  }
}

async function archive(ctx: Context, id: string, version: number) {
  const after = await take(ctx, examineKind, { id, action: 'archive', version }, async () => {
    await sql`update site_examine set archived_at = ${new Date(ctx.clock.now())}, archived_by = ${ctx.user.name}
      where check_id = ${id}`.execute(ctx.db)
    return {}
  })
  return patrolAnswer(after)
}
