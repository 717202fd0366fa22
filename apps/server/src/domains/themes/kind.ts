import { resumeTheme } from '@zhugong/contract/themes/catalogue'
import {
  type CampaignAction,
  type CampaignState,
  campaignMoves,
  campaignStateNames,
  campaignStates,
  themeMoves,
  themeRights,
} from '@zhugong/contract/themes/moves'
import { sql } from 'kysely'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { type Check, checkContent, checkerSeats, type Patrol, type PatrolKind, patrolKind } from '../checks/public.ts'
import type { Kind, Seat, Todo } from '../process/public.ts'
import { missing, wasChecked } from './objects.ts'

/** A campaign with what its rules ask about its objects and problems. */
export type Campaign = Row<'themeCampaign'> & { objectCount: number; uncheckedCount: number; problemCount: number; openCount: number }

export const campaignType = 'checksPlan'
const noun = '专项检查'

/** Problems of submitted checks of `theme_campaign t`, as `p`, with their lines as `l`. */
const problems = sql`from theme_check k join site_check c on c.id = k.check_id and c.state <> '0' join site_check_problem p on p.check_id = k.check_id
  left join rectify_line l on l.id = p.line_id where k.campaign_id = t.id`

/** Campaigns as `t`, with their figures. */
export const campaigns = sql`select t.*, (select count(*)::int from theme_object o where o.campaign_id = t.id) + new.n as object_count,
    (select count(*)::int from theme_object o where o.campaign_id = t.id and not ${wasChecked}) + new.n as unchecked_count,
    (select count(*)::int ${problems}) as problem_count,
    (select count(*)::int ${problems} and l.state is distinct from 'passed') as open_count
  from theme_campaign t cross join lateral (select count(*)::int as n from ${missing} m) new`

/** 专项检查: set up by the site or its general contractor, closed with a report when every object was checked and every problem is closed. */
export const campaignKind: Kind<Campaign, typeof campaignMoves> = {
  kind: campaignType,
  noun,
  table: 'themeCampaign',
  moves: campaignMoves,
  stateName: (state) => campaignStateNames[state as CampaignState] ?? state,
  lock: async (ctx, id) => {
    await sql`select from theme_campaign where id = ${id} for update`.execute(ctx.db)
    return readCampaignRow(ctx, id)
  },
  turns: { leader: (ctx, row) => ctx.group.id === row.leaderGroup },
  hinder: (_ctx, row, action) => hindrances[action]?.(row),
  todos: (row) => todosOf(row),
}

/** @throws AppError `notFound` */
export async function readCampaignRow(ctx: Pick<Context, 'db'>, id: string): Promise<Campaign> {
  const { rows } = await sql<Campaign>`${campaigns} where t.id = ${id}`.execute(ctx.db)
  return found(rows[0], noun)
}

/** Why a campaign cannot be closed yet. */
export const closingHindrance = ({ report, uncheckedCount, openCount }: Campaign): string | undefined =>
  uncheckedCount > 0
    ? `还有 ${uncheckedCount} 个对象未检`
    : openCount > 0
      ? `还有 ${openCount} 个问题未闭合`
      : report === null
        ? '请先保存总结'
        : undefined

const hindrances: Partial<Record<CampaignAction, (row: Campaign) => string | undefined>> = { close: closingHindrance }

export const campaignPage = (id: string): string => `/safetyP/checksP/details?id=${id}`

export function todosOf(row: Pick<Campaign, 'id' | 'title' | 'leaderGroup' | 'endDate' | 'state'>): Todo[] {
  if (row.state !== campaignStates.running) return []
  const title = `完成专项检查“${row.title}”`
  return [
    { turn: 'checker', forGroup: row.leaderGroup, codes: [campaignMoves.close.needs], title, link: campaignPage(row.id), due: row.endDate },
  ]
}

export const campaignLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(campaignMoves).map(([action, { label }]) => [action, label])),
  create: '起草',
}

/** Running checks before work resumes in which something is not passed yet. */
export async function unpassedResumeChecks(ctx: Pick<Context, 'db'>, projectCode: string): Promise<Campaign[]> {
  const { rows } = await sql<Campaign>`${campaigns} where t.project_code = ${projectCode} and t.theme = ${resumeTheme}
    and t.state = ${campaignStates.running} order by t.end_date, t.id`.execute(ctx.db)
  return rows.filter((one) => one.uncheckedCount + one.openCount > 0)
}

/** One check of a campaign: a patrol of its objects. */
export const themePatrol: Patrol<typeof themeMoves> = {
  kind: 'checksP',
  noun: '专项检查登记',
  moves: themeMoves,
  category: '01',
  series: 'ZX',
  page: (id) => `/safetyP/checksP/details?check=${id}`,
}
export const themeKind: PatrolKind<typeof themeMoves> = { ...patrolKind(themePatrol), seats: (ctx, row) => themeSeats(ctx, row) }

async function themeSeats(ctx: Pick<Context, 'db'>, row: Check): Promise<readonly Seat[]> {
  return checkerSeats(row, await checkContent(ctx, row), themeRights)
}
