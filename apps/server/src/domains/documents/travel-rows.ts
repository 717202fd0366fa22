import type * as contract from '@zhugong/contract/documents/travel'
import { type TravelRow, travelRow } from '@zhugong/contract/documents/travel'
import {
  openStates,
  requirementNames,
  requirements,
  stopStateNames,
  stopStates,
  travelMoves,
  urgeHours,
} from '@zhugong/contract/documents/travel-moves'
import { hourMs } from '@zhugong/contract/kit/time'
import { type RawBuilder, sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, daysBetween, filtersOf, instantsBetween, orderBy, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import { seesProject } from '#kit/sees-project'
import type { HandlerOf } from '#kit/serve'
import { linksOf } from '../files/public.ts'
import { historyOf, offersFor } from '../process/public.ts'
import { type RawStop, toStated, travelKind } from './travel-kind.ts'

type Query = Partial<NonNullable<(typeof contract.listTravel)['types']>['parsed']['query']>
export type TravelReader = Pick<Context, 'db' | 'group' | 'clock'>

const open: RawBuilder<unknown> = sql`${[...openStates]}::text[]`
const today = (ctx: TravelReader) => sql`${formatDay(ctx.clock.now())}::date`
/** Of stop `x`: something is due from its recipient, and its day is over. */
const isLate = (ctx: TravelReader) => sql`x.state = any (${open}) and x.deadline < ${today(ctx)}`
/** Somebody to whom the caller's group sent paper `p` is late. */
const behind = (ctx: TravelReader) =>
  sql`exists (select from travel_stop x where x.paper_id = p.id and x.from_group = ${ctx.group.id} and ${isLate(ctx)})`
const fills = sql`p.requirement = ${requirements.fill}`

/** Papers as `p` with the caller's own stop as `s`. */
function inTab(ctx: TravelReader, tab: Query['tab'] = 'received'): RawBuilder<unknown> {
  if (tab === 'received') return sql`s.id is not null`
  if (tab === 'reports') return sql`s.id is not null and ${fills}`
  const sent = sql`exists (select from travel_stop x where x.paper_id = p.id and x.from_group = ${ctx.group.id})`
  return tab === 'issued' ? sent : sql`${sent} and ${fills}`
}

const from = (ctx: TravelReader) => sql`from travel_paper p left join travel_stop s on s.paper_id = p.id and s.to_group = ${ctx.group.id}`

export const travelConditions = (ctx: TravelReader, query: Query): Condition =>
  allOf(
    condition(sql`(p.from_group = ${ctx.group.id} or s.id is not null)`),
    filtersOf(query, {
      projectCode: 'elsewhere',
      tab: (tab) => condition(inTab(ctx, tab)),
      title: [contains, 'p.title'],
      fromName: [contains, 'p.fromName'],
      issueTime: [instantsBetween, 'p.issueTime'],
      requirement: [anyOf, 'p.requirement'],
      deadline: [daysBetween, 'p.deadline'],
      state: [anyOf, 's.state'],
      late: () =>
        condition(
          query.tab === 'issued' || query.tab === 'tasks' ? behind(ctx) : sql`(s.state = any (${open}) and s.deadline < ${today(ctx)})`,
        ),
    }),
  )

type Raw = Row<'travelPaper'> & {
  stopId: string | null
  state: keyof typeof stopStateNames | null
  ownDeadline: string | null
  late: boolean
}

export async function readTravels(
  ctx: TravelReader,
  where: Condition,
  query: Query,
  slice?: { limit: number; offset: number },
): Promise<TravelRow[]> {
  const order = orderBy(query.sort, { issueTime: 'p.issueTime!', deadline: 'p.deadline', title: 'p.title' }, '-issueTime', 'p.id')
  const { rows } = await sql<Raw>`select p.*, s.id as stop_id, s.state, s.deadline as own_deadline,
      (coalesce(s.state = any (${open}) and s.deadline < ${today(ctx)}, false) or ${behind(ctx)}) as late
    ${from(ctx)} where ${where} order by ${order} ${slice ? sql`limit ${slice.limit} offset ${slice.offset}` : sql``}`.execute(ctx.db)
  const progress = await progressOf(
    ctx,
    rows.map((one) => one.id),
  )
  return rows.map((raw) =>
    rowOf(travelRow, raw, {
      issueTime: formatInstant(raw.issueTime),
      requirementName: requirementNames[raw.requirement],
      deadline: raw.stopId === null ? raw.deadline : raw.ownDeadline,
      progress: progress.get(raw.id) ?? [],
      stateName: raw.state && stopStateNames[raw.state],
    }),
  )
}

const levelNames: Readonly<Record<number, string>> = {
  [groupTypes.government]: '监管机构',
  [groupTypes.corporation]: '企业',
  [groupTypes.project]: '项目',
}

/** How many below the caller's group are done, by the kind of their group. */
async function progressOf(ctx: TravelReader, ids: readonly string[]): Promise<Map<string, TravelRow['progress']>> {
  const { rows } = await sql<{ paperId: string; toType: number; done: number; all: number }>`select x.paper_id, x.to_type,
      (count(*) filter (where x.state in (${stopStates.done}, ${stopStates.submitted})))::int as done, count(*)::int as all
    from travel_stop x where x.paper_id = any (${[...ids]}) and ${ctx.group.id} = any (x.above)
    group by x.paper_id, x.to_type order by x.to_type`.execute(ctx.db)
  const by = Map.groupBy(rows, (one) => one.paperId)
  return new Map(
    [...by].map(([id, all]) => [id, all.map((one) => ({ name: levelNames[one.toType] ?? '单位', done: one.done, all: one.all }))]),
  )
}

export async function countTravels(ctx: TravelReader, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n ${from(ctx)} where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

export const listTravel: HandlerOf<typeof contract.listTravel> = async ({ query }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const where = travelConditions(ctx, query)
  const count = (more: Query) => countTravels(ctx, travelConditions(ctx, { projectCode: '*', ...more }))
  return {
    list: await readTravels(ctx, where, query, pageSlice(query)),
    total: await countTravels(ctx, where),
    counts: {
      open: await count({ tab: 'received', state: [...openStates] }),
      late: await count({ tab: 'received', late: 'true' }),
      returned: await count({ tab: 'received', state: [stopStates.returned] }),
      behind: await count({ tab: 'issued', late: 'true' }),
    },
  }
}

export const readTravel: HandlerOf<typeof contract.getTravel> = async ({ params: { id }, query }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const where = allOf(travelConditions(ctx, {}), condition(sql`p.id = ${id}`))
  const row = found((await readTravels(ctx, where, {}))[0], '分级资料')
  const { rows } = await sql<Row<'travelPaper'>>`select * from travel_paper where id = ${id}`.execute(ctx.db)
  const paper = found(rows[0], '分级资料')
  const stops = await sql<RawStop>`select s.*, p.title, p.requirement from travel_stop s join travel_paper p on p.id = s.paper_id
    where s.paper_id = ${id} and (s.to_group = ${ctx.group.id} or s.from_group = ${ctx.group.id}) order by s.to_name`.execute(ctx.db)
  const rounds = await sql<Row<'travelRound'>>`select r.* from travel_round r where r.stop_id = any (${stops.rows.map((one) => one.id)})
    order by r.no desc`.execute(ctx.db)
  const names = await namesOf(ctx, [...paper.files, ...rounds.rows.flatMap((one) => one.files)])
  const links = (ids: readonly string[]) => linksOf(ctx, ids).map((url, i) => ({ url, name: names.get(ids[i] ?? '') ?? '附件' }))
  const shown = (raw: RawStop) => ({
    ...pick(raw, 'id', 'toName', 'state', 'remark', 'deadline', 'version'),
    stateName: stopStateNames[raw.state],
    late: openStates.includes(raw.state) && raw.deadline !== null && raw.deadline < formatDay(ctx.clock.now()),
    readAt: raw.readAt && formatInstant(raw.readAt),
    rounds: rounds.rows
      .filter((one) => one.stopId === raw.id)
      .map(({ stopId: _, ...one }) => ({ ...one, at: formatInstant(one.at), files: links(one.files) })),
    actions: offersFor(ctx, travelKind, toStated(raw)),
  })
  const own = stops.rows.find((one) => one.toGroup === ctx.group.id)
  const below = stops.rows.filter((one) => one.fromGroup === ctx.group.id)
  const urged = Math.max(0, ...below.map((one) => one.urgedAt?.getTime() ?? 0)) + urgeHours * hourMs
  return {
    ...row,
    content: paper.content,
    required: paper.required,
    files: links(paper.files),
    own: own
      ? {
          ...shown(own),
          timeline: await historyOf(ctx, travelKind.kind, own.id, {
            issue: '下发',
            ...Object.fromEntries(Object.entries(travelMoves).map(([action, { label }]) => [action, label])),
          }),
        }
      : null,
    below: below.map(shown),
    canUrge: ctx.codes.has('documents.share') && below.some((one) => openStates.includes(one.state)),
    urgedUntil: urged > ctx.clock.now() ? formatInstant(urged) : null,
  }
}

/** The caller has read the ids from visible papers; the files themselves are of other groups. */
async function namesOf(ctx: Pick<Context, 'system'>, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`select f.id, f.name from stored_file f where f.id = any (${[...ids]})`.execute(
    ctx.system,
  )
  return new Map(rows.map((one) => [one.id, one.name]))
}
