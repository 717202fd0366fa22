import { type CampaignState, campaignStates } from '@zhugong/contract/campaigns/moves'
import { submittedDayStates } from '@zhugong/contract/daychecks/moves'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import type { Context } from '#kit/context'
import { type CheckFollower, type DayCheck, registerCheckFollower } from '../daychecks/public.ts'
import { replaceTodos, writeLog } from '../process/public.ts'
import { entrustTask } from './entrust.ts'
import { campaignKind } from './kind.ts'
import { allowsWrite, sheetsToWrite } from './rules.ts'
import type { Task } from './tasks.ts'
import { shareCampaign } from './writes.ts'

/**
 * A campaign follows its checks: whoever may know of a check may know of its line; the first that begins moves it to 检查中, the last that is
 * submitted to 整改中. Runs in the transaction of the check's action.
 */
export async function followDayCheck(ctx: Context, check: Pick<DayCheck, 'id' | 'campaignId' | 'groups'>): Promise<void> {
  if (check.campaignId === null) return
  const row = await campaignKind.lock(ctx, check.campaignId)
  await sql`update campaign_project set groups = ${check.groups} where check_id = ${check.id} and not groups @> ${check.groups}::text[]`.execute(
    ctx.db,
  )
  await shareCampaign(ctx, row.id)
  const { rows } = await sql<{ begun: number; open: number }>`select count(*) filter (where d.state <> '0')::int as begun,
      count(*) filter (where d.state is null or d.state <> all (${[...submittedDayStates]}::text[]))::int as open
    from campaign_project t left join day_check d on d.id = t.check_id where t.campaign_id = ${row.id} and t.dropped_at is null`.execute(
    ctx.db,
  )
  const { begun = 0, open = 1 } = rows[0] ?? {}
  if (row.state === campaignStates.locked && begun > 0) await move(ctx, row.id, campaignStates.checking, 'begin')
  if ((row.state === campaignStates.locked || row.state === campaignStates.checking) && open === 0)
    await move(ctx, row.id, campaignStates.mending, 'checked')
}

async function move(ctx: Context, id: string, to: CampaignState, action: string): Promise<void> {
  const row = await campaignKind.lock(ctx, id)
  await changeRow(ctx, 'campaign', { key: { id }, version: row.version, noun: campaignKind.noun, by: null, values: { state: to } })
  const after = await campaignKind.lock(ctx, id)
  await writeLog(ctx, campaignKind.kind, after, { action, from: row.state, to })
  await replaceTodos(ctx, campaignKind, after)
}

/** The notices of a submitted check go to the authority of the project, where the campaign says so. */
async function entrustSubmitted(ctx: Context, check: DayCheck): Promise<void> {
  const { rows } = await sql<Task>`select t.* from campaign_project t join campaign c on c.id = t.campaign_id and c.recheck = 'district'
    where t.check_id = ${check.id}`.execute(ctx.db)
  if (rows[0]) await entrustTask(ctx, rows[0])
}

const follower: CheckFollower = {
  allows: allowsWrite,
  ownSheets: sheetsToWrite,
  checkedIn: followDayCheck,
  submitted: async (ctx, check) => {
    await entrustSubmitted(ctx, check)
    await followDayCheck(ctx, check)
  },
}
/** Campaigns follow their checks, and say who of a group may write what. */
export const followChecks = (): void => registerCheckFollower(follower)
