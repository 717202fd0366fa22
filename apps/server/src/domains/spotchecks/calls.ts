import { AppError } from '@zhugong/contract/kit/errors'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import * as contract from '@zhugong/contract/spotchecks/calls'
import type { SpotAction } from '@zhugong/contract/spotchecks/moves'
import { sql } from 'kysely'
import { type Context, oneProject } from '#kit/context'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { dropPhotoUses } from '../files/public.ts'
import { tellKeepers } from '../notify/public.ts'
import { registerPlaceUse } from '../places/public.ts'
import { createOnce, forgetRecord, offersFor, take, writeLog } from '../process/public.ts'
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
const createSpotCheck: HandlerOf<typeof contract.createSpotCheck> = async ({ body }, ctx) => {
  const { id, projectCode: asked, ...fields } = body
  const projectCode = oneProject(ctx, asked)
  const begin = async (row: Spot) => {
    const after = await take(ctx, spotKind, { id, action: fields.action, version: row.version }, (own) => write(ctx, own, fields))
    await tell(ctx, fields.action, after)
    return after
  }
  const row = await createOnce(ctx, spotKind, id, {
    insert: () => insertDraft(ctx, id, projectCode, fields),
    again: begin,
    begin: async (draft) => {
      if (fields.action !== 'save') return begin(draft)
      await writeLog(ctx, spotType, draft, { action: 'create', from: null, to: draft.state })
      ctx.note('起草质量抽查', id)
      return draft
    },
  })
  return answerOf(row)
}

async function insertDraft(ctx: Context, id: string, projectCode: string, fields: SpotFields): Promise<void> {
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
  const row = await spotKind.lock(ctx, id)
  await usePictures(ctx, row, columns.photos, columns.checkDate)
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
