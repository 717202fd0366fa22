import { AppError } from '@zhugong/contract/kit/errors'
import { workRoles } from '@zhugong/contract/labour/codes'
import { stayInput } from '@zhugong/contract/labour/model'
import * as contract from '@zhugong/contract/personnel/flow'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, oneProject, requireCode } from '#kit/context'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { each, enterProject, exitProject, type Stay } from '../labour/public.ts'
import { getHeldWorker } from './store.ts'

export function grantRoutes(serve: Serve) {
  serve(contract.grantWorkers, grantWorkers)
}

type Grant = NonNullable<(typeof contract.grantWorkers)['types']>['parsed']['body']

const grantWorkers: HandlerOf<typeof contract.grantWorkers> = async ({ body }, ctx) => {
  if (body.transfer) requireCode(ctx, 'labour.exit')
  const projectCode = oneProject(ctx, body.projectCode)
  const ids = [...new Set(body.workerIds)]
  const known = await ctx.db.selectFrom('worker').select(['id', 'name']).where('id', 'in', ids).where('deleted', '=', false).execute()
  // An id that is not visible makes the whole request fail; nothing is changed.
  if (known.length < ids.length) throw new AppError('notFound', '人员不存在或不在您的管辖范围内', { field: 'workerIds' })
  const failed: { id: string; name: string; message: string }[] = []
  for (const person of known) {
    // One savepoint per person: a failure does not affect the others.
    await sql`savepoint person`.execute(ctx.db)
    try {
      await grantOne(ctx, person.id, { ...body, projectCode })
      await sql`release savepoint person`.execute(ctx.db)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      await sql`rollback to savepoint person`.execute(ctx.db)
      failed.push({ ...person, message: error.message })
    }
  }
  const done = known.length - failed.length
  ctx.note(`${body.transfer ? '调往' : '授权到'}项目 ${done} 人`, projectCode)
  return { done, failed }
}

async function grantOne(ctx: Context, workerId: string, grant: Grant): Promise<void> {
  const person = await getHeldWorker(ctx, workerId)
  const stays = await presentStays(ctx, workerId)
  const workType = grant.workRole === workRoles.worker ? (grant.workType ?? stays[0]?.workType ?? person.workTypeCode) : grant.workType
  if (grant.workRole === workRoles.worker && !workType) throw new AppError('refused', '没有登记工种，请选择工种', { field: 'workType' })
  const elsewhere = stays.filter((s) => s.projectCode !== grant.projectCode)
  if (grant.transfer) {
    if (elsewhere.length === 0) throw new AppError('refused', '没有可调出的在场项目，请改用授权')
    const at = { at: ctx.clock.now(), reason: grant.exitReason, attachments: [], wholeDay: false }
    const ids = elsewhere.map((s) => s.id)
    const { failed } = await each(ctx, ids, (stay) => exitProject(ctx, stay, at))
    if (failed[0]) throw new AppError('refused', failed[0].message)
  }
  // Read before the exits above: the caller had the person in place.
  await enterProject(
    ctx,
    { ...person, held: true },
    rowOf(stayInput, grant, {
      workType,
      isTeamLeader: false,
      entryTime: formatDay(ctx.clock.now()),
      cardNumber: null,
      paymentType: grant.paymentType ?? stays[0]?.paymentType ?? null,
      unitPriceCents: null,
    }),
  )
}

const presentStays = (ctx: Context, workerId: string): Promise<Stay[]> =>
  ctx.db
    .selectFrom('projectWorker')
    .selectAll()
    .where('workerId', '=', workerId)
    .where('exitTime', 'is', null)
    .orderBy('entryTime', 'desc')
    .execute()
