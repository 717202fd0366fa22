import type { changeHazard, createHazard } from '@zhugong/contract/hazards/calls'
import { askedLevel, scoreOf, whyNotLevel } from '@zhugong/contract/hazards/levels'
import { type HazardAction, hazardMoves, patrolProblem, patrolResults } from '@zhugong/contract/hazards/moves'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs } from '@zhugong/contract/kit/time'
import { sql } from 'kysely'
import { addDays, formatDay } from '#kit/clock'
import { type Context, oneProject } from '#kit/context'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { fileIdsOf, findingLeadMs, keptFiles, usePhotos } from '../files/public.ts'
import { requirePresentUnit } from '../labour/public.ts'
import { placeColumns } from '../places/public.ts'
import { createOnce, forgetRecord, type Outcome, offersFor, take, writeLog } from '../process/public.ts'
import { type Hazard, hazardKind, hazardType } from './hazard-kind.ts'

type Body = ParsedFor<typeof changeHazard>['body']
type Fields = Omit<ParsedFor<typeof createHazard>['body'], 'id' | 'action'>
type Of<A extends Body['action']> = Extract<Body, { action: A }>

const refuse = (field: string, message: string) => new AppError('invalidInput', message, { field })

export async function isOverScale(ctx: Pick<Context, 'db'>, bigProjectId: string | null): Promise<boolean> {
  if (bigProjectId === null) return false
  const { rows } = await sql<{ overScale: boolean }>`select over_scale from bigproject where id = ${bigProjectId}`.execute(ctx.db)
  return rows[0]?.overScale ?? false
}

/** The columns that the author writes. @throws AppError `invalidInput` at the field */
async function hazardColumns(ctx: Context, projectCode: string, fields: Fields, before?: Hazard) {
  const { placeId, pin, hazardSource, ...given } = fields
  if (given.endDate !== null && given.endDate < given.startDate) throw refuse('endDate', '结束日期不能早于开始日期')
  await requirePresentUnit(ctx, projectCode, given.corpCode, 'corpCode', '责任单位')
  if (given.bigProjectId !== null) {
    const { rows } = await sql`select from bigproject where id = ${given.bigProjectId} and project_code = ${projectCode}`.execute(ctx.db)
    if (rows.length === 0) throw refuse('bigProjectId', '危大工程不存在或不属于该项目')
  }
  const overScale = await isOverScale(ctx, given.bigProjectId)
  const lowered = before && before.state !== '0' ? (before.riskLevel as Fields['riskLevel']) : undefined
  const wrong = whyNotLevel(given.riskLevel, { judged: given, overScale, before: lowered, reason: given.levelReason })
  if (wrong) throw refuse(wrong.field, wrong.text)
  const [place] = await placeColumns(ctx, projectCode, [{ placeId, pin }], (_at, name) => name)
  return {
    ...given,
    hazardSource: [...new Set(hazardSource)],
    placeId: place?.placeId ?? null,
    planId: place?.planId ?? null,
    pinX: place?.pinX ?? null,
    pinY: place?.pinY ?? null,
    score: scoreOf(given),
  }
}
export const askedOf = (row: Hazard, overScale: boolean) => askedLevel(row, overScale)

type Stored = Pick<Hazard, 'id' | 'version' | 'state'>
const answerOf = ({ id, version, state }: Stored) => ({ id, version, state })

export const createHazardRow: HandlerOf<typeof createHazard> = async ({ query, body }, ctx) => {
  const { id, action, ...fields } = body
  const projectCode = oneProject(ctx, query.projectCode)
  const row = await createOnce(ctx, hazardKind, id, {
    insert: () => insertHazard(ctx, id, projectCode, fields),
    again: ({ version }) => change(ctx, id, { action, version, ...fields }),
    begin: async (draft) => {
      if (action === 'submit') return change(ctx, id, { action, version: draft.version, ...fields })
      await writeLog(ctx, hazardType, draft, { action: 'create', from: null, to: draft.state })
      ctx.note('起草危险源', id)
      return draft
    },
  })
  return answerOf(row)
}

async function insertHazard(ctx: Context, id: string, projectCode: string, fields: Fields): Promise<void> {
  const columns = await hazardColumns(ctx, projectCode, fields)
  await ctx.db
    .insertInto('hazardSource')
    .values({
      id,
      projectCode,
      ...columns,
      groups: [ctx.group.id],
      authorGroup: ctx.group.id,
      authorGroupName: ctx.group.name,
      createBy: ctx.user.id,
      createTime: new Date(ctx.clock.now()),
    })
    .execute()
}

export const changeHazardRow: HandlerOf<typeof changeHazard> = async ({ params: { id }, body }, ctx) =>
  answerOf(await change(ctx, id, body))

const change = (ctx: Context, id: string, body: Body) =>
  take(ctx, hazardKind, { id, action: body.action, version: body.version }, (row) => write(ctx, row, body))

async function write(ctx: Context, row: Hazard, body: Body): Promise<Outcome<Hazard>> {
  switch (body.action) {
    case 'save':
    case 'submit':
    case 'change':
      return writeFields(ctx, row, body)
    case 'control':
      return controlled(ctx, row, body)
    case 'patrol':
      return patrolled(ctx, row, body)
    case 'lift':
      return { values: { nextCheck: null }, opinion: body.opinion }
  }
}

async function writeFields(ctx: Context, row: Hazard, body: Of<'save' | 'submit' | 'change'>): Promise<Outcome<Hazard>> {
  const { action, version: _version, ...fields } = body
  const columns = await hazardColumns(ctx, row.projectCode, fields, row)
  if (action === 'save') return { values: columns }
  if (action === 'submit') return { values: { ...columns, shownAt: new Date(ctx.clock.now()) } }
  const raised = columns.riskLevel === row.riskLevel ? '' : `风险等级 ${row.riskLevel} → ${columns.riskLevel}`
  const reason = raised && columns.levelReason ? `${raised}：${columns.levelReason}` : raised
  // A hazard that is patrolled more often is due earlier, counted from its last patrol.
  const nextCheck =
    row.nextCheck === null ? null : addDays(formatDay(row.lastCheck ?? row.controlledAt ?? ctx.clock.now()), columns.checkEvery)
  return { values: { ...columns, nextCheck }, opinion: reason || null }
}

const nextFrom = (ctx: Context, days: number) => addDays(formatDay(ctx.clock.now()), days)

async function controlled(ctx: Context, row: Hazard, { note, photos }: Of<'control'>): Promise<Outcome<Hazard>> {
  const files = await keptFiles(ctx, fileIdsOf(photos), [], 'photos')
  await pictures(ctx, row, 'control', files)
  return {
    values: { controlNote: note, controlPhotos: files, controlledAt: new Date(ctx.clock.now()), nextCheck: nextFrom(ctx, row.checkEvery) },
    opinion: note,
  }
}

async function patrolled(ctx: Context, row: Hazard, { result, note, photos }: Of<'patrol'>): Promise<Outcome<Hazard>> {
  if (result === patrolProblem && !note) throw refuse('note', '请写明发现的问题')
  const files = await keptFiles(ctx, fileIdsOf(photos), [], 'photos')
  if (result === patrolProblem && files.length === 0) throw refuse('photos', '发现问题须附照片')
  const now = ctx.clock.now()
  const id = ctx.newId()
  const late = row.nextCheck === null ? 0 : Math.round((Date.parse(formatDay(now)) - Date.parse(row.nextCheck)) / dayMs)
  await ctx.db
    .insertInto('hazardPatrol')
    .values({
      id,
      hazardId: row.id,
      ...pick(row, 'projectCode', 'corpCode', 'shownAt', 'groups'),
      at: new Date(now),
      byName: ctx.user.name,
      result,
      note,
      photos: files,
      lateDays: Math.max(0, late),
    })
    .execute()
  await pictures(ctx, row, `patrol ${id}`, files)
  return {
    values: { lastCheck: new Date(now), nextCheck: nextFrom(ctx, row.checkEvery) },
    opinion: [patrolResults[result], note].filter(Boolean).join('：'),
  }
}

const pictures = (ctx: Context, row: Hazard, stage: string, files: readonly string[]) =>
  usePhotos(ctx, {
    kind: hazardType,
    objectId: row.id,
    stage,
    ...pick(row, 'projectCode', 'corpCode', 'shownAt', 'groups'),
    files: [...files],
    notBefore: new Date(ctx.clock.now() - findingLeadMs),
  })

export async function removeHazardRow(ctx: Context, id: string): Promise<void> {
  const row = await hazardKind.lock(ctx, id)
  const save: HazardAction = 'save'
  if (!offersFor(ctx, hazardKind, row).some((one) => one.action === save))
    throw new AppError('refused', `只有编制方可以删除，且只能删除草稿（${hazardMoves.save.label}）`)
  await forgetRecord(ctx, hazardType, id)
  await sql`delete from hazard_source where id = ${id}`.execute(ctx.db)
  ctx.note('删除危险源草稿', id)
}
