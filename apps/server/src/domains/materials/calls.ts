import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/materials/calls'
import { type MaterialAction, materialMoves } from '@zhugong/contract/materials/moves'
import { usualRule } from '@zhugong/contract/materials/rules'
import { signMaterial } from '@zhugong/contract/materials/seats'
import { dictionaryOf, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { type Context, oneProject } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { usePhotos } from '../files/public.ts'
import { tellKeepers } from '../notify/public.ts'
import { registerPlaceUse } from '../places/public.ts'
import { replaceTodos, sign, take, writeLog } from '../process/public.ts'
import { readMaterial } from './detail.ts'
import { addEvent, photoKind } from './events.ts'
import {
  countFlow,
  countStock,
  type FlowQuery,
  flowConditions,
  flowCounts,
  readFlow,
  readStock,
  type StockQuery,
  stockConditions,
} from './flow.ts'
import { type Batch, materialKind, pageOf, readBatch } from './kind.ts'
import { type BatchQuery, conditions, countBatches, countsOf, readBatches } from './rows.ts'
import { ownRules } from './rules.ts'
import { deviationFor, linkTickets } from './tickets.ts'
import { batchColumns, writeMaterial } from './writes.ts'

export function materialRoutes(serve: Serve): void {
  registerPlaceUse(placesOfMaterials)
  serve(contract.materialRecords, materialRecords)
  serve(contract.materialRules, materialRules)
  serve(contract.saveMaterialRule, saveMaterialRule)
  serve(contract.saveMaterialPlan, saveMaterialPlan)
  serve(contract.getMaterial, readMaterial)
  serve(contract.receiveMaterial, receiveMaterial)
  serve(contract.changeMaterial, changeMaterial)
  serve(signMaterial, signBatch)
}

async function placesOfMaterials(ctx: Pick<Context, 'db'>, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ placeId: string }>`select distinct place_id from material_event where place_id = any (${[...ids]})`.execute(
    ctx.db,
  )
  return rows.map((one) => one.placeId)
}

const materialRecords: HandlerOf<typeof contract.materialRecords> = ({ query }, ctx) => {
  if (query.view === 'flow') return flowPage(ctx, as(query, contract.flowSorts))
  return query.view === 'stock' ? stockPage(ctx, as(query, contract.stockSorts)) : batchPage(ctx, as(query, contract.batchSorts))
}

type Paged<Q> = Q & { page: number; size: number }
/**
 * The query of one view of the list.
 * @throws AppError when the order belongs to another view
 */
function as<Query>(query: { sort?: string | undefined; page: number; size: number }, sorts: readonly string[]): Paged<Query> {
  if (query.sort && !sorts.includes(query.sort.replace(/^-/, '')))
    throw new AppError('invalidInput', '该列表不能按此排序', { field: 'sort' })
  return query as unknown as Paged<Query>
}

async function batchPage(ctx: Context, query: Paged<BatchQuery>) {
  const where = conditions(ctx, query)
  const list = await readBatches(ctx, where, { sort: query.sort, ...pageSlice(query) })
  return { list, total: await countBatches(ctx, where), ...(await countsOf(ctx, query)) }
}

async function flowPage(ctx: Context, query: Paged<FlowQuery>) {
  const where = flowConditions(ctx, query)
  const list = await readFlow(ctx, where, { sort: query.sort, ...pageSlice(query) })
  return { list, total: await countFlow(ctx, where), ...(await flowCounts(ctx, query)) }
}

async function stockPage(ctx: Context, query: Paged<StockQuery>) {
  const where = stockConditions(ctx, query)
  return { list: await readStock(ctx, where, { sort: query.sort, ...pageSlice(query) }), total: await countStock(ctx, where) }
}

type Stored = Pick<Batch, 'id' | 'version' | 'state'>
const answerOf = ({ id, version, state }: Stored) => ({ id, version, state })

const receiveMaterial: HandlerOf<typeof contract.receiveMaterial> = async ({ query, body }, ctx) => {
  const { id, tickets, ...fields } = body
  const projectCode = oneProject(ctx, query.projectCode)
  const repeated = await sql<Stored>`select id, version, state from material_batch where id = ${id} and create_by = ${ctx.user.id}`.execute(
    ctx.db,
  )
  if (repeated.rows[0]) return answerOf(repeated.rows[0])
  const columns = await batchColumns(ctx, projectCode, fields)
  const at = new Date(ctx.clock.now())
  await ctx.db
    .insertInto('materialBatch')
    .values({
      id,
      projectCode,
      ...columns,
      shownAt: at,
      groups: [ctx.group.id],
      receiverId: ctx.user.id,
      receiverName: ctx.user.name,
      createBy: ctx.user.id,
      createTime: at,
    })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('refused', '该编号已被使用，请重新填写', { field: 'id' }) : error
    })
  const row = await readBatch(ctx, id, true)
  const { corpCode, shownAt, groups } = row
  await usePhotos(ctx, { kind: photoKind, objectId: id, stage: 'receive', projectCode, corpCode, shownAt, groups, files: columns.photos })
  await linkTickets(ctx, row, tickets, 'in')
  const deviation = await deviationFor(ctx, id)
  await sql`update material_batch set deviation = ${deviation} where id = ${id}`.execute(ctx.db)
  await addEvent(ctx, row, {
    action: 'receive',
    at: columns.arriveTime,
    quantity: fields.quantity,
    part: fields.usePart,
    weighId: tickets[0] ?? null,
    note: fields.plateNo,
    files: columns.photos,
  })
  const after = await readBatch(ctx, id)
  await writeLog(ctx, materialKind.kind, after, { action: 'receive', from: null, to: after.state })
  await replaceTodos(ctx, materialKind, after)
  ctx.note('登记进场材料', id)
  return answerOf(after)
}

const changeMaterial: HandlerOf<typeof contract.changeMaterial> = async ({ params: { id }, body }, ctx) => {
  const { action, version } = body
  const after = await take(ctx, materialKind, { id, action, version }, (row) => writeMaterial(ctx, row, body))
  await tell(ctx, action, after)
  return answerOf(after)
}

/** Messages to whoever received the batch, by the action that was taken. */
const messages: Partial<Record<MaterialAction, (row: Batch) => string | undefined>> = {
  accept: (row) => `进场材料已验收：${materialKind.stateName(row.state)}`,
  report: (row) => (row.retestPassed ? undefined : '材料复验不合格，不得使用，请组织退场'),
}

async function tell(ctx: Context, action: MaterialAction, row: Batch): Promise<void> {
  const title = messages[action]?.(row)
  if (!title) return
  const { projectCode, corpCode } = row
  const text = `${row.name} ${row.spec}${row.batchNo ? `，批号 ${row.batchNo}` : ''}`
  await tellKeepers(ctx, { projectCode, corpCode, code: materialMoves.sample.needs, title, text, link: pageOf(row), kind: 'rectify' })
}

/** A signature of the witness ends his to-do. */
const signBatch: HandlerOf<typeof signMaterial> = async ({ params: { id }, body }, ctx) => {
  await sign(ctx, materialKind, id, body)
  await replaceTodos(ctx, materialKind, await readBatch(ctx, id))
  return undefined
}

const materialRules: HandlerOf<typeof contract.materialRules> = async ({ query }, ctx) => {
  const own = await ownRules(ctx, oneProject(ctx, query.projectCode))
  const list = (dictionaryOf('materialCategory')?.items ?? []).map(({ code, name }) => {
    const rule = own.get(code) ?? usualRule(code)
    return {
      category: code,
      categoryName: name,
      ...rule,
      unitName: rule.unit && (dictName('materialUnit', rule.unit) ?? rule.unit),
      own: own.has(code),
    }
  })
  return { list, total: list.length }
}

const saveMaterialRule: HandlerOf<typeof contract.saveMaterialRule> = async ({ query, body }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  if (body.needRetest && (body.perQuantity === null) !== (body.unit === null))
    throw new AppError('invalidInput', '取样批量和单位须一并填写，或都不填（每批一组）', {
      field: body.unit === null ? 'unit' : 'perQuantity',
    })
  const { category, ...rule } = body
  const values = { ...rule, updateBy: ctx.user.name, updateTime: new Date(ctx.clock.now()) }
  await ctx.db
    .insertInto('materialRule')
    .values({ projectCode, category, ...values })
    .onConflict((oc) => oc.columns(['projectCode', 'category']).doUpdateSet(values))
    .execute()
  ctx.note(`设置${dictName('materialCategory', category) ?? category}的取样规则`, projectCode)
  return undefined
}

const saveMaterialPlan: HandlerOf<typeof contract.saveMaterialPlan> = async ({ query, body }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const { name, spec, unit, category, planned } = body
  const values = { category, planned, updateBy: ctx.user.name, updateTime: new Date(ctx.clock.now()) }
  await ctx.db
    .insertInto('materialPlan')
    .values({ projectCode, name, spec, unit, ...values })
    .onConflict((oc) => oc.columns(['projectCode', 'name', 'spec', 'unit']).doUpdateSet(values))
    .execute()
  ctx.note(`设置材料计划量 ${name} ${spec}`, projectCode)
  return undefined
}
