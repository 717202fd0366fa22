import { submittedDayStates } from '@zhugong/contract/daychecks/moves'
import { majorLevel } from '@zhugong/contract/rectify/moves'
import { sql } from 'kysely'
import { type Context, projectsFor } from '#kit/context'
import { allOf, type Condition, condition, inProjects } from '#kit/list'
import { dayCheckType } from '../daychecks/public.ts'

export type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'group' | 'user' | 'clock'>

/** Lines `t` of campaigns that the caller may know: of the groups named on them, of everybody after the report. */
export const seenTasks = (ctx: Pick<Context, 'scope' | 'scopeChecks' | 'group'>): Condition =>
  allOf(
    condition(sql`t.dropped_at is null`),
    ...inProjects('t.projectCode', projectsFor(ctx)),
    condition(ctx.scope.all ? sql`true` : sql`(${ctx.group.id} = any (t.groups) or t.shown_at is not null)`),
  )

/** Campaigns `c` that the caller may know. */
export const seenCampaigns = (ctx: Pick<Context, 'scope' | 'scopeChecks' | 'group'>): Condition =>
  condition(
    ctx.scope.all
      ? sql`true`
      : sql`(${ctx.group.id} = any (c.groups) or c.shown_at is not null
          and exists (select from campaign_project t where t.campaign_id = c.id and ${seenTasks(ctx)}))`,
  )

export const submitted = sql`d.state = any (${[...submittedDayStates]}::text[])`

/** What a line `t` amounts to: its check `d` with row `k` and score `s`, problems `m` and notices `n`. */
export const factsOfTask = sql`left join day_check d on d.id = t.check_id left join site_check k on k.id = t.check_id
  left join check_score s on s.check_id = t.check_id
  left join lateral (select count(*)::int as problems, count(*) filter (where x.danger_level = ${majorLevel})::int as major
    from site_check_problem x where x.check_id = t.check_id) m on true
  left join lateral (select count(*)::int as notices, count(*) filter (where r.state <> '7')::int as open, max(r.notice_type) as notice_type
    from rectify r where r.source_kind = ${dayCheckType} and r.source_id = t.check_id and r.state not in ('0', '8')) n on true`

/** Closed of all, in percent; null without any. */
export const rateOf = (all: number, open: number): number | null => (all === 0 ? null : Math.round(((all - open) / all) * 100))
