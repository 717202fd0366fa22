import type { changeStanding } from '@zhugong/contract/campaigns/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { dayCheckType } from '../daychecks/public.ts'
import { tellKeepers } from '../notify/public.ts'
import { entrustNotices } from '../rectify/public.ts'
import type { Task } from './tasks.ts'

const resultPage = (taskId: string): string => `/jgt/provinces/checkResult?taskId=${taskId}`

/** The authority that supervises a project, if it is not the organiser itself. */
export async function authorityOf(
  ctx: Pick<Context, 'system' | 'group'>,
  projectCode: string,
): Promise<{ id: string; name: string } | undefined> {
  const { rows } = await sql<{
    id: string
    name: string
  }>`select t.id, t.name from project p join tenant t on t.type = 1 and t.code = p.supervise_org
    where p.project_code = ${projectCode} and t.id <> ${ctx.group.id}`.execute(ctx.system)
  return rows[0]
}

export async function entrustOf(ctx: Pick<Context, 'db'>, taskId: string): Promise<Row<'campaignEntrust'> | undefined> {
  const { rows } = await sql<Row<'campaignEntrust'>>`select * from campaign_entrust where id = ${taskId}`.execute(ctx.db)
  return rows[0]
}

/** Running notices of a check that the caller's group follows up itself. */
export async function ownNotices(ctx: Pick<Context, 'db' | 'group'>, checkId: string | null): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from rectify where source_kind = ${dayCheckType} and source_id = ${checkId}
    and issuer_group = ${ctx.group.id} and state in ('1', '2', '3', '4', '5', '6')`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** Hands the notices of a project to its authority. Returns the number of notices; none without such an authority. */
export async function entrustTask(ctx: Context, task: Pick<Task, 'id' | 'campaignId' | 'projectCode' | 'checkId'>): Promise<number> {
  const to = await authorityOf(ctx, task.projectCode)
  if (!to || task.checkId === null) return 0
  const n = await entrustNotices(ctx, { kind: dayCheckType, id: task.checkId }, { groupId: to.id, groupName: to.name })
  if (n === 0) return 0
  await ctx.db
    .insertInto('campaignEntrust')
    .values({
      ...pick(task, 'id', 'campaignId', 'projectCode'),
      groups: [ctx.group.id, to.id],
      toGroup: to.id,
      toName: to.name,
      entrustedAt: new Date(ctx.clock.now()),
      entrustedBy: ctx.user.name,
      acceptedAt: null,
      acceptedBy: null,
    })
    .onConflict((on) => on.column('id').doNothing())
    .execute()
  const { rows } = await sql<{ name: string }>`select name from project where project_code = ${task.projectCode}`.execute(ctx.db)
  await tellKeepers(ctx, {
    projectCode: task.projectCode,
    corpCode: null,
    groupId: to.id,
    exceptSite: true,
    code: 'supervision.rectifyRecheck',
    kind: 'provinces',
    title: '督查整改转办',
    text: `${ctx.group.name}转办${rows[0]?.name ?? ''}的 ${n} 份整改通知，请接收并复查`,
    link: resultPage(task.id),
  })
  return n
}

export const change: HandlerOf<typeof changeStanding> = async ({ params: { taskId }, body }, ctx) => {
  const { rows } = await sql<Task & { organiserGroup: string }>`select t.*, c.organiser_group from campaign_project t
    join campaign c on c.id = t.campaign_id where t.id = ${taskId} and t.dropped_at is null and ${ctx.group.id} = any (t.groups)`.execute(
    ctx.db,
  )
  const task = found(rows[0], '受检项目')
  if (body.action === 'entrust') {
    if (task.organiserGroup !== ctx.group.id) throw new AppError('forbidden', '整改由督查单位转办')
    if ((await entrustTask(ctx, task)) === 0) throw new AppError('refused', '没有可以转办的整改通知')
    ctx.note('转办督查整改', task.campaignId)
    return undefined
  }
  const given = await entrustOf(ctx, taskId)
  if (!given || given.toGroup !== ctx.group.id) throw new AppError('forbidden', '没有转办给本机构的整改')
  if (given.acceptedAt) throw new AppError('refused', `已由${given.acceptedBy ?? ''}接收`)
  await sql`update campaign_entrust set accepted_at = ${new Date(ctx.clock.now())}, accepted_by = ${ctx.user.name}
    where id = ${taskId} and accepted_at is null`.execute(ctx.db)
  ctx.note('接收督查整改转办', task.campaignId)
  return undefined
}
