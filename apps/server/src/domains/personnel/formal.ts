import { AppError } from '@zhugong/contract/kit/errors'
import { formalStates } from '@zhugong/contract/personnel/codes'
import { entryConditions } from '@zhugong/contract/personnel/rules'
import * as contract from '@zhugong/contract/personnel/workers'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import { pick } from '#kit/pick'
import type { HandlerOf, Serve } from '#kit/serve'
import { changeStay, each, joinLicence, type LicenceColumns, licenceColumns, licenceState, type Stay } from '../labour/public.ts'
import { conditionsMissing, fieldsLacking } from './conditions.ts'
import { getWorker } from './store.ts'
import { refreshTrained } from './train-rights.ts'

/** State changes 预登记 -> 正式 <-> 暂停作业, and the training they require. */
export function formalRoutes(serve: Serve) {
  serve(contract.setFormal, setFormal)
  serve(contract.trainWorkers, trainWorkers)
}

const setFormal: HandlerOf<typeof contract.setFormal> = async ({ body }, ctx) => {
  const missing: { id: string; conditions: string[]; fields: string[] }[] = []
  if (body.status === formalStates.paused && body.reason.length < 2)
    throw new AppError('invalidInput', '暂停作业请填写原因（至少 2 个字）', { field: 'reason' })
  const result = await each(ctx, body.ids, async (stay) => {
    if (stay.exitTime) return '已经退场'
    if (stay.formalStatus === body.status) return body.status === formalStates.formal ? '已经是正式' : '已经暂停作业'
    if (body.status === formalStates.paused && stay.formalStatus !== formalStates.formal) return '预登记人员尚未正式，不能暂停'
    if (body.status === formalStates.formal) {
      const lacks = await lacksOf(ctx, stay)
      if (lacks.conditions.length || lacks.fields.length) {
        missing.push({ id: stay.id, ...lacks })
        return [
          ...(lacks.conditions.length ? [`进场条件未齐：${lacks.conditions.join('、')}`] : []),
          ...(lacks.fields.length ? [`档案待完善：${lacks.fields.join('、')}`] : []),
        ].join('；')
      }
    }
    await changeStay(ctx, stay, {
      formalStatus: body.status,
      // Gate access follows the state; the gates module sends it to the devices.
      attendEnabled: body.status === formalStates.formal,
      ...(stay.formalFrom ? {} : { formalFrom: new Date(ctx.clock.now()) }),
    })
    return undefined
  })
  ctx.note(
    `${body.status === formalStates.formal ? '转正式' : '暂停作业'} ${result.done} 人${body.reason ? `（${body.reason}）` : ''}`,
    body.ids[0],
  )
  return { ...result, missing }
}

const trainWorkers: HandlerOf<typeof contract.trainWorkers> = async ({ body }, ctx) => {
  const { ids, ...training } = body
  if (training.trainDate > formatDay(ctx.clock.now())) throw new AppError('invalidInput', '培训日期不能晚于今天', { field: 'trainDate' })
  const result = await each(ctx, ids, async (stay) => {
    if (stay.exitTime) return '已经退场'
    await ctx.db
      .insertInto('workerTraining')
      .values({
        ...training,
        id: ctx.newId(),
        ...pick(stay, 'projectCode', 'corpCode', 'workerId'),
        projectWorkerId: stay.id,
        createBy: ctx.user.id,
      })
      .execute()
    await refreshTrained(ctx, [stay])
    return undefined
  })
  ctx.note(`登记培训 ${result.done} 人`, ids[0])
  return result
}

/** The unmet entry conditions, and the missing required fields of file and stay. */
async function lacksOf(ctx: Context, stay: Stay): Promise<{ conditions: string[]; fields: string[] }> {
  const worker = await getWorker(ctx, stay.workerId)
  const { rows } =
    await sql<LicenceColumns>`select ${licenceColumns} from project_worker w ${joinLicence('w')} where w.id = ${stay.id}`.execute(ctx.db)
  const today = formatDay(ctx.clock.now())
  const licence = licenceState(stay.workType, rows[0] ?? { licEnds: null, licPending: null }, today)
  const conditions = conditionsMissing(stay, worker.realNameState, licence.certState)
  return {
    conditions: conditions.map((c) => entryConditions[c]),
    fields: fieldsLacking(worker, stay, today),
  }
}
