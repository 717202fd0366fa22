import { dayMs } from '@zhugong/contract/kit/time'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import type { ApprovalRow } from '@zhugong/contract/workflow/endpoints'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import type { approvalsQuery } from '@zhugong/contract/workflow/lists'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { formatDay, formatInstant, startOfDay } from '#kit/clock'
import type { Context } from '#kit/context'
import { allOf, anyOf, between, type Condition, condition, contains, equals, instantsBetween, orderBy, pageSlice } from '#kit/list'
import type { ListContext } from '../exports/registry.ts'
import { type Asking, actionsOf, type Hat, hatsOf } from './hats.ts'
import { type Item, isKnownKind, kindNamed, knownKinds } from './kinds.ts'
import type { SeatRow, Step } from './steps.ts'

export type ApprovalsQuery = z.output<typeof approvalsQuery>

export type RawItem = Item & { projectName: string | null; groupName: string; cameAt: Date }

/** Open seats that one of the hats could take, as items. Three indexes answer it, whatever waits for others. */
function openSeats(hats: readonly Hat[]): RawBuilder<unknown> {
  const each = hats.map(
    (h) => sql`
      select a.item_id from work_approver a where a.state = '1' and a.user_id = ${h.userId} and a.group_id = ${h.groupId}
      union select a.item_id from work_approver a where a.state = '1' and a.code is not null and a.group_id = ${h.groupId} and a.code = any (${[...h.codes]})
      union select a.item_id from work_approver a where a.state = '1' and a.role_id is not null and a.group_id = ${h.groupId} and a.role_id = any (${[...h.roles]})`,
  )
  return each.length ? sql.join(each, sql` union `) : sql`select null::text where false`
}

/** Items somebody could decide over now: whoever has asked for it is not among those it waits for. */
export const waitsForHats = (hats: readonly Hat[], userId: string): Condition =>
  condition(sql`i.id in (${openSeats(hats)}) and i.state = ${approvalStates.running} and i.applicant_id <> ${userId}`)

function inBox(query: Pick<ApprovalsQuery, 'box'>, userId: string, groupId: string, hats: readonly Hat[]): Condition {
  switch (query.box) {
    case 'todo':
      return waitsForHats(hats, userId)
    case 'done':
      return condition(sql`i.id in (select a.item_id from work_approver a where a.acted_by = ${userId} and a.group_id = ${groupId})`)
    case 'mine':
      return condition(sql`i.applicant_id = ${userId} and i.applicant_group = ${groupId}`)
    case 'cc':
      return condition(sql`i.id in (select c.item_id from work_copy c where c.user_id = ${userId} and c.group_id = ${groupId})`)
  }
}

/** Since when it is where it is. */
const cameAt = sql`coalesce((select max(s.began_at) from work_step s where s.item_id = i.id and s.state = '1'), i.create_time)`

export const itemsWithNames = (now: Date) => sql`
  select i.*, p.name as project_name, work_asker(i.id) as group_name, ${cameAt} as came_at,
    round(extract(epoch from (case when i.state = '1' then ${now}::timestamptz - ${cameAt} else i.done_time - i.create_time end)) / 360) / 10 as stay
  from work_item i left join project p on p.project_code = i.project_code`

function filters(query: ApprovalsQuery, now: number): Condition {
  const endOfToday = new Date(startOfDay(formatDay(now)) + dayMs)
  return allOf(
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
  )
}

interface Asked {
  ctx: ListContext
  query: ApprovalsQuery
  hats: readonly Hat[]
}
type ItemRow = RawItem & { stay: number }
const asked = async (ctx: ListContext, query: ApprovalsQuery): Promise<Asked> => ({ ctx, query, hats: await hatsOf(ctx) })
const boxed = ({ ctx, query, hats }: Asked) =>
  sql`(${itemsWithNames(new Date(ctx.clock.now()))} where ${inBox(query, ctx.user.id, ctx.group.id, hats)}) x where ${filters(query, ctx.clock.now())}`

export const findApprovals = async (ctx: ListContext, query: ApprovalsQuery): Promise<ItemRow[]> => findRows(await asked(ctx, query))

async function findRows(asking: Asked): Promise<ItemRow[]> {
  const { ctx, query } = asking
  const { limit, offset } = pageSlice(query)
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
        : sql`(select max(a.acted_at) from work_approver a where a.item_id = x.id and a.acted_by = ${ctx.user.id}) desc, x.id`
  const { rows } = await sql<ItemRow>`select x.* from ${boxed(asking)} order by ${by} limit ${limit} offset ${offset}`.execute(ctx.db)
  return rows
}

export const countApprovals = async (ctx: ListContext, query: ApprovalsQuery): Promise<number> => countRows(await asked(ctx, query))

async function countRows(asking: Asked): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${boxed(asking)}`.execute(asking.ctx.db)
  return rows[0]?.n ?? 0
}

/** What waits for somebody in his active group: the one count of header, strip and list. */
async function countsOf({ ctx, hats }: Asked) {
  const now = new Date(ctx.clock.now())
  const tomorrow = new Date(startOfDay(formatDay(now)) + dayMs)
  const { rows } = await sql<{ todo: number; dueToday: number; overdue: number; meanHours: number | null; cc: number }>`
    select count(*)::int as todo,
      count(*) filter (where i.deadline >= ${now} and i.deadline < ${tomorrow})::int as due_today,
      count(*) filter (where i.deadline < ${now})::int as overdue,
      (select round((avg(extract(epoch from a.acted_at - s.began_at)) / 3600)::numeric, 1) from work_approver a join work_step s on s.id = a.step_id
        where a.acted_by = ${ctx.user.id} and a.group_id = ${ctx.group.id} and a.acted_at > ${new Date(now.getTime() - 30 * dayMs)}) as mean_hours,
      (select count(*)::int from work_copy c where c.user_id = ${ctx.user.id} and c.group_id = ${ctx.group.id} and c.read_at is null) as cc
    from work_item i where ${waitsForHats(hats, ctx.user.id)}`.execute(ctx.db)
  return rows[0] ?? { todo: 0, dueToday: 0, overdue: 0, meanHours: null, cc: 0 }
}

/** Flows of several items at once, by item. */
export async function flowsOf(ctx: Pick<Context, 'db'>, ids: readonly string[]) {
  if (ids.length === 0) return { steps: new Map<string, Step[]>(), seats: new Map<string, SeatRow[]>() }
  // Latest rounds are picked here: asked to pick them, the database walks the index of a million steps in order.
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
  const question = await asked(ctx, query)
  const rows = await findRows(question)
  const [total, counts, flows] = [
    await countRows(question),
    await countsOf(question),
    await flowsOf(
      ctx,
      rows.map((r) => r.id),
    ),
  ]
  const { hats } = question
  const asking: Asking = { userId: ctx.user.id, groupId: ctx.group.id, codes: ctx.codes, hats }
  return {
    list: rows.map((r) => toApproval(r, flows.steps.get(r.id) ?? [], flows.seats.get(r.id) ?? [], asking, ctx.clock.now())),
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
  asking: Asking,
  now: number,
): ApprovalRow {
  const kind = isKnownKind(r.kind) ? kindNamed(r.kind) : undefined
  const actions = kind ? actionsOf(r, steps, seats, asking, kind, now) : []
  const open = steps.filter((s) => s.state === '1')
  return {
    id: r.id,
    code: r.code,
    bizType: r.kind,
    bizTypeName: kind?.name ?? r.kind,
    objectId: r.objectId,
    title: r.title,
    groupName: r.groupName,
    projectCode: r.projectCode,
    projectName: r.projectName,
    applicant: r.applicantName,
    node: r.node,
    createTime: formatInstant(r.createTime),
    deadline: at(r.deadline),
    overdue: r.state === approvalStates.running && r.deadline !== null && r.deadline.getTime() < now,
    stay: Number(r.stay),
    state: r.state,
    stateName: dictName('approvalState', r.state),
    doneTime: at(r.doneTime),
    actions,
    batch: kind?.batch === true && actions.includes('pass') && open.every((s) => !s.node.sign),
    version: r.version,
  }
}
