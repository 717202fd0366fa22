import { maskName } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { blackScopes, blackStates } from '@zhugong/contract/labour/black-codes'
import { type BlackNotice, blackNotice } from '@zhugong/contract/labour/black-model'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, cached } from '#kit/context'
import type { Db, Tx } from '#kit/db'
import { newId } from '#kit/ids'
import { rowOf } from '#kit/row-of'

export type BlackKind = 'worker' | 'corp'
interface BlackEntry {
  id: string
  subject: string
  reasonType: string
  scope: string
  scopeCode: string
  startDate: string
  endDate: string
  issuer: string
}
/** A person is identified by the hash of the identity number, a company by its code. */
interface Place {
  projectCode: string
  corpCode: string | null
}

export const scopeName = (scope: string, code: string): string =>
  scope === blackScopes.area ? `地区级·${areaName(code)}` : (dictName('blacklistScope', scope) ?? scope)
const reasonDictionary = (kind: BlackKind) => (kind === 'worker' ? 'blacklistReason' : 'corpBlacklistReason')
export const reasonName = (kind: BlackKind, code: string) => dictName(reasonDictionary(kind), code)

/** Entries in force today against each subject at a project, with reason, days and issuer. Includes entries the caller cannot see. */
async function keptAgainst(
  ctx: Pick<Context, 'db' | 'clock'>,
  kind: BlackKind,
  subjects: readonly string[],
  { projectCode, corpCode }: Place,
): Promise<BlackEntry[]> {
  if (subjects.length === 0) return []
  const { rows } = await sql<BlackEntry>`
    select id, subject, reason_type, scope, scope_code, start_date::text as start_date, end_date::text as end_date, issuer
    from zg_black_of(${kind}, ${[...subjects]}::text[], ${projectCode}, ${corpCode}, ${formatDay(ctx.clock.now())}::date)`.execute(ctx.db)
  return rows
}

export const toNotice = (kind: BlackKind, h: BlackEntry): BlackNotice =>
  rowOf(blackNotice, h, {
    reasonTypeName: reasonName(kind, h.reasonType),
    scopeName: scopeName(h.scope, h.scopeCode),
  })
const inWords = (kind: BlackKind, h: BlackEntry) => {
  const n = toNotice(kind, h)
  return `${n.reasonTypeName}，${n.scopeName}，${n.issuer}认定，${n.startDate} 列入，${n.endDate} 移出`
}

const unlistedKey = (hash: string, place: Place) => `unlisted ${hash} ${place.projectCode} ${place.corpCode}`

/** Preloads in one query what `requireUnlisted` will check for each person in this transaction. Returns whether any of them is listed. */
export async function askUnlisted(ctx: Pick<Context, 'db' | 'clock' | 'asked'>, hashes: readonly string[], place: Place): Promise<boolean> {
  const existing = Map.groupBy(await keptAgainst(ctx, 'worker', hashes, place), (h) => h.subject)
  for (const hash of hashes) ctx.asked?.set(unlistedKey(hash, place), Promise.resolve(existing.get(hash) ?? []))
  return existing.size > 0
}

/**
 * Throws if a black list keeps a person out of a project, and records the refusal. Every way in calls this: entry, return, form and
 * import.
 */
export async function requireUnlisted(
  ctx: Pick<Context, 'db' | 'clock' | 'system' | 'user' | 'asked'>,
  person: { name: string; idCardHash: string },
  place: { projectCode: string; corpCode: string },
): Promise<void> {
  const [current] = await cached(ctx, unlistedKey(person.idCardHash, place), () => keptAgainst(ctx, 'worker', [person.idCardHash], place))
  if (!current) return
  await noteRefusal(ctx, current, place, 'entry')
  throw new AppError('refused', `${maskName(person.name)}在黑名单内，不得进场：${inWords('worker', current)}`, {
    field: 'idCardNumber',
    black: toNotice('worker', current),
  })
}

/** The same for a company that is to join (`join`), or that takes part already and wants to add a team. */
export async function requireCompanyUnlisted(
  ctx: Pick<Context, 'db' | 'clock' | 'system' | 'user'>,
  place: { projectCode: string; corpCode: string },
  way: 'join' | 'team',
): Promise<void> {
  const [current] = await keptAgainst(ctx, 'corp', [place.corpCode], place)
  if (!current) return
  await noteRefusal(ctx, current, place, way)
  const company = await ctx.db.selectFrom('corporation').select('corpName').where('corpCode', '=', place.corpCode).executeTakeFirst()
  const refused = way === 'join' ? '不得加入项目' : '不得新增班组'
  throw new AppError('refused', `“${company?.corpName ?? place.corpCode}”在企业黑名单内，${refused}：${inWords('corp', current)}`, {
    field: 'corpCode',
    black: toNotice('corp', current),
  })
}

/** Notice of a black list entry in force against a company at a project; null if there is none. */
export async function companyNotice(
  ctx: Pick<Context, 'db' | 'clock'>,
  place: { projectCode: string; corpCode: string },
): Promise<BlackNotice | null> {
  const [current] = await keptAgainst(ctx, 'corp', [place.corpCode], place)
  return current ? toNotice('corp', current) : null
}

/** Written outside the request's transaction, which the refusal rolls back: refusals are part of the entry's record. */
async function noteRefusal(
  ctx: Pick<Context, 'clock' | 'system' | 'user'>,
  current: BlackEntry,
  place: { projectCode: string; corpCode: string },
  way: 'entry' | 'join' | 'team',
): Promise<void> {
  const now = ctx.clock.now()
  await ctx.system
    .insertInto('blackRefusal')
    .values({ id: newId(now), entryId: current.id, ...place, way, at: new Date(now), byName: ctx.user.name })
    .execute()
}

/** Notices for several people at a project, by hash; for a check before entry. */
export async function listedPeople(
  ctx: Pick<Context, 'db' | 'clock'>,
  hashes: readonly string[],
  place: Place,
): Promise<ReadonlyMap<string, BlackNotice>> {
  const current = await keptAgainst(ctx, 'worker', hashes, place)
  // The entry that ends last takes precedence.
  return new Map(current.toReversed().map((h) => [h.subject, toNotice('worker', h)]))
}

/** Updates the person's stays to the entries now in force; gate permissions and work state follow. */
export async function turnListed(db: Tx | Db, hash: string, now: number): Promise<void> {
  await sql`select zg_black_turn(${hash}, ${formatDay(now)}::date, ${new Date(now)})`.execute(db)
}

/** Ends expired entries and starts those whose first day has come. Returns the number ended. */
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
    // Entries under appeal also end on their last day, and entries approved in advance start by themselves.
    const turning = await sql<{ hash: string }>`
      select distinct e.id_card_hash as hash from black_entry e where e.kind = 'worker' and e.state in ('2', '4', '6')
        and (e.end_date between ${today}::date - 31 and ${today}::date - 1 or e.start_date between ${today}::date - 31 and ${today}::date)`.execute(
      tx,
    )
    for (const { hash } of turning.rows) await turnListed(tx, hash, now)
    return ended.rows.length
  })
}
