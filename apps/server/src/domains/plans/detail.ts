import type { getPlan, PlanDetail, PlanVisit } from '@zhugong/contract/plans/calls'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { linksOf } from '../files/public.ts'
import { historyOf, offersFor } from '../process/public.ts'
import { heldCheck, type Plan, planKind, planType, readPlan, stepLabels } from './kind.ts'
import { isRegulator, rowFor } from './rows.ts'

export const readDetail: HandlerOf<typeof getPlan> = async ({ params: { id } }, ctx) => {
  const row = found(await rowFor(ctx, id), '监督计划')
  const plan = await readPlan(ctx, id)
  const versions = await versionsOf(ctx, id)
  const shown = versions.at(-1)
  const regulates = isRegulator(ctx)
  // The site reads the version in force, not the one that is being changed.
  const content = regulates || !shown ? plan : shown
  const actions = offersFor(ctx, planKind, plan)
  return {
    ...row,
    supervisorIds: regulates ? plan.supervisorIds : [],
    ...pick(content, 'mainContent', 'measures', 'focus', 'disclosureDate', 'reason'),
    frequencyReason: regulates ? plan.frequencyReason : null,
    files: regulates ? linksOf(ctx, plan.files) : [],
    opinion: regulates ? plan.opinion : null,
    authorGroupName: plan.authorGroupName,
    submitName: regulates ? plan.submitName : null,
    approveName: shown?.approveName ?? null,
    approveAt: shown ? formatInstant(shown.approveAt) : null,
    published: shown !== undefined,
    frequency: await frequencyOf(ctx, id),
    visits: await visitsOf(ctx, plan, row.paused),
    versions: regulates ? versions.map((one, i) => versionOf(one, versions[i - 1])) : [],
    receipts: await receiptsOf(ctx, plan),
    openNotices: regulates ? await noticesOf(ctx, id) : [],
    timeline: regulates ? await historyOf(ctx, planType, id, stepLabels) : [],
    actions: actions.filter(({ action }) => action !== 'receive' || !(shown && receivedHere(ctx, plan))),
  }
}

const receivedHere = (ctx: Pick<Context, 'group'>, plan: Plan) => ctx.group.code === plan.projectCode && plan.received

type Version = Row<'checkPlanVersion'>
export async function versionsOf(ctx: Pick<Context, 'db'>, id: string): Promise<Version[]> {
  const { rows } = await sql<Version>`select * from check_plan_version where plan_id = ${id} order by version_no`.execute(ctx.db)
  return rows
}

/** Fields of a version that are compared line by line. */
const compared: Readonly<Record<string, (one: Version) => string>> = {
  计划名称: (one) => one.title,
  监督人员: (one) => one.supervisors.join('、'),
  起止: (one) => `${one.startDate} 至 ${one.endDate}`,
  监督交底: (one) => one.disclosureDate ?? '',
  重点部位: (one) => one.focus.join('、'),
  主要监督内容: (one) => one.mainContent,
  监督措施: (one) => one.measures ?? '',
}

function versionOf(one: Version, before: Version | undefined): PlanDetail['versions'][number] {
  const changes = before
    ? Object.entries(compared).flatMap(([label, read]) => {
        const [old, now] = [read(before).split('\n'), read(one).split('\n')]
        const gone = old.filter((line) => !now.includes(line))
        const come = now.filter((line) => !old.includes(line))
        return Array.from({ length: Math.max(gone.length, come.length) }, (_, i) => ({
          label,
          before: gone[i] ?? '',
          after: come[i] ?? '',
        }))
      })
    : []
  const { versionNo, reason, approveName, approveAt } = one
  return { versionNo, reason, approveName, approveAt: formatInstant(approveAt), changes }
}

async function frequencyOf(ctx: Pick<Context, 'db'>, id: string): Promise<PlanDetail['frequency']> {
  const { rows } = await sql<Row<'checkPlanFrequency'>>`select * from check_plan_frequency where plan_id = ${id} order by seq`.execute(
    ctx.db,
  )
  return rows.map(({ phase, times, fromDate, toDate }) => ({
    phase,
    phaseName: dictName('projectPhase', phase) ?? phase,
    times,
    from: fromDate,
    to: toDate,
  }))
}

async function visitsOf(ctx: Pick<Context, 'db' | 'clock'>, plan: Plan, paused: boolean): Promise<PlanVisit[]> {
  type Raw = Row<'checkPlanVisit'> & {
    held: boolean | null
    checkCode: string | null
    checkers: string[] | null
    checkState: string | null
    score: number | null
  }
  const { rows } = await sql<Raw>`select v.*, ${heldCheck} as held, d.code as check_code, c.checkers, d.state as check_state, s.score
    from check_plan_visit v left join day_check d on d.id = v.check_id left join site_check c on c.id = d.id left join check_score s on s.check_id = d.id
    where v.plan_id = ${plan.id} order by v.window_start, v.seq`.execute(ctx.db)
  const today = formatDay(ctx.clock.now())
  return rows.map((v, i) => ({
    ...pick(v, 'id', 'windowStart', 'windowEnd'),
    seq: i + 1,
    phaseName: dictName('projectPhase', v.phase) ?? v.phase,
    mark: v.held ? 'done' : paused ? 'paused' : v.windowEnd < today ? 'missed' : v.windowStart <= today ? 'due' : 'planned',
    check:
      v.checkId === null
        ? null
        : {
            id: v.checkId,
            code: v.checkCode,
            checkers: v.checkers ?? [],
            stateName: dictName('dayCheckState', v.checkState) ?? '',
            score: v.score,
          },
  }))
}

async function receiptsOf(ctx: Pick<Context, 'db'>, plan: Plan): Promise<PlanDetail['receipts']> {
  const { rows } = await sql<Row<'checkPlanReceipt'>>`select * from check_plan_receipt where plan_id = ${plan.id}
    and version_no = ${plan.versionNo} order by at`.execute(ctx.db)
  return rows.map(({ groupName, name, at }) => ({ groupName, name, at: formatInstant(at) }))
}

async function noticesOf(ctx: Pick<Context, 'db'>, id: string): Promise<PlanDetail['openNotices']> {
  const { rows } = await sql<PlanDetail['openNotices'][number]>`select r.id, r.code from rectify r join day_check d on d.id = r.source_id
    where r.source_kind = 'daycheck' and d.plan_id = ${id} and r.state = any ('{1,2,3,4,5,6}') order by r.deadline, r.id`.execute(ctx.db)
  return rows
}
