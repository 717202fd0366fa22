import { signInspection } from '@zhugong/contract/checks/seats'
import { AppError } from '@zhugong/contract/kit/errors'
import { partTypes } from '@zhugong/contract/labour/codes'
import { majorLevel } from '@zhugong/contract/rectify/moves'
import * as contract from '@zhugong/contract/scoring/inspections'
import { inspectionMoves, scoringState } from '@zhugong/contract/scoring/moves'
import { sql } from 'kysely'
import { type Context, found, oneProject, projectsFor } from '#kit/context'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { insertCheck, removeCheck } from '../checks/public.ts'
import { tellKeepers } from '../notify/public.ts'
import { type Outcome, replaceTodos, sign, take, writeLog } from '../process/public.ts'
import { registerNoticeSource } from '../rectify/public.ts'
import { readDetail } from './detail.ts'
import { readProposal, readRanking, readTrend } from './figures.ts'
import { itemImportRoutes } from './item-import.ts'
import { itemRoutes } from './items.ts'
import { type Inspection, inspectionKind, inspectionType, pageOf } from './kind.ts'
import { conditions, countRows, countsOf, readRows, rowFor } from './rows.ts'
import { beginScore } from './sheet-writes.ts'
import { type BodyOf, saveSheet, submitInspection, taskValues, writeSheets, writeSign } from './writes.ts'

export function scoringRoutes(serve: Serve): void {
  itemRoutes(serve)
  itemImportRoutes(serve)
  serve(contract.listInspections, listInspections)
  serve(contract.inspectionTrend, readTrend)
  serve(contract.inspectionRanking, readRanking)
  serve(contract.inspectionProposal, readProposal)
  serve(contract.getInspection, readDetail)
  serve(contract.createInspection, createInspection)
  serve(contract.changeInspection, changeInspection)
  serve(contract.removeInspection, removeInspection)
  serve(signInspection, ({ params, body }, ctx) => sign(ctx, inspectionKind, params.id, body).then(() => undefined))
  registerNoticeSource(inspectionType, {
    title: '安全巡检',
    page: pageOf,
    projectOf: async (ctx, id) => (await rowFor(ctx, id))?.projectCode,
  })
}

const listInspections: HandlerOf<typeof contract.listInspections> = async ({ query }, ctx) => {
  const where = conditions(ctx, query)
  const list = await readRows(ctx, where, { sort: query.sort, ...pageSlice(query) })
  return { list, total: await countRows(ctx, where), counts: await countsOf(ctx, query.projectCode) }
}

const createInspection: HandlerOf<typeof contract.createInspection> = async ({ body, query }, ctx) => {
  const { id = ctx.newId(), ...task } = body
  const projectCode = oneProject(ctx, query.projectCode)
  const repeated = await sql`select from site_check where id = ${id} and kind = ${inspectionType} and create_by = ${ctx.user.id}`.execute(
    ctx.db,
  )
  if (repeated.rows.length > 0) return { id }
  await insertCheck(ctx, { id, kind: inspectionType, projectCode, ...taskValues(ctx, task) })
  const row = await inspectionKind.lock(ctx, id)
  await beginScore(ctx, row)
  await writeSheets(ctx, row, task.sheets)
  await writeLog(ctx, inspectionType, row, { action: 'create', from: null, to: row.state })
  await replaceTodos(ctx, inspectionKind, row)
  ctx.note('开始安全巡检', id)
  return { id }
}

const changeInspection: HandlerOf<typeof contract.changeInspection> = async ({ params: { id }, query, body }, ctx) => {
  await requireHere(ctx, id, query.projectCode)
  // A sheet has its own version: it does not matter what happened to the others.
  const version = body.action === 'saveSheet' ? (await inspectionKind.lock(ctx, id)).version : body.version
  const after = await take(ctx, inspectionKind, { id, action: body.action, version }, (row) => write(ctx, row, body))
  if (body.action === 'submit') await tellSubmitted(ctx, after)
  return undefined
}

async function write(
  ctx: Context,
  row: Inspection,
  body: BodyOf<'save'> | BodyOf<'saveSheet'> | BodyOf<'submit'> | BodyOf<'sign'> | BodyOf<'signSupervisor'>,
): Promise<Outcome<Inspection>> {
  switch (body.action) {
    case 'save': {
      const values = taskValues(ctx, body)
      await writeSheets(ctx, row, body.sheets)
      return { values }
    }
    case 'saveSheet':
      await saveSheet(ctx, row, body)
      return {}
    case 'submit':
      return submitInspection(ctx, row, body)
    case 'sign':
      await writeSign(ctx, row, 'site', body.opinion)
      return { opinion: body.opinion }
    case 'signSupervisor':
      await writeSign(ctx, row, 'supervisor', body.opinion)
      return { opinion: body.opinion }
  }
}

/** Tells the site, its general contractor and 监理 of the result; a major hazard stands in the title. */
async function tellSubmitted(
  ctx: Context,
  { id, projectCode, code, checkerGroup, checkerGroupName, dangerLevel }: Inspection,
): Promise<void> {
  const score = await sql<{ reason: string | null }>`select reason from check_score where check_id = ${id}`.execute(ctx.db)
  const corps = await sql<{ corpCode: string; corpType: string }>`select u.corp_code, u.corp_type from project_corp u
    where u.project_code = ${projectCode} and u.corp_type in (${partTypes.leader}, ${partTypes.supervisor}) and u.exit_time is null
      and not exists (select from tenant t where t.id = ${checkerGroup} and t.code = u.corp_code)`.execute(ctx.system)
  const of = (part: string) => corps.rows.find((one) => one.corpType === part)?.corpCode ?? null
  const title = dangerLevel === majorLevel ? '安全巡检发现重大隐患' : '安全巡检已提交，请签字确认'
  const text = `${code ?? ''}，${checkerGroupName}：${score.rows[0]?.reason ?? ''}`
  const notification = { projectCode, title, text, link: pageOf(id), kind: 'rectify' }
  await tellKeepers(ctx, { ...notification, corpCode: of(partTypes.leader), code: inspectionMoves.sign.needs })
  await tellKeepers(ctx, { ...notification, corpCode: of(partTypes.supervisor), code: inspectionMoves.signSupervisor.needs })
}

const removeInspection: HandlerOf<typeof contract.removeInspection> = async ({ params: { id }, query }, ctx) => {
  await requireHere(ctx, id, query.projectCode)
  const row = await inspectionKind.lock(ctx, id)
  if (row.state !== scoringState) throw new AppError('refused', '已提交的安全巡检不能删除', { state: row.state })
  if (!inspectionKind.turns.checker?.(ctx, row)) throw new AppError('forbidden', '只有检查方能删除')
  await replaceTodos(ctx, { ...inspectionKind, todos: () => [] }, row)
  await removeCheck(ctx, id)
  ctx.note('删除安全巡检', id)
  return undefined
}

/** @throws AppError `notFound` when the caller sees no such inspection, or it is of another project than the call names */
async function requireHere(ctx: Context, id: string, projectCode: string): Promise<void> {
  const projects = projectsFor(ctx, projectCode)
  const { rows } = await sql<{
    projectCode: string
  }>`select project_code from site_check where id = ${id} and kind = ${inspectionType}`.execute(ctx.db)
  found(
    rows.find((row) => !projects || projects.includes(row.projectCode)),
    '安全巡检',
  )
}
