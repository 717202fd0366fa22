import type { ApprovalAct } from '@zhugong/contract/workflow/endpoints'
import { approvalStates, stepStates, undecided } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import type { Db } from '#kit/db'
import type { Condition } from '#kit/list'
import { condition } from '#kit/list'
import type { ListContext } from '../exports/registry.ts'
import { isKnownKind, kindNamed } from './kinds.ts'
import { actionsOf, deciderOf, mandatesOf } from './mandates.ts'
import { auditCode } from './people.ts'
import { flowsOf, waitsForMandates } from './rows.ts'

export interface ItemActions {
  itemId: string
  actions: ApprovalAct[]
  /** The open steps: keys and names. */
  waiting: { key: string; name: string }[]
}

/** The caller's possible actions on records shown in a list of their own domain, by record id. */
export async function actionsFor(ctx: ListContext, kind: string, objectIds: readonly string[]): Promise<Map<string, ItemActions>> {
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
  const decider = await deciderOf(ctx)
  return new Map(
    items.map((item) => {
      const own = steps.get(item.id) ?? []
      return [
        item.objectId,
        {
          itemId: item.id,
          actions: actionsOf(item, own, seats.get(item.id) ?? [], decider, kindNamed(kind), ctx.clock.now()),
          waiting: own.filter((s) => s.state === stepStates.open).map(({ key, name }) => ({ key, name })),
        },
      ]
    }),
  )
}

/** Condition that selects the records waiting for the caller. `column` is the SQL column of the record id. */
export async function waitsForMe(ctx: ListContext, kind: string, column: string): Promise<Condition> {
  const mandates = await mandatesOf(ctx)
  return condition(
    sql`${sql.ref(column)} in (select i.object_id from work_item i where i.kind = ${kind} and ${waitsForMandates(mandates, ctx.user.id)})`,
  )
}

export interface Waiting {
  id: string
  kind: string
  kindName: string
  /** Button text and link, in the words of the item's kind. */
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

/** Number of the user's own open requests: submitted as this group, and as the user's other groups. */
export async function startedOpen(db: Db, userId: string, groupId: string): Promise<{ here: number; elsewhere: number }> {
  const { rows } = await sql<{ here: number; elsewhere: number }>`
    select count(*) filter (where applicant_group = ${groupId})::int as here,
      count(*) filter (where applicant_group is distinct from ${groupId})::int as elsewhere
    from work_item where applicant_id = ${userId} and state = any (${[...undecided]})`.execute(db)
  return rows[0] ?? { here: 0, elsewhere: 0 }
}

/** Items that wait for the caller in the active group, the most urgent first; limited to these projects and items without a project. */
export async function approvalsWaiting(
  ctx: Pick<ListContext, 'db' | 'clock' | 'principal' | 'group' | 'user'>,
  projects: readonly string[] | undefined,
  most: number,
): Promise<Waiting[]> {
  if (!ctx.principal.codes.has(auditCode)) return []
  const mandates = await mandatesOf(ctx)
  const inSight = projects === undefined ? sql`true` : sql`(i.project_code is null or i.project_code = any (${[...projects]}))`
  const { rows } = await sql<Omit<Waiting, 'kindName' | 'act' | 'link'>>`
    select i.id, i.kind, i.object_id, i.title, i.applicant_name, i.project_code, p.name as project_name, i.create_time, i.deadline
    from work_item i left join project p on p.project_code = i.project_code
    where ${waitsForMandates(mandates, ctx.user.id)} and ${inSight} order by i.deadline nulls last, i.create_time, i.id limit ${most}`.execute(
    ctx.db,
  )
  return rows.map((row) => {
    const kind = isKnownKind(row.kind) ? kindNamed(row.kind) : undefined
    const act = kind?.words?.act
    return { ...row, kindName: kind?.name ?? row.kind, act, link: act && kind?.link(row) }
  })
}
