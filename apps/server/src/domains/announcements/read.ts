import type * as contract from '@zhugong/contract/announcements/calls'
import { type AnnouncementState, readableStates, stateOf } from '@zhugong/contract/announcements/model'
import { noticeMoves } from '@zhugong/contract/announcements/moves'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Db, Row } from '#kit/db'
import { condition } from '#kit/list'
import { seesProject } from '#kit/sees-project'
import type { HandlerOf } from '#kit/serve'
import { fileIdsOf, keptFiles, linkOf, linksOf } from '../files/public.ts'
import { historyOf, offersFor } from '../process/public.ts'
import { received, waits } from './conditions.ts'
import { announcementKind, noun, toStated } from './kind.ts'
import { receiptFigures } from './receipts.ts'
import { type NoticeReader, readWhere } from './rows.ts'
import { standingOf } from './standing.ts'

/** The first opening counts. Written by the product after the answer, because a reading request changes nothing. */
const markOpened = (system: Db, id: string, userId: string, now: number) =>
  sql`update announcement_reader set read_time = ${new Date(now)} where announcement_id = ${id} and user_id = ${userId} and read_time is null`.execute(
    system,
  )

export const readAnnouncement: HandlerOf<typeof contract.getAnnouncement> = async ({ params: { id }, query }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const { row, own, oversees, receipt } = await standingOf(ctx, id)
  const readable = readableStates.includes(row.state as AnnouncementState)
  const now = ctx.clock.now()
  if (receipt && readable && receipt.readTime === null)
    ctx.afterCommit(async () => {
      await markOpened(ctx.system, id, ctx.user.id, now)
    })
  const [line] = await readWhere(ctx, condition(sql`a.id = ${id}`), { box: oversees ? 'out' : 'in' })
  const [mine] = receipt && oversees ? await readWhere(ctx, condition(sql`a.id = ${id}`), { box: 'in' }) : []
  const withheld = !oversees && !readable
  const readTime = receipt && (receipt.readTime ?? (readable ? new Date(now) : null))
  return {
    ...found(line, noun),
    myState: mine?.myState ?? line?.myState ?? null,
    myStateName: mine?.myStateName ?? line?.myStateName ?? null,
    readTime: readTime ? formatInstant(readTime) : null,
    content: withheld ? '' : row.content,
    files: withheld ? [] : await namedFiles(ctx, row.files),
    recallReason: row.recallReason,
    recallTime: row.recallTime && formatInstant(row.recallTime),
    receiptTime: receipt?.receiptTime ? formatInstant(receipt.receiptTime) : null,
    readerName: receipt?.name ?? null,
    signature: linkOf(ctx, receipt?.signFile),
    mayReceipt: readable && row.needReceipt && receipt !== undefined && receipt.receiptTime === null,
    seesReceipts: oversees && row.publishTime !== null,
    own: own && oversees,
    createName: row.createName,
    lines: oversees ? await shownLines(ctx, id) : [],
    timeline: own && oversees ? await historyOf(ctx, announcementKind.kind, id, labels) : [],
    actions: own && oversees ? offersFor(ctx, announcementKind, toStated(row)) : [],
    receipts: query.part === 'receipts' && oversees && row.publishTime !== null ? await receiptFigures(ctx, row) : null,
  }
}
const labels = {
  ...Object.fromEntries(Object.entries(noticeMoves).map(([action, { label }]) => [action, label])),
  expire: '过期',
  timed: '定时发布',
  failed: '定时发布未成',
}

type Line = Pick<Row<'announcementLine'>, 'kind' | 'areas' | 'groups' | 'members' | 'roles' | 'except' | 'words'>
async function shownLines(ctx: NoticeReader, id: string): Promise<Line[]> {
  const { rows } = await sql<Line>`select l.kind, l.areas, l.groups, l.members, l.roles, l."except", l.words from announcement_line l
    where l.announcement_id = ${id} order by l.seq`.execute(ctx.db)
  return rows
}

/** The caller has read the ids from a visible notice; the files themselves are the sender's. */
async function namedFiles(ctx: Pick<Context, 'system' | 'secrets' | 'clock'>, ids: readonly string[]) {
  const { rows } = await sql<{ id: string; name: string }>`select f.id, f.name from stored_file f where f.id = any (${[...ids]})`.execute(
    ctx.system,
  )
  const names = new Map(rows.map((one) => [one.id, one.name]))
  return linksOf(ctx, ids).map((url, i) => ({ url, name: names.get(ids[i] ?? '') ?? '附件' }))
}

/** Only for oneself, once: a second receipt answers the time of the first. */
export const signAnnouncement: HandlerOf<typeof contract.signAnnouncement> = async ({ params: { id }, body }, ctx) => {
  const { row, receipt } = await standingOf(ctx, id)
  if (row.state === stateOf.recalled) throw new AppError('refused', '通知已撤回，不需要签收')
  if (!receipt) throw new AppError('refused', '您不在本通知的接收人内，不需要签收')
  if (!row.needReceipt) throw new AppError('refused', '本通知不需要签收')
  if (receipt.receiptTime) return { receiptTime: formatInstant(receipt.receiptTime) }
  if (!readableStates.includes(row.state as AnnouncementState)) throw new AppError('refused', '通知还没有发布')
  if (row.needSignature && !body.signature) throw new AppError('invalidInput', '请手写签名', { field: 'signature' })
  const [signFile] = body.signature ? await keptFiles(ctx, fileIdsOf([body.signature]), [], 'signature') : []
  const now = new Date(ctx.clock.now())
  await sql`update announcement_reader set receipt_time = ${now}, read_time = coalesce(read_time, ${now}), sign_file = ${signFile ?? null}
    where announcement_id = ${id} and user_id = ${ctx.user.id} and group_id = ${ctx.group.id} and receipt_time is null`.execute(ctx.db)
  ctx.note(`签收${noun} ${row.title}`, id)
  return { receiptTime: formatInstant(now) }
}

export const markAnnouncements: HandlerOf<typeof contract.markAnnouncements> = async ({ body: { ids } }, ctx) => {
  if (ids !== null) await requireReceived(ctx, ids)
  const wanted = ids === null ? sql`true` : sql`a.id = any (${ids})`
  const { numAffectedRows } = await sql`update announcement_reader w set read_time = ${new Date(ctx.clock.now())}
    where w.user_id = ${ctx.user.id} and w.group_id = ${ctx.group.id} and w.read_time is null and w.announcement_id in (
      select a.id ${received(ctx)} where ${waits(ctx)} and not a.need_receipt and ${wanted})`.execute(ctx.db)
  const left = await sql<{
    n: number
  }>`select count(*)::int as n ${received(ctx)} where ${waits(ctx)} and a.need_receipt and ${wanted}`.execute(ctx.db)
  ctx.note(`标记${noun}已读 ${Number(numAffectedRows ?? 0)} 条`)
  return { marked: Number(numAffectedRows ?? 0), left: left.rows[0]?.n ?? 0 }
}

/** @throws AppError `notFound` when one of the notices was not sent to the caller */
async function requireReceived(ctx: Context, ids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ n: number }>`select count(distinct a.id)::int as n ${received(ctx)} where a.id = any (${ids})`.execute(
    ctx.db,
  )
  if ((rows[0]?.n ?? 0) < new Set(ids).size) throw new AppError('notFound', `${noun}不存在，或不是发给您的`, { field: 'ids' })
}
