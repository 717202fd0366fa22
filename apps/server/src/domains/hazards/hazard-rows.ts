import type { HazardDetail, HazardRow, hazardMap, listHazards } from '@zhugong/contract/hazards/calls'
import { hazardDetail, hazardRow } from '@zhugong/contract/hazards/calls'
import { controlLevels, hazardStates } from '@zhugong/contract/hazards/moves'
import { dayMs } from '@zhugong/contract/kit/time'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, oneProject, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, equals, filtersOf, inProjects, instantsBetween, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { linksOf } from '../files/public.ts'
import { pinOf, placeNameOf, planPictures, withinPlace } from '../places/public.ts'
import { historyOf, offersFor, waitsFor } from '../process/public.ts'
import { hazardKind, hazardLabels, hazardType, readHazardRow } from './hazard-kind.ts'
import { askedOf, isOverScale } from './hazard-writes.ts'
import { permitConditions, readPermits } from './permit-rows.ts'

type RawHazard = Row<'hazardSource'> & { projectName: string; corpName: string; placeName: string | null; bigProjectName: string | null }
type HazardQuery = Partial<NonNullable<(typeof listHazards)['types']>['parsed']['query']>
type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'codes' | 'group' | 'clock'>

const isLive = sql`h.state in ('1', '2')`
const isOverdue = (ctx: Pick<Context, 'clock'>) => sql`(h.state = '2' and h.next_check < ${formatDay(ctx.clock.now())}::date)`
const waiting = (ctx: Viewer, projects: readonly string[] | undefined) =>
  sql`h.id in (select t.object_id from process_todo t where t.kind = ${hazardType} and ${waitsFor(ctx, projects)})`
const yes = (value: boolean, of: RawBuilder<unknown>) => condition(value ? of : sql`not ${of}`)

export function hazardConditions(ctx: Viewer, query: HazardQuery): Condition {
  const projects = projectsFor(ctx, query.projectCode)
  const tabs: Record<NonNullable<HazardQuery['tab']>, RawBuilder<unknown>> = { todo: waiting(ctx, projects), draft: sql`h.state = '0'` }
  return allOf(
    ...inProjects('h.projectCode', projects),
    filtersOf(query, {
      projectCode: 'elsewhere',
      kind: 'elsewhere',
      // Of the call's two lists only one has this tab.
      tab: (value) => condition(tabs[value] ?? sql`false`),
      name: [contains, 'h.name'],
      hazardSource: (values) => condition(sql`h.hazard_source && ${values}::text[]`),
      riskLevel: [anyOf, 'h.riskLevel'],
      controlLevel: [anyOf, 'h.controlLevel'],
      part: [contains, 'h.part'],
      place: (value) => withinPlace('h.place_id', value),
      responsible: [contains, 'h.responsible'],
      lastCheck: [instantsBetween, 'h.lastCheck'],
      overdue: (value) => yes(value, isOverdue(ctx)),
      live: (value) => yes(value, isLive),
      bigProjectName: (value) =>
        condition(sql`exists (select from bigproject b where b.id = h.big_project_id and ${allOf(...contains('b.name', value))})`),
      state: [anyOf, 'h.state'],
    }),
  )
}

const order = (sort: HazardQuery['sort']) =>
  orderBy(
    sort,
    { riskLevel: 'h.riskLevel!', score: 'h.score!', lastCheck: 'h.lastCheck', nextCheck: 'h.nextCheck', name: 'h.name!' },
    'riskLevel',
    'h.id',
  )

export async function readHazards(
  ctx: Viewer & Pick<Context, 'db'>,
  where: Condition,
  { sort, limit, offset }: { sort?: HazardQuery['sort']; limit?: number; offset?: number },
): Promise<HazardRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<RawHazard>`select h.*, j.name as project_name, k.corp_name, ${placeNameOf('h.place_id')} as place_name,
      (select b.name from bigproject b where b.id = h.big_project_id) as big_project_name
    from (select h.* from hazard_source h where ${where} order by ${order(sort)} ${page}) h
      join project j on j.project_code = h.project_code join corporation k on k.corp_code = h.corp_code
    order by ${order(sort)}`.execute(ctx.db)
  const today = formatDay(ctx.clock.now())
  return rows.map((row) => toRow(row, today))
}

export async function countHazards(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from hazard_source h where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / dayMs)

function toRow(h: RawHazard, today: string): HazardRow {
  return rowOf(hazardRow, h, {
    hazardSourceNames: h.hazardSource.map((one) => dictName('hazardSource', one) ?? one),
    controlLevelName: controlLevels[h.controlLevel] ?? h.controlLevel,
    lastCheck: h.lastCheck && formatInstant(h.lastCheck),
    overdueDays: h.state === '2' && h.nextCheck !== null && h.nextCheck < today ? daysBetween(h.nextCheck, today) : 0,
    stateName: hazardStates[h.state],
  })
}

/** Figures of the strip, each with the condition of the list that it opens. */
export async function hazardCounts(ctx: Viewer & Pick<Context, 'db'>, query: Pick<HazardQuery, 'projectCode'>) {
  const n = (of: RawBuilder<unknown>) => sql`count(*) filter (where ${of})::int`
  const where = hazardConditions(ctx, { projectCode: query.projectCode })
  const { rows } = await sql<{ first: number; second: number; overdue: number }>`
    select ${n(sql`${isLive} and h.risk_level = '1'`)} as first, ${n(sql`${isLive} and h.risk_level = '2'`)} as second,
      ${n(isOverdue(ctx))} as overdue from hazard_source h where ${where}`.execute(ctx.db)
  return rows[0] ?? { first: 0, second: 0, overdue: 0 }
}

const rankedSites = 10
/** Sites by their live hazards of level 1, then 2; nothing for a single site. */
export async function hazardRank(ctx: Viewer & Pick<Context, 'db'>, query: Pick<HazardQuery, 'projectCode'>) {
  if (projectsFor(ctx, query.projectCode)?.length === 1) return []
  type Ranked = { projectCode: string; projectName: string; first: number; second: number }
  const { rows } =
    await sql<Ranked>`select h.project_code, j.name as project_name, count(*) filter (where h.risk_level = '1')::int as first,
      count(*) filter (where h.risk_level = '2')::int as second
    from hazard_source h join project j on j.project_code = h.project_code
    where ${hazardConditions(ctx, query)} and ${isLive} and h.risk_level in ('1', '2')
    group by 1, 2 order by 3 desc, 4 desc, 1 limit ${rankedSites}`.execute(ctx.db)
  return rows
}

const mostMapped = 500
export const readMap: HandlerOf<typeof hazardMap> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  type Mapped = Pick<Row<'hazardSource'>, 'id' | 'name' | 'part' | 'riskLevel' | 'planId'> & {
    placeName: string | null
    x: number | null
    y: number | null
  }
  const { rows } = await sql<Mapped>`select h.id, h.name, h.part, ${placeNameOf('h.place_id')} as place_name, h.risk_level, h.plan_id,
      h.pin_x as x, h.pin_y as y from hazard_source h
    where h.project_code = ${projectCode} and ${isLive} order by h.risk_level, h.name, h.id limit ${mostMapped}`.execute(ctx.db)
  return {
    plans: await planPictures(
      ctx,
      rows.map((one) => one.planId),
    ),
    hazards: rows,
  }
}

export async function hazardFor(ctx: Viewer & Pick<Context, 'db'>, id: string): Promise<HazardRow | undefined> {
  const [row] = await readHazards(ctx, allOf(...equals('h.id', id), ...inProjects('h.projectCode', projectsFor(ctx))), {})
  return row
}

const shownPatrols = 100
export async function readHazard(ctx: Context, id: string): Promise<HazardDetail> {
  const row = found(await hazardFor(ctx, id), hazardKind.noun)
  const hazard = await readHazardRow(ctx, id)
  const overScale = await isOverScale(ctx, hazard.bigProjectId)
  const patrols = await sql<Row<'hazardPatrol'>>`select * from hazard_patrol where hazard_id = ${id} order by at desc, id desc
    limit ${shownPatrols}`.execute(ctx.db)
  return rowOf(hazardDetail, hazard, {
    ...row,
    pin: pinOf(hazard),
    plans: await planPictures(ctx, [hazard.planId]),
    askedLevel: askedOf(hazard, overScale),
    overScale,
    controlPhotos: linksOf(ctx, hazard.controlPhotos),
    controlledAt: hazard.controlledAt && formatInstant(hazard.controlledAt),
    patrols: patrols.rows.map(({ id: one, at, byName, result, note, photos, lateDays }) => ({
      id: one,
      at: formatInstant(at),
      byName,
      result,
      note,
      photos: linksOf(ctx, photos),
      lateDays,
    })),
    permits: await readPermits(ctx, allOf(permitConditions(ctx, { projectCode: '*' }), ...equals('w.hazardId', id)), { limit: 20 }),
    timeline: await historyOf(ctx, hazardType, id, hazardLabels),
    actions: offersFor(ctx, hazardKind, hazard),
  })
}
