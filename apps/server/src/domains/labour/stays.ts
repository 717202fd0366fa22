import { checkIdNumber, maskName, normalizeIdCard, normalizeName } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { longAbsence } from '@zhugong/contract/labour/exits'
import * as contract from '@zhugong/contract/labour/stays'
import { formalStates } from '@zhugong/contract/personnel/codes'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { type Context, found } from '#kit/context'
import type { HandlerOf, Serve } from '#kit/serve'
import { markStayChanged } from '../attendance/public.ts'
import { keptFiles } from '../files/public.ts'
import { accountColumns, cardHolder } from './accounts.ts'
import { refreshContractFlag } from './contract-flags.ts'
import { dropLeader, enterProject, instantOf, type Newcomer } from './enter.ts'
import { exitProject } from './exit.ts'
import { proposedAmong } from './exit-proposals.ts'
import { each, getStay } from './stay-store.ts'
import { changeStay } from './stay-writes.ts'

export function stayRoutes(serve: Serve) {
  serve(contract.enterWorker, enterWorker)
  serve(contract.exitWorkers, exitWorkers)
  serve(contract.removeStays, removeStays)
  serve(contract.checkAccount, checkAccount)
  serve(contract.setAccount, setAccount)
  serve(contract.setContract, setContract)
  serve(contract.setTerms, setTerms)
}

const enterWorker: HandlerOf<typeof contract.enterWorker> = async ({ body }, ctx) => {
  const { workerId, idCardType, idCardNumber, name, ...stay } = body
  const person = workerId ? await visibleWorker(ctx, workerId) : await workerByPapers(ctx, idCardType, idCardNumber ?? '', name ?? '')
  const id = await enterProject(ctx, person, stay)
  ctx.note(`人员进场 ${maskName(person.name)}`, id)
  return { id, workerId: person.id }
}

const exitWorkers: HandlerOf<typeof contract.exitWorkers> = async ({ body }, ctx) => {
  const at = instantOf(body.exitTime, ctx.clock.now())
  if (at > ctx.clock.now()) throw new AppError('invalidInput', '退场时间不能晚于现在', { field: 'exitTime' })
  const attachments = await keptFiles(ctx, body.exitAttachment)
  const proposed = body.exitReason === longAbsence ? await proposedAmong(ctx, body.ids) : undefined
  const result = await each(ctx, body.ids, async (stay) =>
    proposed && !stay.exitTime && !proposed.has(stay.id)
      ? '不在系统拟退场名单内，请选其他退场原因'
      : exitProject(ctx, stay, { at, reason: body.exitReason, attachments, wholeDay: body.exitTime.length === 10 }),
  )
  ctx.note(`人员退场 ${result.done} 人`, body.ids[0])
  return result
}

const removeStays: HandlerOf<typeof contract.removeStays> = async ({ body }, ctx) => {
  const result = await each(ctx, body.ids, async (stay) => {
    if (stay.formalStatus !== formalStates.registered) return '已转正式，只能退场'
    const { rows } = await sql`
        select 1 from attendance_event where project_code = ${stay.projectCode} and worker_id = ${stay.workerId} and time >= ${stay.entryTime} limit 1`.execute(
      ctx.db,
    )
    if (rows.length) return '已有通行记录，只能退场'
    if (stay.isTeamLeader && stay.teamId) await dropLeader(ctx.db, stay.teamId, stay.workerId)
    await ctx.db.deleteFrom('projectWorker').where('id', '=', stay.id).execute()
    const removed = { projectCode: stay.projectCode, workerId: stay.workerId, before: stay.entryTime.getTime(), after: null }
    await markStayChanged(ctx.db, removed, ctx.clock.now())
    return undefined
  })
  ctx.note(`移除登记 ${result.done} 人`, body.ids[0])
  return result
}

const checkAccount: HandlerOf<typeof contract.checkAccount> = async ({ query }, ctx) => {
  const stay = await getStay(ctx, query.id)
  const problems = [
    ...(stay.payRollBankCardNumber ? [] : ['未登记工资卡']),
    ...(stay.payRollBankCardNumber && !stay.payRollBankName ? ['未填写开户行'] : []),
    ...(stay.payRollBankCardHash && (await cardHolder(ctx, stay.payRollBankCardHash, stay.workerId)) ? ['该卡号也登记在他人名下'] : []),
  ]
  return {
    ok: problems.length === 0,
    cardNumber: stay.payRollBankCardMask,
    bankCode: stay.payRollBankCode,
    bankName: stay.payRollBankName,
    problems,
  }
}

const setAccount: HandlerOf<typeof contract.setAccount> = async ({ body }, ctx) => {
  const stay = await getStay(ctx, body.id)
  const { id: _id, ...account } = body
  await changeRow(ctx, 'projectWorker', {
    key: { id: stay.id },
    version: stay.version,
    by: ctx.user.id,
    noun: '人员',
    values: { ...(await accountColumns(ctx, stay.workerId, account)) },
  })
  ctx.note(`设置工资账户 ${maskName(stay.workerName)}`, stay.id)
  return undefined
}

const setTerms: HandlerOf<typeof contract.setTerms> = async ({ body }, ctx) => {
  const { ids, ...terms } = body
  const given = Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== null))
  const result = await each(ctx, ids, async (stay) => {
    if (stay.exitTime) return '已经退场'
    await changeStay(ctx, stay, given)
    return undefined
  })
  ctx.note(`设置用工信息 ${result.done} 人`, ids[0])
  return result
}

const setContract: HandlerOf<typeof contract.setContract> = async ({ body }, ctx) => {
  const stay = await getStay(ctx, body.id)
  found(
    await ctx.db
      .selectFrom('workerContract')
      .select('id')
      .where('id', '=', body.contractId)
      .where('workerId', '=', stay.workerId)
      .where('projectCode', '=', stay.projectCode)
      .executeTakeFirst(),
    '合同',
  )
  await refreshContractFlag(ctx, stay.workerId, stay.projectCode)
  ctx.note(`设置项目合同 ${maskName(stay.workerName)}`, stay.id)
  return undefined
}

const newcomerColumns = [
  'id',
  'name',
  'gender',
  'birthday',
  'idCardMask',
  'idCardHash',
  'cellPhoneMask',
  'cellPhoneHash',
  'expiryDate',
] as const

/**
 * A worker whose file is currently visible to the caller. A person who has left must be entered by their papers, like at any other
 * project.
 */
export async function visibleWorker(ctx: Pick<Context, 'db' | 'scope'>, id: string): Promise<Newcomer> {
  const row = await ctx.db
    .selectFrom('worker')
    .select([...newcomerColumns, sql<boolean>`(${ctx.scope.all} or zg_holds_worker(id))`.as('held')])
    .where('id', '=', id)
    .where('deleted', '=', false)
    .executeTakeFirst()
  const person = found(row, '人员')
  if (!person.held) throw new AppError('refused', '该人员已退场，请按姓名和证件号码办理进场', { field: 'idCardNumber' })
  return person
}

/** Finds a worker by identity number and name. If they do not match, the error reveals nothing more. */
export async function workerByPapers(ctx: Context, type: string, number: string, name: string): Promise<Newcomer> {
  const problem = checkIdNumber(type, number)
  if (problem) throw new AppError('invalidInput', problem, { field: 'idCardNumber' })
  const hash = ctx.secrets.blindIndex('id-card', normalizeIdCard(number))
  const person = await ctx.system
    .selectFrom('worker')
    .select(newcomerColumns)
    // The number of a merged file leads to the file that remains.
    .where(
      sql<boolean>`id = (select coalesce(m.merged_into, m.id) from worker m
        where m.id_card_type = ${type} and m.id_card_hash = ${hash} and (not m.deleted or m.merged_into is not null))`,
    )
    .where('deleted', '=', false)
    .executeTakeFirst()
  if (!person || person.name !== normalizeName(name))
    throw new AppError('notFound', '没有姓名与证件号码都相符的人员档案，请登记新人员', { field: 'idCardNumber' })
  return person
}
