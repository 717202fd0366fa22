import { ageOn, maskName } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import type { StayInput } from '@zhugong/contract/labour/model'
import { ageLimits } from '@zhugong/contract/personnel/rules'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, cached, found, oneProject } from '#kit/context'
import { isUniqueViolation, type Tx } from '#kit/db'
import { pick } from '#kit/pick'
import { markStayChanged } from '../attendance/public.ts'
import { requireUnlisted } from './black-hold.ts'
import { tellOfEntry } from './entry-messages.ts'
import { markLeader } from './leaders.ts'
import type { Stay } from './stay-store.ts'
import { requirePresentUnit } from './unit-checks.ts'

/** How an entry or exit came to be recorded (dictionary attendanceSource). */
export const entrySources = { phone: '3', hand: '4', sheet: '7' } as const
export type EntrySource = (typeof entrySources)[keyof typeof entrySources]
/** States of projects that accept people: 立项, 在建, 停工. */
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
  /** The person is on one of the caller's sites, or the caller maintains the file. */
  held?: boolean
  /** The file was created in this transaction, so the person has no earlier stays. */
  isNew?: boolean
}

/** Epoch ms of a time or a day. A day means its start, today means now. */
export function instantOf(value: string, now: number): number {
  if (value.length === 10 && value === formatDay(now)) return now
  return parseInstant(value) ?? now
}

/**
 * Enters a person into a project. The unit and the team must be present, the team must belong to the unit, and the person must not be
 * present.
 */
export async function enterProject(
  ctx: Context,
  person: Newcomer,
  stay: StayInput,
  more: Partial<Stay> = {},
  source: EntrySource = entrySources.hand,
): Promise<string> {
  const projectCode = oneProject(ctx, stay.projectCode)
  const project = await cached(ctx, `project ${projectCode}`, () => projectOf(ctx, projectCode))
  if (!openStates.includes(project.prjStatus)) throw new AppError('refused', `项目“${project.name}”当前状态不能办理进场`)
  const at = instantOf(stay.entryTime, ctx.clock.now())
  if (at > ctx.clock.now()) throw new AppError('invalidInput', '进场时间不能晚于现在', { field: 'entryTime' })
  const entryDay = formatDay(at)
  const unit = await cached(ctx, `unit ${projectCode} ${stay.corpCode}`, () => requirePresentUnit(ctx, projectCode, stay.corpCode))
  if (entryDay < unit.entryTime) throw new AppError('refused', `进场不能早于所在单位进场（${unit.entryTime}）`, { field: 'entryTime' })
  const { teamId, corpCode } = stay
  if (teamId)
    await cached(ctx, `team ${teamId} ${corpCode} ${entryDay}`, () => requirePresentTeam(ctx, projectCode, corpCode, teamId, entryDay))
  await requireUnlisted(ctx, person, { projectCode, corpCode: stay.corpCode })
  const age = ageOn(person.birthday, entryDay)
  if (age < ageLimits.least)
    throw new AppError('refused', `进场当日 ${age} 周岁，未满 ${ageLimits.least} 周岁不得进场`, { field: 'birthday' })
  if (person.expiryDate && person.expiryDate < entryDay)
    throw new AppError('refused', `证件已于 ${person.expiryDate} 过期，过期不得进场`, { field: 'expiryDate' })
  if (!person.isNew) await requireAway(ctx, projectCode, person, at)
  const isOpen = person.isNew || person.held || (await isHeld(ctx, person.id))
  const id = ctx.newId()
  try {
    const stayed = {
      id,
      projectCode,
      workerId: person.id,
      ...pick(
        stay,
        'corpCode',
        'teamId',
        'workRole',
        'workType',
        'post',
        'isTeamLeader',
        'cardNumber',
        'hasBuyInsurance',
        'paymentType',
        'unitPriceCents',
      ),
      entryTime: new Date(at),
      workerName: person.name,
      ...pick(person, 'gender', 'birthday', 'idCardMask', 'idCardHash'),
      // Data from other sites stay hidden until the person has come or agreed.
      cellPhoneMask: isOpen ? person.cellPhoneMask : null,
      cellPhoneHash: isOpen ? person.cellPhoneHash : null,
      confirmedAt: isOpen ? new Date(ctx.clock.now()) : null,
      createBy: ctx.user.id,
      ...(more as object),
    }
    // Writes the stay and the entry record in one statement.
    await ctx.db
      .with('stay', (db) => db.insertInto('projectWorker').values(stayed))
      .insertInto('entryExitHistory')
      .values({
        id: ctx.newId(),
        projectCode,
        workerId: person.id,
        corpCode: stay.corpCode,
        projectWorkerId: id,
        type: '1',
        date: new Date(at),
        source,
        createBy: ctx.user.id,
      })
      .execute()
  } catch (error) {
    // Two clerks entered the person at the same time, or the person is present under a company invisible to the caller.
    if (isUniqueViolation(error, 'project_worker_once')) throw alreadyHere(person)
    if (isUniqueViolation(error, 'project_worker_card'))
      throw new AppError('refused', '考勤卡号已发给本项目其他人员', { field: 'cardNumber' })
    throw error
  }
  if (!isOpen) await tellOfEntry(ctx, person, project.name)
  await markStayChanged(ctx.db, { projectCode, workerId: person.id, before: null, after: at }, ctx.clock.now())
  if (stay.isTeamLeader && stay.teamId) await nameLeader(ctx, stay.teamId, id, person)
  return id
}

/** The platform sees everyone but has no people of its own. */
async function isHeld(ctx: Pick<Context, 'db' | 'scope'>, workerId: string): Promise<boolean> {
  if (ctx.scope.all) return false
  const { rows } = await sql<{ held: boolean }>`select zg_holds_worker(${workerId}) as held`.execute(ctx.db)
  return rows[0]?.held ?? false
}

/**
 * Throws if the person is present, or if the new stay would begin before the last one at this project ended: entries and exits
 * alternate.
 */
async function requireAway(ctx: Pick<Context, 'db'>, projectCode: string, person: Newcomer, at: number): Promise<void> {
  const { rows } = await sql<{ present: boolean | null; at: Date | null }>`
    select bool_or(exit_time is null) as present, max(exit_time) as at from project_worker
    where project_code = ${projectCode} and worker_id = ${person.id}`.execute(ctx.db)
  const [last] = rows
  if (last?.present) throw alreadyHere(person)
  if (last?.at && last.at.getTime() > at)
    throw new AppError('refused', `上一次退场在 ${formatInstant(last.at)}，进场不能早于它`, { field: 'entryTime' })
}

async function projectOf(ctx: Pick<Context, 'db'>, projectCode: string) {
  const row = await ctx.db.selectFrom('project').select(['name', 'prjStatus']).where('projectCode', '=', projectCode).executeTakeFirst()
  return found(row, '项目')
}

const alreadyHere = (person: Newcomer) =>
  new AppError('refused', `${maskName(person.name)}已在本项目在场，同一项目同一时间只能在场一次`, { field: 'idCardNumber' })

async function nameLeader(ctx: Context, teamId: string, stayId: string, person: Pick<Newcomer, 'id' | 'name'>) {
  await markLeader(ctx, teamId, stayId)
  await ctx.db.updateTable('team').set({ teamLeaderId: person.id, teamLeaderName: person.name }).where('id', '=', teamId).execute()
}

/** Clears the team's leader if that person leaves. */
export async function dropLeader(db: Tx, teamId: string, workerId: string) {
  await db
    .updateTable('team')
    .set({ teamLeaderId: null, teamLeaderName: null })
    .where('id', '=', teamId)
    .where('teamLeaderId', '=', workerId)
    .execute()
}

/** The team if it is present at the project and belongs to the unit; throws otherwise. */
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
