import { dayMs } from '@zhugong/contract/kit/time'
import { type listMeasures, type MeasureRow, measureRow } from '@zhugong/contract/measures/measures'
import { measureStates, runningMeasure } from '@zhugong/contract/measures/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, between, type Condition, condition, contains, daysBetween, equals, filtersOf, inProjects, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { placeNameOf, withinPlace } from '../places/public.ts'
import { waitsFor } from '../process/public.ts'

type RawMeasure = Row<'safetyMeasure'> & { projectName: string; corpName: string; placeName: string | null; sourceCount: number }
type Query = Partial<NonNullable<(typeof listMeasures)['types']>['parsed']['query']>
type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'codes' | 'group' | 'clock'>

const today = (ctx: Pick<Context, 'clock'>) => sql`${formatDay(ctx.clock.now())}::date`
const isRunning = sql`m.state = ${runningMeasure}`
/** 到期未落实: running, no photographs of the work, and past its end. */
const isOverdue = (ctx: Pick<Context, 'clock'>) => sql`(${isRunning} and m.done_at is null and m.end_date < ${today(ctx)})`
const lateness = (ctx: Pick<Context, 'clock'>) =>
  sql`case when ${isOverdue(ctx)} then ${today(ctx)} - m.end_date when ${isRunning} then 0 else -1 end`
/** Running measures against 一级 and 二级 risks. */
const graveLevels = ['1', '2']
const isGrave = sql`(${isRunning} and m.risk_level = any (${graveLevels}))`
const waiting = (ctx: Viewer, projects: readonly string[] | undefined) =>
  sql`m.id in (select t.object_id from process_todo t where t.kind = 'safetyMeasures' and ${waitsFor(ctx, projects)})`

/** Checks with a problem of the series that the measure stands against. */
const sources = sql`(select count(distinct p.check_id)::int from site_check_problem p join site_check c on c.id = p.check_id
  where c.state <> '0' and p.project_code = m.project_code and m.series_key is not null
    and case m.series_by when 'item' then coalesce(p.item_code, p.description) else p.part end = m.series_key)`

/** Conditions of the list and of its export. */
export function conditions(ctx: Viewer, query: Query): Condition {
  const projects = projectsFor(ctx, query.projectCode)
  const tabs: Record<NonNullable<Query['tab']>, RawBuilder<unknown>> = {
    todo: waiting(ctx, projects),
    running: isRunning,
    archived: sql`m.state = '2'`,
  }
  return allOf(
    ...inProjects('m.projectCode', projects),
    filtersOf(query, {
      projectCode: 'elsewhere',
      tab: (value) => condition(tabs[value]),
      name: [contains, 'm.name'],
      place: (value) => withinPlace('m.place_id', value),
      hazardSource: [anyOf, 'm.hazardSource'],
      riskLevel: [anyOf, 'm.riskLevel'],
      responsible: [contains, 'm.responsible'],
      corpName: (value) =>
        condition(sql`exists (select from corporation k where k.corp_code = m.corp_code and ${allOf(...contains('k.corpName', value))})`),
      startDate: [daysBetween, 'm.startDate'],
      endDate: [daysBetween, 'm.endDate'],
      done: (value) => condition(value ? sql`m.done_at is not null` : sql`m.done_at is null`),
      overdue: (value) => condition(value ? isOverdue(ctx) : sql`not ${isOverdue(ctx)}`),
      // The page filters in yuan, the table holds cents.
      cost: ({ low, high }) =>
        allOf(...between('m.cost', { low: low === undefined ? undefined : low * 100, high: high === undefined ? undefined : high * 100 })),
      state: [anyOf, 'm.state'],
    }),
  )
}

const order = (ctx: Viewer, sort: Query['sort']) =>
  orderBy(
    sort,
    {
      // Among equally late ones the gravest risk comes first.
      overdueDays: sql`row(${lateness(ctx)}, - m.risk_level::int)`,
      riskLevel: 'm.riskLevel!',
      startDate: 'm.startDate!',
      endDate: 'm.endDate!',
      cost: 'm.cost',
      hazardSource: 'm.hazardSource!',
    },
    '-overdueDays',
    'm.id',
  )

export async function readMeasures(
  ctx: Viewer & Pick<Context, 'db'>,
  where: Condition,
  { sort, limit, offset }: { sort?: Query['sort']; limit?: number; offset?: number },
): Promise<MeasureRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } =
    await sql<RawMeasure>`select m.*, j.name as project_name, k.corp_name, ${placeNameOf('m.place_id')} as place_name, ${sources} as source_count
    from (select m.* from safety_measure m where ${where} order by ${order(ctx, sort)} ${page}) m
    join project j on j.project_code = m.project_code join corporation k on k.corp_code = m.corp_code
    order by ${order(ctx, sort)}`.execute(ctx.db)
  return rows.map((row) => toRow(ctx, row))
}

/** Number of rows, and the sum of their costs in cents. */
export async function sumUp(ctx: Pick<Context, 'db'>, where: Condition): Promise<{ total: number; costSum: number }> {
  const { rows } = await sql<{ total: number; costSum: number }>`
    select count(*)::int as total, coalesce(sum(m.cost), 0)::float8 as cost_sum from safety_measure m where ${where}`.execute(ctx.db)
  return rows[0] ?? { total: 0, costSum: 0 }
}

function toRow(ctx: Pick<Context, 'clock'>, m: RawMeasure): MeasureRow {
  const late = Math.round((Date.parse(formatDay(ctx.clock.now())) - Date.parse(m.endDate)) / dayMs)
  return rowOf(measureRow, m, {
    hazardSourceName: dictName('hazardSource', m.hazardSource) ?? m.hazardSource,
    done: m.doneAt !== null,
    cost: m.cost === null ? null : Number(m.cost),
    overdueDays: m.state === runningMeasure && m.doneAt === null ? Math.max(0, late) : 0,
    stateName: measureStates[m.state],
  })
}

/** Figures of the strip and the tabs: each counts with the condition of the list it opens. */
export async function countsOf(ctx: Viewer & Pick<Context, 'db'>, query: Pick<Query, 'projectCode'>) {
  const projects = projectsFor(ctx, query.projectCode)
  const n = (of: RawBuilder<unknown>) => sql`count(*) filter (where ${of})::int`
  type Counts = Record<'todo' | 'running' | 'overdue' | 'grave', number>
  const { rows } =
    await sql<Counts>`select ${n(waiting(ctx, projects))} as todo, ${n(isRunning)} as running, ${n(isOverdue(ctx))} as overdue, ${n(isGrave)} as grave
    from safety_measure m where ${conditions(ctx, { projectCode: query.projectCode })}`.execute(ctx.db)
  return rows[0] ?? { todo: 0, running: 0, overdue: 0, grave: 0 }
}

/** One measure as a row of the list. */
export async function measureFor(ctx: Viewer & Pick<Context, 'db'>, id: string): Promise<MeasureRow | undefined> {
  const [row] = await readMeasures(ctx, allOf(...equals('m.id', id), ...inProjects('m.projectCode', projectsFor(ctx))), {})
  return row
}
