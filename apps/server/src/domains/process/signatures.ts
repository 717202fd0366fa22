import { createHash } from 'node:crypto'
import { AppError } from '@zhugong/contract/kit/errors'
import type { Move } from '@zhugong/contract/kit/process'
import type { SignatureInput } from '@zhugong/contract/kit/signatures'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { drawnPng } from '#kit/drawn-png'
import { pick } from '#kit/pick'
import type { Kind, Seat, Stated } from './kind.ts'
import { refusedRight } from './rights.ts'

/** A kind with seats. */
export type Signed<Row extends Stated, M extends Readonly<Record<string, Move>>> = Kind<Row, M> & Required<Pick<Kind<Row, M>, 'seats'>>
export type Kept = Row<'processSignature'>

const mostBytes = 32_768

/** SHA-256 of content in canonical order: keys sorted, instants as ISO text. */
export const contentHash = (content: unknown): string => createHash('sha256').update(canonical(content)).digest('hex')

function canonical(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (value instanceof Date) return JSON.stringify(value.toISOString())
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const entries = Object.entries(value).filter(([, one]) => one !== undefined)
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`)
    .join(',')}}`
}

export async function keptSignatures(ctx: Pick<Context, 'db'>, kind: string, id: string): Promise<Kept[]> {
  const { rows } = await sql<Kept>`select * from process_signature where kind = ${kind} and object_id = ${id} order by at, id`.execute(
    ctx.db,
  )
  return rows
}

/** What an action signs with: an account's own drawing, or somebody else's on its device, or a refusal. */
interface Filling {
  id?: string
  /** Undefined: the caller himself. */
  name?: string | undefined
  phone?: string | null | undefined
  place?: string | null | undefined
  device?: string | null | undefined
  /** Data URL. */
  image?: string | undefined
  /** By the device's clock. */
  drawnAt?: number | undefined
  refused?: { reason: string; witness: string }
}

/**
 * Writes one signature or refusal, in the transaction of the caller, who has asked for the right to it and holds the record locked.
 * @throws AppError `conflict` naming who signed here before; `invalidInput` at the field
 */
export async function fillSeat(ctx: Context, kind: string, row: Stated, seat: Seat, given: Filling): Promise<void> {
  const kept = await keptSignatures(ctx, kind, row.id)
  const hash = contentHash(seat.content)
  await expire(ctx, kept, [{ seat: seat.seat, hash }])
  const before = kept.find((one) => one.voidAt === null && one.seat === seat.seat && one.hash === hash)
  if (before) throw taken(seat, before)
  const name = given.name || ctx.user.name
  if (seat.expects && name !== seat.expects) throw new AppError('invalidInput', `${seat.role}处由${seat.expects}签名`, { field: 'name' })
  if (name === seat.notBy) throw new AppError('invalidInput', `${seat.role}须由与${seat.notBy}不同的人签名`, { field: 'name' })
  if (given.refused) await requireWitness(ctx, name, given.refused.witness)
  const image = given.image === undefined ? undefined : drawnPng(given.image, mostBytes)
  if (!given.refused && !image) throw new AppError('invalidInput', '签名图片不正确，请重新签名', { field: 'image' })
  await ctx.db
    .insertInto('processSignature')
    .values({
      id: given.id ?? ctx.newId(),
      kind,
      objectId: row.id,
      ...pick(row, 'projectCode', 'corpCode', 'shownAt', 'groups'),
      seat: seat.seat,
      role: seat.role,
      name,
      userId: given.name || given.refused ? null : ctx.user.id,
      phone: ctx.secrets.seal(given.phone),
      image: image ?? null,
      hash,
      refused: given.refused !== undefined,
      reason: given.refused?.reason ?? null,
      witness: given.refused?.witness ?? null,
      place: given.place || null,
      device: given.device || null,
      byId: ctx.user.id,
      byName: ctx.user.name,
      at: new Date(momentOf(ctx.clock.now(), given.drawnAt)),
    })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('conflict', `${seat.role}处已有签名，请刷新`) : error
    })
}

/** A device may have been without network for so long; its clock may be a little fast. */
const [longestOffline, fastClock] = [3 * 86_400_000, 120_000]

/** When it was drawn: as the device says, within the time that it can have been without network. */
function momentOf(now: number, drawnAt: number | undefined): number {
  if (drawnAt === undefined || drawnAt < now - longestOffline || drawnAt > now + fastClock) return now
  return Math.min(drawnAt, now)
}

function taken({ role }: Seat, { name, at, refused }: Kept): AppError {
  return new AppError('conflict', `${role}处已由${name}于 ${formatInstant(at).slice(5, 16)} ${refused ? '拒签' : '签名'}`)
}

/** @throws AppError at `witness` unless it is another officer of the caller's group, and not the refuser */
async function requireWitness(ctx: Context, refuser: string, witness: string): Promise<void> {
  const refuse = (message: string) => new AppError('invalidInput', message, { field: 'witness' })
  if (witness === refuser) throw refuse('见证人不能是拒签人本人')
  if (witness === ctx.user.name) throw refuse('见证人须是另一名人员，不能是本人')
  const { rows } = await sql`select from member m join app_user u on u.id = m.user_id
    where m.group_id = ${ctx.group.id} and m.enable = '1' and u.enable = '1' and u.name = ${witness} limit 1`.execute(ctx.system)
  if (rows.length === 0) throw refuse(`${witness}不是本单位的人员，请填写本单位的见证人`)
}

/** Marks signatures whose content has changed. */
async function expire(ctx: Context, kept: Kept[], seats: readonly { seat: string; hash: string }[]): Promise<void> {
  const now = new Date(ctx.clock.now())
  for (const one of kept) {
    const seat = seats.find((known) => known.seat === one.seat)
    if (one.voidAt !== null || !seat || seat.hash === one.hash) continue
    one.voidAt = now
    await sql`update process_signature set void_at = ${now} where id = ${one.id}`.execute(ctx.db)
  }
}

/** Makes void what was signed before the record changed; called by the executor after every action. */
export async function expireSignatures<Row extends Stated, M extends Readonly<Record<string, Move>>>(
  ctx: Context,
  kind: Kind<Row, M>,
  row: Row,
): Promise<void> {
  if (!kind.seats) return
  const kept = await keptSignatures(ctx, kind.kind, row.id)
  if (kept.length === 0) return
  await expire(
    ctx,
    kept,
    (await kind.seats(ctx, row)).map(({ seat, content }) => ({ seat, hash: contentHash(content) })),
  )
}

/**
 * Fills one seat by the record's signature call. The record stays locked, but its version is not asked for: two tablets write two rows. A
 * repeated request changes nothing.
 * @throws AppError `refused`, `forbidden`, `conflict` or `invalidInput`
 */
export async function sign<Row extends Stated, M extends Readonly<Record<string, Move>>>(
  ctx: Context,
  kind: Signed<Row, M>,
  objectId: string,
  given: SignatureInput,
): Promise<void> {
  const row = await kind.lock(ctx, objectId)
  const repeated = await sql<Pick<Kept, 'byId'>>`select by_id from process_signature where id = ${given.id} and kind = ${kind.kind}
    and object_id = ${objectId}`.execute(ctx.db)
  if (repeated.rows[0]?.byId === ctx.user.id) return
  const seat = (await kind.seats(ctx, row)).find((one) => one.seat === given.seat)
  if (!seat) throw new AppError('invalidInput', '没有这个签名栏，请刷新', { field: 'seat' })
  if (!seat.from.includes(row.state)) throw new AppError('refused', `${kind.noun}${kind.stateName(row.state)}，${seat.role}处不能签名`)
  const isRefusal = given.action === 'refuse'
  const other = given.name && given.name !== ctx.user.name ? given.name : undefined
  const right = isRefusal ? seat.refuses : other ? seat.tablet : seat.own
  const label = isRefusal ? `记录${seat.role}拒签` : `在${seat.role}处签名`
  if (!right) throw new AppError('forbidden', isRefusal ? `${seat.role}处没有拒签一说` : `${seat.role}处须由本人用自己的账号签名`)
  const refused = refusedRight(ctx, kind, row, right, label)
  if (refused) throw refused
  const { id, place, device } = given
  if (isRefusal) await fillSeat(ctx, kind.kind, row, seat, { id, name: given.name, place, device, refused: given })
  else
    await fillSeat(ctx, kind.kind, row, seat, {
      id,
      name: other,
      ...pick(given, 'phone', 'image', 'drawnAt'),
      place,
      device,
    })
  ctx.note(`${kind.noun}${label}`, objectId)
}
