import { dayMs } from '@zhugong/contract/kit/time'
import type * as contract from '@zhugong/contract/themes/calls'
import { type CampaignCard, campaignRow } from '@zhugong/contract/themes/calls'
import { orders, type Register, registerCodes, registerName, registers, themeName } from '@zhugong/contract/themes/catalogue'
import { campaignStateNames, campaignStates } from '@zhugong/contract/themes/moves'
import { objectState, objectStates } from '@zhugong/contract/themes/progress'
import { type RawBuilder, sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, oneProject, projectsFor } from '#kit/context'
import { allOf, type Condition, condition, equals, filtersOf, inProjects, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { problemsOf } from '../checks/public.ts'
import { historyOf, offersFor } from '../process/public.ts'
import { readThemes, themeConditions } from './check-rows.ts'
import { type Campaign, campaignKind, campaignLabels, campaigns, campaignType, closingHindrance } from './kind.ts'
import { entriesOf, objectsOf } from './objects.ts'

type Query = Partial<NonNullable<(typeof contract.listThemeCampaigns)['types']>['parsed']['query']>
export type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'codes' | 'group' | 'clock' | 'user' | 'db' | 'secrets'>
type Tab = NonNullable<Query['tab']>

const tabsOf = (ctx: Pick<Context, 'clock'>): Readonly<Record<Tab, RawBuilder<unknown>>> => ({
  running: sql`t.state = ${campaignStates.running}`,
  late: sql`(t.state = ${campaignStates.running} and t.end_date < ${formatDay(ctx.clock.now())}::date)`,
  done: sql`t.state in (${campaignStates.closed}, ${campaignStates.archived})`,
  draft: sql`t.state = ${campaignStates.draft}`,
})

const conditions = (ctx: Viewer, query: Query): Condition =>
  allOf(
    ...inProjects('t.projectCode', projectsFor(ctx, query.projectCode)),
    filtersOf(query, { projectCode: 'elsewhere', tab: (tab) => condition(tabsOf(ctx)[tab]) }),
  )

type Raw = Campaign & { projectName: string }

function toCard(ctx: Pick<Context, 'clock'>, raw: Raw): CampaignCard {
  const late = (Date.parse(formatDay(ctx.clock.now())) - Date.parse(raw.endDate)) / dayMs
  return rowOf(campaignRow, raw, {
    themeName: themeName(raw.theme),
    orderedByName: orders[raw.orderedBy],
    overdueDays: raw.state === campaignStates.running ? Math.max(0, Math.round(late)) : 0,
    checkedCount: raw.objectCount - raw.uncheckedCount,
    reported: raw.report !== null,
    stateName: campaignStateNames[raw.state],
  })
}

export const listCampaigns: HandlerOf<typeof contract.listThemeCampaigns> = async ({ query }, ctx) => {
  const where = conditions(ctx, query)
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Raw>`select t.*, j.name as project_name from (${campaigns} where ${where}) t
    join project j on j.project_code = t.project_code
    order by t.state = ${campaignStates.running} desc, t.end_date desc, t.id limit ${limit} offset ${offset}`.execute(ctx.db)
  const total = await sql<{ n: number }>`select count(*)::int as n from theme_campaign t where ${where}`.execute(ctx.db)
  const tabs = tabsOf(ctx)
  const n = (tab: Tab) => sql`(count(*) filter (where ${tabs[tab]}))::int`
  const counts = await sql<
    Record<Tab, number>
  >`select ${n('running')} as running, ${n('late')} as late, ${n('done')} as done, ${n('draft')} as draft
    from theme_campaign t where ${conditions(ctx, { projectCode: query.projectCode })}`.execute(ctx.db)
  return {
    list: rows.map((one) => toCard(ctx, one)),
    total: total.rows[0]?.n ?? 0,
    counts: counts.rows[0] ?? { running: 0, late: 0, done: 0, draft: 0 },
  }
}

/** All of a campaign but what depends on who reads it; page and print show the same. @throws AppError `notFound` */
export async function campaignFile(ctx: Viewer, id: string) {
  const where = allOf(...equals('t.id', id), ...inProjects('t.projectCode', projectsFor(ctx)))
  const { rows } = await sql<Raw & { noticeCode: string | null }>`select t.*, j.name as project_name, r.code as notice_code
    from (${campaigns} where ${where}) t join project j on j.project_code = t.project_code left join rectify r on r.id = t.notice_id`.execute(
    ctx.db,
  )
  const raw = found(rows[0], campaignKind.noun)
  const objects = await objectsOf(ctx, id)
  const checks = await readThemes(ctx, themeConditions(ctx, { projectCode: '*', campaign: id }), { sort: '-checkTime' })
  const problems = []
  for (const check of checks.filter((one) => one.code !== null && one.problemCount > 0))
    problems.push(...(await problemsOf(ctx, check.id)).map((one) => ({ ...one, checkId: check.id })))
  return {
    raw,
    ...toCard(ctx, raw),
    ...pick(raw, 'basis', 'registers', 'points', 'report'),
    notice: raw.noticeId === null ? null : { id: raw.noticeId, code: raw.noticeCode },
    objects: objects.map(({ key, name, register, added, checkId, checkTime, skipped, problemCount, openCount }) => {
      const state = objectState({ checked: checkId !== null, skipped, problemCount, openCount })
      return {
        key,
        name,
        register,
        registerName: registerName(register),
        added,
        state,
        stateName: objectStates[state],
        checkId,
        checkTime: checkTime && formatInstant(checkTime),
        problemCount,
        openCount,
      }
    }),
    problems,
    checks: checks.map((one) => ({
      id: one.id,
      code: one.code,
      checkTime: one.checkTime,
      checkers: one.checkers,
      objectCount: one.objectCount,
      problemCount: one.problemCount,
      state: one.state,
      stateName: one.stateName,
    })),
    reportedAt: raw.reportedAt && formatInstant(raw.reportedAt),
    closedAt: raw.closedAt && formatInstant(raw.closedAt),
    hindrance: raw.state === campaignStates.running ? (closingHindrance(raw) ?? null) : null,
  }
}

export const readCampaign: HandlerOf<typeof contract.getThemeCampaign> = async ({ params: { id } }, ctx) => {
  const { raw, ...file } = await campaignFile(ctx, id)
  return {
    ...file,
    timeline: await historyOf(ctx, campaignType, id, campaignLabels),
    actions: offersFor(ctx, campaignKind, raw),
  }
}

/** Notices offered as the basis of a campaign. */
const mostNotices = 30
const mostPeople = 100

export const readSetup: HandlerOf<typeof contract.themeSetup> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const all = Map.groupBy(await entriesOf(ctx, projectCode), (one) => one.register)
  const people = await sql<{ name: string }>`select distinct u.name from member m join app_user u on u.id = m.user_id
    where m.group_id = ${ctx.group.id} and m.enable = '1' order by 1 limit ${mostPeople}`.execute(ctx.db)
  const notices = await sql<{ id: string; code: string | null; summary: string }>`select r.id, r.code, coalesce((select l.description
      from rectify_line l where l.rectify_id = r.id order by l.seq limit 1), '') as summary from rectify r
    where r.project_code = ${projectCode} and r.origin = 'gov' and r.code is not null order by r.issue_time desc, r.id limit ${mostNotices}`.execute(
    ctx.db,
  )
  const named = (code: Register) => (all.get(code) ?? []).map((one) => one.name)
  return {
    registers: registerCodes.map((code) => ({ code, name: registers[code], objects: named(code) })),
    people: people.rows.map((one) => one.name),
    notices: notices.rows,
  }
}
