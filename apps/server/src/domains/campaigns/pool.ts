import type { Candidate, listPool } from '@zhugong/contract/campaigns/calls'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { runningStates } from '@zhugong/contract/rectify/moves'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { type Context, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, between, condition, contains, daysBetween, filtersOf, inAreas, inProjects, orderBy, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { areaPrefix } from '../access/public.ts'
import { readOwn } from './own.ts'

type Quota = Pick<Row<'campaignQuota'>, 'areaCode' | 'riskLevel' | 'category'>
interface Lot {
  projectCode: string
  areaCode: string
  category: string
  riskLevel: string | null
}
interface LeftOut {
  projectCode: string
  reason: string
}

/** Words of a quota: 滨江区·一级风险·房屋建筑工程, or 不限. */
export const quotaLabel = ({ areaCode, riskLevel, category }: Quota): string =>
  [areaCode && areaName(areaCode), riskLevel && dictName('riskLevel', riskLevel), category && dictName('projectCategory', category)]
    .filter(Boolean)
    .join('·') || '不限'

/** Whether a project can be drawn for a quota. */
export const fits = ({ areaCode, riskLevel, category }: Quota, lot: Lot): boolean =>
  (areaCode === null || lot.areaCode.startsWith(areaPrefix(areaCode))) &&
  (riskLevel === null || lot.riskLevel === riskLevel) &&
  (category === null || lot.category === category)

/** Risk level of a project `p`, as the supervision plans assess it. */
const riskLevel = sql`(select x.level::text from project_risk x where x.project_code = p.project_code)`

/** Why a project `p` cannot be checked by the campaign; null when it can. Only sites under construction are visited. */
const whyOut = (campaignId: string, drawnToo: boolean) => sql<string | null>`case
  when p.prj_status <> ${projectStates.building} then p.prj_status
  when exists (select from campaign_project t where t.campaign_id = ${campaignId} and t.project_code = p.project_code and t.dropped_at is null
    ${drawnToo ? sql`` : sql`and t.source = 'named'`}) then 'named' end`
const reasonOf = (why: string): string => (why === 'named' ? '已在本次督查中' : (dictName('projectState', why) ?? why))

/**
 * What can be drawn, in the order of the codes, and what cannot with the reason. What an earlier run of the same campaign drew can be
 * drawn again: another run replaces it.
 */
export async function poolFor(ctx: Context, campaignId: string): Promise<{ lots: Lot[]; leftOut: LeftOut[] }> {
  const { rows } = await sql<Lot & { why: string | null }>`select p.project_code, p.area_code, p.category, ${riskLevel} as risk_level,
      ${whyOut(campaignId, false)} as why
    from project p where ${allOf(...inProjects('p.projectCode', projectsFor(ctx)))} order by p.project_code`.execute(ctx.db)
  return {
    lots: rows.flatMap(({ why, ...lot }) => (why === null ? [lot] : [])),
    leftOut: rows.flatMap(({ why, projectCode }) => (why === null ? [] : [{ projectCode, reason: reasonOf(why) }])),
  }
}

/** Numbers by reason, the most frequent first. */
export function counted(leftOut: readonly { reason: string }[]): { reason: string; count: number }[] {
  const by = Map.groupBy(leftOut, (one) => one.reason)
  return [...by].map(([reason, all]) => ({ reason, count: all.length })).sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
}

/** Day of the last submitted check of a campaign at project `p`. */
const lastCheck = sql`(select max((d.submit_at at time zone 'Asia/Shanghai')::date) from day_check d
  where d.project_code = p.project_code and d.campaign_id is not null and d.submit_at is not null)`
const openRectify = sql`(select count(*)::int from rectify r where r.project_code = p.project_code and r.state = any (${[...runningStates]}::text[]))`

export const readPool: HandlerOf<typeof listPool> = async ({ params: { id }, query }, ctx) => {
  const row = await readOwn(ctx, id)
  const { quotas } = await quotasOf(ctx, row.id)
  const { lots, leftOut } = await poolFor(ctx, id)
  const inPool = (raw: RawBuilder<unknown>) => condition(sql`${raw}`)
  const where = allOf(
    ...inProjects('p.projectCode', projectsFor(ctx)),
    condition(sql`p.why is null`),
    filtersOf(query, {
      projectCode: 'elsewhere',
      projectName: [contains, 'p.projectName'],
      areaCode: [inAreas, 'p.areaCode'],
      riskLevel: [anyOf, 'p.riskLevel'],
      category: [anyOf, 'p.category'],
      phase: [anyOf, 'p.phase'],
      lastCheck: [daysBetween, 'p.lastCheck'],
      buildingArea: [between, 'p.buildingArea'],
      openRectify: (yes) => inPool(yes ? sql`p.open_rectify > 0` : sql`p.open_rectify = 0`),
    }),
  )
  const from = sql`(select p.project_code, p.name as project_name, p.area_code, p.category, p.phase, p.building_area, ${riskLevel} as risk_level,
      ${lastCheck} as last_check, ${openRectify} as open_rectify, ${whyOut(id, true)} as why from project p) p`
  const order = orderBy(
    query.sort,
    { projectName: 'p.projectName!', lastCheck: 'p.lastCheck', buildingArea: 'p.buildingArea', openRectify: 'p.openRectify!' },
    'projectName',
    'p.projectCode',
  )
  const { limit, offset } = pageSlice(query)
  type Raw = Omit<Candidate, 'areaName' | 'categoryName' | 'phaseName'>
  const { rows } = await sql<Raw>`select p.* from ${from} where ${where} order by ${order} limit ${limit} offset ${offset}`.execute(ctx.db)
  const { rows: n } = await sql<{ n: number }>`select count(*)::int as n from ${from} where ${where}`.execute(ctx.db)
  return {
    list: rows.map(
      (one): Candidate => ({
        ...pick(
          one,
          'projectCode',
          'projectName',
          'areaCode',
          'category',
          'phase',
          'riskLevel',
          'buildingArea',
          'lastCheck',
          'openRectify',
        ),
        areaName: areaName(one.areaCode) ?? one.areaCode,
        categoryName: dictName('projectCategory', one.category) ?? one.category,
        phaseName: one.phase && (dictName('projectPhase', one.phase) ?? one.phase),
      }),
    ),
    total: n[0]?.n ?? 0,
    counts: {
      pool: lots.length,
      leftOut: counted(leftOut),
      quotas: quotas.map((one) => ({
        label: quotaLabel(one),
        seats: one.seats,
        candidates: lots.filter((lot) => fits(one, lot)).length,
      })),
    },
  }
}

export async function quotasOf(ctx: Pick<Context, 'db'>, campaignId: string): Promise<{ quotas: Row<'campaignQuota'>[] }> {
  const { rows } = await sql<Row<'campaignQuota'>>`select * from campaign_quota where campaign_id = ${campaignId} order by seq`.execute(
    ctx.db,
  )
  return { quotas: rows }
}
