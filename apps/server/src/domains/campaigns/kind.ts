import { campaignMoves, campaignStates, drawModeCodes } from '@zhugong/contract/campaigns/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind, Stated, Todo } from '../process/public.ts'

/** A campaign as the engine knows it: its history and to-dos are the organiser's alone. */
export type Campaign = Omit<Row<'campaign'>, 'shownAt' | 'groups'> &
  Pick<Stated, 'projectCode' | 'corpCode' | 'shownAt' | 'groups'> & {
    /** Groups that may know of it. */
    knowing: string[]
    publishedAt: Date | null
    /** Projects in it, and of these without a check that is closed or found nothing. */
    projects: number
    unsettled: number
    /** Accounts that lead one of its groups. */
    leaders: string[]
  }

type CampaignCounts = Pick<Campaign, 'projects' | 'unsettled' | 'leaders'>
export type RawCampaign = Row<'campaign'> & CampaignCounts

export const toStated = ({ groups, shownAt, ...row }: RawCampaign): Campaign => ({
  ...row,
  projectCode: null,
  corpCode: null,
  shownAt: row.createTime,
  groups: [row.organiserGroup],
  knowing: groups,
  publishedAt: shownAt,
})

/** States of a check that needs nothing more: 已提交（无问题）, 已闭合. */
export const settledChecks = ['2', '5'] as const

const select = sql`select c.*,
    (select count(*)::int from campaign_project t where t.campaign_id = c.id and t.dropped_at is null) as projects,
    (select count(*)::int from campaign_project t left join day_check d on d.id = t.check_id where t.campaign_id = c.id and t.dropped_at is null
      and (d.state is null or d.state <> all (${[...settledChecks]}::text[]))) as unsettled,
    array(select m.user_id from campaign_member m where m.campaign_id = c.id and m.leader and m.user_id is not null) as leaders
  from campaign c`

/** A campaign that the caller may see. @throws AppError `notFound` */
export async function readCampaign(ctx: Pick<Context, 'db'>, id: string): Promise<Campaign> {
  const { rows } = await sql<RawCampaign>`${select} where c.id = ${id}`.execute(ctx.db)
  return toStated(found(rows[0], '督查'))
}

export const stateName = (state: string): string => dictName('provincePlanState', state) ?? state

/** 省市督查: held by one authority; its states 3 and 4 follow its checks (`follow.ts`). */
export const campaignKind: Kind<Campaign, typeof campaignMoves> = {
  kind: 'provinces',
  noun: '督查',
  table: 'campaign',
  moves: campaignMoves,
  stateName,
  lock: async (ctx, id) => {
    const { rows } = await sql<RawCampaign>`${select} where c.id = ${id} for update of c`.execute(ctx.db)
    return toStated(found(rows[0], '督查'))
  },
  turns: {
    organiser: (ctx, row) => row.organiserGroup === ctx.group.id,
    // The organiser's office, or who leads one of the groups.
    leader: (ctx, row) =>
      row.organiserGroup === ctx.group.id && (row.leaders.includes(ctx.user.id) || ctx.principal.codes.has(campaignMoves.save.needs)),
  },
  hinder: (ctx, row, action) => hindrances[action]?.(ctx, row),
  todos: (row) => todosOf(row),
}

const dayMs = 86_400_000
const hindrances: Partial<Record<keyof typeof campaignMoves, (ctx: Context, row: Campaign) => string | undefined>> = {
  freeze: (_ctx, row) => (row.drawMode === drawModeCodes.drawn ? undefined : '本次督查为指定项目，不抽取'),
  lock: (_ctx, row) => (row.projects > 0 ? undefined : '还没有受检项目'),
  urge: (ctx, row) => (row.urgedAt && ctx.clock.now() - row.urgedAt.getTime() < dayMs ? '24 小时内已催报' : undefined),
  finish: (_ctx, row) => (row.unsettled > 0 ? `还有 ${row.unsettled} 个项目未检查完或整改未闭合` : undefined),
}

export const managePage = (id: string): string => `/jgt/provinces/addProject?planId=${id}`
export const checksPage = (id: string): string => `/jgt/provinces/checkList?planId=${id}`

function todosOf(row: Campaign): Todo[] {
  const own = { turn: 'organiser', forGroup: row.organiserGroup, codes: [campaignMoves.save.needs] }
  if (row.state === campaignStates.issued)
    return [{ ...own, title: `抽取并锁定受检项目：${row.name}`, link: managePage(row.id), due: row.startDate }]
  if (row.state === campaignStates.mending)
    return [{ ...own, title: `跟踪整改并发布通报：${row.name}`, link: checksPage(row.id), due: null }]
  return []
}

export const stepLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(campaignMoves).map(([action, { label }]) => [action, label])),
  create: '起草',
  begin: '首个检查开始',
  checked: '检查全部提交',
  removeTask: '移出指定项目',
}
