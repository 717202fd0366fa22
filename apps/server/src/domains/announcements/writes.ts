import type * as contract from '@zhugong/contract/announcements/calls'
import { mostTop, remindHours, stateOf } from '@zhugong/contract/announcements/model'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { hourMs } from '@zhugong/contract/kit/time'
import { type RawBuilder, sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import { richText } from '#kit/rich-text'
import type { HandlerOf } from '#kit/serve'
import { fileIdsOf, keptFiles } from '../files/public.ts'
import { tellSeveral } from '../notify/public.ts'
import { createOnce, forgetRecord, type Outcome, take } from '../process/public.ts'
import { isMissing } from './conditions.ts'
import { type Announcement, announcementKind, noticePage, noun } from './kind.ts'
import { aboveOf, soundLines } from './reach.ts'
import { freeze, linesOf, previewOf, putLines, requireConfirmed } from './recipients.ts'

type Fields = Omit<ParsedFor<typeof contract.createAnnouncement>['body'], 'id'>
type Change = ParsedFor<typeof contract.changeAnnouncement>['body']
const at = (value: string | null): Date | null => (value === null ? null : new Date(parseInstant(value) ?? Number.NaN))

/** The columns of a typed notice. @throws AppError at the field that is wrong */
async function columnsOf(ctx: Context, fields: Fields, before?: Announcement) {
  const { title, type, top, needReceipt } = fields
  const { html, text } = richText(fields.content)
  if (fields.deadline !== null && !needReceipt) throw new AppError('invalidInput', '不需签收的通知没有签收截止时间', { field: 'deadline' })
  if (fields.needSignature && !needReceipt) throw new AppError('invalidInput', '先选择需要签收', { field: 'needSignature' })
  return {
    title,
    type,
    content: html,
    body: text,
    top,
    needReceipt,
    needSignature: fields.needSignature,
    deadline: at(fields.deadline),
    publishAt: at(fields.publishAt),
    files: await keptFiles(ctx, fileIdsOf(fields.files), before?.files),
  }
}

export const createAnnouncement: HandlerOf<typeof contract.createAnnouncement> = async ({ body: { id, ...fields } }, ctx) => {
  const { version } = await createOnce(ctx, announcementKind, id, {
    insert: () => insertDraft(ctx, id, fields),
    begin: async (draft) => {
      await putLines(ctx, id, await soundLines(ctx, fields.lines))
      ctx.note(`起草${noun} ${fields.title}`, id)
      return draft
    },
    again: ({ version: current }) => {
      const body = { action: 'edit' as const, version: current, ...fields }
      return take(ctx, announcementKind, { id, action: body.action, version: current }, (row) => writeOf(ctx, row, body))
    },
  })
  return { id, version }
}

const insertDraft = async (ctx: Context, id: string, fields: Fields): Promise<unknown> =>
  ctx.db
    .insertInto('announcement')
    .values({
      id,
      groupId: ctx.group.id,
      groupName: ctx.group.name,
      above: await aboveOf(ctx),
      ...(await columnsOf(ctx, fields)),
      publishTime: null,
      submitBy: null,
      recallReason: null,
      recallTime: null,
      urgedAt: null,
      createBy: ctx.user.id,
      createName: ctx.user.name,
      createTime: new Date(ctx.clock.now()),
      updateBy: ctx.user.id,
      updateTime: new Date(ctx.clock.now()),
    })
    .execute()

/** Refuses a notice that cannot be sent as it is. @throws AppError at the field */
function requireWhole(ctx: Context, row: Announcement): void {
  const now = ctx.clock.now()
  if (row.body === '' && row.files.length === 0) throw new AppError('refused', '没有正文，也没有附件', { field: 'content' })
  if (row.needReceipt && row.deadline === null) throw new AppError('refused', '需要签收的通知应有签收截止时间', { field: 'deadline' })
  const from = Math.max(now, row.publishAt?.getTime() ?? now)
  if (row.deadline !== null && row.deadline.getTime() <= from)
    throw new AppError('refused', '签收截止应晚于发布时间', { field: 'deadline' })
}

/** @throws AppError when the group has as many on top as it may */
async function requireRoomOnTop(ctx: Context, row: Announcement): Promise<void> {
  if (!row.top) return
  await sql`select pg_advisory_xact_lock(hashtext(${`notices on top ${row.groupId}`}))`.execute(ctx.db)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from announcement a where a.group_id = ${row.groupId} and a.top
    and a.state in (${stateOf.published}, ${stateOf.timed}) and a.id <> ${row.id}`.execute(ctx.db)
  if ((rows[0]?.n ?? 0) >= mostTop) throw new AppError('refused', `最多置顶 ${mostTop} 条，请先撤回一条或取消置顶`, { field: 'top' })
}

/** Publishes at once, or lets the notice wait for its time. */
async function send(ctx: Context, row: Announcement, confirmed: number | null): Promise<Outcome<Announcement>> {
  requireWhole(ctx, row)
  await requireRoomOnTop(ctx, row)
  const now = ctx.clock.now()
  if (row.publishAt !== null && row.publishAt.getTime() > now) {
    requireConfirmed((await previewOf(ctx, await linesOf(ctx.db, row.id))).people, confirmed)
    return { to: stateOf.timed, opinion: `${formatInstant(row.publishAt).slice(0, 16)} 发布` }
  }
  const people = await freeze(ctx, row)
  requireConfirmed(people, confirmed)
  return { to: stateOf.published, values: { publishTime: new Date(now) }, opinion: `${people} 人` }
}

export const changeAnnouncement: HandlerOf<typeof contract.changeAnnouncement> = async ({ params: { id }, body }, ctx) => {
  let notifiedCount = 0
  const after = await take(ctx, announcementKind, { id, action: body.action, version: body.version }, async (row) => {
    if (body.action !== 'remind') return writeOf(ctx, row, body)
    notifiedCount = await remind(ctx, row)
    return { values: { urgedAt: new Date(ctx.clock.now()) }, opinion: `${notifiedCount} 人` }
  })
  return { id, version: after.version, state: after.state, told: notifiedCount }
}

async function writeOf(ctx: Context, row: Announcement, body: Exclude<Change, { action: 'remind' }>): Promise<Outcome<Announcement>> {
  switch (body.action) {
    case 'edit': {
      const { action: _action, version: _version, ...fields } = body
      await putLines(ctx, row.id, await soundLines(ctx, fields.lines))
      return { values: await columnsOf(ctx, fields, row) }
    }
    case 'submit': {
      requireWhole(ctx, row)
      const { people } = await previewOf(ctx, await linesOf(ctx.db, row.id))
      if (people === 0) requireConfirmed(0, null)
      return { values: { submitBy: ctx.user.id }, opinion: `${people} 人` }
    }
    case 'publish':
    case 'approve':
      return send(ctx, row, body.confirmed)
    case 'withdraw':
      return { values: { submitBy: null } }
    case 'reject':
      return { values: { submitBy: null }, opinion: body.opinion }
    case 'recall':
      return { values: { recallReason: body.reason, recallTime: new Date(ctx.clock.now()), top: false }, opinion: body.reason }
  }
}

/** Tells those who have not read or signed as asked, in one statement. @throws AppError too early, or when nobody is missing */
async function remind(ctx: Context, row: Announcement): Promise<number> {
  const now = ctx.clock.now()
  if (row.urgedAt !== null && now < row.urgedAt.getTime() + remindHours * hourMs)
    throw new AppError('refused', `${formatInstant(row.urgedAt).slice(5, 16)} 已催办，${remindHours} 小时内不能重复催办`)
  const asks = row.needReceipt ? '请签收' : '请查阅'
  const due = row.deadline === null ? '' : `，截止 ${formatInstant(row.deadline).slice(0, 16)}`
  const missing: RawBuilder<{ userId: string }> =
    sql`select r.user_id from announcement_reader r join announcement a on a.id = r.announcement_id
    where r.announcement_id = ${row.id} and ${isMissing}`
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${missing}) q`.execute(ctx.db)
  const notifiedCount = rows[0]?.n ?? 0
  if (notifiedCount === 0) throw new AppError('refused', '没有需要催办的人')
  const what = { kind: 'process', title: `催办：${row.title}`, text: `${ctx.group.name}${asks}${due}`, link: noticePage(row.id) }
  // The messages of others are not written by the roles of requests.
  ctx.afterCommit(() => tellSeveral(ctx.system, missing, what, now))
  return notifiedCount
}

export const removeAnnouncement: HandlerOf<typeof contract.removeAnnouncement> = async ({ params: { id } }, ctx) => {
  const row = await announcementKind.lock(ctx, id)
  if (row.state !== stateOf.draft) throw new AppError('refused', '只能删除草稿，已发布的可以撤回')
  await sql`delete from announcement where id = ${id}`.execute(ctx.db)
  await forgetRecord(ctx, announcementKind.kind, id)
  ctx.note(`删除${noun}草稿 ${row.title}`, id)
  return undefined
}
