import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/sheets/calls'
import { sheetStates } from '@zhugong/contract/sheets/moves'
import { type PartySeat, sheetSeatRights, signSheet } from '@zhugong/contract/sheets/seats'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { type Context, found, groupTypes, oneProject } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { dropPhotoUses } from '../files/public.ts'
import { tellKeepers } from '../notify/public.ts'
import { forgetRecord, type Outcome, replaceTodos, sign, take, writeLog } from '../process/public.ts'
import { readSheet, readSheetRow, readStart } from './detail.ts'
import { openParties, pageOf, type Sheet, sheetKind } from './kind.ts'
import { conditions, countRows, countsOf, readRows } from './rows.ts'
import { registerSheetSource } from './source.ts'
import { type Body, draftColumns, photoStage, type SheetFields, submitted, writeChildren } from './writes.ts'

export function sheetRoutes(serve: Serve): void {
  registerSheetSource()
  serve(contract.listSheets, listSheets)
  serve(contract.sheetStart, readStart)
  serve(contract.getSheet, readSheet)
  serve(contract.createSheet, createSheet)
  serve(contract.changeSheet, changeSheet)
  serve(contract.removeSheet, removeSheet)
  serve(signSheet, signParty)
}

const listSheets: HandlerOf<typeof contract.listSheets> = async ({ query }, ctx) => {
  const where = conditions(ctx, query)
  const list = await readRows(ctx, where, { sort: query.sort, ...pageSlice(query) })
  return { list, total: await countRows(ctx, where), counts: await countsOf(ctx, query.projectCode) }
}

const createSheet: HandlerOf<typeof contract.createSheet> = async ({ query, body: { id, ...fields } }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const repeated = await sql`select from manualsheet where id = ${id} and create_by = ${ctx.user.id}`.execute(ctx.db)
  if (repeated.rows.length > 0) return { id }
  if (ctx.group.type !== groupTypes.government) throw new AppError('forbidden', '监督记录单由监督机构填写')
  // The group of another company is not visible to an authority.
  const { rows } = await sql<{ corpCode: string | null; ownerGroup: string | null }>`select p.contractor_corp_code as corp_code,
      (select t.id from tenant t where t.type = ${groupTypes.corporation} and t.code = p.build_corp_code) as owner_group
    from project p where p.project_code = ${projectCode}`.execute(ctx.system)
  await ctx.db
    .insertInto('manualsheet')
    .values({
      id,
      projectCode,
      ...found(rows[0], '项目'),
      ...(await draftColumns(ctx, fields)),
      groups: [ctx.group.id],
      groupId: ctx.group.id,
      groupName: ctx.group.name,
      authorName: ctx.user.name,
      createBy: ctx.user.id,
      createTime: new Date(ctx.clock.now()),
    })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('refused', '该编号已被使用，请重新填写', { field: 'id' }) : error
    })
  const row = await sheetKind.lock(ctx, id)
  await writeChildren(ctx, row, fields)
  await writeLog(ctx, sheetKind.kind, row, { action: 'create', from: null, to: row.state })
  ctx.note('起草监督记录单', id)
  return { id }
}

const changeSheet: HandlerOf<typeof contract.changeSheet> = async ({ params: { id }, query, body }, ctx) => {
  await readSheetRow(ctx, id, query.projectCode)
  const after = await take(ctx, sheetKind, { ...body, id }, (row) => write(ctx, row, body))
  if (body.action === 'submit' || body.action === 'urge') await tellParties(ctx, after)
  return undefined
}

/** What each action changes beside the state. */
async function write(ctx: Context, row: Sheet, body: Body): Promise<Outcome<Sheet>> {
  switch (body.action) {
    case 'save': {
      const { action: _action, version: _version, ...fields } = body
      return save(ctx, row, fields)
    }
    case 'submit':
      return submitted(ctx, row)
    case 'urge':
      return { values: { urgedAt: new Date(ctx.clock.now()) } }
    case 'archive':
      return { values: { archiveTime: new Date(ctx.clock.now()) } }
    case 'void':
      return { values: { voidReason: body.opinion }, opinion: body.opinion }
  }
}

async function save(ctx: Context, row: Sheet, fields: SheetFields): Promise<Outcome<Sheet>> {
  const values = await draftColumns(ctx, fields, row)
  await writeChildren(ctx, { ...row, ...values }, fields)
  return { values }
}

/** Signs or refuses; with the last party the sheet is signed. */
const signParty: HandlerOf<typeof signSheet> = async ({ params: { id }, query, body }, ctx) => {
  await readSheetRow(ctx, id, query.projectCode)
  await sign(ctx, sheetKind, id, body)
  const row = await sheetKind.lock(ctx, id)
  if (row.state !== sheetStates.signing) return undefined
  if (openParties(row).length === 0) {
    // The version counts on: whoever holds the sheet open learns that it has changed.
    const values = { state: sheetStates.signed }
    await changeRow(ctx, 'manualsheet', { key: { id }, version: row.version, noun: sheetKind.noun, by: ctx.user.id, values })
    const signed = await sheetKind.lock(ctx, id)
    await writeLog(ctx, sheetKind.kind, signed, { action: 'signed', from: row.state, to: signed.state })
  }
  await replaceTodos(ctx, sheetKind, await sheetKind.lock(ctx, id))
  return undefined
}

const removeSheet: HandlerOf<typeof contract.removeSheet> = async ({ params: { id }, query }, ctx) => {
  await readSheetRow(ctx, id, query.projectCode)
  const row = await sheetKind.lock(ctx, id)
  if (row.groupId !== ctx.group.id) throw new AppError('forbidden', '草稿由起草机构删除')
  if (row.state !== sheetStates.draft) throw new AppError('refused', `监督记录单${sheetKind.stateName(row.state)}，只有草稿可以删除`)
  await forgetRecord(ctx, sheetKind.kind, id)
  await dropPhotoUses(ctx, id, photoStage, [])
  await ctx.db.deleteFrom('manualsheet').where('id', '=', id).execute()
  ctx.note('删除监督记录单草稿', id)
  return undefined
}

/** Tells the parties that have not signed yet. */
async function tellParties(ctx: Context, row: Sheet): Promise<void> {
  const { projectCode } = row
  const { rows } = await sql<{ name: string; supervisors: string[] }>`select p.name, array(select t.id from project_corp c
      join tenant t on t.type = ${groupTypes.corporation} and t.code = c.corp_code
      where c.project_code = p.project_code and c.corp_type = '007' and c.exit_time is null) as supervisors
    from project p where p.project_code = ${projectCode}`.execute(ctx.system)
  const text = `${rows[0]?.name ?? ''} ${row.code ?? ''}，请核对后签字`
  const notification = { projectCode, corpCode: null, title: '收到监督记录单，请签字', text, link: pageOf(row.id), kind: sheetKind.kind }
  const groups: Record<PartySeat, readonly string[]> = {
    owner: row.ownerGroup ? [row.ownerGroup] : [],
    contractor: [],
    supervisor: rows[0]?.supervisors ?? [],
  }
  for (const seat of openParties(row)) {
    const code = sheetSeatRights[seat].needs
    if (seat === 'contractor') await tellKeepers(ctx, { ...notification, corpCode: row.corpCode, code })
    else for (const groupId of groups[seat]) await tellKeepers(ctx, { ...notification, groupId, code })
  }
}
