import { AppError } from '@zhugong/contract/kit/errors'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import * as contract from '@zhugong/contract/spotchecks/calls'
import { draftSpot, type SpotAction } from '@zhugong/contract/spotchecks/moves'
import { sql } from 'kysely'
import { type Context, oneProject } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { dropPhotoUses } from '../files/public.ts'
import { tellKeepers } from '../notify/public.ts'
import { registerPlaceUse } from '../places/public.ts'
import { forgetRecord, offersFor, take, writeLog } from '../process/public.ts'
import { readSpot } from './detail.ts'
import { pageOf, type Spot, spotKind, spotType } from './kind.ts'
import { conditions, countSpots, countsOf, readSpots } from './rows.ts'
import { type SpotFields, spotColumns, usePictures, write, writeSpot } from './writes.ts'

export function spotCheckRoutes(serve: Serve): void {
  registerPlaceUse(placesOfSpots)
  serve(contract.listSpotChecks, listSpotChecks)
  serve(contract.getSpotCheck, readSpot)
  serve(contract.createSpotCheck, createSpotCheck)
  serve(contract.changeSpotCheck, changeSpotCheck)
  serve(contract.removeSpotCheck, removeSpotCheck)
}

async function placesOfSpots(ctx: Pick<Context, 'db'>, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ placeId: string }>`select distinct place_id from spot_check where place_id = any (${[...ids]})`.execute(
    ctx.db,
  )
  return rows.map((one) => one.placeId)
}

const listSpotChecks: HandlerOf<typeof contract.listSpotChecks> = async ({ query }, ctx) => {
  const where = conditions(ctx, query)
  const list = await readSpots(ctx, where, { sort: query.sort, ...pageSlice(query) })
  return { list, total: await countSpots(ctx, where), ...(await countsOf(ctx, query)) }
}

type Stored = Pick<Spot, 'id' | 'code' | 'version' | 'state'>
const answerOf = ({ id, code, version, state }: Stored) => ({ id, code, version, state })
/** A draft that nobody has changed since it was created. */
const isUntouched = ({ state, version }: Stored) => state === draftSpot && version === 0

const createSpotCheck: HandlerOf<typeof contract.createSpotCheck> = async ({ body }, ctx) => {
  const { id, projectCode: asked, ...fields } = body
  const projectCode = oneProject(ctx, asked)
  const repeated =
    await sql<Stored>`select id, code, version, state from spot_check where id = ${id} and create_by = ${ctx.user.id}`.execute(ctx.db)
  const known = repeated.rows[0]
  if (known && !isUntouched(known)) return answerOf(known)
  const row = known ? await spotKind.lock(ctx, id) : await draftOf(ctx, id, projectCode, fields)
  if (fields.action === 'save' && !known) {
    await writeLog(ctx, spotType, row, { action: 'create', from: null, to: row.state })
    ctx.note('起草质量抽查', id)
    return answerOf(row)
  }
  // The answer to the first request was lost: what the device says now is the newest.
  const after = await take(ctx, spotKind, { id, action: fields.action, version: row.version }, (own) => write(ctx, own, fields))
  await tell(ctx, fields.action, after)
  return answerOf(after)
}

async function draftOf(ctx: Context, id: string, projectCode: string, fields: SpotFields): Promise<Spot> {
  const columns = await spotColumns(ctx, projectCode, fields)
  await ctx.db
    .insertInto('spotCheck')
    .values({
      id,
      projectCode,
      ...columns,
      groups: [ctx.group.id],
      checkerGroup: ctx.group.id,
      checkerGroupName: ctx.group.name,
      checkerId: ctx.user.id,
      createBy: ctx.user.id,
      createTime: new Date(ctx.clock.now()),
    })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('refused', '该编号已被使用，请重新填写', { field: 'id' }) : error
    })
  const row = await spotKind.lock(ctx, id)
  await usePictures(ctx, row, columns.photos, columns.checkDate)
  return row
}

const changeSpotCheck: HandlerOf<typeof contract.changeSpotCheck> = async ({ body }, ctx) => {
  const { id, action, version } = body
  const after = await take(ctx, spotKind, { id, action, version }, (row) => writeSpot(ctx, row, body))
  await tell(ctx, action, after)
  return answerOf(after)
}

/** Codes of whoever takes note on the site: the keeper of materials or the quality officer. */
const keeper = 'inspection.rectifyReply'
/** Messages to the site, by the action that was taken; a failure has its notice besides. */
const messages: Partial<Record<SpotAction, string>> = {
  submitSample: '质量抽查已取样送检',
  submitOnSite: '质量抽查已出现场结果',
  report: '质量抽查报告已出',
  amend: '质量抽查报告已更改',
  close: '质量抽查复检报告已出',
}

async function tell(ctx: Context, action: SpotAction, row: Spot): Promise<void> {
  const title = messages[action]
  if (!title) return
  const { projectCode, corpCode } = row
  const text = `${row.code ?? ''}，${dictName('spotCheckKind', row.kind) ?? ''} ${row.part}，${spotKind.stateName(row.state)}`
  await tellKeepers(ctx, { projectCode, corpCode, code: keeper, title, text, link: pageOf(row), kind: 'rectify' })
}

const removeSpotCheck: HandlerOf<typeof contract.removeSpotCheck> = async ({ params: { id } }, ctx) => {
  const row = await spotKind.lock(ctx, id)
  if (!offersFor(ctx, spotKind, row).some((one) => one.action === 'save'))
    throw new AppError('refused', '只有抽查方可以删除，且只能删除草稿')
  await forgetRecord(ctx, spotType, id)
  await dropPhotoUses(ctx, id, 'before', [])
  await sql`delete from spot_check where id = ${id}`.execute(ctx.db)
  ctx.note('删除质量抽查草稿', id)
  return undefined
}
