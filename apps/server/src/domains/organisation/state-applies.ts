import { AppError } from '@zhugong/contract/kit/errors'
import { projectActions } from '@zhugong/contract/organisation/model'
import type * as contract from '@zhugong/contract/organisation/projects'
import { stateApply } from '@zhugong/contract/organisation/projects'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { conflictOf } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, found, projectsFor } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { allOf, anyOf, inProjects, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { actionsFor, actOn, holdItem, type ItemActions, itemOf, newestItem, startFlow } from '../workflow/public.ts'
import { getRaw, mayChangeState } from './project-rows.ts'
import { actionOf, flowStart, requireReady, stateKind } from './state-flow.ts'

const { running } = approvalStates

/**
 * Applies for another project state, approves a pending application, or orders the change, depending on the caller. A caller who may
 * decide alone needs no approval; if the workflow requires two, the order waits for the second.
 */
export const changeProjectState: HandlerOf<typeof contract.changeProjectState> = async ({ body }, ctx) => {
  const waiting = await waitingApply(ctx, body.projectCode)
  // Locks the item before the project, like a decision does, to avoid deadlocks.
  if (waiting) await holdItem(ctx, stateKind, waiting.id)
  await sql`select 1 from project where project_code = ${body.projectCode} for update`.execute(ctx.db)
  const project = await getRaw(ctx, body.projectCode)
  if (!mayChangeState(ctx, project)) throw new AppError('forbidden', '项目状态由监管机构、平台或建设单位变更')
  const action = projectActions[body.action]
  if (project.prjStatus !== action.from) throw new AppError('refused', '当前状态不允许该操作')
  if (action.needsReason && body.reason.length < 5)
    throw new AppError('invalidInput', `${action.name}请填写原因（至少 5 个字）`, { field: 'reason' })
  await requireReady(ctx.db, project, body.action)
  if (project.version !== body.version) throw await conflictOf(ctx, 'project', { projectCode: project.projectCode }, '项目')
  if (waiting) await agreeTo(ctx, waiting, body)
  else await file(ctx, project, body)
  const { prjStatus, version } = await getRaw(ctx, body.projectCode)
  const isWaiting = prjStatus !== action.to
  ctx.note(`${isWaiting ? '申请' : ''}${action.name}：${project.name}`, project.projectCode)
  return { prjStatus, version, waiting: isWaiting ? true : undefined }
}

type Apply = Row<'projectStateApply'>
const waitingApply = (ctx: Pick<Context, 'db'>, projectCode: string): Promise<Apply | undefined> =>
  ctx.db.selectFrom('projectStateApply').selectAll().where('projectCode', '=', projectCode).where('state', '=', running).executeTakeFirst()

async function agreeTo(ctx: Context, waiting: Apply, { action, reason }: { action: string; reason: string }): Promise<void> {
  if (waiting.action !== action)
    throw new AppError('refused', `本项目有待审的“${actionOf(waiting.action).name}”申请，请先办理`, { applyId: waiting.id })
  await actOn(ctx, (await itemOf(ctx, stateKind, waiting.id)).id, { result: 'pass', opinion: reason, code: 'project.state' })
}

async function file(
  ctx: Context,
  project: Awaited<ReturnType<typeof getRaw>>,
  { action, reason }: { action: string; reason: string },
): Promise<void> {
  const id = ctx.newId()
  try {
    await ctx.db
      .insertInto('projectStateApply')
      .values({
        id,
        projectCode: project.projectCode,
        action,
        fromState: project.prjStatus,
        reason,
        filedBy: ctx.user.id,
        filedName: `${ctx.group.name} ${ctx.user.name}`.trim(),
        filedGroup: ctx.group.id,
        opinion: null,
        decidedName: null,
        decideTime: null,
        createTime: new Date(ctx.clock.now()),
      })
      .execute()
  } catch (error) {
    if (isUniqueViolation(error, 'project_state_apply_waiting'))
      throw new AppError('refused', '本项目已有待审的状态申请，请等待办结或先撤回')
    throw error
  }
  await startFlow(ctx, { ...flowStart({ id, projectCode: project.projectCode, action }, project, ctx.group.id), order: true })
}

type RawApply = Apply & { projectName: string }
const select = sql`select x.*, p.name as project_name from project_state_apply x join project p using (project_code)`

export const listStateApplies: HandlerOf<typeof contract.listStateApplies> = async ({ query }, ctx) => {
  const inSight = inProjects('x.projectCode', projectsFor(ctx, query.projectCode))
  const where = allOf(...inSight, ...anyOf('x.state', query.state))
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<RawApply>`${select} where ${where}
      order by x.state <> ${running}, x.create_time desc, x.id limit ${limit} offset ${offset}`.execute(ctx.db)
  const { rows: counted } = await sql<{ total: number; waiting: number }>`
    select (select count(*)::int from project_state_apply x where ${where}) as total,
      (select count(*)::int from project_state_apply x where ${allOf(...inSight)} and x.state = ${running}) as waiting`.execute(ctx.db)
  const actions = await actionsFor(
    ctx,
    stateKind,
    rows.map((row) => row.id),
  )
  const { total = 0, waiting = 0 } = counted[0] ?? {}
  return { list: rows.map((row) => toApply(row, actions.get(row.id), ctx.codes.has('project.state'))), total, waiting }
}

const acts = ['pass', 'reject', 'withdraw'] as const

function toApply(row: RawApply, available: ItemActions | undefined, mayAct: boolean): contract.StateApply {
  const action = actionOf(row.action)
  return rowOf(stateApply, row, {
    actionName: action.name,
    fromName: dictName('projectState', row.fromState),
    toName: dictName('projectState', action.to),
    stateName: dictName('approvalState', row.state),
    createTime: formatInstant(row.createTime),
    decideTime: row.decideTime && formatInstant(row.decideTime),
    itemId: available?.itemId ?? null,
    actions: mayAct ? acts.filter((one) => available?.actions.includes(one)) : [],
  })
}

const verbs = { pass: '同意', reject: '驳回', withdraw: '撤回' } as const

export const decideStateApply: HandlerOf<typeof contract.decideStateApply> = async ({ params, body }, ctx) => {
  await holdItem(ctx, stateKind, params.id)
  const within = allOf(...inProjects('x.projectCode', projectsFor(ctx)))
  const { rows } = await sql<RawApply>`${select} where x.id = ${params.id} and ${within}`.execute(ctx.db)
  const row = found(rows[0], '状态申请')
  const item = row.state === running ? await itemOf(ctx, stateKind, row.id) : await newestItem(ctx, stateKind, row.id)
  if (!item) throw new AppError('refused', '当前状态不允许该操作')
  if (row.state === running && row.version !== body.version) throw await conflictOf(ctx, 'projectStateApply', { id: row.id }, '申请')
  await actOn(ctx, item.id, {
    result: body.action,
    opinion: body.opinion,
    code: body.action === 'withdraw' ? undefined : 'project.state',
  })
  ctx.note(`${verbs[body.action]}${actionOf(row.action).name}申请：${row.projectName}`, row.id)
  return undefined
}
