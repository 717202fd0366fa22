import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/measures/measures'
import type { MeasureAction } from '@zhugong/contract/measures/moves'
import { measureMoves } from '@zhugong/contract/measures/moves'
import { sql } from 'kysely'
import { type Context, oneProject } from '#kit/context'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { tellKeepers } from '../notify/public.ts'
import { registerPlaceUse } from '../places/public.ts'
import { createOnce, forgetRecord, offersFor, take, writeLog } from '../process/public.ts'
import { readMeasure } from './detail.ts'
import { type Measure, measureKind, pageOf } from './kind.ts'
import { conditions, countsOf, readMeasures, sumUp } from './rows.ts'
import { type Body, type MeasureFields, measureColumns, writeMeasure } from './writes.ts'

export function measureRoutes(serve: Serve): void {
  registerPlaceUse(placesOfMeasures)
  serve(contract.listMeasures, listMeasures)
  serve(contract.getMeasure, readMeasure)
  serve(contract.createMeasure, createMeasure)
  serve(contract.changeMeasure, changeMeasure)
  serve(contract.removeMeasure, removeMeasure)
}

async function placesOfMeasures(ctx: Pick<Context, 'db'>, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ placeId: string }>`select distinct place_id from safety_measure where place_id = any (${[...ids]})`.execute(
    ctx.db,
  )
  return rows.map((one) => one.placeId)
}

const listMeasures: HandlerOf<typeof contract.listMeasures> = async ({ query }, ctx) => {
  const where = conditions(ctx, query)
  const list = await readMeasures(ctx, where, { sort: query.sort, ...pageSlice(query) })
  return { list, ...(await sumUp(ctx, where)), counts: await countsOf(ctx, query) }
}

type Stored = Pick<Measure, 'id' | 'version' | 'state'>
const answerOf = ({ id, version, state }: Stored) => ({ id, version, state })

const createMeasure: HandlerOf<typeof contract.createMeasure> = async ({ query, body }, ctx) => {
  const { id, action, ...fields } = body
  const projectCode = oneProject(ctx, query.projectCode)
  const row = await createOnce(ctx, measureKind, id, {
    insert: () => insertDraft(ctx, id, projectCode, fields),
    again: ({ version }) => change(ctx, id, { action, version, ...fields }),
    begin: async (draft) => {
      if (action === 'save') {
        await writeLog(ctx, measureKind.kind, draft, { action: 'create', from: null, to: draft.state })
        ctx.note('起草安全措施', id)
        return draft
      }
      const shownAt = new Date(ctx.clock.now())
      const after = await take(ctx, measureKind, { id, action, version: draft.version }, async () => ({ values: { shownAt } }))
      await tell(ctx, action, after)
      return after
    },
  })
  return answerOf(row)
}

async function insertDraft(ctx: Context, id: string, projectCode: string, fields: MeasureFields): Promise<void> {
  const columns = await measureColumns(ctx, projectCode, fields)
  await ctx.db
    .insertInto('safetyMeasure')
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

const changeMeasure: HandlerOf<typeof contract.changeMeasure> = async ({ params: { id }, body }, ctx) =>
  answerOf(await change(ctx, id, body))

async function change(ctx: Context, id: string, body: Body): Promise<Measure> {
  const { action, version } = body
  const after = await take(ctx, measureKind, { id, action, version }, (row) => writeMeasure(ctx, row, body))
  await tell(ctx, action, after)
  return after
}

/** Messages to the responsible side beside its to-do, by the action that was taken. */
const messages: Partial<Record<MeasureAction, string>> = {
  submit: '收到安全措施，请按期落实',
  extend: '安全措施已延长',
  archive: '安全措施已归档',
}

async function tell(ctx: Context, action: MeasureAction, row: Measure): Promise<void> {
  const title = messages[action]
  if (!title) return
  const text = `${row.name}，责任人 ${row.responsible}，截止 ${row.endDate}`
  const { projectCode, corpCode } = row
  await tellKeepers(ctx, { projectCode, corpCode, code: measureMoves.implement.needs, title, text, link: pageOf(row), kind: 'rectify' })
}

const removeMeasure: HandlerOf<typeof contract.removeMeasure> = async ({ params: { id } }, ctx) => {
  const row = await measureKind.lock(ctx, id)
  if (!offersFor(ctx, measureKind, row).some((one) => one.action === 'save'))
    throw new AppError('refused', '只有编制方可以删除，且只能删除草稿')
  await forgetRecord(ctx, measureKind.kind, id)
  await sql`delete from safety_measure where id = ${id}`.execute(ctx.db)
  ctx.note('删除安全措施草稿', id)
  return undefined
}
