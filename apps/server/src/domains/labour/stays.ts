import { ageOn, checkIdNumber, maskBankCard, maskName } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import * as contract from '@zhugong/contract/labour/endpoints'
import type { BatchResult, StayInput } from '@zhugong/contract/labour/model'
import { formalStates } from '@zhugong/contract/personnel/codes'
import { ageLimits } from '@zhugong/contract/personnel/rules'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, oneProject } from '#kit/context'
import { isUniqueViolation, type Row, type Tx } from '#kit/db'
import type { Serve } from '#kit/serve'
import { markStayChanged } from '../attendance/public.ts'
import { keptFiles } from '../files/public.ts'
import { refreshContractFlag } from './contract-flags.ts'
import { markLeader } from './teams.ts'
import { requirePresentUnit } from './units.ts'

/** dictionary attendanceSource: written by hand. */
const byHand = '4'
/** Projects whose site is open to people: 立项, 在建, 停工. */
const openStates = ['002', '003', '005']

export interface Newcomer {
  id: string
  name: string
  gender: string
  birthday: string
  idCardMask: string
  idCardHash: string
  cellPhoneMask: string | null
  cellPhoneHash: string | null
  expiryDate: string | null
}

export function stayRoutes(serve: Serve) {
  serve(contract.enterWorker, async ({ body }, ctx) => {
    const { workerId, idCardType, idCardNumber, name, ...stay } = body
    const person = workerId ? await visibleWorker(ctx, workerId) : await workerByPapers(ctx, idCardType, idCardNumber ?? '', name ?? '')
    const id = await enterProject(ctx, person, stay)
    ctx.note(`人员进场 ${maskName(person.name)}`, id)
    return { id, workerId: person.id }
  })
  serve(contract.exitWorkers, async ({ body }, ctx) => {
    const at = instantOf(body.exitTime, ctx.clock.now())
    if (at > ctx.clock.now()) throw new AppError('invalidInput', '退场时间不能晚于现在', { field: 'exitTime' })
    const attachments = await keptFiles(ctx, body.exitAttachment)
    const result = await each(ctx, body.ids, (stay) =>
      exitProject(ctx, stay, { at, reason: body.exitReason, attachments, wholeDay: body.exitTime.length === 10 }),
    )
    ctx.note(`人员退场 ${result.done} 人`, body.ids[0])
    return result
  })
  serve(contract.removeStays, async ({ body }, ctx) => {
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
  })
  serve(contract.checkAccount, async ({ query }, ctx) => {
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
  })
  serve(contract.setAccount, async ({ body }, ctx) => {
    const stay = await getStay(ctx, body.id)
    const { id: _id, ...account } = body
    await ctx.db
      .updateTable('projectWorker')
      .set({ ...(await accountColumns(ctx, stay.workerId, account)), version: stay.version + 1 })
      .where('id', '=', stay.id)
      .execute()
    ctx.note(`设置工资账户 ${maskName(stay.workerName)}`, stay.id)
    return undefined
  })
  serve(contract.setContract, async ({ body }, ctx) => {
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
  })
}

export type Stay = Row<'projectWorker'>

/** A day alone means its start for entries made later; today's means now. */
export function instantOf(value: string, now: number): number {
  if (value.length === 10 && value === formatDay(now)) return now
  return parseInstant(value) ?? now
}

/** A person enters a project: the unit is in place, the team is in place and of that unit, and he is not there already. */
export async function enterProject(ctx: Context, person: Newcomer, stay: StayInput, more: Partial<Stay> = {}): Promise<string> {
  const projectCode = oneProject(ctx, stay.projectCode)
  const project = found(
    await ctx.db.selectFrom('project').select(['name', 'prjStatus']).where('projectCode', '=', projectCode).executeTakeFirst(),
    '项目',
  )
  if (!openStates.includes(project.prjStatus)) throw new AppError('refused', `项目“${project.name}”当前状态不能办理进场`)
  const at = instantOf(stay.entryTime, ctx.clock.now())
  if (at > ctx.clock.now()) throw new AppError('invalidInput', '进场时间不能晚于现在', { field: 'entryTime' })
  const entryDay = formatDay(at)
  const unit = await requirePresentUnit(ctx, projectCode, stay.corpCode)
  if (entryDay < unit.entryTime) throw new AppError('refused', `进场不能早于所在单位进场（${unit.entryTime}）`, { field: 'entryTime' })
  if (stay.teamId) await requirePresentTeam(ctx, projectCode, stay.corpCode, stay.teamId, entryDay)
  const age = ageOn(person.birthday, entryDay)
  if (age < ageLimits.least)
    throw new AppError('refused', `进场当日 ${age} 周岁，未满 ${ageLimits.least} 周岁不得进场`, { field: 'birthday' })
  if (person.expiryDate && person.expiryDate < entryDay)
    throw new AppError('refused', `证件已于 ${person.expiryDate} 过期，过期不得进场`, { field: 'expiryDate' })
  const present = await ctx.db
    .selectFrom('projectWorker')
    .select('id')
    .where('projectCode', '=', projectCode)
    .where('workerId', '=', person.id)
    .where('exitTime', 'is', null)
    .executeTakeFirst()
  if (present) throw alreadyHere(person)
  const last = await ctx.db
    .selectFrom('projectWorker')
    .select((eb) => eb.fn.max('exitTime').as('at'))
    .where('projectCode', '=', projectCode)
    .where('workerId', '=', person.id)
    .executeTakeFirst()
  // Entries and exits alternate: a stay cannot begin before the last one at this project has ended.
  if (last?.at && last.at.getTime() > at)
    throw new AppError('refused', `上一次退场在 ${formatInstant(last.at)}，进场不能早于它`, { field: 'entryTime' })
  const id = ctx.newId()
  try {
    await ctx.db
      .insertInto('projectWorker')
      .values({
        id,
        projectCode,
        workerId: person.id,
        corpCode: stay.corpCode,
        teamId: stay.teamId,
        workRole: stay.workRole,
        workType: stay.workType,
        post: stay.post,
        isTeamLeader: stay.isTeamLeader,
        entryTime: new Date(at),
        cardNumber: stay.cardNumber,
        hasBuyInsurance: stay.hasBuyInsurance,
        paymentType: stay.paymentType,
        unitPriceCents: stay.unitPriceCents,
        workerName: person.name,
        gender: person.gender,
        birthday: person.birthday,
        idCardMask: person.idCardMask,
        idCardHash: person.idCardHash,
        cellPhoneMask: person.cellPhoneMask,
        cellPhoneHash: person.cellPhoneHash,
        createBy: ctx.user.id,
        ...(more as object),
      })
      .execute()
  } catch (error) {
    // Two clerks at once, or somebody present under a company one does not see.
    if (isUniqueViolation(error, 'project_worker_once')) throw alreadyHere(person)
    if (isUniqueViolation(error, 'project_worker_card'))
      throw new AppError('refused', '考勤卡号已发给本项目其他人员', { field: 'cardNumber' })
    throw error
  }
  await markStayChanged(ctx.db, { projectCode, workerId: person.id, before: null, after: at }, ctx.clock.now())
  await ctx.db
    .insertInto('entryExitHistory')
    .values({
      id: ctx.newId(),
      projectCode,
      workerId: person.id,
      corpCode: stay.corpCode,
      projectWorkerId: id,
      type: '1',
      date: new Date(at),
      source: byHand,
      createBy: ctx.user.id,
    })
    .execute()
  if (stay.isTeamLeader && stay.teamId) await nameLeader(ctx, stay.teamId, id, person)
  return id
}

const alreadyHere = (person: Newcomer) =>
  new AppError('refused', `${maskName(person.name)}已在本项目在场，同一项目同一时间只能在场一次`, { field: 'idCardNumber' })

async function nameLeader(ctx: Context, teamId: string, stayId: string, person: Pick<Newcomer, 'id' | 'name'>) {
  await markLeader(ctx, teamId, stayId)
  await ctx.db.updateTable('team').set({ teamLeaderId: person.id, teamLeaderName: person.name }).where('id', '=', teamId).execute()
}
async function dropLeader(db: Tx, teamId: string, workerId: string) {
  await db
    .updateTable('team')
    .set({ teamLeaderId: null, teamLeaderName: null })
    .where('id', '=', teamId)
    .where('teamLeaderId', '=', workerId)
    .execute()
}

/** The team in place at the project, of that unit. */
export async function requirePresentTeam(
  ctx: Pick<Context, 'db'>,
  projectCode: string,
  corpCode: string,
  teamId: string,
  day: string,
): Promise<void> {
  const team = await ctx.db
    .selectFrom('team')
    .select(['teamName', 'corpCode', 'projectCode', 'entryTime', 'exitTime'])
    .where('id', '=', teamId)
    .executeTakeFirst()
  if (!team || team.projectCode !== projectCode || team.exitTime !== null)
    throw new AppError('refused', '班组不在本项目场内，请先办理班组进场', { field: 'teamId' })
  if (team.corpCode !== corpCode) throw new AppError('refused', `班组“${team.teamName}”不属于所选单位`, { field: 'teamId' })
  if (day < team.entryTime)
    throw new AppError('refused', `进场不能早于班组“${team.teamName}”进场（${team.entryTime}）`, { field: 'entryTime' })
}

interface Exit {
  at: number
  reason: string
  attachments: readonly string[]
  /** A day alone was given: the last passage of that day does not hinder. */
  wholeDay: boolean
}
async function exitProject(ctx: Context, stay: Stay, exit: Exit): Promise<string | undefined> {
  if (stay.exitTime) return '已经退场'
  let at = exit.at
  const { rows } = await sql<{ last: Date | null }>`
    select max(time) as last from attendance_event
    where project_code = ${stay.projectCode} and worker_id = ${stay.workerId} and quarantine is null and time >= ${stay.entryTime}`.execute(
    ctx.db,
  )
  const last = rows[0]?.last
  if (last && exit.wholeDay && formatDay(last) === formatDay(at) && last.getTime() > at) at = last.getTime()
  if (exit.wholeDay && formatDay(stay.entryTime) === formatDay(at) && stay.entryTime.getTime() > at) at = stay.entryTime.getTime()
  if (at < stay.entryTime.getTime()) return `退场时间早于进场时间 ${formatInstant(stay.entryTime)}`
  if (last && last.getTime() > at) return `最近通行在 ${formatInstant(last)}，退场时间不能早于它`
  await ctx.db
    .updateTable('projectWorker')
    .set({
      exitTime: new Date(at),
      exitReason: exit.reason,
      exitAttachment: JSON.stringify(exit.attachments),
      stationed: '2',
      attendEnabled: false,
      isTeamLeader: false,
      updateBy: ctx.user.id,
      updateTime: new Date(ctx.clock.now()),
      version: stay.version + 1,
    })
    .where('id', '=', stay.id)
    .execute()
  await markStayChanged(ctx.db, { projectCode: stay.projectCode, workerId: stay.workerId, before: null, after: at }, ctx.clock.now())
  if (stay.teamId) await dropLeader(ctx.db, stay.teamId, stay.workerId)
  await ctx.db
    .insertInto('entryExitHistory')
    .values({
      id: ctx.newId(),
      projectCode: stay.projectCode,
      workerId: stay.workerId,
      corpCode: stay.corpCode,
      projectWorkerId: stay.id,
      type: '0',
      date: new Date(at),
      reason: exit.reason,
      source: byHand,
      createBy: ctx.user.id,
    })
    .execute()
  return undefined
}

/** Runs an act for each stay; a refusal in words stays with its person and hinders no other. */
export async function each(ctx: Context, ids: readonly string[], act: (stay: Stay) => Promise<string | undefined>): Promise<BatchResult> {
  const stays = await ctx.db
    .selectFrom('projectWorker')
    .selectAll()
    .where('id', 'in', [...new Set(ids)])
    .forUpdate()
    .execute()
  const byId = new Map(stays.map((s) => [s.id, s]))
  const failed: BatchResult['failed'] = []
  let done = 0
  // An id out of sight is no person at fault but a call at fault: nothing at all is done then.
  if ([...new Set(ids)].some((id) => !byId.has(id))) throw new AppError('notFound', '人员不存在或不在您的管辖范围内', { field: 'ids' })
  for (const [id, stay] of byId) {
    const message = await act(stay)
    if (message) failed.push({ id, name: stay.workerName, message })
    else done++
  }
  return { done, failed }
}

export async function getStay(ctx: Pick<Context, 'db'>, id: string): Promise<Stay> {
  return found(await ctx.db.selectFrom('projectWorker').selectAll().where('id', '=', id).executeTakeFirst(), '项目人员')
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

/** Somebody whose file is the caller's now. Who has left comes back with his papers, as to any other project. */
export async function visibleWorker(ctx: Pick<Context, 'db' | 'scope'>, id: string): Promise<Newcomer> {
  const row = await ctx.db
    .selectFrom('worker')
    .select([...newcomerColumns, sql<boolean>`(${ctx.scope.all} or zg_holds_worker(id))`.as('held')])
    .where('id', '=', id)
    .where('deleted', '=', false)
    .executeTakeFirst()
  const { held, ...person } = found(row, '人员')
  if (!held) throw new AppError('refused', '该人员已退场，请按姓名和证件号码办理进场', { field: 'idCardNumber' })
  return person
}

/** Somebody who holds the papers knows number and name; nobody learns more than that they do not go together. */
async function workerByPapers(ctx: Context, type: string, number: string, name: string): Promise<Newcomer> {
  const problem = checkIdNumber(type, number)
  if (problem) throw new AppError('invalidInput', problem, { field: 'idCardNumber' })
  const person = await ctx.system
    .selectFrom('worker')
    .select(newcomerColumns)
    .where('idCardType', '=', type)
    .where('idCardHash', '=', ctx.secrets.blindIndex('id-card', number.replace(/\s/g, '').toUpperCase()))
    .where('deleted', '=', false)
    .executeTakeFirst()
  if (!person || person.name !== name.trim())
    throw new AppError('notFound', '没有姓名与证件号码都相符的人员档案，请登记新人员', { field: 'idCardNumber' })
  return person
}

/** Another person's name on the same wage card; generic when that person is out of sight. */
async function cardHolder(ctx: Context, hash: string, workerId: string): Promise<string | undefined> {
  const other = await ctx.system
    .selectFrom('projectWorker')
    .select(['id', 'workerName'])
    .where('payRollBankCardHash', '=', hash)
    .where('workerId', '!=', workerId)
    .limit(1)
    .executeTakeFirst()
  if (!other) return undefined
  const seen = await ctx.db.selectFrom('projectWorker').select('id').where('id', '=', other.id).executeTakeFirst()
  return seen ? maskName(other.workerName) : '他人'
}

export interface AccountInput {
  payRollBankCode: string | null
  payRollBankName: string | null
  payRollBankCardNumber: string | null
  bankLinkNumber: string | null
}
/** One person, one card. */
export async function accountColumns(ctx: Context, workerId: string, account: AccountInput) {
  const number = account.payRollBankCardNumber?.replace(/\s/g, '') || null
  if (!number) return {}
  const hash = ctx.secrets.blindIndex('bank-card', number)
  const holder = await cardHolder(ctx, hash, workerId)
  if (holder) throw new AppError('refused', `该工资卡已登记在${holder}名下，一人一卡`, { field: 'payRollBankCardNumber' })
  return {
    payRollBankCode: account.payRollBankCode,
    payRollBankName: account.payRollBankName,
    payRollBankCardNumber: ctx.secrets.seal(number),
    payRollBankCardHash: hash,
    payRollBankCardMask: maskBankCard(number),
    bankLinkNumber: account.bankLinkNumber,
  }
}
