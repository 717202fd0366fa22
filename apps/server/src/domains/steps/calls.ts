import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/steps/calls'
import { linkName } from '@zhugong/contract/steps/chain'
import { type StepAction, stepMoves } from '@zhugong/contract/steps/moves'
import { signStep } from '@zhugong/contract/steps/seats'
import { sql } from 'kysely'
import { type Context, oneProject } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { dropPhotoUses } from '../files/public.ts'
import { tellKeepers } from '../notify/public.ts'
import { registerPlaceUse } from '../places/public.ts'
import { createOnce, forgetRecord, offersFor, sign, take, writeLog } from '../process/public.ts'
import { readNext } from './chain.ts'
import { readStep } from './detail.ts'
import { readGrid } from './grid.ts'
import { pageOf, type Step, stepKind, stepType } from './kind.ts'
import { conditions, countSteps, countsOf, readSteps } from './rows.ts'
import { type Body, type StepFields, stageOf, stepColumns, write, writePoints, writeStep } from './writes.ts'

export function stepRoutes(serve: Serve): void {
  registerPlaceUse(placesOfSteps)
  serve(contract.stepRecords, stepRecords)
  serve(contract.nextSteps, readNext)
  serve(contract.getStep, readStep)
  serve(contract.createStep, createStep)
  serve(contract.changeStep, changeStep)
  serve(contract.removeStep, removeStep)
  serve(signStep, async ({ params: { id }, body }, ctx) => {
    await sign(ctx, stepKind, id, body)
    return undefined
  })
}

async function placesOfSteps(ctx: Pick<Context, 'db'>, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ placeId: string }>`select distinct place_id from site_step where place_id = any (${[...ids]})`.execute(
    ctx.db,
  )
  return rows.map((one) => one.placeId)
}

const stepRecords: HandlerOf<typeof contract.stepRecords> = async ({ query }, ctx) => {
  if (query.view === 'grid') return readGrid(ctx, { ...query, view: query.view })
  const where = conditions(ctx, withoutView(query))
  const list = await readSteps(ctx, where, { sort: query.sort, ...pageSlice(query) })
  return { list, total: await countSteps(ctx, where), ...(await countsOf(ctx, query)) }
}

const withoutView = <Q extends { view?: unknown }>({ view: _view, ...query }: Q): Omit<Q, 'view'> => query

type Stored = Pick<Step, 'id' | 'code' | 'version' | 'state'>
const answerOf = ({ id, code, version, state }: Stored) => ({ id, code, version, state })
const createStep: HandlerOf<typeof contract.createStep> = async ({ query, body }, ctx) => {
  const { id, action, ...fields } = body
  const projectCode = oneProject(ctx, query.projectCode)
  const row = await createOnce(ctx, stepKind, id, {
    insert: () => insertDraft(ctx, id, projectCode, fields),
    again: ({ version }) => change(ctx, id, { action, version, ...fields }),
    begin: async (draft) => {
      if (action === 'save') {
        await writePoints(ctx, draft, 1, fields.points, false)
        await writeLog(ctx, stepType, draft, { action: 'create', from: null, to: draft.state })
        ctx.note('起草工序验收', id)
        return draft
      }
      const after = await take(ctx, stepKind, { id, action, version: draft.version }, (own) => write(ctx, own, action, fields))
      await tell(ctx, action, after)
      return after
    },
  })
  return answerOf(row)
}

async function insertDraft(ctx: Context, id: string, projectCode: string, fields: StepFields): Promise<void> {
  const columns = await stepColumns(ctx, projectCode, fields)
  await ctx.db
    .insertInto('siteStep')
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

const changeStep: HandlerOf<typeof contract.changeStep> = async ({ params: { id }, body }, ctx) => answerOf(await change(ctx, id, body))

async function change(ctx: Context, id: string, body: Body): Promise<Step> {
  const { action, version } = body
  const after = await take(ctx, stepKind, { id, action, version }, (row) => writeStep(ctx, row, body)).catch((error: unknown) => {
    throw isUniqueViolation(error) ? new AppError('conflict', '该部位的这道工序刚由他人提交，请刷新') : error
  })
  await tell(ctx, action, after)
  return after
}

/** What the site is told beside its to-dos. */
const messages: Partial<Record<StepAction, string>> = { accept: '监理已同意工序验收', refuse: '监理不同意工序验收' }

async function tell(ctx: Context, action: StepAction, row: Step): Promise<void> {
  const title = messages[action]
  if (!title) return
  const { projectCode, corpCode } = row
  const text = `${row.code ?? ''}，${row.part} ${linkName(row)}`
  await tellKeepers(ctx, { projectCode, corpCode, code: stepMoves.submit.needs, title, text, link: pageOf(row), kind: 'rectify' })
}

const removeStep: HandlerOf<typeof contract.removeStep> = async ({ params: { id } }, ctx) => {
  const row = await stepKind.lock(ctx, id)
  if (!offersFor(ctx, stepKind, row).some((one) => one.action === 'save'))
    throw new AppError('refused', '只有编制方可以删除，且只能删除草稿')
  await forgetRecord(ctx, stepType, id)
  await dropPhotoUses(ctx, id, stageOf(1), [])
  await sql`delete from site_step where id = ${id}`.execute(ctx.db)
  ctx.note('删除工序验收草稿', id)
  return undefined
}
