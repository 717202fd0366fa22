import { dayMs } from '@zhugong/contract/kit/time'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import type { listSpotChecks, SpotRow } from '@zhugong/contract/spotchecks/calls'
import { spotRow } from '@zhugong/contract/spotchecks/calls'
import { awaitedSpot } from '@zhugong/contract/spotchecks/moves'
import { spotTests } from '@zhugong/contract/spotchecks/readings'
import { type RawBuilder, sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, daysBetween, equals, filtersOf, inProjects, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { waitsFor } from '../process/public.ts'
import { spotType, stateName } from './kind.ts'

type RawSpot = Row<'spotCheck'> & { projectName: string; corpName: string; unitName: string | null; supplier: string | null }
type SpotQuery = Partial<NonNullable<(typeof listSpotChecks)['types']>['parsed']['query']>
export type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'codes' | 'group' | 'clock'>

const today = (ctx: Pick<Context, 'clock'>) => sql`${formatDay(ctx.clock.now())}::date`
const awaited = sql`c.state = ${awaitedSpot}`
const isLate = (ctx: Pick<Context, 'clock'>) => sql`(${awaited} and c.lab_due < ${today(ctx)})`
const waiting = (ctx: Viewer, projects: readonly string[] | undefined) =>
  sql`c.id in (select t.object_id from process_todo t where t.kind = ${spotType} and ${waitsFor(ctx, projects)})`

export function conditions(ctx: Viewer, query: SpotQuery): Condition {
  const projects = projectsFor(ctx, query.projectCode)
  const tabs: Record<NonNullable<SpotQuery['tab']>, RawBuilder<unknown>> = {
    todo: waiting(ctx, projects),
    awaited,
    failed: sql`c.state in ('3', '4')`,
    closed: sql`c.state in ('2', '5')`,
  }
  return allOf(
    ...inProjects('c.projectCode', projects),
    filtersOf(query, {
      projectCode: 'elsewhere',
      tab: (value) => condition(tabs[value]),
      code: [contains, 'c.code'],
      kind: [anyOf, 'c.kind'],
      part: [contains, 'c.part'],
      unit: [anyOf, 'c.unitId'],
      batchId: [equals, 'c.batchId'],
      supplier: (value) =>
        condition(sql`exists (select from material_batch m where m.id = c.batch_id and ${allOf(...contains('m.supplier', value))})`),
      corpName: (value) =>
        condition(sql`exists (select from corporation k where k.corp_code = c.corp_code and ${allOf(...contains('k.corpName', value))})`),
      checkDate: [daysBetween, 'c.checkDate'],
      checkers: (value) => condition(sql`exists (select from unnest(c.checkers) as n(name) where ${allOf(...contains('n.name', value))})`),
      method: [contains, 'c.method'],
      sampleNo: [contains, 'c.sampleNo'],
      labOrg: [contains, 'c.labOrg'],
      reported: (value) => condition(value ? sql`c.report_no is not null` : sql`c.report_no is null`),
      late: (value) => condition(value ? isLate(ctx) : sql`not coalesce(${isLate(ctx)}, false)`),
      result: [anyOf, 'c.result'],
      state: [anyOf, 'c.state'],
    }),
  )
}

/** What is unfinished first: failures, late reports, reports, drafts, then the rest. */
const urgency = (ctx: Viewer) =>
  sql`case when c.state = '3' then 0 when ${isLate(ctx)} then 1 when c.state = '4' then 2 when ${awaited} then 3 when c.state = '0' then 4 else 5 end`
const order = (ctx: Viewer, sort: SpotQuery['sort']) =>
  orderBy(
    sort,
    {
      urgency: sql`row(${urgency(ctx)}, '9999-12-31'::date - c.check_date)`,
      checkDate: 'c.checkDate!',
      labDue: 'c.labDue',
      kind: 'c.kind!',
    },
    'urgency',
    'c.id',
  )

export async function readSpots(
  ctx: Viewer & Pick<Context, 'db'>,
  where: Condition,
  { sort, limit, offset }: { sort?: SpotQuery['sort']; limit?: number; offset?: number },
): Promise<SpotRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<RawSpot>`select c.*, j.name as project_name, k.corp_name, u.name as unit_name, m.supplier
    from (select c.* from spot_check c where ${where} order by ${order(ctx, sort)} ${page}) c
    join project j on j.project_code = c.project_code join corporation k on k.corp_code = c.corp_code
    left join unit_project u on u.id = c.unit_id left join material_batch m on m.id = c.batch_id
    order by ${order(ctx, sort)}`.execute(ctx.db)
  return rows.map((row) => toRow(ctx, row))
}

export async function countSpots(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from spot_check c where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

function toRow(ctx: Pick<Context, 'clock'>, c: RawSpot): SpotRow {
  const late = c.labDue === null ? 0 : Math.round((Date.parse(formatDay(ctx.clock.now())) - Date.parse(c.labDue)) / dayMs)
  return rowOf(spotRow, c, {
    kindName: dictName('spotCheckKind', c.kind) ?? c.kind,
    testName: spotTests[c.test],
    lateDays: c.state === awaitedSpot ? Math.max(0, late) : 0,
    stateName: stateName(c.state),
  })
}

const mostRanked = 5

/** Figures of the strip, each with the condition of the list it opens, and suppliers by failures. */
export async function countsOf(ctx: Viewer & Pick<Context, 'db'>, query: Pick<SpotQuery, 'projectCode'>) {
  const projects = projectsFor(ctx, query.projectCode)
  const where = conditions(ctx, { projectCode: query.projectCode })
  const n = (of: RawBuilder<unknown>) => sql`count(*) filter (where ${of})::int`
  type Counts = Record<'awaited' | 'late' | 'failed' | 'todo' | 'good' | 'done', number>
  const { rows } = await sql<Counts>`select ${n(awaited)} as awaited, ${n(isLate(ctx))} as late, ${n(sql`c.state in ('3', '4')`)} as failed,
      ${n(waiting(ctx, projects))} as todo, ${n(sql`c.state = '2'`)} as good, ${n(sql`c.state in ('2', '3', '4', '5')`)} as done
    from spot_check c where ${where}`.execute(ctx.db)
  const ranking = await sql<{ supplier: string; checks: number; failed: number }>`select m.supplier, count(*)::int as checks,
      count(*) filter (where c.result = '2')::int as failed
    from spot_check c join material_batch m on m.id = c.batch_id where ${where} and c.state not in ('0', '1')
    group by 1 order by 3 desc, 2 desc, 1 limit ${mostRanked}`.execute(ctx.db)
  const { good = 0, done = 0, ...counts } = rows[0] ?? { awaited: 0, late: 0, failed: 0, todo: 0 }
  return {
    counts: { ...counts, passRate: done === 0 ? null : Math.round((good / done) * 1000) / 10 },
    ranking: ranking.rows,
  }
}

export async function spotFor(ctx: Viewer & Pick<Context, 'db'>, id: string): Promise<SpotRow | undefined> {
  const [row] = await readSpots(ctx, allOf(...equals('c.id', id), ...inProjects('c.projectCode', projectsFor(ctx))), {})
  return row
}
