import type { changeCampaign } from '@zhugong/contract/campaigns/calls'
import { drawModeCodes } from '@zhugong/contract/campaigns/moves'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { type RawBuilder, sql } from 'kysely'
import { type Context, found, projectsFor } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { allOf, inProjects } from '#kit/list'
import type { Outcome } from '../process/public.ts'
import { type Conflicts, conflictsFor, keyOf } from './conflicts.ts'
import type { Campaign } from './kind.ts'

export type Task = Row<'campaignProject'>
export type Body = ParsedFor<typeof changeCampaign>['body']
export type BodyOf<A extends Body['action']> = Extract<Body, { action: A }>

/** Projects that are in the campaign. */
export const tasksIn = async (ctx: Pick<Context, 'db'>, campaignId: string): Promise<Task[]> => {
  const { rows } = await sql<Task>`select * from campaign_project where campaign_id = ${campaignId} and dropped_at is null
    order by source = 'named' desc, run_id, quota_seq, rank, project_code`.execute(ctx.db)
  return rows
}

type NewTask = Pick<Task, 'projectCode' | 'source' | 'runId' | 'quotaSeq' | 'rank' | 'reason'> &
  Partial<Pick<Task, 'replaces' | 'groupSeq' | 'dropped' | 'droppedAt'>>

/** Puts projects into a campaign. Until the report they are known to the organiser, and to whom `groups` adds. @returns the ids */
export async function insertTasks(
  ctx: Context,
  row: Pick<Campaign, 'id' | 'organiserGroup'>,
  tasks: readonly NewTask[],
): Promise<string[]> {
  if (tasks.length === 0) return []
  const rows = tasks.map(({ replaces = null, groupSeq = null, dropped = null, droppedAt = null, ...one }) => ({
    id: ctx.newId(),
    campaignId: row.id,
    organiserGroup: row.organiserGroup,
    corpCode: null,
    shownAt: null,
    groups: [row.organiserGroup],
    replaces,
    groupSeq,
    checkId: null,
    dropped,
    droppedAt,
    createTime: new Date(ctx.clock.now()),
    createName: ctx.user.name,
    ...one,
  }))
  await ctx.db
    .insertInto('campaignProject')
    .values(rows)
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error, 'campaign_project_once') ? new AppError('refused', '项目已在本次督查中', { field: 'projects' }) : error
    })
  return rows.map((one) => one.id)
}

/** Takes projects out; their lines stay. */
export const dropTasks = (ctx: Pick<Context, 'db' | 'clock'>, campaignId: string, which: RawBuilder<unknown>, why: string) =>
  sql`update campaign_project set dropped = ${why}, dropped_at = ${new Date(ctx.clock.now())}
    where campaign_id = ${campaignId} and dropped_at is null and ${which}`.execute(ctx.db)

/** Names projects by hand, with the reason. */
export async function addProjects(ctx: Context, row: Campaign, { projects, reason }: BodyOf<'addProjects'>): Promise<Outcome<Campaign>> {
  const { rows: open } = await sql<{
    run: number
  }>`select run from campaign_run where campaign_id = ${row.id} and drawn_at is null`.execute(ctx.db)
  if (open[0]) throw new AppError('refused', `第 ${open[0].run} 次名单已冻结，请先抽取`)
  const codes = [...new Set(projects)]
  const { rows } = await sql<{ projectCode: string; name: string; prjStatus: string }>`select project_code, name, prj_status from project p
    where p.project_code = any (${codes}) and ${allOf(...inProjects('p.projectCode', projectsFor(ctx)))}`.execute(ctx.db)
  const known = new Map(rows.map((one) => [one.projectCode, one]))
  for (const [at, code] of codes.entries()) {
    const project = known.get(code)
    const field = `projects.${at}`
    if (!project) throw new AppError('invalidInput', '项目不存在或不在您的管辖范围内', { field })
    if (project.prjStatus !== projectStates.building) throw new AppError('invalidInput', `${project.name}不是在建项目`, { field })
  }
  await insertTasks(
    ctx,
    row,
    codes.map((projectCode) => ({ projectCode, source: 'named', runId: null, quotaSeq: null, rank: null, reason })),
  )
  return { opinion: `${rows.map((one) => one.name).join('、')}；${reason}` }
}

/** A line that was named by hand, before the lock. @throws AppError */
export async function removeNamed(ctx: Context, row: Campaign, taskId: string): Promise<void> {
  const { rows } = await sql<Task>`select * from campaign_project where id = ${taskId} and campaign_id = ${row.id}
    and dropped_at is null`.execute(ctx.db)
  const task = found(rows[0], '受检项目')
  if (task.source !== 'named') throw new AppError('refused', '抽取产生的项目不能移出')
  await sql`delete from campaign_project where id = ${taskId}`.execute(ctx.db)
}

export const groupsOf = async (ctx: Pick<Context, 'db'>, campaignId: string): Promise<Row<'campaignGroup'>[]> => {
  const { rows } = await sql<Row<'campaignGroup'>>`select * from campaign_group where campaign_id = ${campaignId} order by seq`.execute(
    ctx.db,
  )
  return rows
}
export const membersOf = async (ctx: Pick<Context, 'db'>, campaignId: string): Promise<Row<'campaignMember'>[]> => {
  const { rows } = await sql<Row<'campaignMember'>>`select * from campaign_member where campaign_id = ${campaignId}
    order by group_seq, leader desc, seq`.execute(ctx.db)
  return rows
}

/** Why a group must not check a project; undefined when it may. */
export type WhyNot = (groupSeq: number, projectCode: string) => string | undefined

/** The conflicts of a campaign's people with these projects. */
export async function whyNotOf(ctx: Context, members: readonly Row<'campaignMember'>[], projects: readonly string[]): Promise<WhyNot> {
  const conflicts: ReadonlyMap<string, Conflicts> = await conflictsFor(ctx, members, projects)
  return (groupSeq, projectCode) => {
    for (const one of members.filter((member) => member.groupSeq === groupSeq)) {
      const why = conflicts.get(keyOf(one))?.get(projectCode)
      if (why) return `${one.name}须回避：${why}`
    }
    return undefined
  }
}

/**
 * Gives projects to groups. Without any named, those that have none go to the group of their area, else to the one with the fewest, and
 * never to one with a conflict.
 */
export async function assignGroups(ctx: Context, row: Campaign, given: BodyOf<'assign'>['tasks']): Promise<Outcome<Campaign>> {
  const tasks = await tasksIn(ctx, row.id)
  const groups = await groupsOf(ctx, row.id)
  const whyNot = await whyNotOf(
    ctx,
    await membersOf(ctx, row.id),
    tasks.map((one) => one.projectCode),
  )
  const chosen = new Map<string, number>()
  for (const [at, { taskId, groupSeq }] of given.entries()) {
    const task = tasks.find((one) => one.id === taskId)
    const field = `tasks.${at}.groupSeq`
    if (!task) throw new AppError('invalidInput', '项目不在本次督查中，请刷新', { field })
    if (!groups.some((one) => one.seq === groupSeq)) throw new AppError('invalidInput', '没有这个检查组', { field })
    const why = whyNot(groupSeq, task.projectCode)
    if (why) throw new AppError('invalidInput', why, { field })
    chosen.set(taskId, groupSeq)
  }
  if (given.length === 0) {
    const areas = await areasOf(
      ctx,
      tasks.map((one) => one.projectCode),
    )
    for (const task of tasks.filter((one) => one.groupSeq === null)) {
      const load = (seq: number) => tasks.filter((one) => (chosen.get(one.id) ?? one.groupSeq) === seq).length
      const seq = nextGroup(groups, { projectCode: task.projectCode, areaCode: areas.get(task.projectCode) ?? '' }, whyNot, load)
      if (seq !== undefined) chosen.set(task.id, seq)
    }
  }
  for (const [id, seq] of chosen) await sql`update campaign_project set group_seq = ${seq} where id = ${id}`.execute(ctx.db)
  return {}
}

export async function areasOf(ctx: Pick<Context, 'db'>, projects: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ projectCode: string; areaCode: string }>`select project_code, area_code from project
    where project_code = any (${[...projects]})`.execute(ctx.db)
  return new Map(rows.map((one) => [one.projectCode, one.areaCode]))
}

/** The group of the project's area, else the least loaded, without a conflict; undefined when every group has one. */
export function nextGroup(
  groups: readonly Pick<Row<'campaignGroup'>, 'seq' | 'areaCode'>[],
  { projectCode, areaCode }: { projectCode: string; areaCode: string },
  whyNot: WhyNot,
  load: (seq: number) => number,
): number | undefined {
  return groups
    .filter(({ seq }) => whyNot(seq, projectCode) === undefined)
    .map(({ seq, areaCode: own }) => ({ seq, near: own === areaCode ? 0 : 1, load: load(seq) }))
    .sort((a, b) => a.near - b.near || a.load - b.load || a.seq - b.seq)[0]?.seq
}

/** @throws AppError when a campaign that draws has not drawn, or a project has no group or one with a conflict */
export async function requireReady(ctx: Context, row: Campaign): Promise<Task[]> {
  const { rows: runs } = await sql<{ run: number; drawnAt: Date | null }>`select run, drawn_at from campaign_run
    where campaign_id = ${row.id} order by run desc limit 1`.execute(ctx.db)
  if (row.drawMode === drawModeCodes.drawn && !runs[0]) throw new AppError('refused', '本次督查为随机抽取，请先抽取')
  if (runs[0] && runs[0].drawnAt === null) throw new AppError('refused', `第 ${runs[0].run} 次名单已冻结，请先抽取`)
  const tasks = await tasksIn(ctx, row.id)
  const without = tasks.filter((one) => one.groupSeq === null).length
  if (without > 0) throw new AppError('refused', `还有 ${without} 个项目没有分组`)
  const whyNot = await whyNotOf(
    ctx,
    await membersOf(ctx, row.id),
    tasks.map((one) => one.projectCode),
  )
  for (const task of tasks) {
    const why = task.groupSeq === null ? undefined : whyNot(task.groupSeq, task.projectCode)
    if (why) throw new AppError('refused', why)
  }
  return tasks
}
