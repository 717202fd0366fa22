import { campaignStates } from '@zhugong/contract/campaigns/moves'
import { submittedDayStates } from '@zhugong/contract/daychecks/moves'
import { sql } from 'kysely'
import { type Context, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import type { Viewer } from './seen.ts'

/** Without `system` (exports) only the organiser is told. */
export type RankContext = Viewer & Pick<Context, 'db'> & Partial<Pick<Context, 'system'>>
interface Ranks {
  /** By line. */
  ranks: ReadonlyMap<string, number>
  /** Projects ranked, and the mean of all submitted scores; null for callers who are not told. */
  ranked: number | null
  avgScore: number | null
}
const untold: Ranks = { ranks: new Map(), ranked: null, avgScore: null }

/**
 * Ranks the submitted projects that were checked by every sheet of the template: others had another exam. Told to the organiser, and to
 * authorities once all checks are submitted; never to companies and sites. Read without row-level security, because an authority does not
 * see the lines of others; only its own number leaves the server.
 */
export async function ranksFor(ctx: RankContext, campaignId: string): Promise<Ranks> {
  type Known = Pick<Row<'campaign'>, 'organiserGroup' | 'state'>
  const { rows: known } = await sql<Known>`select organiser_group, state from campaign where id = ${campaignId}`.execute(ctx.db)
  const campaign = known[0]
  const isOwn = campaign?.organiserGroup === ctx.group.id
  const db = isOwn ? ctx.db : ctx.system
  if (!campaign || !db || !mayKnow(ctx, campaign)) return untold
  type Scored = { id: string; score: number; whole: boolean }
  const { rows } =
    await sql<Scored>`select t.id, s.score, not exists (select from campaign_sheet h where h.campaign_id = t.campaign_id and not exists (
      select from check_sheet x join check_result y on y.sheet_id = x.id and y.result in ('1', '2')
      where x.check_id = t.check_id and x.sheet_code = h.sheet_code and x.not_applicable is null)) as whole
    from campaign_project t join day_check d on d.id = t.check_id and d.state = any (${[...submittedDayStates]}::text[])
    join check_score s on s.check_id = t.check_id and s.score is not null
    where t.campaign_id = ${campaignId} and t.dropped_at is null order by s.score desc, t.id`.execute(db)
  const equal = rows.filter((one) => one.whole)
  return {
    // Equal scores share a rank.
    ranks: new Map(equal.map((one) => [one.id, equal.findIndex((other) => other.score === one.score) + 1])),
    ranked: equal.length,
    avgScore: rows.length ? Math.round((rows.reduce((sum, one) => sum + one.score, 0) / rows.length) * 100) / 100 : null,
  }
}

function mayKnow(
  ctx: Pick<Context, 'group' | 'scope'>,
  { organiserGroup, state }: Pick<Row<'campaign'>, 'organiserGroup' | 'state'>,
): boolean {
  if (organiserGroup === ctx.group.id || ctx.scope.all) return true
  return ctx.group.type === groupTypes.government && (state === campaignStates.mending || state === campaignStates.finished)
}
