import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { changePlan } from '@zhugong/contract/plans/calls'
import { planStates } from '@zhugong/contract/plans/moves'
import { explainRisk, leastVisits, windowsOf } from '@zhugong/contract/plans/risk'
import { sql } from 'kysely'
import type { Disclosed } from '#kit/columns'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { fileIdsOf, keptFiles } from '../files/public.ts'
import { drawNumber, type Outcome } from '../process/public.ts'
import type { Plan } from './kind.ts'
import { heldCheck } from './kind.ts'
import { riskFacts } from './risk-store.ts'

type Body = ParsedFor<typeof changePlan>['body']
export type BodyOf<A extends Body['action']> = Extract<Body, { action: A }>
export type PlanInput = Pick<
  BodyOf<'save'>,
  | 'title'
  | 'supervisors'
  | 'startDate'
  | 'endDate'
  | 'frequency'
  | 'frequencyReason'
  | 'mainContent'
  | 'measures'
  | 'focus'
  | 'disclosureDate'
  | 'files'
>

/** The level of one project as its facts stand. */
async function riskOf(ctx: Pick<Context, 'db' | 'clock'>, projectCode: string) {
  const facts = found((await riskFacts(ctx, [projectCode])).get(projectCode), '项目')
  return { ...explainRisk(facts), phase: facts.phase }
}

/**
 * The columns of what the officer writes.
 * @throws AppError `invalidInput` at the field; at `frequencyReason` when there are fewer visits than the risk level asks for, without reason
 */
export async function planValues(ctx: Context, projectCode: string, given: PlanInput, before: readonly string[] = []) {
  const refuse = (field: string, message: string) => new AppError('invalidInput', message, { field })
  if (given.endDate < given.startDate) throw refuse('endDate', '结束日期不能早于开始日期')
  for (const [at, { from, to }] of given.frequency.entries()) {
    if (to < from) throw refuse(`frequency.${at}.to`, '结束日期不能早于开始日期')
    if (from < given.startDate || to > given.endDate) throw refuse(`frequency.${at}.from`, '抽查时段须在计划起止日期内')
  }
  await requireOfficers(ctx, given.supervisors)
  const { level } = await riskOf(ctx, projectCode)
  const times = given.frequency.reduce((sum, one) => sum + one.times, 0)
  const least = leastVisits(level, given.startDate, given.endDate)
  if (times < least && !given.frequencyReason)
    throw refuse('frequencyReason', `风险等级 ${level} 级，应不少于 ${least} 次，少于时请说明原因`)
  const { frequency: _frequency, supervisors, focus, files, ...columns } = given
  return {
    ...columns,
    supervisors: supervisors.map(({ name }) => name),
    supervisorIds: supervisors.flatMap((one) => one.id ?? []),
    focus: [...focus],
    files: await keptFiles(ctx, fileIdsOf(files), before, 'files'),
    riskLevel: level,
  }
}

/** @throws AppError at `supervisors` for an account that is not of the institution */
async function requireOfficers(ctx: Context, supervisors: PlanInput['supervisors']): Promise<void> {
  const ids = supervisors.flatMap((one) => one.id ?? [])
  const { rows } = await sql<{ n: number }>`select count(distinct m.user_id)::int as n from member m join app_user u on u.id = m.user_id
    where m.group_id = ${ctx.group.id} and m.user_id = any (${ids}) and m.enable = '1' and u.enable = '1'`.execute(ctx.system)
  if ((rows[0]?.n ?? 0) < new Set(ids).size) throw new AppError('invalidInput', '监督人员须为本机构在册人员', { field: 'supervisors' })
}

const hidden = ({ projectCode, corpCode, groups }: Disclosed) => ({ projectCode, corpCode, shownAt: null, groups })

export async function writeFrequency(ctx: Context, plan: Pick<Plan, 'id'> & Disclosed, rows: PlanInput['frequency']): Promise<void> {
  await sql`delete from check_plan_frequency where plan_id = ${plan.id}`.execute(ctx.db)
  await ctx.db
    .insertInto('checkPlanFrequency')
    .values(
      rows.map(({ phase, times, from, to }, seq) => ({ planId: plan.id, seq, ...hidden(plan), phase, times, fromDate: from, toDate: to })),
    )
    .execute()
}

/**
 * Puts a version in force: number, visits, the content as the site is given it. Visits that were held or have a check stay; the others are
 * planned anew, and those already held count for the new frequency.
 */
export async function approve(ctx: Context, plan: Plan, opinion: string): Promise<Outcome<Plan>> {
  const now = new Date(ctx.clock.now())
  const shownAt = plan.shownAt ?? now
  await planVisits(ctx, plan)
  const { id: planId, versionNo, projectCode, corpCode, groups, title, supervisors, startDate, endDate } = plan
  const { mainContent, measures, focus, disclosureDate, reason } = plan
  await ctx.db
    .insertInto('checkPlanVersion')
    .values({
      ...{ planId, versionNo, projectCode, corpCode, shownAt: now, groups, title, supervisors, startDate, endDate },
      ...{ mainContent, measures, focus, disclosureDate, reason, approveName: ctx.user.name, approveAt: now },
    })
    .execute()
  const begun = await sql`select from day_check d where d.plan_id = ${planId} and ${heldCheck} limit 1`.execute(ctx.db)
  const values = { shownAt, approveName: ctx.user.name, approveAt: now, opinion: null, code: plan.code ?? (await numberOf(ctx, plan)) }
  return { to: begun.rows.length > 0 ? planStates.running : planStates.published, values, opinion }
}

async function planVisits(ctx: Context, plan: Plan): Promise<void> {
  const { rows } = await sql<Row<'checkPlanFrequency'>>`select * from check_plan_frequency where plan_id = ${plan.id} order by seq`.execute(
    ctx.db,
  )
  await sql`delete from check_plan_visit where plan_id = ${plan.id} and check_id is null`.execute(ctx.db)
  const kept = await sql<Pick<Row<'checkPlanVisit'>, 'windowStart' | 'windowEnd'>>`select window_start, window_end from check_plan_visit
    where plan_id = ${plan.id}`.execute(ctx.db)
  const windows = windowsOf(rows.map(({ phase, times, fromDate, toDate }) => ({ phase, times, from: fromDate, to: toDate }))).filter(
    (one) => !kept.rows.some((old) => old.windowStart <= one.end && old.windowEnd >= one.start),
  )
  if (windows.length === 0) return
  await ctx.db
    .insertInto('checkPlanVisit')
    .values(
      windows.map(({ phase, start, end }, i) => ({
        id: ctx.newId(),
        planId: plan.id,
        ...hidden(plan),
        seq: kept.rows.length + i + 1,
        phase,
        windowStart: start,
        windowEnd: end,
        checkId: null,
      })),
    )
    .execute()
}

/** The printed plan (dictionary superviseDocType): 107 for quality, otherwise 101. */
export const docTypeOf = ({ discipline }: Pick<Plan, 'discipline'>): '101' | '107' => (discipline === '2' ? '107' : '101')

async function numberOf(ctx: Context, plan: Plan): Promise<string> {
  const { year, no } = await drawNumber(ctx, ctx.group.id, docTypeOf(plan))
  return `${ctx.group.name}监计〔${year}〕第${String(no).padStart(4, '0')}号`
}
