import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'

type PeopleContext = Pick<Context, 'db' | 'scope'>
export type Worker = Row<'worker'>

/**
 * The caller's relation to a person's file.
 * - `present`: the person stays in a project of the caller's scope (with limited companies: of these companies), or the caller is the
 * platform. May read and write the file.
 * - `keeper`: the caller's group created the file, the person is in place nowhere, and no other group ever had the person.
 * - `former`: every stay the caller sees has ended, and with it the purpose of handling the file (个人信息保护法 第六条、第十九条). The caller keeps what
 * its own stay recorded, for which it must be able to account: name and masks as they were then, stay, contract, attendance, certificates
 * filed by then. It neither reads nor writes later data.
 * - `unconfirmed`: the caller registered the person from a file of another group, and the person has neither passed a gate of the site nor
 * agreed. The caller sees only its own entries (`confirmed_at` of the stay; row-level security hides the file from others).
 */
export type Hold = 'present' | 'keeper' | 'former' | 'unconfirmed'

export interface SeenWorker {
  /** For a former owner, the row as of its own stay: later and unneeded columns are null. */
  worker: Worker
  hold: Hold
  /** For a former owner: the end of its last stay. */
  until: Date | null
}

/** The file. For an unconfirmed person, only what the stay recorded. */
export async function getWorker(ctx: PeopleContext, id: string): Promise<Worker> {
  const worker = await ctx.db.selectFrom('worker').selectAll().where('id', '=', id).where('deleted', '=', false).executeTakeFirst()
  if (worker) return worker
  const { last } = await lastStayOf(ctx, id)
  if (!last) throw new AppError('notFound', '人员不存在或已删除')
  // The file is not visible; only the columns that identify the person are read.
  const { rows } = await sql<Worker>`select * from zg_entered_person(${id})`.execute(ctx.db)
  return asOf(found(rows[0], '人员'), last)
}

type LastStay = Pick<
  Row<'projectWorker'>,
  'exitTime' | 'confirmedAt' | 'workerName' | 'gender' | 'birthday' | 'idCardMask' | 'cellPhoneMask'
>

/** The caller's current or last stay, and the end of its last confirmed stay. */
async function lastStayOf(ctx: Pick<Context, 'db'>, id: string): Promise<{ last: LastStay | undefined; until: Date }> {
  const { rows } = await sql<LastStay & { until: Date | null }>`
    select exit_time, confirmed_at, worker_name, gender, birthday, id_card_mask, cell_phone_mask, max(exit_time) filter (where confirmed_at is not null) over () as until
    from project_worker where worker_id = ${id} order by exit_time is null desc, confirmed_at is null, exit_time desc limit 1`.execute(
    ctx.db,
  )
  return { last: rows[0], until: rows[0]?.until ?? new Date(0) }
}

/** A person's file, as far as the caller may see it. */
export async function getSeenWorker(ctx: PeopleContext, id: string): Promise<SeenWorker> {
  const worker = await getWorker(ctx, id)
  if (ctx.scope.all) return { worker, hold: 'present', until: null }
  const { last, until } = await lastStayOf(ctx, id)
  if (last && last.exitTime === null && last.confirmedAt !== null) return { worker, hold: 'present', until: null }
  if (await holds(ctx, id)) return { worker, hold: 'keeper', until: null }
  // The caller's group created the file but never had the person, and another group now has: nothing may be shown.
  if (!last) throw new AppError('notFound', '人员不存在或已删除')
  if (last.confirmedAt === null) return { worker: asOf(worker, last), hold: 'unconfirmed', until }
  return { worker: asOf(worker, last), hold: 'former', until: last.exitTime }
}

/** The file, if the caller may edit it or see it in clear. Otherwise throws the reason. */
export async function getHeldWorker(ctx: PeopleContext, id: string): Promise<Worker> {
  const worker = await getWorker(ctx, id)
  if (ctx.scope.all || (await holds(ctx, id))) return worker
  const { last } = await lastStayOf(ctx, id)
  throw notHeld(last?.confirmedAt === null ? 'unconfirmed' : 'former')
}

export const notHeld = (hold: Hold) =>
  hold === 'unconfirmed'
    ? new AppError('forbidden', '该人员尚未通过本项目闸机，也未在本人账号中确认进场，暂不能查看和修改档案', { hold })
    : new AppError('forbidden', '该人员已不在本单位的项目在场，只能查看在场期间的资料', { hold: 'former' })

/** Condition for rows of a person as of `until`; all rows if it is null. */
export const madeBy = (until: Date | null) => sql<boolean>`(${until}::timestamptz is null or create_time <= ${until}::timestamptz)`
export const filedBy = (until: Date | null) =>
  sql<boolean>`(${until}::timestamptz is null or coalesce(update_time, create_time) <= ${until}::timestamptz)`

async function holds(ctx: Pick<Context, 'db'>, id: string): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`select zg_holds_worker(${id}) as held`.execute(ctx.db)
  return rows[0]?.held ?? false
}

/** The columns a former owner keeps: the identity as its own stay recorded it. */
function asOf(worker: Worker, stay: LastStay): Worker {
  return {
    ...worker,
    name: stay.workerName,
    ...pick(stay, 'gender', 'birthday', 'idCardMask', 'cellPhoneMask'),
    cellPhone: null,
    cellPhoneHash: null,
    nation: null,
    birthPlaceCode: null,
    address: null,
    grantOrg: null,
    startDate: null,
    expiryDate: null,
    headImage: null,
    positiveIdCardImage: null,
    negativeIdCardImage: null,
    facePhoto: null,
    consents: [],
    politics: null,
    cultureLevel: null,
    degree: null,
    maritalStatus: null,
    isJoined: null,
    joinedTime: null,
    specialty: null,
    workTypeCode: null,
    workCorpName: null,
    workDate: null,
    skillLevel: null,
    urgentLinkMan: null,
    urgentLinkManPhone: null,
    urgentLinkManPhoneMask: null,
    hasBadMedicalHistory: null,
    health: null,
  }
}
