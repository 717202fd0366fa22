import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/quality/improvement'
import { sql } from 'kysely'
import { type Context, oneProject } from '#kit/context'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { createOnce, forgetRecord, offersFor, replaceTodos, take, writeLog } from '../process/public.ts'
import { registerNoticeSource } from '../rectify/public.ts'
import { readFindings, readImprovement, readMatrix } from './improvement-detail.ts'
import { type Improvement, improvementKind, improvementType, pageOf } from './improvement-kind.ts'
import { conditions, countImprovements, countsOf, readImprovements } from './improvement-rows.ts'
import { type Body, type ImprovementFields, insertImprovement, photosOfFindings, writeImprovement } from './improvement-writes.ts'
import { registerCheckFindings, sourceOptions } from './sources.ts'

/** Registers improvements as a source of notices, in api and jobs. */
export function registerImprovementNotices(): void {
  registerNoticeSource(improvementType, {
    title: '质量改进',
    page: (id) => pageOf({ id }),
    projectOf: async (ctx, id) => {
      const { rows } = await sql<{ projectCode: string }>`select project_code from quality_improvement where id = ${id}`.execute(ctx.db)
      return rows[0]?.projectCode
    },
    photosOf: photosOfFindings,
    // From now on its author has to verify it.
    settled: async (ctx, { sourceId }) => {
      if (sourceId !== null) await replaceTodos(ctx, improvementKind, await improvementKind.lock(ctx, sourceId))
    },
  })
  registerCheckFindings()
}

export function improvementRoutes(serve: Serve): void {
  serve(contract.listImprovements, listImprovements)
  serve(contract.improvementMatrix, readMatrix)
  serve(contract.improvementFindings, readFindings)
  serve(contract.getImprovement, readImprovement)
  serve(contract.createImprovement, createImprovement)
  serve(contract.changeImprovement, async ({ params: { id }, body }, ctx) => answerOf(await change(ctx, id, body)))
  serve(contract.removeImprovement, removeImprovement)
}

const listImprovements: HandlerOf<typeof contract.listImprovements> = async ({ query }, ctx) => {
  const where = conditions(ctx, query)
  const list = await readImprovements(ctx, where, { sort: query.sort, ...pageSlice(query) })
  return { list, total: await countImprovements(ctx, where), counts: await countsOf(ctx, query), sources: sourceOptions() }
}

const answerOf = ({ id, code, version, state }: Improvement) => ({ id, code, version, state })

const createImprovement: HandlerOf<typeof contract.createImprovement> = async ({ query, body }, ctx) => {
  const { id, action, ...fields } = body
  const projectCode = oneProject(ctx, query.projectCode)
  const row = await createOnce(ctx, improvementKind, id, {
    insert: () => draftImprovement(ctx, { id, projectCode, ...fields }),
    again: ({ version }) => change(ctx, id, { action, version, ...fields }),
    begin: async (draft) => (action === 'save' ? draft : change(ctx, id, { action, version: draft.version, ...fields })),
  })
  return answerOf(row)
}

/** Begins an improvement from findings of any registered source; its author's group goes on from the draft. */
async function draftImprovement(ctx: Context, given: ImprovementFields & { id?: string; projectCode: string }): Promise<Improvement> {
  const row = await insertImprovement(ctx, given)
  await writeLog(ctx, improvementType, row, { action: 'create', from: null, to: row.state })
  ctx.note('起草质量改进单', row.id)
  return row
}

const change = (ctx: Context, id: string, body: Body): Promise<Improvement> =>
  take(ctx, improvementKind, { id, action: body.action, version: body.version }, (row) => writeImprovement(ctx, row, body))

const removeImprovement: HandlerOf<typeof contract.removeImprovement> = async ({ params: { id } }, ctx) => {
  const row = await improvementKind.lock(ctx, id)
  if (!offersFor(ctx, improvementKind, row).some((one) => one.action === 'save'))
    throw new AppError('refused', '只有编制方可以删除，且只能删除草稿')
  await forgetRecord(ctx, improvementType, id)
  await sql`delete from quality_improvement where id = ${id}`.execute(ctx.db)
  ctx.note('删除质量改进草稿', id)
  return undefined
}
