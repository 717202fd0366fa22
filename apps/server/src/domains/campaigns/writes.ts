import { campaignLevels, furtherLook } from '@zhugong/contract/campaigns/moves'
import { AppError } from '@zhugong/contract/kit/errors'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { cancelDayCheck, createDayCheck } from '../daychecks/public.ts'
import { tellKeepers, tellOne } from '../notify/public.ts'
import { drawNumber, type Outcome } from '../process/public.ts'
import { drawProjects, freezePool, orderOf } from './draws.ts'
import { type Campaign, checksPage } from './kind.ts'
import { draftValues, requireComplete, writeSetup } from './setup.ts'
import {
  addProjects,
  areasOf,
  assignGroups,
  type Body,
  type BodyOf,
  dropTasks,
  groupsOf,
  insertTasks,
  membersOf,
  nextGroup,
  requireReady,
  type Task,
  tasksIn,
  whyNotOf,
} from './tasks.ts'

/** What each action changes beside the state. */
export async function write(ctx: Context, row: Campaign, body: Body): Promise<Outcome<Campaign>> {
  switch (body.action) {
    case 'save':
    case 'issue': {
      const { action, version: _version, ...fields } = body
      await writeSetup(ctx, row.id, fields)
      if (action === 'save') return { values: draftValues(fields) }
      requireComplete(ctx, fields)
      return { values: { ...draftValues(fields), ...(await issueValues(ctx)) } }
    }
    case 'addProjects':
      return addProjects(ctx, row, body)
    case 'freeze':
      return freezePool(ctx, row, body.reason)
    case 'draw':
      return drawProjects(ctx, row, body.witnesses)
    case 'assign':
      return assignGroups(ctx, row, body.tasks)
    case 'lock':
      return lock(ctx, row)
    case 'replace':
      return replace(ctx, row, body)
    case 'urge':
      return urge(ctx, row)
    case 'furtherLook':
      return lookAgain(ctx, row, body)
    case 'finish':
      return finish(ctx, row, body.summary)
    case 'cancel':
      for (const { checkId } of await tasksIn(ctx, row.id)) if (checkId) await cancelDayCheck(ctx, checkId, `督查取消：${body.opinion}`)
      return { opinion: body.opinion }
  }
}

const series = 'DC'
export async function issueValues(ctx: Context) {
  const { year, no } = await drawNumber(ctx, ctx.group.id, series)
  return { code: `${series}-${year}-${String(no).padStart(3, '0')}`, issueTime: new Date(ctx.clock.now()) }
}

/** Locks the list: every project becomes a check of its group. */
async function lock(ctx: Context, row: Campaign): Promise<Outcome<Campaign>> {
  const tasks = await requireReady(ctx, row)
  const today = formatDay(ctx.clock.now())
  for (const task of tasks) await planCheck(ctx, row, task, { plannedDate: row.startDate < today ? today : row.startDate })
  await shareCampaign(ctx, row.id)
  return { values: { lockTime: new Date(ctx.clock.now()) }, opinion: `${tasks.length} 个项目` }
}

/** The check of one project by its group; whoever may know of the check may know of the line. @returns the id of the check */
async function planCheck(
  ctx: Context,
  row: Campaign,
  task: Pick<Task, 'id' | 'projectCode' | 'groupSeq'>,
  { plannedDate, inspectType }: { plannedDate: string; inspectType?: string },
): Promise<string> {
  const group = (await groupsOf(ctx, row.id)).find((one) => one.seq === task.groupSeq)
  const members = (await membersOf(ctx, row.id)).filter((one) => one.groupSeq === task.groupSeq)
  const { rows: sheets } = await sql<Row<'campaignSheet'>>`select * from campaign_sheet where campaign_id = ${row.id} order by seq`.execute(
    ctx.db,
  )
  const isLook = inspectType !== undefined
  const check = await createDayCheck(ctx, {
    projectCode: task.projectCode,
    inspectType: inspectType ?? campaignLevels[row.level] ?? '',
    discipline: [...new Set(sheets.map((one) => one.discipline))],
    plannedDate,
    checkers: members.map((one) => ({ id: one.userId, name: one.name })),
    campaignId: row.id,
    campaignGroup: group?.name ?? null,
    template: sheets.map((one) => one.sheetCode),
    surprise: row.surprise,
  })
  if (!isLook) await sql`update campaign_project set check_id = ${check.id}, groups = ${check.groups} where id = ${task.id}`.execute(ctx.db)
  return check.id
}

/** A campaign is known to whoever may know one of its projects. */
export const shareCampaign = (ctx: Pick<Context, 'db'>, campaignId: string) =>
  sql`update campaign c set groups = array(select distinct x from (
      select unnest(c.groups) as x union select unnest(t.groups) from campaign_project t where t.campaign_id = c.id and t.dropped_at is null) g)
    where c.id = ${campaignId}`.execute(ctx.db)

/** A line of the campaign that is still in. @throws AppError `notFound` */
export async function taskOf(ctx: Pick<Context, 'db'>, row: Pick<Campaign, 'id'>, taskId: string): Promise<Task> {
  const { rows } = await sql<Task>`select * from campaign_project where id = ${taskId} and campaign_id = ${row.id}
    and dropped_at is null`.execute(ctx.db)
  return found(rows[0], '受检项目')
}

const statesOf = async (ctx: Pick<Context, 'db'>, projects: readonly string[]) => {
  const { rows } = await sql<{ projectCode: string; prjStatus: string; name: string }>`select project_code, prj_status, name from project
    where project_code = any (${[...projects]})`.execute(ctx.db)
  return new Map(rows.map((one) => [one.projectCode, one]))
}

/**
 * A project that is no longer under construction leaves the campaign; the next of the same draw steps in. Whoever cannot be checked either is
 * passed over, each with a line that says so.
 * @throws AppError `refused` while the project is under construction: nothing is exchanged at will
 */
async function replace(ctx: Context, row: Campaign, { taskId, reason }: BodyOf<'replace'>): Promise<Outcome<Campaign>> {
  const task = await taskOf(ctx, row, taskId)
  const now = (await statesOf(ctx, [task.projectCode])).get(task.projectCode)
  if (now?.prjStatus === projectStates.building) throw new AppError('refused', '项目仍在建，不能替换：抽取结果不能更改')
  if (task.checkId) await cancelDayCheck(ctx, task.checkId, `督查替换：${reason}`)
  await dropTasks(ctx, row.id, sql`id = ${task.id}`, `${dictName('projectState', now?.prjStatus ?? '') ?? ''}，替换：${reason}`)
  if (task.runId === null || task.quotaSeq === null) return { opinion: `${now?.name ?? ''} 移出（指定项目不递补）；${reason}` }
  const next = await nextOfDraw(ctx, row, { runId: task.runId, quotaSeq: task.quotaSeq, reason, taskId, groupSeq: task.groupSeq })
  return { opinion: `${now?.name ?? ''} 替换为 ${next}；${reason}` }
}

interface Place {
  runId: string
  quotaSeq: number
  reason: string
  taskId: string
  groupSeq: number | null
}

async function nextOfDraw(ctx: Context, row: Campaign, { runId, quotaSeq, reason, taskId, groupSeq }: Place): Promise<string> {
  const { order } = await orderOf(ctx, runId, quotaSeq)
  const { rows } = await sql<{ last: number }>`select coalesce(max(rank), 0)::int as last from campaign_project
    where campaign_id = ${row.id} and run_id = ${runId} and quota_seq = ${quotaSeq}`.execute(ctx.db)
  const rest = order.slice(rows[0]?.last ?? 0)
  const known = await statesOf(ctx, rest)
  const tasks = await tasksIn(ctx, row.id)
  const groups = await groupsOf(ctx, row.id)
  const whyNot = await whyNotOf(ctx, await membersOf(ctx, row.id), rest)
  const areas = await areasOf(ctx, rest)
  for (const [at, projectCode] of rest.entries()) {
    const load = (seq: number) => tasks.filter((one) => one.groupSeq === seq).length
    const sameGroup = groups.find((one) => one.seq === groupSeq && whyNot(one.seq, projectCode) === undefined)
    const seq = sameGroup?.seq ?? nextGroup(groups, { projectCode, areaCode: areas.get(projectCode) ?? '' }, whyNot, load)
    const passed =
      known.get(projectCode)?.prjStatus !== projectStates.building
        ? '顺延：非在建'
        : tasks.some((one) => one.projectCode === projectCode)
          ? '顺延：已在本次督查中'
          : seq === undefined
            ? '顺延：各检查组均须回避'
            : null
    const line = {
      projectCode,
      source: 'replacement' as const,
      runId,
      quotaSeq,
      rank: (rows[0]?.last ?? 0) + at + 1,
      reason,
      replaces: taskId,
    }
    if (passed !== null) {
      await insertTasks(ctx, row, [{ ...line, dropped: passed, droppedAt: new Date(ctx.clock.now()) }])
      continue
    }
    const [id = ''] = await insertTasks(ctx, row, [{ ...line, groupSeq: seq ?? null }])
    const today = formatDay(ctx.clock.now())
    await planCheck(ctx, row, { id, projectCode, groupSeq: seq ?? null }, { plannedDate: row.startDate < today ? today : row.startDate })
    await shareCampaign(ctx, row.id)
    return known.get(projectCode)?.name ?? projectCode
  }
  throw new AppError('refused', '同一抽取已没有可递补的项目')
}

/** Reminds the people of every group that has not submitted all its checks. */
async function urge(ctx: Context, row: Campaign): Promise<Outcome<Campaign>> {
  const { rows } = await sql<{ userId: string; n: number }>`select m.user_id, count(distinct t.id)::int as n from campaign_member m
    join campaign_project t on t.campaign_id = m.campaign_id and t.group_seq = m.group_seq and t.dropped_at is null
    join day_check d on d.id = t.check_id and d.state in ('0', '1')
    where m.campaign_id = ${row.id} and m.user_id is not null group by 1`.execute(ctx.db)
  const now = ctx.clock.now()
  const text = (n: number) => `${row.name}还有 ${n} 个项目未提交，${row.endDate} 截止`
  ctx.afterCommit(async () => {
    for (const { userId, n } of rows)
      await tellOne(ctx.system, { userId, kind: 'provinces', title: '督查催报', text: text(n), link: checksPage(row.id) }, now)
  })
  return { values: { urgedAt: new Date(now) }, opinion: `催报 ${rows.length} 人` }
}

/** A further look at a project that was checked: a check of its own, which changes nothing of the first. */
async function lookAgain(ctx: Context, row: Campaign, { taskId, plannedDate }: BodyOf<'furtherLook'>): Promise<Outcome<Campaign>> {
  const task = await taskOf(ctx, row, taskId)
  const { rows } = await sql<{ state: string; name: string }>`select d.state, p.name from day_check d join project p using (project_code)
    where d.id = ${task.checkId}`.execute(ctx.db)
  if (!rows[0] || !['2', '3', '4', '5'].includes(rows[0].state)) throw new AppError('refused', '该项目的督查还没有提交')
  await planCheck(ctx, row, task, { plannedDate, inspectType: furtherLook })
  return { opinion: `${rows[0].name}，${plannedDate}` }
}

/** Publishes the report: the campaign and its results become known to the sites. */
async function finish(ctx: Context, row: Campaign, summary: string): Promise<Outcome<Campaign>> {
  const at = new Date(ctx.clock.now())
  const tasks = await tasksIn(ctx, row.id)
  await sql`update campaign_project set shown_at = ${at} where campaign_id = ${row.id} and dropped_at is null and shown_at is null`.execute(
    ctx.db,
  )
  await sql`update campaign set shown_at = ${at} where id = ${row.id}`.execute(ctx.db)
  const notification = { corpCode: null, code: 'supervision.view', kind: 'provinces', title: '督查通报', text: `${row.name}督查通报已发布` }
  for (const { id, projectCode } of tasks)
    await tellKeepers(ctx, { ...notification, projectCode, link: `/jgt/provinces/checkResult?taskId=${id}` })
  for (const groupId of row.knowing.filter((one) => one !== row.organiserGroup))
    await tellKeepers(ctx, {
      ...notification,
      projectCode: tasks.find((one) => one.groups.includes(groupId))?.projectCode ?? '',
      groupId,
      exceptSite: true,
      link: checksPage(row.id),
    })
  return { values: { summary, finishTime: at }, opinion: null }
}
