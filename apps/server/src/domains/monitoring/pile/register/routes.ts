import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/monitoring/pile/pile-register'
import * as pileTests from '@zhugong/contract/monitoring/pile/pile-tests'
import { pileVerdictNames, proposalOf } from '@zhugong/contract/monitoring/pile/pile-verdict'
import { sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import { formatDay } from '#kit/clock'
import { type Context, found, oneProject } from '#kit/context'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import type { ListContext } from '../../../exports/registry.ts'
import { findRecordByKey } from '../../shared/records.ts'
import { importPiles, pileTemplate } from './import.ts'
import { getPile, registerPage, runsOf, testPage, testsOf, verdictsOf } from './store.ts'

export function pileRegisterRoutes(serve: Serve): void {
  serve(calls.listPiles, ({ query }, ctx) => registerPage(ctx, query))
  serve(pileTests.listPileTests, ({ query }, ctx) => testPage(ctx, query))
  serve(calls.pileTemplate, ({ query }, ctx) => {
    oneProject(ctx, query.projectCode)
    return pileTemplate(ctx)
  })
  serve(calls.importPiles, importPiles)
  serve(calls.pileDetail, ({ params, query }, ctx) => detailOf(ctx, params.id, query.projectCode))
  serve(calls.createPile, createPile)
  serve(calls.updatePile, updatePile)
  serve(calls.removePile, removePile)
  serve(calls.assignPileRun, assignPileRun)
  serve(calls.judgePile, judgePile)
  serve(pileTests.addPileTest, addPileTest)
}

/** A pile with all its data, shared by page and print. */
export async function detailOf(ctx: ListContext, id: string, projectCode: string): Promise<calls.PileDetail> {
  const pile = await getPile(ctx, id, projectCode)
  const made = await runsOf(ctx, pile)
  const tested = await testsOf(ctx, pile.id)
  return { ...pile, made, tested, verdicts: await verdictsOf(ctx, pile.id), proposal: proposalOf(made[0], tested) }
}

const createPile: HandlerOf<typeof calls.createPile> = async ({ query, body }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  checkDays(ctx, body)
  await requireFreeNo(ctx, projectCode, body.pileNo)
  const id = ctx.newId()
  await sql`insert into pile (id, project_code, pile_no, kind, axis, diameter, design_length, design_depth, concrete, planned_on, made_on, x, y, create_by, create_time)
    values (${id}, ${projectCode}, ${body.pileNo}, ${body.kind}, ${body.axis}, ${body.diameter}, ${body.designLength}, ${body.designDepth}, ${body.concrete},
      ${body.plannedOn}::date, ${body.madeOn}::date, ${body.x}, ${body.y}, ${ctx.user.name}, ${new Date(ctx.clock.now())})`.execute(ctx.db)
  ctx.note(`登记桩 ${body.pileNo}`, id)
  return { id }
}

const updatePile: HandlerOf<typeof calls.updatePile> = async ({ params, query, body }, ctx) => {
  const pile = await getPile(ctx, params.id, query.projectCode)
  if (pile.version !== body.version) throw await conflictOf(ctx, 'pile', { id: pile.id }, '桩')
  checkDays(ctx, body)
  await requireFreeNo(ctx, pile.projectCode, body.pileNo, pile.id)
  await changeRow(ctx, 'pile', {
    key: { id: pile.id },
    version: body.version,
    noun: '桩',
    by: ctx.user.name,
    values: rowOf(calls.pileFields, body, {}),
  })
  ctx.note(`修改桩 ${body.pileNo}`, pile.id)
}

const removePile: HandlerOf<typeof calls.removePile> = async ({ params, query }, ctx) => {
  const pile = await getPile(ctx, params.id, query.projectCode)
  if (pile.runs > 0 || pile.tests > 0 || pile.verdict !== null || pile.madeOn !== null)
    throw new AppError('refused', `${pile.pileNo} 已有成桩、检测或判定，不能删除`)
  await sql`delete from pile where id = ${pile.id}`.execute(ctx.db)
  ctx.note(`删除桩 ${pile.pileNo}`, pile.id)
}

const assignPileRun: HandlerOf<typeof calls.assignPileRun> = async ({ params, query, body }, ctx) => {
  const pile = await getPile(ctx, params.id, query.projectCode)
  const record = found(await findRecordByKey(ctx.db, 'pileRecord', body.record, [pile.projectCode]), '成桩记录')
  await sql`insert into pile_run (device_id, ts, record_id, project_code, pile_id, reason, by_name, at)
    values (${record.deviceId}, ${record.ts}, ${record.id}, ${pile.projectCode}, ${pile.id}, ${body.reason}, ${ctx.user.name}, ${new Date(ctx.clock.now())})
    on conflict (device_id, ts, record_id) do update set pile_id = excluded.pile_id, reason = excluded.reason, by_name = excluded.by_name, at = excluded.at`.execute(
    ctx.db,
  )
  ctx.note(`成桩记录 ${record.deviceName} ${String(record.data.pileNo ?? '未指定桩号')} 归入 ${pile.pileNo}：${body.reason}`, pile.id)
}

const judgePile: HandlerOf<typeof calls.judgePile> = async ({ params, query, body }, ctx) => {
  const pile = await detailOf(ctx, params.id, query.projectCode)
  if (pile.version !== body.version) throw await conflictOf(ctx, 'pile', { id: pile.id }, '桩')
  if (pile.madeAt === null) throw new AppError('refused', `${pile.pileNo} 还没有成桩，不能判定`, { field: 'verdict' })
  await changeRow(ctx, 'pile', { key: { id: pile.id }, version: body.version, noun: '桩', by: null, values: { verdict: body.verdict } })
  const { verdict, grounds } = pile.proposal
  await sql`insert into pile_verdict (id, project_code, pile_id, verdict, proposed, grounds, reason, by_name, by_group, at)
    values (${ctx.newId()}, ${pile.projectCode}, ${pile.id}, ${body.verdict}, ${verdict}, ${grounds}::text[], ${body.reason}, ${ctx.user.name}, ${ctx.group.name},
      ${new Date(ctx.clock.now())})`.execute(ctx.db)
  ctx.note(`判定 ${pile.pileNo} ${pileVerdictNames[body.verdict]}：${body.reason}`, pile.id)
}

const addPileTest: HandlerOf<typeof pileTests.addPileTest> = async ({ params, query, body }, ctx) => {
  const pile = await getPile(ctx, params.id, query.projectCode)
  if (body.testedOn > formatDay(ctx.clock.now())) throw new AppError('invalidInput', '检测日期不能晚于今天', { field: 'testedOn' })
  const id = ctx.newId()
  const isLoad = body.kind === 'staticLoad'
  const last = body.steps.at(-1)
  await sql`insert into pile_test (id, project_code, pile_id, kind, tested_on, integrity, wave_speed, max_load, settlement, steps, is_passed, tester, report_no, note,
      create_by, create_time)
    values (${id}, ${pile.projectCode}, ${pile.id}, ${body.kind}, ${body.testedOn}::date, ${isLoad ? null : body.integrity}, ${isLoad ? null : body.waveSpeed},
      ${isLoad ? (last?.[0] ?? null) : null}, ${isLoad ? Math.max(...body.steps.map(([, settlement]) => settlement)) : null},
      ${JSON.stringify(isLoad ? body.steps : [])}::jsonb, ${isLoad ? body.isPassed : null}, ${body.tester}, ${body.report}, ${body.note}, ${ctx.user.name},
      ${new Date(ctx.clock.now())})`.execute(ctx.db)
  ctx.note(`录入 ${pile.pileNo} ${pileTests.pileTestKinds[body.kind]}检测`, id)
  return { id }
}

function checkDays(ctx: Context, { madeOn }: calls.PileBody): void {
  if (madeOn !== null && madeOn > formatDay(ctx.clock.now()))
    throw new AppError('invalidInput', '成桩日期不能晚于今天', { field: 'madeOn' })
}

async function requireFreeNo(ctx: Context, projectCode: string, pileNo: string, except = ''): Promise<void> {
  const { rows } =
    await sql`select 1 from pile where project_code = ${projectCode} and lower(pile_no) = lower(${pileNo}) and id <> ${except}`.execute(
      ctx.db,
    )
  if (rows.length > 0) throw new AppError('refused', `桩号 ${pileNo} 已登记`, { field: 'pileNo' })
}
