import { type listTrips, type TripRow, tripRow } from '@zhugong/contract/experts/activities'
import { payers, reportDays, tripMoves, tripStates } from '@zhugong/contract/experts/moves'
import { areaPath, dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { addDays, formatDay } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, daysBetween, filtersOf, inAreas, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { linksOf } from '../files/public.ts'
import type { Kind, Stated } from '../process/public.ts'

type Query = Partial<NonNullable<(typeof listTrips)['types']>['parsed']['query']>
type Viewer = Pick<Context, 'group' | 'clock' | 'db' | 'scope' | 'secrets'>

/** An absence as the engine knows it: of its library. */
export type Trip = Row<'expertTrip'> & Pick<Stated, 'projectCode' | 'corpCode' | 'shownAt' | 'groups'>
export const toStated = (row: Row<'expertTrip'>): Trip => ({
  ...row,
  projectCode: null,
  corpCode: null,
  shownAt: row.createTime,
  groups: [row.libraryGroup],
})
const stateName = (state: string): string => tripStates[state as unknown as keyof typeof tripStates] ?? state

/** Taken by another person than the writer. */
const decisions: ReadonlySet<string> = new Set(['pass', 'extend'])
/** Days within which a request is decided. */
const decideDays = 3

export const tripKind: Kind<Trip, typeof tripMoves> = {
  kind: 'expertTrip',
  noun: '外出报备',
  table: 'expertTrip',
  moves: tripMoves,
  stateName,
  lock: async (ctx, id) => {
    const { rows } = await sql<Row<'expertTrip'>>`select * from expert_trip where id = ${id} for update`.execute(ctx.db)
    return toStated(found(rows[0], '外出报备'))
  },
  turns: { library: (ctx, row) => row.libraryGroup === ctx.group.id },
  hinder: (ctx, row, action) =>
    decisions.has(action) && row.writerId === ctx.user.id ? '报备人不能审批自己的报备，请由另一人审批' : undefined,
  todos: (row) =>
    row.state === '0'
      ? [
          {
            turn: 'library',
            forGroup: row.libraryGroup,
            codes: [tripMoves.pass.needs],
            title: `专家外出审批：${row.expertName} ${row.startDate} 至 ${row.endDate}`,
            link: `/person/expert/outActivity?expertName=${encodeURIComponent(row.expertName)}`,
            due: addDays(formatDay(row.updateTime), decideDays),
          },
        ]
      : [],
}

export const reportIsLate = (today: string, { state, report, endDate }: Pick<Row<'expertTrip'>, 'state' | 'report' | 'endDate'>): boolean =>
  state === '1' && report === null && addDays(endDate, reportDays) < today
const isLate = (ctx: Pick<Viewer, 'clock'>) =>
  sql`(t.state = '1' and t.report is null and t.end_date + ${reportDays}::int < ${formatDay(ctx.clock.now())}::date)`
const isAway = (ctx: Pick<Viewer, 'clock'>) => {
  const today = formatDay(ctx.clock.now())
  return sql`(t.state = '1' and ${today}::date between t.start_date and t.end_date)`
}
const days = sql`(t.end_date - t.start_date + 1)`
const seen = (ctx: Pick<Viewer, 'group' | 'scope'>) => (ctx.scope.all ? sql`true` : sql`t.library_group = ${ctx.group.id}`)

function conditions(ctx: Viewer, query: Query): Condition {
  return allOf(
    condition(seen(ctx)),
    filtersOf(query, {
      projectCode: 'elsewhere',
      expertName: [contains, 't.expertName'],
      activityType: [anyOf, 't.activityType'],
      inviter: [contains, 't.inviter'],
      destination: [inAreas, 't.destination'],
      startDate: [daysBetween, 't.startDate'],
      payer: [anyOf, 't.payer'],
      report: (value) => condition(value ? sql`t.report is not null` : sql`t.report is null`),
      late: (value) => condition(value ? isLate(ctx) : sql`not ${isLate(ctx)}`),
      state: [anyOf, 't.state'],
    }),
  )
}

async function read(ctx: Viewer, query: Query, { limit, offset }: { limit?: number; offset?: number } = {}): Promise<Row<'expertTrip'>[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const order = orderBy(query.sort, { startDate: 't.startDate!', days }, '-startDate', 't.id')
  const { rows } = await sql<
    Row<'expertTrip'>
  >`select t.* from expert_trip t where ${conditions(ctx, query)} order by ${order} ${page}`.execute(ctx.db)
  return rows
}

/** With what the caller may do: `offers` is empty in files. */
export async function readRows(
  ctx: Viewer,
  query: Query,
  page: { limit?: number; offset?: number } = {},
  offers: (row: Trip) => TripRow['actions'] = () => [],
): Promise<TripRow[]> {
  return (await read(ctx, query, page)).map((row) => toRow(ctx, row, offers(toStated(row))))
}

export async function countRows(ctx: Viewer, query: Query): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from expert_trip t where ${conditions(ctx, query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

function toRow(ctx: Viewer, r: Row<'expertTrip'>, actions: TripRow['actions']): TripRow {
  return rowOf(tripRow, r, {
    typeName: dictName('expertActivityType', r.activityType) ?? r.activityType,
    destinationName: areaPath(r.destination) ?? r.destination,
    days: Math.round((Date.parse(r.endDate) - Date.parse(r.startDate)) / 86_400_000) + 1,
    payerName: payers[r.payer as unknown as keyof typeof payers] ?? r.payer,
    photos: linksOf(ctx, r.photos),
    reportLate: reportIsLate(formatDay(ctx.clock.now()), r),
    createBy: r.writerName,
    stateName: stateName(r.state),
    actions,
  })
}

/** Figures of the strip: each counts with the condition of the list it opens. */
export async function countsOf(ctx: Viewer) {
  const n = (of: RawBuilder<unknown>) => sql`count(*) filter (where ${of})::int`
  const { rows } = await sql<{ waiting: number; away: number; late: number }>`select ${n(sql`t.state = '0'`)} as waiting,
      ${n(isAway(ctx))} as away, ${n(isLate(ctx))} as late from expert_trip t where ${seen(ctx)}`.execute(ctx.db)
  return rows[0] ?? { waiting: 0, away: 0, late: 0 }
}
