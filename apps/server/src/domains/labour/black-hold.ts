import { maskName } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { blackScopes, blackStates } from '@zhugong/contract/labour/black-codes'
import type { BlackNotice } from '@zhugong/contract/labour/black-model'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { askedOnce, type Context } from '#kit/context'
import type { Db, Tx } from '#kit/db'
import { newId } from '#kit/ids'

export type BlackKind = 'worker' | 'corp'
interface Held {
  id: string
  subject: string
  reasonType: string
  scope: string
  scopeCode: string
  startDate: string
  endDate: string
  issuer: string
}
/** A person by the hash of his number, a company by its code. */
interface Place {
  projectCode: string
  corpCode: string | null
}

export const scopeName = (scope: string, code: string): string =>
  scope === blackScopes.area ? `地区级·${areaName(code)}` : (dictName('blacklistScope', scope) ?? scope)
const reasonDictionary = (kind: BlackKind) => (kind === 'worker' ? 'blacklistReason' : 'corpBlacklistReason')
export const reasonName = (kind: BlackKind, code: string) => dictName(reasonDictionary(kind), code)

/** What holds today against each of these at a project, beyond what the caller sees: reason, days and issuer. */
async function heldAgainst(
  ctx: Pick<Context, 'db' | 'clock'>,
  kind: BlackKind,
  subjects: readonly string[],
  { projectCode, corpCode }: Place,
): Promise<Held[]> {
  if (subjects.length === 0) return []
  const { rows } = await sql<Held>`
    select id, subject, reason_type, scope, scope_code, start_date::text as start_date, end_date::text as end_date, issuer
    from zg_black_of(${kind}, ${[...subjects]}::text[], ${projectCode}, ${corpCode}, ${formatDay(ctx.clock.now())}::date)`.execute(ctx.db)
  return rows
}

export const toNotice = (kind: BlackKind, h: Held): BlackNotice => ({
  id: h.id,
  reasonTypeName: reasonName(kind, h.reasonType),
  scopeName: scopeName(h.scope, h.scopeCode),
  startDate: h.startDate,
  endDate: h.endDate,
  issuer: h.issuer,
})
const inWords = (kind: BlackKind, h: Held) => {
  const n = toNotice(kind, h)
  return `${n.reasonTypeName}，${n.scopeName}，${n.issuer}认定，${n.startDate} 列入，${n.endDate} 移出`
}

const unlistedKey = (hash: string, place: Place) => `unlisted ${hash} ${place.projectCode} ${place.corpCode}`

/** Asks for many at once what `requireUnlisted` will ask of each in this transaction. Answers whether a list holds against any. */
export async function askUnlisted(ctx: Pick<Context, 'db' | 'clock' | 'asked'>, hashes: readonly string[], place: Place): Promise<boolean> {
  const held = Map.groupBy(await heldAgainst(ctx, 'worker', hashes, place), (h) => h.subject)
  for (const hash of hashes) ctx.asked?.set(unlistedKey(hash, place), Promise.resolve(held.get(hash) ?? []))
  return held.size > 0
}

/** Refuses whom a list keeps out of a project, and keeps that it did. Every way in asks here: entry, return, the form and the import. */
export async function requireUnlisted(
  ctx: Pick<Context, 'db' | 'clock' | 'system' | 'user' | 'asked'>,
  person: { name: string; idCardHash: string },
  place: { projectCode: string; corpCode: string },
): Promise<void> {
  const [held] = await askedOnce(ctx, unlistedKey(person.idCardHash, place), () => heldAgainst(ctx, 'worker', [person.idCardHash], place))
  if (!held) return
  await noteRefusal(ctx, held, place, 'entry')
  throw new AppError('refused', `${maskName(person.name)}在黑名单内，不得进场：${inWords('worker', held)}`, {
    field: 'idCardNumber',
    black: toNotice('worker', held),
  })
}

/** The same of a company that is to take part (`join`), or is in place and would bring another team. */
export async function requireCompanyUnlisted(
  ctx: Pick<Context, 'db' | 'clock' | 'system' | 'user'>,
  place: { projectCode: string; corpCode: string },
  way: 'join' | 'team',
): Promise<void> {
  const [held] = await heldAgainst(ctx, 'corp', [place.corpCode], place)
  if (!held) return
  await noteRefusal(ctx, held, place, way)
  const company = await ctx.db.selectFrom('corporation').select('corpName').where('corpCode', '=', place.corpCode).executeTakeFirst()
  const refused = way === 'join' ? '不得加入项目' : '不得新增班组'
  throw new AppError('refused', `“${company?.corpName ?? place.corpCode}”在企业黑名单内，${refused}：${inWords('corp', held)}`, {
    field: 'corpCode',
    black: toNotice('corp', held),
  })
}

/** What holds against a company at a project where it is in place; null for nothing. */
export async function companyNotice(
  ctx: Pick<Context, 'db' | 'clock'>,
  place: { projectCode: string; corpCode: string },
): Promise<BlackNotice | null> {
  const [held] = await heldAgainst(ctx, 'corp', [place.corpCode], place)
  return held ? toNotice('corp', held) : null
}

/** Outside the request's transaction, which the refusal undoes: what a list kept out is part of the list. */
async function noteRefusal(
  ctx: Pick<Context, 'clock' | 'system' | 'user'>,
  held: Held,
  place: { projectCode: string; corpCode: string },
  way: 'entry' | 'join' | 'team',
): Promise<void> {
  const now = ctx.clock.now()
  await ctx.system
    .insertInto('blackRefusal')
    .values({ id: newId(now), entryId: held.id, ...place, way, at: new Date(now), byName: ctx.user.name })
    .execute()
}

/** What each of these people would be told at a project: for a look before somebody is brought. */
export async function listedPeople(
  ctx: Pick<Context, 'db' | 'clock'>,
  hashes: readonly string[],
  place: Place,
): Promise<ReadonlyMap<string, BlackNotice>> {
  const held = await heldAgainst(ctx, 'worker', hashes, place)
  // The one that ends last stands first.
  return new Map(held.toReversed().map((h) => [h.subject, toNotice('worker', h)]))
}

/** Marks the person's stays by what holds now; gates and work follow. */
export async function turnListed(db: Tx | Db, hash: string, now: number): Promise<void> {
  await sql`select zg_black_turn(${hash}, ${formatDay(now)}::date, ${new Date(now)})`.execute(db)
}

/** Entries whose days are over end, those whose day has come take hold. Answers how many ended. */
export async function turnBlackLists(db: Db, now: number): Promise<number> {
  const today = formatDay(now)
  const at = new Date(now)
  return db.transaction().execute(async (tx) => {
    const ended = await sql<{ id: string; idCardHash: string | null }>`
      update black_entry set state = ${blackStates.expired}, update_time = ${at}, version = version + 1
      where state = ${blackStates.recognised} and end_date < ${today}::date returning id, id_card_hash`.execute(tx)
    for (const { id } of ended.rows)
      await tx
        .insertInto('blackLog')
        .values({
          id: newId(now),
          entryId: id,
          action: 'expire',
          fromState: blackStates.recognised,
          toState: blackStates.expired,
          files: '[]',
          at,
          byUser: null,
          byName: '系统',
          groupName: '',
        })
        .execute()
    // Also one under appeal holds no longer than its days, and one decided beforehand begins on its own.
    const turning = await sql<{ hash: string }>`
      select distinct e.id_card_hash as hash from black_entry e where e.kind = 'worker' and e.state in ('2', '4', '6')
        and (e.end_date between ${today}::date - 31 and ${today}::date - 1 or e.start_date between ${today}::date - 31 and ${today}::date)`.execute(
      tx,
    )
    for (const { hash } of turning.rows) await turnListed(tx, hash, now)
    return ended.rows.length
  })
}
