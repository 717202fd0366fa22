import { dayMs } from '@zhugong/contract/kit/time'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type ApprovalRow, approvalRow } from '@zhugong/contract/workflow/endpoints'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import type { approvalsQuery } from '@zhugong/contract/workflow/lists'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { formatDay, formatInstant, startOfDay } from '#kit/clock'
import type { Bound, Context, Rights } from '#kit/context'
import { allOf, anyOf, between, type Condition, condition, contains, equals, instantsBetween, orderBy, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { ListContext } from '../exports/registry.ts'
import { isKnownKind, kindNamed, knownKinds } from './kinds.ts'
import { actionsOf, type Decider, type Mandate, mandatesOf } from './mandates.ts'
import type { Item, SeatRow, Step } from './model.ts'
import { auditCode } from './people.ts'

export type ApprovalsQuery = z.output<typeof approvalsQuery>

export type RawItem = Item & { projectName: string | null; groupName: string; cameAt: Date }

/**
 * Ids of items with an open seat that one of the mandates could take, by the same rules as `fits`. Uses three indexes, so the cost does
 * not depend on other people's items.
 */
function openSeats(mandates: readonly Mandate[]): RawBuilder<unknown> {
  const each = mandates.flatMap((mandate) => {
    const { userId, groupId, rights } = mandate
    const own = sql`select a.item_id from work_approver a where a.state = '1' and a.group_id = ${groupId}`
    const audit = within(rights.codes.has(auditCode) ? rights.bounds.get(auditCode) : undefined)
    return [
      sql`${own} and a.user_id = ${userId} ${audit}`,
      ...codesByBound(rights).map(([bound, codes]) => sql`${own} and a.code is not null and a.code = any (${codes}) ${within(bound)}`),
      ...rolesByProjects(mandate).map(
        ([bound, roles]) => sql`${own} and a.role_id is not null and a.role_id = any (${roles}) ${within(bound)} ${audit}`,
      ),
    ]
  })
  return each.length ? sql.join(each, sql` union `) : sql`select null::text where false`
}

type Reach = Pick<Bound, 'projects' | 'except'>

/** Limits seats to items of these projects; items without a project are not limited. */
function within(bound: Reach | undefined): RawBuilder<unknown> {
  if (!bound?.projects && !bound?.except?.size) return sql``
  const inside = bound.projects ? sql`w.project_code = any (${[...bound.projects]})` : sql`true`
  const outside = bound.except ? sql`w.project_code <> all (${[...bound.except]})` : sql`true`
  return sql`and exists (select 1 from work_item w where w.id = a.item_id and (w.project_code is null or (${inside} and ${outside})))`
}

/** Codes with the same limit of projects; those without one first. */
function codesByBound({ codes, bounds }: Rights): [Reach | undefined, string[]][] {
  const groups = new Map<unknown, [Reach | undefined, string[]]>([[undefined, [undefined, []]]])
  for (const code of codes) {
    const bound = bounds.get(code)
    const key = bound?.projects ?? bound?.except
    const group = groups.get(key)
    if (group) group[1].push(code)
    else groups.set(key, [bound, [code]])
  }
  return [...groups.values()]
}

function rolesByProjects({ roles }: Mandate): [Reach | undefined, string[]][] {
  const free = [...roles].flatMap(([id, projects]) => (projects === null ? [id] : []))
  const tied = [...roles].flatMap(([id, projects]): [Reach, string[]][] => (projects === null ? [] : [[{ projects }, [id]]]))
  return [[undefined, free], ...tied]
}

/** Items the user could decide now; the user's own requests are excluded. */
export const waitsForMandates = (mandates: readonly Mandate[], userId: string): Condition =>
  condition(sql`i.id in (${openSeats(mandates)}) and i.state = ${approvalStates.running} and i.applicant_id <> ${userId}`)

type Box = ApprovalsQuery['box']

/** The items of a box, except those decided by the user, which are read from the decisions (`decidedByUser`). */
function inBox(box: Exclude<Box, 'done'>, userId: string, groupId: string, mandates: readonly Mandate[]): Condition {
  switch (box) {
    case 'todo':
      return waitsForMandates(mandates, userId)
    case 'mine':
      return condition(sql`i.applicant_id = ${userId} and i.applicant_group = ${groupId}`)
    case 'cc':
      return condition(sql`i.id in (select c.item_id from work_copy c where c.user_id = ${userId} and c.group_id = ${groupId})`)
  }
}

/** The user's decisions in the active group. */
const decidedByUser = ({ ctx }: Pick<ItemQuery, 'ctx'>) =>
  sql`a.acted_by = ${ctx.user.id} and a.group_id = ${ctx.group.id} and a.acted_at is not null`

/** Time at which the item reached its current step. */
const cameAt = sql`coalesce((select max(s.began_at) from work_step s where s.item_id = i.id and s.state = '1'), i.create_time)`

const itemColumns = (now: Date) => sql`i.*, p.name as project_name, work_asker(i.id) as group_name, ${cameAt} as came_at,
    round(extract(epoch from (case when i.state = '1' then ${now}::timestamptz - ${cameAt} else i.done_time - i.create_time end)) / 360) / 10 as stay`

export const itemsWithNames = (now: Date) => sql`
  select ${itemColumns(now)} from work_item i left join project p on p.project_code = i.project_code`

function filters(query: ApprovalsQuery, now: number): Condition[] {
  const endOfToday = new Date(startOfDay(formatDay(now)) + dayMs)
  return [
    ...contains('x.title', query.title),
    ...anyOf('x.kind', query.bizType),
    ...equals('x.projectCode', query.projectCode),
    ...contains('x.applicantName', query.applicant),
    ...contains('x.node', query.node),
    ...instantsBetween('x.createTime', query.createTime),
    ...instantsBetween('x.deadline', query.deadline),
    ...between('x.stay', query.stay),
    ...anyOf('x.state', query.state),
    ...(query.due === 'overdue' ? [condition(sql`x.deadline < ${new Date(now)}`)] : []),
    ...(query.due === 'today' ? [condition(sql`x.deadline >= ${new Date(now)} and x.deadline < ${endOfToday}`)] : []),
  ]
}

interface ItemQuery {
  ctx: ListContext
  query: ApprovalsQuery
  mandates: readonly Mandate[]
}
type ItemRow = RawItem & { stay: number }
const answer = async (ctx: ListContext, query: ApprovalsQuery): Promise<ItemQuery> => ({ ctx, query, mandates: await mandatesOf(ctx) })

/**
 * The items of the query's box. Decided items come with the user's latest decision, in the order of its index: 240,000 decisions are not
 * joined and sorted for a page of twenty.
 */
function boxed(question: ItemQuery): RawBuilder<unknown> {
  const { ctx, query, mandates } = question
  const now = new Date(ctx.clock.now())
  if (query.box !== 'done') return sql`(${itemsWithNames(now)} where ${inBox(query.box, ctx.user.id, ctx.group.id, mandates)})`
  return sql`(select ${itemColumns(now)}, a.acted_at, a.id as seat_id
    from work_approver a join work_item i on i.id = a.item_id left join project p on p.project_code = i.project_code
    where ${decidedByUser(question)} and not exists (select 1 from work_approver b where b.item_id = a.item_id and b.acted_by = a.acted_by
      and b.group_id = a.group_id and (b.acted_at, b.id) > (a.acted_at, a.id)))`
}

export const findApprovals = async (ctx: ListContext, query: ApprovalsQuery): Promise<ItemRow[]> => findRows(await answer(ctx, query))

/** Finds the ids of the page first, so that names and times are computed for the page only. */
async function findRows(question: ItemQuery): Promise<ItemRow[]> {
  const { ctx, query } = question
  const { limit, offset } = pageSlice(query)
  const now = ctx.clock.now()
  const by =
    query.sort || query.box === 'mine' || query.box === 'cc'
      ? orderBy(
          query.sort,
          { deadline: 'x.deadline', createTime: 'x.createTime!', title: 'x.title', stay: 'x.stay', applicant: 'x.applicantName' },
          '-createTime',
          'x.id',
        )
      : query.box === 'todo'
        ? sql`x.deadline asc nulls last, x.create_time, x.id`
        : sql`x.acted_at desc, x.seat_id desc`
  const { rows: page } = await sql<{ id: string }>`
    select x.id from ${boxed(question)} x where ${allOf(...filters(query, now))} order by ${by} limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  const ids = page.map((row) => row.id)
  if (ids.length === 0) return []
  const { rows } = await sql<ItemRow>`${itemsWithNames(new Date(now))} where i.id = any (${ids})`.execute(ctx.db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export const countApprovals = async (ctx: ListContext, query: ApprovalsQuery): Promise<number> => countRows(await answer(ctx, query))

async function countRows(question: ItemQuery): Promise<number> {
  const { ctx, query } = question
  const conditions = filters(query, ctx.clock.now())
  // Whoever has decided an item may see it, so without filters the decisions alone are counted.
  const counted =
    query.box === 'done' && conditions.length === 0
      ? sql<{
          n: number
        }>`select count(*)::int as n from (select 1 from work_approver a where ${decidedByUser(question)} group by a.item_id) x`
      : sql<{ n: number }>`select count(*)::int as n from ${boxed(question)} x where ${allOf(...conditions)}`
  const { rows } = await counted.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** Counts of items waiting for the user in the active group; header, strip and list all use these numbers. */
async function countsOf({ ctx, mandates }: ItemQuery) {
  const now = new Date(ctx.clock.now())
  const tomorrow = new Date(startOfDay(formatDay(now)) + dayMs)
  const { rows } = await sql<{ todo: number; dueToday: number; overdue: number; meanHours: number | null; cc: number }>`
    select count(*)::int as todo,
      count(*) filter (where i.deadline >= ${now} and i.deadline < ${tomorrow})::int as due_today,
      count(*) filter (where i.deadline < ${now})::int as overdue,
      (select round((avg(extract(epoch from a.acted_at - s.began_at)) / 3600)::numeric, 1) from work_approver a join work_step s on s.id = a.step_id
        where a.acted_by = ${ctx.user.id} and a.group_id = ${ctx.group.id} and a.acted_at > ${new Date(now.getTime() - 30 * dayMs)}) as mean_hours,
      (select count(*)::int from work_copy c where c.user_id = ${ctx.user.id} and c.group_id = ${ctx.group.id} and c.read_at is null) as cc
    from work_item i where ${waitsForMandates(mandates, ctx.user.id)}`.execute(ctx.db)
  return rows[0] ?? { todo: 0, dueToday: 0, overdue: 0, meanHours: null, cc: 0 }
}

/** Steps and seats of several items, by item id. */
export async function flowsOf(ctx: Pick<Context, 'db'>, ids: readonly string[]) {
  if (ids.length === 0) return { steps: new Map<string, Step[]>(), seats: new Map<string, SeatRow[]>() }
  // The latest rounds are selected in memory. In SQL the database would walk the index of a million steps in order.
  const rounds = await ctx.db
    .selectFrom('workStep')
    .selectAll()
    .where('itemId', 'in', [...ids])
    .execute()
  const latest = new Map<string, Step>()
  for (const step of rounds) {
    const key = `${step.itemId} ${step.place}`
    if (step.round > (latest.get(key)?.round ?? 0)) latest.set(key, step)
  }
  const steps = [...latest.values()].sort((x, y) => x.place - y.place)
  const seats = await ctx.db
    .selectFrom('workApprover')
    .selectAll()
    .where('itemId', 'in', [...ids])
    .orderBy('turn')
    .orderBy('id')
    .execute()
  return { steps: Map.groupBy(steps, (s) => s.itemId), seats: Map.groupBy(seats, (s) => s.itemId) }
}

export async function approvalPage(ctx: ListContext, query: ApprovalsQuery) {
  const question = await answer(ctx, query)
  const rows = await findRows(question)
  const [total, counts, flows] = [
    await countRows(question),
    await countsOf(question),
    await flowsOf(
      ctx,
      rows.map((r) => r.id),
    ),
  ]
  const { mandates } = question
  const decider: Decider = { userId: ctx.user.id, groupId: ctx.group.id, rights: ctx.principal, mandates }
  return {
    list: rows.map((r) => toApproval(r, flows.steps.get(r.id) ?? [], flows.seats.get(r.id) ?? [], decider, ctx.clock.now())),
    total,
    counts,
    kinds: knownKinds().map(({ kind, name }) => ({ kind, name })),
  }
}

const at = (v: Date | null) => (v ? formatInstant(v) : null)

export function toApproval(
  r: RawItem & { stay: number },
  steps: readonly Step[],
  seats: readonly SeatRow[],
  decider: Decider,
  now: number,
): ApprovalRow {
  const kind = isKnownKind(r.kind) ? kindNamed(r.kind) : undefined
  const actions = kind ? actionsOf(r, steps, seats, decider, kind, now) : []
  const open = steps.filter((s) => s.state === '1')
  return rowOf(approvalRow, r, {
    bizType: r.kind,
    bizTypeName: kind?.name ?? r.kind,
    applicant: r.applicantName,
    createTime: formatInstant(r.createTime),
    deadline: at(r.deadline),
    overdue: r.state === approvalStates.running && r.deadline !== null && r.deadline.getTime() < now,
    stay: Number(r.stay),
    stateName: dictName('approvalState', r.state),
    doneTime: at(r.doneTime),
    actions,
    batch: kind?.batch === true && actions.includes('pass') && open.every((s) => !s.node.sign),
  })
}
