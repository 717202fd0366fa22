import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'

type Asking = Pick<Context, 'db' | 'scope'>
export type Worker = Row<'worker'>

/**
 * What the caller is to a person now.
 *
 * - `present`: the person stays in a project of the caller's scope (with limited companies: under their own line), or the caller is the
 *   platform. Sees and keeps the file.
 * - `keeper`: the caller's group opened the file, nobody has the person in place, and nobody else ever had.
 * - `former`: every stay the caller sees has ended. The purpose for which the file was handled has been reached (个人信息保护法 第六条、
 *   第十九条): the caller keeps what its own stay recorded (name and masks as they were then, stay, contract, attendance, certificates
 *   filed by then), which it must be able to account for, and neither sees nor writes anything of later days.
 * - `unconfirmed`: the caller has entered him from a file that others wrote, and he has neither passed one of the site's gates nor agreed. The
 *   caller sees what it wrote itself (`confirmed_at` of the stay; the database shows the file to nobody else).
 */
export type Hold = 'present' | 'keeper' | 'former' | 'unconfirmed'

export interface SeenWorker {
  /** For a former owner a row as of its own stay: later and unneeded columns are null. */
  worker: Worker
  hold: Hold
  /** For a former owner: the end of its last stay. */
  until: Date | null
}

/** The file, or of somebody entered and not confirmed what his stay says. */
export async function getWorker(ctx: Asking, id: string): Promise<Worker> {
  const worker = await ctx.db.selectFrom('worker').selectAll().where('id', '=', id).where('deleted', '=', false).executeTakeFirst()
  if (worker) return worker
  const { last } = await lastStayOf(ctx, id)
  if (!last) throw new AppError('notFound', '人员不存在或已删除')
  // The file is out of sight; of it no more is taken than what tells one person from another.
  const { rows } = await sql<Worker>`select * from zg_entered_person(${id})`.execute(ctx.db)
  return asOf(found(rows[0], '人员'), last)
}

type LastStay = Pick<
  Row<'projectWorker'>,
  'exitTime' | 'confirmedAt' | 'workerName' | 'gender' | 'birthday' | 'idCardMask' | 'cellPhoneMask'
>

/** The stay the caller has now or had last, and until when it had a confirmed one. */
async function lastStayOf(ctx: Pick<Context, 'db'>, id: string): Promise<{ last: LastStay | undefined; until: Date }> {
  const { rows } = await sql<LastStay & { until: Date | null }>`
    select exit_time, confirmed_at, worker_name, gender, birthday, id_card_mask, cell_phone_mask, max(exit_time) filter (where confirmed_at is not null) over () as until
    from project_worker where worker_id = ${id} order by exit_time is null desc, confirmed_at is null, exit_time desc limit 1`.execute(
    ctx.db,
  )
  return { last: rows[0], until: rows[0]?.until ?? new Date(0) }
}

/** A person's file as far as it is the caller's to see. */
export async function getSeenWorker(ctx: Asking, id: string): Promise<SeenWorker> {
  const worker = await getWorker(ctx, id)
  if (ctx.scope.all) return { worker, hold: 'present', until: null }
  const { last, until } = await lastStayOf(ctx, id)
  if (last && last.exitTime === null && last.confirmedAt !== null) return { worker, hold: 'present', until: null }
  if (await holds(ctx, id)) return { worker, hold: 'keeper', until: null }
  // Its own group opened the file, somebody else has the person since, and it never had him itself: nothing is left to show.
  if (!last) throw new AppError('notFound', '人员不存在或已删除')
  if (last.confirmedAt === null) return { worker: asOf(worker, last), hold: 'unconfirmed', until }
  return { worker: asOf(worker, last), hold: 'former', until: last.exitTime }
}

/** The file for whoever may write it or see it in clear; everybody else is told why not. */
export async function getHeldWorker(ctx: Asking, id: string): Promise<Worker> {
  const worker = await getWorker(ctx, id)
  if (ctx.scope.all || (await holds(ctx, id))) return worker
  const { last } = await lastStayOf(ctx, id)
  throw notHeld(last?.confirmedAt === null ? 'unconfirmed' : 'former')
}

export const notHeld = (hold: Hold) =>
  hold === 'unconfirmed'
    ? new AppError('forbidden', '该人员尚未通过本项目闸机，也未在本人账号中确认进场，暂不能查看和修改档案', { hold })
    : new AppError('forbidden', '该人员已不在本单位的项目在场，只能查看在场期间的资料', { hold: 'former' })

/** Rows that hang on a person, as they stood at `until`; all of them when it is null. */
export const madeBy = (until: Date | null) => sql<boolean>`(${until}::timestamptz is null or create_time <= ${until}::timestamptz)`
export const filedBy = (until: Date | null) =>
  sql<boolean>`(${until}::timestamptz is null or coalesce(update_time, create_time) <= ${until}::timestamptz)`

async function holds(ctx: Pick<Context, 'db'>, id: string): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`select zg_holds_worker(${id}) as held`.execute(ctx.db)
  return rows[0]?.held ?? false
}

/** The columns a former owner keeps: who it was, as its own stay wrote it down. */
function asOf(worker: Worker, stay: LastStay): Worker {
  return {
    ...worker,
    name: stay.workerName,
    gender: stay.gender,
    birthday: stay.birthday,
    idCardMask: stay.idCardMask,
    cellPhoneMask: stay.cellPhoneMask,
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
