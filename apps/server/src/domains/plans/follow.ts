import { AppError } from '@zhugong/contract/kit/errors'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { aheadDays, planStates, validPlans } from '@zhugong/contract/plans/moves'
import { sql } from 'kysely'
import { asProduct, type BackgroundDependencies } from '#kit/background'
import { changeRow } from '#kit/change-row'
import { addDays, formatDay } from '#kit/clock'
import { groupTypes } from '#kit/context'
import { type CheckFollower, createDayCheck, registerCheckFollower } from '../daychecks/public.ts'
import { writeLog } from '../process/public.ts'
import { planKind, planType } from './kind.ts'
import { storeRisk } from './risk-store.ts'

/** A submitted check begins its plan and changes the risk of its project; a cancelled one gives its visit back. */
const follower: CheckFollower = {
  created: async (ctx, { id, projectCode, planId, visitId }) => {
    if (!visitId) return
    const { rows } = await sql`update check_plan_visit set check_id = ${id} where id = ${visitId} and plan_id = ${planId}
      and project_code = ${projectCode} and check_id is null returning id`.execute(ctx.db)
    if (rows.length === 0) throw new AppError('invalidInput', '检查窗口不存在或已安排检查', { field: 'visitId' })
  },
  submitted: async (ctx, { projectCode, planId }) => {
    await storeRisk(ctx, [projectCode])
    if (!planId) return
    const plan = await planKind.lock(ctx, planId)
    if (plan.state !== planStates.published) return
    await changeRow(ctx, 'checkPlan', {
      key: { id: planId },
      version: plan.version,
      noun: planKind.noun,
      by: null,
      values: { state: planStates.running },
    })
    await writeLog(ctx, planType, { ...plan, state: planStates.running }, { action: 'begin', from: plan.state, to: planStates.running })
  },
  cancelled: async (ctx, { id }) => {
    await sql`update check_plan_visit set check_id = null where check_id = ${id}`.execute(ctx.db)
  },
}
export const followChecks = (): void => registerCheckFollower(follower)

/** Plans handled per run; the rest follow in the next. */
const atOnce = 50

/** Makes the task of every visit whose window begins within a week, in the name of the institution. Returns the number. */
export async function arrangeVisits(deps: BackgroundDependencies): Promise<number> {
  followChecks()
  const today = formatDay(deps.clock.now())
  type Due = {
    id: string
    planId: string
    projectCode: string
    windowStart: string
    discipline: string
    supervisors: string[]
    supervisorIds: string[]
    groupId: string
    code: string
    groupName: string
    areaCode: string | null
    userId: string
    userName: string
  }
  const { rows } = await sql<Due>`select v.id, v.plan_id, v.project_code, v.window_start, p.discipline, p.supervisors, p.supervisor_ids,
      t.id as group_id, t.code, t.name as group_name, t.area_code, p.create_by as user_id, coalesce(p.submit_name, '系统') as user_name
    from check_plan_visit v join check_plan p on p.id = v.plan_id and p.state = any (${[...validPlans]}::text[])
      join tenant t on t.id = p.author_group join project j on j.project_code = v.project_code and j.prj_status = ${projectStates.building}
    where v.check_id is null and v.window_start <= ${addDays(today, aheadDays)}::date and v.window_end >= ${today}::date
    order by v.window_start, v.id limit ${atOnce}`.execute(deps.db)
  for (const due of rows) {
    const group = { id: due.groupId, type: groupTypes.government, code: due.code, name: due.groupName, areaCode: due.areaCode }
    await asProduct(deps, { userId: due.userId, name: due.userName, groupId: group.id, group }, async (ctx) => {
      const { rows: free } =
        await sql`select from check_plan_visit where id = ${due.id} and check_id is null for update skip locked`.execute(ctx.db)
      if (free.length === 0) return
      await createDayCheck(ctx, {
        projectCode: due.projectCode,
        inspectType: '01',
        discipline: [due.discipline],
        plannedDate: due.windowStart > today ? due.windowStart : today,
        checkers: due.supervisors.map((name, i) => ({ id: due.supervisorIds[i] ?? null, name })),
        planId: due.planId,
        visitId: due.id,
      })
    }).catch((error: unknown) => deps.log.warn({ err: error, visit: due.id }, 'the task of a visit was not made'))
  }
  return rows.length
}

/** Projects recomputed at a time. */
const risksAtOnce = 500
/** Recomputes the risk level of every project that is supervised, once a night. */
export async function computeRisks(deps: BackgroundDependencies): Promise<void> {
  const { rows } = await sql<{ projectCode: string }>`select project_code from project
    where prj_status in (${projectStates.building}, ${projectStates.stopped}) order by 1`.execute(deps.db)
  for (let at = 0; at < rows.length; at += risksAtOnce)
    await storeRisk(
      deps,
      rows.slice(at, at + risksAtOnce).map((one) => one.projectCode),
    )
}
