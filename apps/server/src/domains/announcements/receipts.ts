import type * as contract from '@zhugong/contract/announcements/calls'
import { type ReceiptFigures, type ReceiptRow, receiptRow } from '@zhugong/contract/announcements/calls'
import { type ReceiptState, receiptStates } from '@zhugong/contract/announcements/model'
import { AppError } from '@zhugong/contract/kit/errors'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, equals, filtersOf, instantsBetween, orderBy, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { seesProject } from '#kit/sees-project'
import type { HandlerOf } from '#kit/serve'
import { isMissing, receiptState, states } from './conditions.ts'
import type { NoticeReader } from './rows.ts'
import { standingOf } from './standing.ts'

type Query = Partial<NonNullable<(typeof contract.listReceipts)['types']>['parsed']['query']> & { noticeId: string }
const from = sql`from announcement_reader r join announcement a on a.id = r.announcement_id`

export const receiptConditions = (ctx: NoticeReader, query: Query): Condition =>
  allOf(
    filtersOf(query, {
      projectCode: 'elsewhere',
      noticeId: (id) => condition(sql`r.announcement_id = ${id}`),
      name: [contains, 'r.name'],
      unit: [contains, 'r.groupName'],
      groupId: [equals, 'r.groupId'],
      areaCode: [anyOf, 'r.areaCode'],
      state: (wanted) => condition(wanted.length === 0 ? sql`true` : sql`${receiptState(ctx)} = any (${states(wanted)})`),
      missing: () => condition(isMissing),
      readTime: [instantsBetween, 'r.readTime'],
      receiptTime: [instantsBetween, 'r.receiptTime'],
    }),
  )

type Raw = Row<'announcementReader'> & { state: ReceiptState }
export async function readReceipts(ctx: NoticeReader, query: Query, slice?: { limit: number; offset: number }): Promise<ReceiptRow[]> {
  await requireOverseer(ctx, query.noticeId)
  const order = orderBy(
    query.sort,
    { name: 'r.name!', unit: 'r.groupName!', readTime: 'r.readTime', receiptTime: 'r.receiptTime' },
    'unit',
    'r.userId',
  )
  const { rows } = await sql<Raw>`select r.*, ${receiptState(ctx)} as state ${from} where ${receiptConditions(ctx, query)}
    order by ${order} ${slice ? sql`limit ${slice.limit} offset ${slice.offset}` : sql``}`.execute(ctx.db)
  return rows.map((raw) =>
    rowOf(receiptRow, raw, {
      id: raw.userId,
      unit: raw.groupName,
      areaName: areaName(raw.areaCode),
      phone: raw.phoneMask,
      readTime: raw.readTime && formatInstant(raw.readTime),
      receiptTime: raw.receiptTime && formatInstant(raw.receiptTime),
      stateName: receiptStates[raw.state],
    }),
  )
}

export async function countReceipts(ctx: NoticeReader, query: Query): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n ${from} where ${receiptConditions(ctx, query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** @throws AppError `notFound` for those who may not see who has read and signed */
async function requireOverseer(ctx: NoticeReader, id: string): Promise<void> {
  const { oversees } = await standingOf(ctx, id)
  if (!oversees) throw new AppError('notFound', '通知不存在或已删除')
}

export const listReceipts: HandlerOf<typeof contract.listReceipts> = async ({ query }, ctx) => {
  await seesProject(ctx, query.projectCode)
  return { list: await readReceipts(ctx, query, pageSlice(query)), total: await countReceipts(ctx, query) }
}

const counts = (ctx: NoticeReader): RawBuilder<unknown> => sql`count(*)::int as "all", count(r.read_time)::int as read,
  count(r.receipt_time)::int as signed, (count(*) filter (where ${receiptState(ctx)} = 'overdue'))::int as overdue`

interface Counts {
  all: number
  read: number
  signed: number
  overdue: number
}
const mostUnits = 500

/** Figures of a notice: each counts with the conditions of the list that it opens. */
export async function receiptFigures(ctx: NoticeReader, { id }: Pick<Row<'announcement'>, 'id'>): Promise<ReceiptFigures> {
  const own = receiptConditions(ctx, { noticeId: id })
  const whole = await sql<Counts & { missing: number }>`select ${counts(ctx)}, (count(*) filter (where ${isMissing}))::int as missing
    ${from} where ${own}`.execute(ctx.db)
  const units = await sql<
    Counts & { groupId: string; name: string; areaCode: string | null }
  >`select r.group_id, r.group_name as name, r.area_code,
      ${counts(ctx)} ${from} where ${own} group by 1, 2, 3 order by count(*) filter (where ${isMissing}) desc, 2 limit ${mostUnits}`.execute(
    ctx.db,
  )
  const areas = await sql<Counts & { areaCode: string }>`select r.area_code, ${counts(ctx)} ${from}
    where ${own} and r.area_code is not null group by 1 order by 1`.execute(ctx.db)
  return {
    ...(whole.rows[0] ?? { all: 0, read: 0, signed: 0, overdue: 0, missing: 0 }),
    units: units.rows.map(({ areaCode, ...unit }) => ({ ...unit, areaName: areaName(areaCode) })),
    areas: areas.rows.map((one) => ({ ...one, areaName: areaName(one.areaCode) ?? one.areaCode })),
  }
}
