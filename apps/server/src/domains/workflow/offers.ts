import type { ApprovalAct } from '@zhugong/contract/workflow/endpoints'
import { approvalStates, stepStates, undecided } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import type { Db } from '#kit/db'
import type { Condition } from '#kit/list'
import { condition } from '#kit/list'
import type { ListContext } from '../exports/registry.ts'
import { actionsOf, hatsOf } from './hats.ts'
import { isKnownKind, kindNamed } from './kinds.ts'
import { flowsOf, waitsForHats } from './rows.ts'

export interface Offer {
  itemId: string
  actions: ApprovalAct[]
  /** Steps that run: their keys and names. */
  waiting: { key: string; name: string }[]
}

/** What the caller may do with things that stand in a list of their own domain, by the id of the thing. */
export async function offersFor(ctx: ListContext, kind: string, objectIds: readonly string[]): Promise<Map<string, Offer>> {
  if (objectIds.length === 0) return new Map()
  const items = await ctx.db
    .selectFrom('workItem')
    .selectAll()
    .where('kind', '=', kind)
    .where('objectId', 'in', [...objectIds])
    .where('state', '=', approvalStates.running)
    .execute()
  const { steps, seats } = await flowsOf(
    ctx,
    items.map((i) => i.id),
  )
  const asking = { userId: ctx.user.id, groupId: ctx.group.id, codes: ctx.codes, hats: await hatsOf(ctx) }
  return new Map(
    items.map((item) => {
      const own = steps.get(item.id) ?? []
      return [
        item.objectId,
        {
          itemId: item.id,
          actions: actionsOf(item, own, seats.get(item.id) ?? [], asking, kindNamed(kind), ctx.clock.now()),
          waiting: own.filter((s) => s.state === stepStates.open).map(({ key, name }) => ({ key, name })),
        },
      ]
    }),
  )
}

/** Of a list of things: those that wait for the caller. `column` is the thing's id. */
export async function waitsForMe(ctx: ListContext, kind: string, column: string): Promise<Condition> {
  const hats = await hatsOf(ctx)
  return condition(
    sql`${sql.ref(column)} in (select i.object_id from work_item i where i.kind = ${kind} and ${waitsForHats(hats, ctx.user.id)})`,
  )
}

export interface Waiting {
  id: string
  kind: string
  kindName: string
  /** What is to be done with it, and where, in the words of its kind. */
  act: string | undefined
  link: string | undefined
  objectId: string
  title: string
  applicantName: string
  projectCode: string | null
  projectName: string | null
  createTime: Date
  deadline: Date | null
}

/** How much of what somebody has asked for waits for a decision: as this group, and as all his others. */
export async function startedOpen(db: Db, userId: string, groupId: string): Promise<{ here: number; elsewhere: number }> {
  const { rows } = await sql<{ here: number; elsewhere: number }>`
    select count(*) filter (where applicant_group = ${groupId})::int as here,
      count(*) filter (where applicant_group is distinct from ${groupId})::int as elsewhere
    from work_item where applicant_id = ${userId} and state = any (${[...undecided]})`.execute(db)
  return rows[0] ?? { here: 0, elsewhere: 0 }
}

/** What waits for somebody's word in his active group, the most urgent first; of these projects and of none. */
export async function approvalsWaiting(
  ctx: Pick<ListContext, 'db' | 'clock' | 'codes' | 'group' | 'user'>,
  projects: readonly string[] | undefined,
  most: number,
): Promise<Waiting[]> {
  if (!ctx.codes.has('approval.audit')) return []
  const hats = await hatsOf(ctx)
  const inSight = projects === undefined ? sql`true` : sql`(i.project_code is null or i.project_code = any (${[...projects]}))`
  const { rows } = await sql<Omit<Waiting, 'kindName' | 'act' | 'link'>>`
    select i.id, i.kind, i.object_id, i.title, i.applicant_name, i.project_code, p.name as project_name, i.create_time, i.deadline
    from work_item i left join project p on p.project_code = i.project_code
    where ${waitsForHats(hats, ctx.user.id)} and ${inSight} order by i.deadline nulls last, i.create_time, i.id limit ${most}`.execute(
    ctx.db,
  )
  return rows.map((row) => {
    const kind = isKnownKind(row.kind) ? kindNamed(row.kind) : undefined
    const act = kind?.words?.act
    return { ...row, kindName: kind?.name ?? row.kind, act, link: act && kind?.link(row) }
  })
}
