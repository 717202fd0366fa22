import type { CampaignCheck, campaignMatrix, campaignProgress, listCampaignChecks, listMyChecks } from '@zhugong/contract/campaigns/checks'
import { campaignCheck } from '@zhugong/contract/campaigns/checks'
import { dayCheckStates } from '@zhugong/contract/daychecks/moves'
import { type Grade, gradeNames } from '@zhugong/contract/scoring/score'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { found } from '#kit/context'
import { anyOf, between, type Condition, condition, filtersOf, inAreas, instantsBetween, orderBy, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { sheetName, standardCategories } from '../scoring/public.ts'
import { type RankContext, ranksFor } from './rank.ts'
import { rowFor } from './rows.ts'
import { factsOfTask, rateOf, seenTasks, submitted, type Viewer } from './seen.ts'

type Query = Partial<NonNullable<(typeof listCampaignChecks)['types']>['parsed']['query']>
interface RawCheck {
  taskId: string
  checkId: string | null
  projectCode: string
  projectName: string
  areaCode: string
  groupName: string | null
  checkers: string[] | null
  checkedAt: Date | null
  score: number | null
  grade: Grade | null
  missing: string[]
  problems: number
  major: number
  noticeType: string | null
  notices: number
  open: number
  discipline: string[] | null
  signed: { discipline: string; by_name: string }[]
  state: string | null
}

/** Sheets of the template that say nothing about the project: absent, not applicable, or without a checked item. */
const missingSheets = sql`array(select h.sheet_code from campaign_sheet h where h.campaign_id = t.campaign_id and not exists (
  select from check_sheet x join check_result y on y.sheet_id = x.id and y.result in ('1', '2')
  where x.check_id = t.check_id and x.sheet_code = h.sheet_code and x.not_applicable is null) order by h.seq)`

const everyCheck = (
  ctx: Viewer,
  campaignId: string,
) => sql`(select t.id as task_id, t.check_id, t.project_code, p.name as project_name, p.area_code, g.name as group_name,
    k.checkers, coalesce(d.submit_at, d.check_in_at) as checked_at, s.score, s.grade,
    case when ${submitted} then ${missingSheets} else '{}' end as missing, coalesce(m.problems, 0) as problems, coalesce(m.major, 0) as major, n.notice_type,
    coalesce(n.notices, 0) as notices, coalesce(n.open, 0) as open, case when n.notices > 0 then round((n.notices - n.open) * 100.0 / n.notices) end as close_rate,
    d.discipline, coalesce((select jsonb_agg(jsonb_build_object('discipline', v.discipline, 'by_name', v.by_name)) from day_check_discipline v where v.check_id = t.check_id), '[]') as signed,
    d.state, coalesce(${submitted}, false) as done
  from campaign_project t join project p on p.project_code = t.project_code
  left join campaign_group g on g.campaign_id = t.campaign_id and g.seq = t.group_seq ${factsOfTask}
  where t.campaign_id = ${campaignId} and ${seenTasks(ctx)})`

const conditions = (query: Query): Condition =>
  filtersOf(query, {
    projectCode: 'elsewhere',
    planId: 'elsewhere',
    areaCode: [inAreas, 'c.areaCode'],
    groupName: [anyOf, 'c.groupName'],
    checkers: (names) => condition(sql`c.checkers && ${[...names]}::text[]`),
    checkDate: [instantsBetween, 'c.checkedAt'],
    score: [between, 'c.score'],
    grade: [anyOf, 'c.grade'],
    problemCount: [between, 'c.problems'],
    majorCount: (yes) => condition(yes ? sql`c.major > 0` : sql`c.major = 0`),
    noticeType: [anyOf, 'c.noticeType'],
    closeRate: [between, 'c.closeRate'],
    state: [anyOf, 'c.state'],
    done: (yes) => condition(yes ? sql`c.done` : sql`not c.done`),
  })

const order = (sort: Query['sort']) =>
  orderBy(
    sort,
    { score: 'c.score', checkDate: 'c.checkedAt', problemCount: 'c.problems!', majorCount: 'c.major!', closeRate: 'c.closeRate' },
    '-score',
    'c.taskId',
  )

export async function readChecks(
  ctx: RankContext,
  campaignId: string,
  query: Query,
  { limit, offset }: { limit?: number; offset?: number } = {},
): Promise<CampaignCheck[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<RawCheck>`select c.* from ${everyCheck(ctx, campaignId)} c where ${conditions(query)}
    order by ${order(query.sort)} ${page}`.execute(ctx.db)
  const { ranks } = await ranksFor(ctx, campaignId)
  return rows.map((one) => toCheck(one, ranks.get(one.taskId) ?? null))
}

export async function countChecks(ctx: RankContext, campaignId: string, query: Query): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from ${everyCheck(ctx, campaignId)} c where ${conditions(query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** One line with its check, if the caller may know it. */
export async function checkFor(ctx: RankContext, campaignId: string, taskId: string): Promise<CampaignCheck | undefined> {
  const { rows } = await sql<RawCheck>`select c.* from ${everyCheck(ctx, campaignId)} c where c.task_id = ${taskId}`.execute(ctx.db)
  const { ranks } = await ranksFor(ctx, campaignId)
  return rows[0] && toCheck(rows[0], ranks.get(taskId) ?? null)
}

const toCheck = (r: RawCheck, rank: number | null): CampaignCheck =>
  rowOf(campaignCheck, r, {
    areaName: areaName(r.areaCode) ?? r.areaCode,
    checkers: r.checkers ?? [],
    checkDate: r.checkedAt && formatDay(r.checkedAt.getTime()),
    gradeName: r.grade && gradeNames[r.grade],
    rank,
    missingSheets: r.missing.map(sheetName),
    problemCount: r.problems,
    majorCount: r.major,
    noticeTypeName: r.noticeType && (dictName('rectifyNoticeType', r.noticeType) ?? r.noticeType),
    openNotices: r.open,
    closeRate: rateOf(r.notices, r.open),
    disciplines: (r.discipline ?? []).map((code) => ({
      code,
      name: dictName('checkDiscipline', code) ?? code,
      byName: r.signed.find((one) => one.discipline === code)?.by_name ?? null,
    })),
    state: r.state ?? '',
    stateName: r.state === null ? '待锁定' : (dictName('dayCheckState', r.state) ?? r.state),
  })

export const listChecks: HandlerOf<typeof listCampaignChecks> = async ({ query }, ctx) => {
  const id = query.planId
  found(await rowFor(ctx, id), '督查')
  type Counts = { due: number; done: number; avgScore: number | null; major: number }
  const { rows } = await sql<Counts>`select count(*)::int as due, count(*) filter (where c.done)::int as done,
      round(avg(c.score) filter (where c.done), 2)::float8 as avg_score, count(*) filter (where c.major > 0)::int as major
    from ${everyCheck(ctx, id)} c`.execute(ctx.db)
  return {
    list: await readChecks(ctx, id, query, pageSlice(query)),
    total: await countChecks(ctx, id, query),
    counts: rows[0] ?? { due: 0, done: 0, avgScore: null, major: 0 },
  }
}

/** Scores of the submitted checks by the categories of the standard, the worst project first. */
export const readMatrix: HandlerOf<typeof campaignMatrix> = async ({ params: { id } }, ctx) => {
  found(await rowFor(ctx, id), '督查')
  type Raw = {
    taskId: string
    checkId: string | null
    projectName: string
    score: number | null
    category: string | null
    own: number | null
    problems: number
  }
  const { rows } = await sql<Raw>`select t.id as task_id, t.check_id, p.name as project_name, s.score, y.category, y.score as own,
      (select count(*)::int from site_check_problem x where x.check_id = t.check_id and left(x.item_code, 2) = y.category) as problems
    from campaign_project t join project p on p.project_code = t.project_code join day_check d on d.id = t.check_id and ${submitted}
    left join check_score s on s.check_id = t.check_id left join check_category y on y.check_id = t.check_id
    where t.campaign_id = ${id} and ${seenTasks(ctx)} order by s.score nulls last, t.id`.execute(ctx.db)
  const byTask = [...Map.groupBy(rows, (one) => one.taskId).values()]
  const scoreIn = (all: Raw[], code: string) => all.find((one) => one.category === code)
  const list = byTask.map((all) => ({
    taskId: all[0]?.taskId ?? '',
    checkId: all[0]?.checkId ?? null,
    projectName: all[0]?.projectName ?? '',
    score: all[0]?.score ?? null,
    scores: standardCategories.map(({ code }) => scoreIn(all, code)?.own ?? null),
    problems: standardCategories.map(({ code }) => scoreIn(all, code)?.problems ?? 0),
  }))
  const categories = standardCategories.map(({ code, name }, at) => {
    const known = list.flatMap((one) => one.scores[at] ?? [])
    return { code, name, mean: known.length ? Math.round((known.reduce((sum, one) => sum + one, 0) / known.length) * 100) / 100 : null }
  })
  return { categories, list, total: list.length }
}

export const readProgress: HandlerOf<typeof campaignProgress> = async ({ params: { id } }, ctx) => {
  found(await rowFor(ctx, id), '督查')
  const by = (key: RawBuilder<unknown>) =>
    sql<{
      name: string | null
      due: number
      done: number
    }>`select ${key} as name, count(*)::int as due, count(*) filter (where c.done)::int as done
      from ${everyCheck(ctx, id)} c group by 1 order by 1`.execute(ctx.db)
  const areas = await by(sql`c.area_code`)
  const groups = await by(sql`c.group_name`)
  const list = [
    ...areas.rows.map(({ name, ...one }) => ({ by: 'area' as const, name: areaName(name ?? '') ?? '', ...one })),
    ...groups.rows.map(({ name, ...one }) => ({ by: 'group' as const, name: name ?? '未分组', ...one })),
  ]
  return { list, total: list.length }
}

export const readMine: HandlerOf<typeof listMyChecks> = async (_input, ctx) => {
  type Raw = {
    campaignId: string
    campaignName: string
    taskId: string
    checkId: string
    projectCode: string
    projectName: string
    address: string
    lng: number
    lat: number
    plannedDate: string
    state: string
  }
  const { rows } =
    await sql<Raw>`select c.id as campaign_id, c.name as campaign_name, t.id as task_id, d.id as check_id, p.project_code, p.name as project_name,
      p.address, p.lng, p.lat, d.planned_date, d.state
    from campaign_member m join campaign c on c.id = m.campaign_id and c.organiser_group = ${ctx.group.id}
    join campaign_project t on t.campaign_id = c.id and t.group_seq = m.group_seq
    join day_check d on d.id = t.check_id and d.state in (${dayCheckStates.planned}, ${dayCheckStates.running})
    join project p on p.project_code = t.project_code
    where m.user_id = ${ctx.user.id} and ${seenTasks(ctx)} order by d.planned_date, p.name`.execute(ctx.db)
  const list = rows.map((one) => ({ ...one, stateName: dictName('dayCheckState', one.state) ?? one.state }))
  return { list, total: list.length }
}
