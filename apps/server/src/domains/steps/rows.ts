import { dictName } from '@zhugong/contract/settings/dictionaries'
import type { listSteps, StepRow } from '@zhugong/contract/steps/calls'
import { stepRow } from '@zhugong/contract/steps/calls'
import { stepKinds, workOf } from '@zhugong/contract/steps/chain'
import { stepStates } from '@zhugong/contract/steps/moves'
import { type RawBuilder, sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, equals, filtersOf, inProjects, instantsBetween, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { withinPlace } from '../places/public.ts'
import { waitsFor } from '../process/public.ts'
import { stepType } from './kind.ts'

type RawStep = Row<'siteStep'> & { projectName: string; corpName: string; placeName: string; unitName: string | null }
type StepQuery = Partial<NonNullable<(typeof listSteps)['types']>['parsed']['query']>
export type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'codes' | 'group' | 'clock'>

const waiting = (ctx: Viewer, projects: readonly string[] | undefined) =>
  sql`s.id in (select t.object_id from process_todo t where t.kind = ${stepType} and ${waitsFor(ctx, projects)})`

/** The unit of the works that a place lies in. */
export const unitOf = sql`(select u.unit_id from site_place q join site_place u on u.id = any (q.path) and u.unit_id is not null
  where q.id = s.place_id limit 1)`

export function conditions(ctx: Viewer, query: StepQuery): Condition {
  const projects = projectsFor(ctx, query.projectCode)
  const tabs: Record<NonNullable<StepQuery['tab']>, RawBuilder<unknown>> = {
    todo: waiting(ctx, projects),
    waiting: sql`s.state = '1'`,
    failed: sql`s.state = '3'`,
    draft: sql`s.state = '0'`,
  }
  return allOf(
    ...inProjects('s.projectCode', projects),
    filtersOf(query, {
      projectCode: 'elsewhere',
      tab: (value) => condition(tabs[value]),
      code: [contains, 's.code'],
      unit: (values) => condition(sql`${unitOf} = any (${values})`),
      part: [contains, 's.part'],
      place: (value) => withinPlace('s.place_id', value),
      step: [anyOf, 's.work'],
      kind: [anyOf, 's.kind'],
      checkTime: [instantsBetween, 's.checkTime'],
      checkers: (value) => condition(sql`exists (select from unnest(s.checkers) as c(name) where ${allOf(...contains('c.name', value))})`),
      result: [anyOf, 's.result'],
      qualityProblem: (values) => condition(sql`s.problems && ${values}::text[]`),
      state: [anyOf, 's.state'],
    }),
  )
}

const order = (sort: StepQuery['sort']) =>
  orderBy(sort, { checkTime: 's.checkTime!', code: 's.code', part: 's.part!' }, '-checkTime', 's.id')

export async function readSteps(
  ctx: Viewer & Pick<Context, 'db'>,
  where: Condition,
  { sort, limit, offset }: { sort?: StepQuery['sort']; limit?: number; offset?: number },
): Promise<StepRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<RawStep>`select s.*, j.name as project_name, k.corp_name, q.full_name as place_name,
      (select w.name from unit_project w where w.id = ${unitOf}) as unit_name
    from (select s.* from site_step s where ${where} order by ${order(sort)} ${page}) s
    join project j on j.project_code = s.project_code join corporation k on k.corp_code = s.corp_code join site_place q on q.id = s.place_id
    order by ${order(sort)}`.execute(ctx.db)
  return rows.map(toRow)
}

export async function countSteps(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from site_step s where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

function toRow(s: RawStep): StepRow {
  const work = workOf(s.work)
  return rowOf(stepRow, s, {
    workName: work?.name ?? s.work,
    item: work?.item ?? '',
    itemName: dictName('qualityCheckItem', work?.item) ?? '',
    kindName: stepKinds[s.kind] ?? s.kind,
    checkTime: formatInstant(s.checkTime),
    firstPass: s.result === '1' && s.round === 1 && s.rectifyId === null,
    problemNames: s.problems.map((one) => dictName('qualityProblem', one) ?? one),
    stateName: stepStates[s.state],
  })
}

const shownProblems = 5

/** Figures of the strip, each with the condition of the list it opens, and the most frequent defects. */
export async function countsOf(ctx: Viewer & Pick<Context, 'db'>, query: Pick<StepQuery, 'projectCode'>) {
  const projects = projectsFor(ctx, query.projectCode)
  const where = conditions(ctx, { projectCode: query.projectCode })
  const n = (of: RawBuilder<unknown>) => sql`count(*) filter (where ${of})::int`
  type Counts = { todo: number; waiting: number; failed: number; first: number; done: number }
  const { rows } =
    await sql<Counts>`select ${n(waiting(ctx, projects))} as todo, ${n(sql`s.state = '1'`)} as waiting, ${n(sql`s.state = '3'`)} as failed,
      ${n(sql`s.state in ('2', '4') and s.round = 1 and s.rectify_id is null`)} as first, ${n(sql`s.state in ('2', '3', '4')`)} as done
    from site_step s where ${where}`.execute(ctx.db)
  const { rows: rank } = await sql<{ code: string; count: number }>`select p as code, count(*)::int as count
    from site_step s, unnest(s.problems) as p where ${where} and s.state <> '0' group by 1 order by 2 desc, 1 limit ${shownProblems}`.execute(
    ctx.db,
  )
  const { first = 0, done = 0, todo = 0, waiting: wait = 0, failed = 0 } = rows[0] ?? {}
  return {
    counts: { todo, waiting: wait, failed, firstPass: done === 0 ? null : Math.round((first / done) * 1000) / 10 },
    rank: rank.map((one) => ({ ...one, name: dictName('qualityProblem', one.code) ?? one.code })),
  }
}

export async function stepFor(ctx: Viewer & Pick<Context, 'db'>, id: string): Promise<StepRow | undefined> {
  const [row] = await readSteps(ctx, allOf(...equals('s.id', id), ...inProjects('s.projectCode', projectsFor(ctx))), {})
  return row
}
