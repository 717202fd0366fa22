import type * as contract from '@zhugong/contract/announcements/calls'
import { type NoticeRow, noticeRow } from '@zhugong/contract/announcements/calls'
import {
  type AnnouncementState,
  noticeStates,
  type ReaderState,
  readerStates,
  remindHours,
  stateOf,
  waitingStates,
} from '@zhugong/contract/announcements/model'
import { AppError } from '@zhugong/contract/kit/errors'
import { hourMs } from '@zhugong/contract/kit/time'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, filtersOf, instantsBetween, orderBy, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { seesProject } from '#kit/sees-project'
import type { HandlerOf } from '#kit/serve'
import type { ListContext } from '../exports/registry.ts'
import { offersFor } from '../process/public.ts'
import { inBox, isNear, readerState, received, states, waits } from './conditions.ts'
import { type Announcement, announcementKind, toStated } from './kind.ts'

type Query = Partial<NonNullable<(typeof contract.listAnnouncements)['types']>['parsed']['query']>
export type NoticeReader = Pick<ListContext, 'db' | 'group' | 'user' | 'clock' | 'codes'>

/** The conditions of the list; figures count with the same. @throws AppError when the caller may not see what was sent */
export function noticeConditions(ctx: NoticeReader, query: Query): Condition {
  const sent = query.box === 'out'
  if (sent && !ctx.codes.has('documents.noticeEdit'))
    throw new AppError('forbidden', '您没有此项权限（documents.noticeEdit）', { code: 'documents.noticeEdit' })
  return allOf(
    sent ? condition(sql`a.group_id = ${ctx.group.id}`) : inBox(ctx),
    filtersOf(query, {
      projectCode: 'elsewhere',
      box: 'elsewhere',
      title: [contains, 'a.title'],
      type: [anyOf, 'a.type'],
      sender: [contains, 'a.groupName'],
      publishTime: [instantsBetween, 'a.publishTime'],
      deadline: [instantsBetween, 'a.deadline'],
      state: [anyOf, 'a.state'],
      myState: (wanted) => condition(wanted.length === 0 ? sql`true` : sql`${readerState(ctx)} = any (${states(wanted)})`),
      missing: () => condition(sql`(a.state in (${stateOf.published}, ${stateOf.expired}) and ${someoneMissing})`),
    }),
  )
}

const someoneMissing = sql`exists (select 1 from announcement_reader x where x.announcement_id = a.id
  and case when a.need_receipt then x.receipt_time is null else x.read_time is null end)`

type Raw = Omit<Row<'announcement'>, 'content' | 'body'> & { myState: ReaderState | null; near: boolean; readTime: Date | null }
const columns = sql`a.id, a.group_id, a.group_name, a.above, a.title, a.type, a.files, a.need_receipt, a.need_signature, a.deadline, a.top,
  a.publish_at, a.publish_time, a.state, a.submit_by, a.recall_reason, a.recall_time, a.urged_at, a.version, a.create_by, a.create_name,
  a.create_time, a.update_by, a.update_time, r.read_time`

/** On top, then what is to be signed by its deadline, then the newest. */
const usualOrder = (ctx: NoticeReader, sent: boolean): RawBuilder<unknown> =>
  sent
    ? sql`a.top desc, a.state = ${stateOf.draft} desc, coalesce(a.publish_time, a.update_time) desc, a.id`
    : sql`a.top desc, case when ${readerState(ctx)} in ('unsigned', 'overdue') then a.deadline end nulls last, a.publish_time desc, a.id`

interface How {
  slice?: { limit: number; offset: number }
  /** What the caller may do with a notice of its group. */
  offers?: (row: Announcement) => NoticeRow['actions']
}
export const readNotices = (ctx: NoticeReader, query: Query, how: How = {}): Promise<NoticeRow[]> =>
  readWhere(ctx, noticeConditions(ctx, query), query, how)

export async function readWhere(
  ctx: NoticeReader,
  where: Condition,
  query: Pick<Query, 'box' | 'sort'>,
  { slice, offers = () => [] }: How = {},
): Promise<NoticeRow[]> {
  const sent = query.box === 'out'
  const order = query.sort
    ? orderBy(query.sort, { publishTime: 'a.publishTime', deadline: 'a.deadline', title: 'a.title!' }, '-publishTime', 'a.id')
    : usualOrder(ctx, sent)
  const { rows } = await sql<Raw>`select ${columns}, ${sent ? sql`null` : readerState(ctx)} as my_state, ${isNear(ctx)} as near
    ${received(ctx)} where ${where} order by ${order} ${slice ? sql`limit ${slice.limit} offset ${slice.offset}` : sql``}`.execute(ctx.db)
  const ids = rows.map(({ id }) => id)
  const counted = sent ? await countsOf(ctx, ids) : new Map()
  const scopes = sent ? await scopesOf(ctx, ids) : new Map<string, string>()
  return rows.map((raw) => {
    const actions = sent && raw.groupId === ctx.group.id ? offers(toStated({ ...raw, content: '', body: '' })) : []
    return toRow(ctx, raw, { ...(counted.get(raw.id) ?? none), scope: scopes.get(raw.id) ?? '', actions })
  })
}

interface Counted {
  all: number
  read: number
  receipts: number
}
const none: Counted = { all: 0, read: 0, receipts: 0 }

function toRow(ctx: NoticeReader, raw: Raw, beside: Counted & Pick<NoticeRow, 'scope' | 'actions'>): NoticeRow {
  const urged = (raw.urgedAt?.getTime() ?? 0) + remindHours * hourMs
  return rowOf(noticeRow, raw, {
    ...beside,
    typeName: dictName('noticeType', raw.type) ?? raw.type,
    sender: raw.groupName,
    publishTime: raw.publishTime && formatInstant(raw.publishTime),
    publishAt: raw.publishAt && formatInstant(raw.publishAt),
    deadline: raw.deadline && formatInstant(raw.deadline),
    stateName: noticeStates[raw.state as AnnouncementState],
    myStateName: raw.myState && readerStates[raw.myState],
    readTime: raw.readTime && formatInstant(raw.readTime),
    urgedUntil: urged > ctx.clock.now() ? formatInstant(urged) : null,
    updateTime: formatInstant(raw.updateTime),
  })
}

/** Recipients of notices, and how many have read and signed. */
export async function countsOf(ctx: Pick<NoticeReader, 'db'>, ids: readonly string[]): Promise<Map<string, Counted>> {
  const { rows } = await sql<
    Counted & { id: string }
  >`select x.announcement_id as id, count(*)::int as "all", count(x.read_time)::int as read,
      count(x.receipt_time)::int as receipts
    from announcement_reader x where x.announcement_id = any (${[...ids]}) group by 1`.execute(ctx.db)
  return new Map(rows.map(({ id, ...counted }) => [id, counted]))
}

/** The recipients of notices in words. */
async function scopesOf(ctx: Pick<NoticeReader, 'db'>, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{
    id: string
    words: string
  }>`select l.announcement_id as id, string_agg(l.words, '；' order by l.seq) as words
    from announcement_line l where l.announcement_id = any (${[...ids]}) group by 1`.execute(ctx.db)
  return new Map(rows.map(({ id, words }) => [id, words]))
}

export async function countNotices(ctx: NoticeReader, query: Query): Promise<number> {
  return countWhere(ctx, noticeConditions(ctx, query))
}
async function countWhere(ctx: NoticeReader, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n ${received(ctx)} where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

export const listAnnouncements: HandlerOf<typeof contract.listAnnouncements> = async ({ query }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const edits = ctx.codes.has('documents.noticeEdit')
  const mine = (...wanted: ReaderState[]) => countNotices(ctx, { myState: wanted })
  const sent = async (more: Query) => (edits ? countNotices(ctx, { box: 'out', ...more }) : 0)
  return {
    list: await readNotices(ctx, query, { slice: pageSlice(query), offers: (row) => offersFor(ctx, announcementKind, row) }),
    total: await countNotices(ctx, query),
    counts: {
      waiting: await mine(...waitingStates),
      unread: await mine('unread'),
      unsigned: await mine('unsigned'),
      overdue: await mine('overdue'),
      drafts: await sent({ state: [stateOf.draft] }),
      submitted: await sent({ state: [stateOf.submitted] }),
      missing: await sent({ missing: 'true' }),
    },
  }
}

/** Notices that wait for the caller, the most urgent first: for the bell, the home page and the to-do list. */
export async function noticesWaiting(ctx: NoticeReader, limit: number) {
  type Waiting = Pick<Row<'announcement'>, 'id' | 'title' | 'groupName' | 'deadline'> & { publishTime: Date; needReceipt: boolean }
  const { rows } = await sql<Waiting>`select a.id, a.title, a.group_name, a.deadline, a.publish_time, a.need_receipt
    ${received(ctx)} where ${waits(ctx)} order by a.deadline nulls last, a.publish_time desc, a.id limit ${limit}`.execute(ctx.db)
  return rows
}
