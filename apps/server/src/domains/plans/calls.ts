import { AppError } from '@zhugong/contract/kit/errors'
import { partTypes } from '@zhugong/contract/labour/codes'
import * as contract from '@zhugong/contract/plans/calls'
import { planMoves, planStates } from '@zhugong/contract/plans/moves'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, found, oneProject, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { tellKeepers } from '../notify/public.ts'
import { forgetRecord, type Outcome, replaceTodos, take } from '../process/public.ts'
import { readDetail } from './detail.ts'
import { followChecks } from './follow.ts'
import { generate } from './generate.ts'
import { insertPlan } from './insert.ts'
import { type Plan, planKind, planPage, planType } from './kind.ts'
import { readMatrix, readRisk } from './matrix.ts'
import { conditions, countRows, countsOf, readRows } from './rows.ts'
import { approve, planValues, writeFrequency } from './writes.ts'

export function planRoutes(serve: Serve): void {
  followChecks()
  serve(contract.listPlans, listPlans)
  serve(contract.planMatrix, readMatrix)
  serve(contract.planRisk, readRisk)
  serve(contract.getPlan, readDetail)
  serve(contract.createPlan, create)
  serve(contract.generatePlans, generate)
  serve(contract.changePlan, change)
  serve(contract.removePlan, remove)
  serve(contract.removePlanVisit, removeVisit)
}

const listPlans: HandlerOf<typeof contract.listPlans> = async ({ query }, ctx) => {
  const where = conditions(ctx, query)
  const list = await readRows(ctx, where, { sort: query.sort, ...pageSlice(query) })
  return { list, total: await countRows(ctx, where), counts: await countsOf(ctx, query.projectCode) }
}

const create: HandlerOf<typeof contract.createPlan> = async ({ query, body }, ctx) => {
  const { action, ...given } = body
  const projectCode = oneProject(ctx, query.projectCode)
  if (given.id) {
    const repeated = await sql`select from check_plan where id = ${given.id} and create_by = ${ctx.user.id}`.execute(ctx.db)
    if (repeated.rows.length > 0) return { id: given.id }
  }
  const row = await insertPlan(ctx, { ...given, projectCode })
  if (action === 'submit') {
    await take(ctx, planKind, { id: row.id, action, version: row.version }, () => Promise.resolve({ values: submitted(ctx) }))
    await tellHeads(ctx, row)
  } else ctx.note('起草监督计划', row.id)
  return { id: row.id }
}

const submitted = (ctx: Context) => ({
  submitBy: ctx.user.id,
  submitName: ctx.user.name,
  submitAt: new Date(ctx.clock.now()),
  opinion: null,
})

const change: HandlerOf<typeof contract.changePlan> = async ({ params: { id }, query, body }, ctx) => {
  await requireHere(ctx, id, query.projectCode)
  const version = body.action === 'receive' ? (await planKind.lock(ctx, id)).version : body.version
  const after = await take(ctx, planKind, { id, action: body.action, version }, (row) => write(ctx, row, body))
  if (body.action === 'submit' || body.action === 'adjust') await tellHeads(ctx, after)
  if (body.action === 'approve') await tellParties(ctx, after)
  if (body.action === 'receive') await replaceTodos(ctx, planKind, await planKind.lock(ctx, id))
  return undefined
}

async function write(ctx: Context, row: Plan, body: Parameters<typeof change>[0]['body']): Promise<Outcome<Plan>> {
  switch (body.action) {
    case 'save':
    case 'submit':
    case 'adjust': {
      const { action, version: _version, ...given } = body
      const reason = 'reason' in given ? given.reason : row.reason
      const values = await planValues(ctx, row.projectCode, withoutReason(given), row.files)
      await writeFrequency(ctx, row, given.frequency)
      if (action === 'save') return { values }
      const versionNo = action === 'adjust' ? row.versionNo + 1 : row.versionNo
      return { values: { ...values, ...submitted(ctx), reason, versionNo }, opinion: action === 'adjust' ? reason : null }
    }
    case 'approve':
      return approve(ctx, row, body.opinion)
    case 'reject':
      return { values: { opinion: body.opinion }, opinion: body.opinion }
    case 'finish':
      return {}
    case 'terminate':
      await sql`delete from check_plan_visit where plan_id = ${row.id} and check_id is null`.execute(ctx.db)
      return { opinion: body.opinion }
    case 'receive':
      await receive(ctx, row)
      return {}
  }
}
const withoutReason = <T extends object>(given: T): Omit<T, 'reason'> => {
  const { reason: _reason, ...fields } = given as T & { reason?: string }
  return fields
}

async function receive(ctx: Context, row: Plan): Promise<void> {
  const { id: planId, versionNo, projectCode } = row
  const own = { planId, versionNo, groupId: ctx.group.id, projectCode, corpCode: null, groupName: ctx.group.name, name: ctx.user.name }
  await ctx.db
    .insertInto('checkPlanReceipt')
    .values({ ...own, at: new Date(ctx.clock.now()) })
    .onConflict((on) => on.columns(['planId', 'versionNo', 'groupId']).doNothing())
    .execute()
}

const tellHeads = (ctx: Context, row: Plan) =>
  tellKeepers(ctx, {
    projectCode: row.projectCode,
    corpCode: null,
    exceptSite: true,
    groupId: row.authorGroup,
    code: planMoves.approve.needs,
    title: '监督计划待审批',
    text: row.title,
    link: planPage(row.id),
    kind: planType,
  })

/** The parties of the project: site, owner, general contractor, 监理, design and survey. */
async function tellParties(ctx: Context, row: Plan): Promise<void> {
  const { rows } = await sql<{ corpCode: string; corpType: string }>`select distinct corp_code, corp_type from project_corp
    where project_code = ${row.projectCode} and exit_time is null and corp_type in (${partTypes.owner}, ${partTypes.leader}, ${partTypes.supervisor})`.execute(
    ctx.system,
  )
  const notification = { projectCode: row.projectCode, title: '收到监督计划，请签收', text: row.code ?? row.title, link: planPage(row.id) }
  for (const [i, corp] of rows.entries())
    await tellKeepers(ctx, {
      ...notification,
      corpCode: corp.corpCode,
      ...(i > 0 ? { exceptSite: true } : {}),
      code: planMoves.receive.needs,
      kind: planType,
    })
}

const remove: HandlerOf<typeof contract.removePlan> = async ({ params: { id }, query }, ctx) => {
  await requireHere(ctx, id, query.projectCode)
  const row = await planKind.lock(ctx, id)
  if (row.authorGroup !== ctx.group.id) throw new AppError('forbidden', '草稿由编制机构删除')
  if (row.state !== planStates.draft) throw new AppError('refused', `监督计划${planKind.stateName(row.state)}，只有草稿可以删除`)
  await forgetRecord(ctx, planType, id)
  await ctx.db.deleteFrom('checkPlan').where('id', '=', id).execute()
  ctx.note('删除监督计划草稿', id)
  return undefined
}

const removeVisit: HandlerOf<typeof contract.removePlanVisit> = async ({ params: { taskId }, query }, ctx) => {
  const { rows } = await sql<Row<'checkPlanVisit'>>`select * from check_plan_visit where id = ${taskId}`.execute(ctx.db)
  const visit = found(rows[0], '检查任务')
  await requireHere(ctx, visit.planId, query.projectCode)
  const plan = await planKind.lock(ctx, visit.planId)
  if (plan.authorGroup !== ctx.group.id) throw new AppError('forbidden', '检查任务由编制机构删除')
  if (visit.checkId !== null) throw new AppError('refused', '该窗口已安排检查，请先取消检查')
  if (visit.windowEnd < formatDay(ctx.clock.now())) throw new AppError('refused', '窗口已过，不能删除')
  await sql`delete from check_plan_visit where id = ${taskId}`.execute(ctx.db)
  ctx.note(`删除检查任务 ${visit.windowStart} 至 ${visit.windowEnd}：${query.reason}`, plan.id)
  return undefined
}

/** @throws AppError `notFound` when the caller sees no such plan, or it is of another project than the call names */
async function requireHere(ctx: Context, id: string, projectCode: string): Promise<void> {
  const projects = projectsFor(ctx, projectCode)
  const { rows } = await sql<{ projectCode: string }>`select project_code from check_plan where id = ${id}`.execute(ctx.db)
  found(
    rows.find((row) => !projects || projects.includes(row.projectCode)),
    '监督计划',
  )
}
