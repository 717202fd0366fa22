import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import type * as calls from '@zhugong/contract/monitoring/pile/pile-register'
import { pileRun } from '@zhugong/contract/monitoring/pile/pile-register'
import type * as pileTests from '@zhugong/contract/monitoring/pile/pile-tests'
import { pileOf } from '@zhugong/contract/monitoring/pile/piles'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { found, projectsFor } from '#kit/context'
import { allOf, anyOf, between, type Condition, contains, daysBetween, equals, inProjects, orderBy, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { ListContext } from '../../../exports/registry.ts'
import { recordKeySql } from '../../shared/device-records.ts'
import { numberOr } from '../../shared/family.ts'

type Query = ParsedFor<typeof calls.listPiles> extends { query: infer Q } ? Q : never
interface Row extends Omit<calls.PileEntry, 'madeAt'> {
  madeAt: Date | null
}

const number = (key: string) =>
  sql`(case when jsonb_typeof(r.data -> ${sql.lit(key)}) = 'number' then (r.data ->> ${sql.lit(key)})::float8 end)`

/**
 * Register entries with the newest record of each. Records are assigned to piles once for all entries: a page costs no more than the totals over all.
 */
const register = (where: Condition, runs: Condition, today: string) => sql`
  made as (
    select distinct on (r.pile_id) r.pile_id, r.ts, ${number('finalDepth')} as final_depth, ${number('maxVerticality')} as max_verticality,
      count(*) over (partition by r.pile_id)::int as runs
    from pile_run_now r where ${runs} order by r.pile_id, r.ts desc),
  register as (
    select g.id, g.project_code, p.name as project_name, g.pile_no, g.kind, g.axis, g.diameter, g.design_length::float8, g.design_depth::float8, g.concrete,
      g.planned_on, g.x, g.y, g.made_on, g.verdict, g.version, m.final_depth, m.max_verticality, coalesce(m.runs, 0) as runs,
      coalesce(m.ts, g.made_on::timestamp at time zone 'Asia/Shanghai') as made_at,
      (select count(*)::int from pile_test t where t.pile_id = g.id) as tests,
      case g.verdict when '1' then 'passed' when '2' then 'doubtful' when '0' then 'failed'
        else case when exists (select 1 from pile_work w where w.pile_id = g.id and w.ended_at is null) then 'making'
          when m.ts is not null or g.made_on is not null then 'made' when g.planned_on < ${today}::date then 'late' else 'planned' end end as state
    from pile g join project p on p.project_code = g.project_code left join made m on m.pile_id = g.id
    where ${where})`
const columns = sql`id, project_code, project_name, pile_no, kind, axis, diameter, round(design_length::numeric, 2)::float8 as design_length,
  round(design_depth::numeric, 2)::float8 as design_depth, concrete, to_char(planned_on, 'YYYY-MM-DD') as planned_on, to_char(made_on, 'YYYY-MM-DD') as made_on,
  x, y, state, made_at, final_depth, max_verticality, runs, tests, verdict, version`

const toEntry = ({ madeAt, ...row }: Row): calls.PileEntry => ({ ...row, madeAt: madeAt?.getTime() ?? null })

const scopeOf = (ctx: ListContext, projectCode: string, column: string) => allOf(...inProjects(column, projectsFor(ctx, projectCode)))
const registerOf = (ctx: ListContext, projectCode: string) =>
  register(scopeOf(ctx, projectCode, 'g.project_code'), scopeOf(ctx, projectCode, 'r.project_code'), formatDay(ctx.clock.now()))

/** Piles of a site with state and totals, shared by page and export. */
export async function registerPage(ctx: ListContext, query: Query) {
  const { limit, offset } = pageSlice(query)
  const where = allOf(
    ...contains('pile_no', query.pileNo),
    ...contains('axis', query.axis),
    ...anyOf('kind', query.kind),
    ...anyOf('state', query.state),
    ...between('design_length', query.designLength),
    ...daysBetween('planned_on', query.plannedOn),
  )
  const order = orderBy(
    query.sort,
    // ZH2 before ZH10: ordered by length first.
    { pileNo: sql`length(pile_no)`, plannedOn: 'planned_on', madeAt: 'made_at', designLength: 'design_length' },
    'pileNo',
    'pile_no',
  )
  const { rows } = await sql<Row & { total: number }>`with ${registerOf(ctx, query.projectCode)}
    select ${columns}, count(*) over ()::int as total from register where ${where} order by ${order}, id limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  const counts = await sql<NonNullable<(typeof calls.listPiles)['types']>['out']['counts']>`with ${registerOf(ctx, query.projectCode)}
    select count(*)::int as total, count(*) filter (where state not in ('planned', 'late', 'making'))::int as made, count(*) filter (where state = 'passed')::int as passed,
      count(*) filter (where state = 'doubtful')::int as doubtful, count(*) filter (where state = 'failed')::int as failed,
      count(*) filter (where state = 'made')::int as undecided, count(*) filter (where state = 'late')::int as late,
      count(*) filter (where tests > 0)::int as tested from register`.execute(ctx.db)
  return {
    list: rows.map(({ total: _total, ...row }) => toEntry(row)),
    total: rows[0]?.total ?? 0,
    counts: counts.rows[0] ?? { total: 0, made: 0, passed: 0, doubtful: 0, failed: 0, undecided: 0, late: 0, tested: 0 },
  }
}

export async function getPile(ctx: ListContext, id: string, projectCode: string): Promise<calls.PileEntry> {
  const where = allOf(...equals('g.id', id), ...inProjects('g.project_code', projectsFor(ctx, projectCode)))
  const runs = allOf(...equals('r.pile_id', id), ...inProjects('r.project_code', projectsFor(ctx, projectCode)))
  const { rows } = await sql<Row>`with ${register(where, runs, formatDay(ctx.clock.now()))} select ${columns} from register`.execute(ctx.db)
  return toEntry(found(rows[0], '桩'))
}

/** Records of a pile, newest first. */
export async function runsOf(
  ctx: ListContext,
  pile: Pick<calls.PileEntry, 'id' | 'designLength' | 'designDepth'>,
): Promise<calls.PileRun[]> {
  const { rows } = await sql<{
    key: string
    deviceId: string
    deviceName: string
    ts: Date
    data: Record<string, unknown>
    params: Record<string, unknown>
    assignedBy: string | null
    assignedReason: string | null
  }>`select ${recordKeySql} as key, r.device_id, d.name as device_name, r.ts, r.data, d.params, r.assigned_by, r.assigned_reason
    from pile_run_now r join device d on d.id = r.device_id where r.pile_id = ${pile.id} order by r.ts desc, r.id limit 50`.execute(ctx.db)
  return rows.map(({ ts, data, params, ...row }) => {
    const designed = { designGrout: numberOr(params.designGrout), designPressure: numberOr(params.designPressure) }
    const run = pileOf({ time: ts.getTime(), data, designDepth: pile.designDepth ?? pile.designLength, ...designed })
    return rowOf(pileRun, run, {
      ...row,
      time: ts.getTime(),
      ...designed,
      // A person assigned the pile, so the rig's missing pile number is no longer a doubt.
      doubts: run.doubts.filter((one) => one !== '未指定桩号'),
    })
  })
}

type TestQuery = ParsedFor<typeof pileTests.listPileTests> extends { query: infer Q } ? Q : never
type TestRow = (typeof pileTests.listPileTests)['types'] extends { out: { list: (infer T)[] } } | undefined ? T : never

/** Tests of a site, shared by page and export. */
export async function testPage(ctx: ListContext, query: TestQuery) {
  const { limit, offset } = pageSlice(query)
  const where = allOf(
    ...inProjects('t.project_code', projectsFor(ctx, query.projectCode)),
    ...equals('t.kind', query.kind),
    ...contains('g.pile_no', query.pileNo),
    ...daysBetween('t.tested_on', query.testedOn),
    ...between('t.settlement', query.settlement),
    ...equals('t.is_passed', query.isPassed === undefined ? undefined : query.isPassed === '1'),
  )
  const order = orderBy(query.sort, { testedOn: 't.testedOn', settlement: 't.settlement', maxLoad: 't.maxLoad' }, '-testedOn', 't.id')
  const { rows } = await sql<Omit<TestRow, 'createTime'> & { createTime: Date; total: number }>`
    select t.id, t.kind, to_char(t.tested_on, 'YYYY-MM-DD') as tested_on, t.integrity, t.wave_speed, t.max_load::float8,
      round(t.settlement::numeric, 2)::float8 as settlement, t.steps, t.is_passed, t.tester, t.report_no as report, t.note, t.create_by, t.create_time,
      g.id as pile_id, g.pile_no, g.kind as pile_kind, t.project_code, p.name as project_name, count(*) over ()::int as total
    from pile_test t join pile g on g.id = t.pile_id join project p on p.project_code = t.project_code
    where ${where} order by ${order} limit ${limit} offset ${offset}`.execute(ctx.db)
  return {
    list: rows.map(({ total: _total, createTime, ...row }) => ({ ...row, createTime: createTime.getTime() })),
    total: rows[0]?.total ?? 0,
  }
}

/** Tests of a pile, newest first. */
export async function testsOf(ctx: ListContext, pileId: string): Promise<pileTests.PileTest[]> {
  const { rows } = await sql<Omit<pileTests.PileTest, 'createTime'> & { createTime: Date }>`
    select id, kind, to_char(tested_on, 'YYYY-MM-DD') as tested_on, integrity, wave_speed, max_load::float8, round(settlement::numeric, 2)::float8 as settlement,
      steps, is_passed, tester, report_no as report, note, create_by, create_time
    from pile_test where pile_id = ${pileId} order by tested_on desc, create_time desc, id limit 50`.execute(ctx.db)
  return rows.map(({ createTime, ...row }) => ({ ...row, createTime: createTime.getTime() }))
}

export async function verdictsOf(ctx: ListContext, pileId: string): Promise<calls.PileDetail['verdicts']> {
  const { rows } = await sql<Omit<calls.PileDetail['verdicts'][number], 'at'> & { at: Date }>`
    select id, verdict, proposed, grounds, reason, by_name, by_group, at from pile_verdict where pile_id = ${pileId} order by at desc, id limit 50`.execute(
    ctx.db,
  )
  return rows.map(({ at, ...row }) => ({ ...row, at: at.getTime() }))
}
