import { type PlanAction, planMoves, planStates, validPlans } from '@zhugong/contract/plans/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { type Context, found, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind, Todo } from '../process/public.ts'

export const planType = 'checkplan'

/** A plan with what its rules ask about its children. */
export type Plan = Row<'checkPlan'> & {
  /** Visits whose check is not submitted. */
  missing: number
  openNotices: number
  /** The project's own group has received the current version. */
  received: boolean
}

/** Submitted checks. */
export const heldCheck = sql`d.state in ('2', '3', '4', '5')`
const select = sql`select p.*,
    (select count(*)::int from check_plan_visit v where v.plan_id = p.id
      and not exists (select from day_check d where d.id = v.check_id and ${heldCheck})) as missing,
    (select count(*)::int from rectify r join day_check d on d.id = r.source_id and r.source_kind = 'daycheck'
      where d.plan_id = p.id and r.state = any ('{1,2,3,4,5,6}')) as open_notices,
    exists (select from check_plan_receipt c join tenant t on t.id = c.group_id and t.type = 3
      where c.plan_id = p.id and c.version_no = p.version_no) as received
  from check_plan p`

export async function readPlan(ctx: Pick<Context, 'db'>, id: string): Promise<Plan> {
  const { rows } = await sql<Plan>`${select} where p.id = ${id}`.execute(ctx.db)
  return found(rows[0], '监督计划')
}

/** 监督计划: written by an officer, approved by another of the institution, received by the parties. */
export const planKind: Kind<Plan, typeof planMoves> = {
  kind: planType,
  noun: '监督计划',
  table: 'checkPlan',
  moves: planMoves,
  stateName: (state) => stateName(state),
  lock: async (ctx, id) => {
    const { rows } = await sql<Plan>`${select} where p.id = ${id} for update of p`.execute(ctx.db)
    return found(rows[0], '监督计划')
  },
  turns: {
    institution: (ctx, row) => ctx.group.type === groupTypes.government && ctx.group.id === row.authorGroup,
    party: (ctx) => ctx.group.type === groupTypes.project || ctx.group.type === groupTypes.corporation,
  },
  hinder: (ctx, row, action) => hindrances[action]?.(ctx, row),
  todos: (row) => todosOf(row),
}

export const stateName = (state: string): string => dictName('checkPlanState', state) ?? state

const notByAuthor = (ctx: Context, row: Plan) => (row.submitBy === ctx.user.id ? '计划由您提交，须由他人审批' : undefined)
const hindrances: Partial<Record<PlanAction, (ctx: Context, row: Plan) => string | undefined>> = {
  approve: notByAuthor,
  reject: notByAuthor,
  finish: (_ctx, row) => {
    const missing = [row.missing ? `${row.missing} 次检查未完成` : '', row.openNotices ? `${row.openNotices} 份整改未闭合` : '']
    return missing.some(Boolean) ? `${missing.filter(Boolean).join('，')}，不能完成` : undefined
  },
}

export const planPage = (id: string): string => `/jgt/checkplan/details?id=${id}`

function todosOf(row: Plan): Todo[] {
  const own = { turn: 'institution', forGroup: row.authorGroup, due: null }
  if (row.state === planStates.waiting)
    return [{ ...own, codes: [planMoves.approve.needs], title: `审批监督计划：${row.title}`, link: planPage(row.id) }]
  if (row.state === planStates.returned)
    return [{ ...own, codes: [planMoves.save.needs], title: `修改监督计划：${row.title}`, link: `/jgt/checkplan/edit?id=${row.id}` }]
  if (!(validPlans as readonly string[]).includes(row.state) || row.received) return []
  return [
    { turn: 'responsible', codes: [planMoves.receive.needs], title: `签收监督计划 ${row.code ?? ''}`, link: planPage(row.id), due: null },
  ]
}

export const stepLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(planMoves).map(([action, { label }]) => [action, label])),
  create: '起草',
  begin: '首次检查，开始执行',
}
