import { type CampaignRow, campaignRow, type listCampaigns } from '@zhugong/contract/campaigns/calls'
import { campaignStates, drawModes, runningCampaigns } from '@zhugong/contract/campaigns/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, between, type Condition, condition, contains, filtersOf, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { stateName } from './kind.ts'
import { factsOfTask, rateOf, seenCampaigns, seenTasks, submitted, type Viewer } from './seen.ts'

type Query = Partial<NonNullable<(typeof listCampaigns)['types']>['parsed']['query']>
interface RawRow extends Row<'campaign'> {
  groupCount: number
  due: number
  done: number
  avgScore: number | null
  problems: number
  major: number
  notices: number
  openNotices: number
  myGroup: number | null
  myGroupName: string | null
  myLeader: string | null
  isLeader: boolean | null
  myDue: number
  myDone: number
}

const running = sql`(c.state = any (${[...runningCampaigns]}::text[]))`

/** Campaigns of the caller with the figures of what he may know of them. */
const everyCampaign = (
  ctx: Viewer,
) => sql`(select c.*, f.*, case when f.notices > 0 then round((f.notices - f.open_notices) * 100.0 / f.notices) end as close_rate,
    (select count(*)::int from campaign_group g where g.campaign_id = c.id) as group_count,
    me.group_seq as my_group, me.name as my_group_name, me.leader_name as my_leader, me.is_leader, coalesce(w.due, 0) as my_due, coalesce(w.done, 0) as my_done
  from campaign c
  left join lateral (select count(*)::int as due, count(*) filter (where ${submitted})::int as done,
      round(avg(s.score) filter (where ${submitted}), 2)::float8 as avg_score, coalesce(sum(m.problems), 0)::int as problems,
      coalesce(sum(m.major), 0)::int as major, coalesce(sum(n.notices), 0)::int as notices, coalesce(sum(n.open), 0)::int as open_notices
    from campaign_project t ${factsOfTask} where t.campaign_id = c.id and ${seenTasks(ctx)}) f on true
  left join lateral (select m.group_seq, g.name, m.leader as is_leader, (select l.name from campaign_member l where l.campaign_id = c.id
      and l.group_seq = m.group_seq and l.leader limit 1) as leader_name
    from campaign_member m join campaign_group g on g.campaign_id = m.campaign_id and g.seq = m.group_seq
    where m.campaign_id = c.id and m.user_id = ${ctx.user.id} and c.organiser_group = ${ctx.group.id}) me on true
  left join lateral (select count(*)::int as due, count(*) filter (where ${submitted})::int as done from campaign_project t
    left join day_check d on d.id = t.check_id where t.campaign_id = c.id and t.group_seq = me.group_seq and ${seenTasks(ctx)}) w on true
  where ${seenCampaigns(ctx)})`

function conditions(ctx: Viewer, query: Query): Condition {
  const own = sql`c.organiser_group = ${ctx.group.id}`
  const tabs: Record<NonNullable<Query['tab']>, RawBuilder<unknown>> = {
    own,
    // The organiser's drafts are no business of those who carry it out.
    mine: sql`(c.my_group is not null and c.state <> ${campaignStates.draft} or not ${own} and c.due > 0)`,
  }
  return filtersOf(query, {
    projectCode: 'elsewhere',
    tab: (tab) => condition(tabs[tab]),
    name: [contains, 'c.name'],
    level: [anyOf, 'c.level'],
    startDate: ({ from, to }) =>
      allOf(...(from ? [condition(sql`c.end_date >= ${from}::date`)] : []), ...(to ? [condition(sql`c.start_date <= ${to}::date`)] : [])),
    year: (year) => condition(sql`extract(year from c.start_date) = ${Number(year)}`),
    drawMode: [anyOf, 'c.drawMode'],
    avgScore: [between, 'c.avgScore'],
    majorCount: [between, 'c.major'],
    closeRate: [between, 'c.closeRate'],
    state: [anyOf, 'c.state'],
    running: (yes) => condition(yes ? running : sql`not ${running}`),
  })
}

const order = (sort: Query['sort']) =>
  orderBy(
    sort,
    { startDate: 'c.startDate!', avgScore: 'c.avgScore', majorCount: 'c.major!', closeRate: 'c.closeRate' },
    '-startDate',
    'c.id',
  )

export async function readRows(
  ctx: Viewer & Pick<Context, 'db'>,
  query: Query,
  { limit, offset }: { limit?: number; offset?: number } = {},
): Promise<CampaignRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<RawRow>`select c.* from ${everyCampaign(ctx)} c where ${conditions(ctx, query)}
    order by ${order(query.sort)} ${page}`.execute(ctx.db)
  return rows.map((one) => toRow(ctx, one))
}

export async function countRows(ctx: Viewer & Pick<Context, 'db'>, query: Query): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${everyCampaign(ctx)} c where ${conditions(ctx, query)}`.execute(
    ctx.db,
  )
  return rows[0]?.n ?? 0
}

/** One campaign as a row, if the caller may know it. */
export async function rowFor(ctx: Viewer & Pick<Context, 'db'>, id: string): Promise<CampaignRow | undefined> {
  const { rows } = await sql<RawRow>`select c.* from ${everyCampaign(ctx)} c where c.id = ${id}`.execute(ctx.db)
  return rows[0] && toRow(ctx, rows[0])
}

const dayMs = 86_400_000
const toRow = (ctx: Viewer, r: RawRow): CampaignRow =>
  rowOf(campaignRow, r, {
    levelName: dictName('govLevel', r.level) ?? r.level,
    own: r.organiserGroup === ctx.group.id,
    daysLeft: (runningCampaigns as readonly string[]).includes(r.state)
      ? Math.round((Date.parse(r.endDate) - Date.parse(formatDay(ctx.clock.now()))) / dayMs)
      : null,
    drawModeName: drawModes[r.drawMode],
    closeRate: rateOf(r.notices, r.openNotices),
    mine:
      r.myGroup === null
        ? null
        : { groupName: r.myGroupName ?? '', leader: r.myLeader, isLeader: r.isLeader ?? false, due: r.myDue, done: r.myDone },
    published: r.shownAt !== null,
    stateName: stateName(r.state),
  })

/** The strip of the organiser: each figure sums what its list shows, over the campaigns that run. */
export async function countsOf(ctx: Viewer & Pick<Context, 'db'>, tab: Query['tab']) {
  type Counts = { running: number; projects: number; problems: number; notices: number; openNotices: number }
  const { rows } =
    await sql<Counts>`select count(*)::int as running, coalesce(sum(c.due), 0)::int as projects, coalesce(sum(c.problems), 0)::int as problems,
      coalesce(sum(c.notices), 0)::int as notices, coalesce(sum(c.open_notices), 0)::int as open_notices
    from ${everyCampaign(ctx)} c where ${conditions(ctx, { tab, running: true })}`.execute(ctx.db)
  const { notices = 0, openNotices = 0, running: n = 0, projects = 0, problems = 0 } = rows[0] ?? {}
  return { running: n, projects, problems, closeRate: rateOf(notices, openNotices) }
}
