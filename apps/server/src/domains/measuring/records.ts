import { passRateOf, pointResults } from '@zhugong/contract/measuring/judge'
import { type Heat, type MeasureMatrix, type MeasurePoint, measureRecords } from '@zhugong/contract/measuring/records'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, oneProject, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import {
  allOf,
  anyOf,
  between,
  type Condition,
  condition,
  contains,
  equals,
  filtersOf,
  inProjects,
  instantsBetween,
  orderBy,
  pageSlice,
} from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { linksOf } from '../files/public.ts'
import { planPictures, withinPlace } from '../places/public.ts'

export function recordRoutes(serve: Serve): void {
  serve(measureRecords, async ({ query }, ctx) => views[query.view](ctx, query))
}

type Parsed = NonNullable<(typeof measureRecords)['types']>['parsed']['query']
export type RecordQuery = Omit<Parsed, 'page' | 'size' | 'view' | 'sort'> & Partial<Pick<Parsed, 'page' | 'size' | 'view' | 'sort'>>
type Viewer = Pick<Context, 'db' | 'scope' | 'scopeChecks' | 'clock' | 'secrets'>

const final = sql`coalesce(p.retest_result, p.result)`
const isOpen = sql`(${final} in ('2', '3'))`

/** Filters that all views share. */
export const recordConditions = (ctx: Pick<Context, 'scope' | 'scopeChecks'>, query: RecordQuery): Condition =>
  allOf(
    ...inProjects('p.projectCode', projectsFor(ctx, query.projectCode)),
    filtersOf(query, {
      projectCode: 'elsewhere',
      view: 'elsewhere',
      time: [instantsBetween, 'p.at'],
      place: (value) => withinPlace('p.place_id', value),
      itemCode: (codes) =>
        condition(sql`(p.item_code = any (${[...codes]}) or left(p.item_code, 1) = any (${codes.filter((one) => one.length === 1)}))`),
      deviation: [between, 'p.deviation'],
      result: [anyOf, 'p.result'],
      retest: (value) => condition(value ? sql`p.retest is not null` : sql`p.retest is null`),
      open: (value) => condition(value ? isOpen : sql`not coalesce(${isOpen}, false)`),
      unitCorp: [anyOf, 'p.corpCode'],
      measurer: [contains, 'p.measurer'],
      instrumentNo: [contains, 'p.instrumentNo'],
      task: [equals, 'p.taskId'],
    }),
  )

const n = (of: RawBuilder<unknown>) => sql`coalesce(sum(p.n) filter (where ${of}), 0)::int`
/** Counts of judged points over `pointGroups`: first measurement and after retests. */
const tallies = sql`${n(sql`p.result is not null`)} as measured, ${n(sql`${final} = ${pointResults.passed}`)} as passed,
  ${n(sql`p.result = ${pointResults.passed}`)} as first, ${n(sql`${final} = ${pointResults.burst}`)} as burst`
/** Points counted by these columns and their results: 100,000 rows are counted once, and the verdicts summed over few. */
const pointGroups = (where: Condition, by?: RawBuilder<unknown>) => {
  const columns = by ? sql`${by}, p.result, p.retest_result` : sql`p.result, p.retest_result`
  return sql`(select ${columns}, count(*) as n from measure_point p where ${where} group by ${columns}) p`
}
interface Tallied {
  measured: number
  passed: number
  first: number
  burst: number
}
const counted = ({ measured, passed, first, burst }: Tallied) => ({
  measured,
  passed,
  burst,
  firstRate: passRateOf({ measured, passed: first }),
  passRate: passRateOf({ measured, passed }),
})
const sumOf = (all: readonly Tallied[]): Tallied =>
  all.reduce(
    (sum, one) => ({
      measured: sum.measured + one.measured,
      passed: sum.passed + one.passed,
      first: sum.first + one.first,
      burst: sum.burst + one.burst,
    }),
    { measured: 0, passed: 0, first: 0, burst: 0 },
  )

type RawPoint = Row<'measurePoint'> & {
  projectName: string
  taskName: string
  placeName: string
  unitCorp: string | null
  standardName: string
  designValue: number | null
}

const order = (sort: RecordQuery['sort']) =>
  orderBy(sort, { time: 'p.at!', deviation: 'p.deviation', itemCode: 'p.itemCode!' }, '-time', 'p.id')

export async function readPoints(
  ctx: Viewer,
  where: Condition,
  { sort, limit, offset }: { sort?: RecordQuery['sort']; limit?: number; offset?: number },
): Promise<MeasurePoint[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<RawPoint>`select p.*, j.name as project_name, t.task_name, q.full_name as place_name, k.corp_name as unit_corp,
      i.standard_name, a.design_value
    from (select p.* from measure_point p where ${where} order by ${order(sort)} ${page}) p
    join project j on j.project_code = p.project_code join measure_task t on t.id = p.task_id join site_place q on q.id = p.place_id
    join measure_area a on a.id = p.area_id join measure_task_item i on i.task_id = a.task_id and i.no = a.item_no
    left join corporation k on k.corp_code = p.corp_code order by ${order(sort)}`.execute(ctx.db)
  return rows.map((row) => toPoint(ctx, row))
}

function toPoint(ctx: Pick<Context, 'secrets' | 'clock'>, row: RawPoint): MeasurePoint {
  const { id, projectCode, projectName, corpCode, taskId, taskName, placeName, itemCode, standardName, areaNo, pointNo, designValue } = row
  const { value, deviation, result, retest, retestResult, unitCorp, measurer, instrumentNo } = row
  return {
    id,
    projectCode,
    projectName,
    corpCode,
    taskId,
    taskName,
    time: formatInstant(row.at),
    placeName,
    itemCode,
    itemName: dictName('measureItem', itemCode) ?? itemCode,
    standardName,
    areaNo,
    pointNo,
    designValue,
    value,
    deviation,
    result,
    resultName: dictName('measurePointResult', result),
    retest,
    retestResult,
    unitCorp,
    measurer,
    instrumentNo,
    photos: linksOf(ctx, row.photos),
  }
}

export async function countPointRows(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from measure_point p where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** How many points the filters select, and the figures of the strip over them, in one pass. */
export async function recordCounts(ctx: Pick<Context, 'db'>, where: Condition) {
  const { rows } = await sql<
    Tallied & { total: number; open: number }
  >`select ${n(sql`true`)} as total, ${tallies}, ${n(isOpen)} as open from ${pointGroups(where)}`.execute(ctx.db)
  const row = rows[0] ?? { total: 0, measured: 0, passed: 0, first: 0, burst: 0, open: 0 }
  const { measured, burst, firstRate, passRate } = counted(row)
  return { total: row.total, counts: { measured, burst, firstRate, passRate, open: row.open } }
}

async function listView(ctx: Context, query: Parsed) {
  const where = recordConditions(ctx, query)
  return {
    list: await readPoints(ctx, where, { sort: query.sort, ...pageSlice(query) }),
    ...(await recordCounts(ctx, where)),
  }
}

/** Floors and rooms of the buildings of one project that have measured places, with the rate of every place. */
export async function heatOf(ctx: Viewer, query: RecordQuery): Promise<Heat> {
  const where = recordConditions(ctx, query)
  const { rows } = await sql<
    Tallied & { placeId: string }
  >`select p.place_id, ${tallies} from ${pointGroups(where, sql`p.place_id`)} group by 1`.execute(ctx.db)
  const projects = projectsFor(ctx, query.projectCode)
  type Place = Pick<Row<'sitePlace'>, 'id' | 'parentId' | 'kind' | 'name' | 'path'>
  const { rows: places } = await sql<Place>`select id, parent_id, kind, name, path from site_place q
    where ${allOf(...inProjects('q.projectCode', projects))}
      and path[1] in (select s.path[1] from site_place s where s.id = any (${rows.map((one) => one.placeId)})) and archived_at is null
    order by cardinality(path), seq, id`.execute(ctx.db)
  const tally = new Map(rows.map((one) => [one.placeId, one]))
  const children = Map.groupBy(places, (one) => one.parentId)
  const roots = places.filter((one) => one.path.length === 1)
  const list = roots.map((root) => {
    const inside = places.filter((one) => one.path[0] === root.id)
    const units = inside.filter((one) => one.kind === 'unit')
    const floors = inside.filter((one) => one.kind === 'floor')
    const levels = floors.length > 0 ? floors : [root]
    return {
      id: root.id,
      name: root.name,
      ...counted(sumOf(inside.flatMap((one) => tally.get(one.id) ?? []))),
      floors: levels.toReversed().map((floor) => {
        const unit = units.find((one) => one.id === floor.parentId)
        // Stairs and shafts are shown where they were measured.
        const rooms = (children.get(floor.id) ?? [])
          .filter((one) => tally.has(one.id) || !service.test(one.name))
          .map(({ id, name }) => ({ id, name }))
        const whole = { id: floor.id, name: '整层' }
        return {
          floorId: floor.id,
          floorName: unit ? `${unit.name} ${floor.name}` : floor.name,
          // A floor that was measured as a whole is a cell of its own.
          cells: rooms.length === 0 || tally.has(floor.id) ? [whole, ...rooms] : rooms,
        }
      }),
    }
  })
  return { list, total: list.length, cells: rows.map((one) => ({ placeId: one.placeId, ...counted(one) })) }
}

const service = /楼梯|管井|电井|水井|电梯/

/** Weeks of the trend. */
const trendWeeks = 8

/** Items by company, and how the first rate of each item developed. */
export async function matrixOf(ctx: Pick<Context, 'db' | 'scope' | 'scopeChecks'>, query: RecordQuery): Promise<MeasureMatrix> {
  const where = recordConditions(ctx, query)
  type Cell = Tallied & { itemCode: string; corpCode: string | null }
  const { rows } =
    await sql<Cell>`select p.item_code, p.corp_code, ${tallies} from ${pointGroups(where, sql`p.item_code, p.corp_code`)} group by 1, 2`.execute(
      ctx.db,
    )
  type Week = { itemCode: string; week: string; measured: number; first: number }
  const { rows: weeks } =
    await sql<Week>`select p.item_code, to_char(p.week, 'YYYY-MM-DD') as week, ${n(sql`p.result is not null`)} as measured,
      ${n(sql`p.result = ${pointResults.passed}`)} as first
    from (select p.item_code, date_trunc('week', p.at at time zone 'Asia/Shanghai') as week, p.result, count(*) as n
      from measure_point p where ${where} group by 1, 2, 3) p group by p.item_code, p.week order by p.week`.execute(ctx.db)
  const { rows: names } = await sql<{ code: string; name: string }>`select corp_code as code, corp_name as name from corporation
    where corp_code = any (${rows.flatMap((one) => one.corpCode ?? [])})`.execute(ctx.db)
  const nameOf = new Map(names.map((one) => [one.code, one.name]))
  const byItem = Map.groupBy(rows, (one) => one.itemCode)
  const weeksOf = Map.groupBy(weeks, (one) => one.itemCode)
  const byCorp = [...Map.groupBy(rows, (one) => one.corpCode ?? '')].sort(([a], [b]) => (a < b ? -1 : 1))
  const list = [...byItem.keys()].sort().map((itemCode) => {
    const cells = byItem.get(itemCode) ?? []
    return {
      itemCode,
      itemName: dictName('measureItem', itemCode) ?? itemCode,
      ...counted(sumOf(cells)),
      trend: (weeksOf.get(itemCode) ?? []).slice(-trendWeeks).flatMap(({ week, measured, first }) => {
        const rate = passRateOf({ measured, passed: first })
        return rate === null ? [] : [{ week, rate }]
      }),
      corps: cells.map((one) => ({ corpCode: one.corpCode ?? '', ...counted(one) })),
    }
  })
  return {
    list,
    total: list.length,
    corps: byCorp.map(([corpCode, cells]) => ({ corpCode, name: nameOf.get(corpCode) ?? '本项目', ...counted(sumOf(cells)) })),
  }
}

/** Projects by their rate, the worst first. */
async function rankOf(ctx: Viewer, query: RecordQuery) {
  const where = recordConditions(ctx, query)
  type Raw = Tallied & { projectCode: string; projectName: string; tasks: number; open: number }
  const { rows } = await sql<Raw>`select p.*, j.name as project_name from (select p.project_code, ${tallies}, ${n(isOpen)} as open,
      count(distinct p.task_id)::int as tasks from ${pointGroups(where, sql`p.project_code, p.task_id`)} group by 1) p join project j using (project_code)
    order by p.passed::float8 / nullif(p.measured, 0) nulls last, j.name`.execute(ctx.db)
  const list = rows.map(({ projectCode, projectName, tasks, open, ...tally }) => ({
    projectCode,
    projectName,
    tasks,
    open,
    ...counted(tally),
  }))
  return { list, total: list.length }
}

/** The areas of a floor that stand on a plan. */
async function planOf(ctx: Context, query: RecordQuery) {
  oneProject(ctx, query.projectCode)
  const where = recordConditions(ctx, query)
  type Raw = Tallied & {
    id: string
    placeName: string
    itemCode: string
    areaNo: number
    planId: string
    x: number
    y: number
    worst: string | null
  }
  const { rows } =
    await sql<Raw>`select a.id, q.full_name as place_name, p.item_code, a.area_no, a.plan_id, a.pin_x as x, a.pin_y as y, ${tallies},
      max(${final}) as worst
    from ${pointGroups(where, sql`p.area_id, p.item_code`)} join measure_area a on a.id = p.area_id join site_place q on q.id = a.place_id
    where a.plan_id is not null and a.pin_x is not null
    group by a.id, q.full_name, p.item_code order by worst desc nulls last, q.full_name, p.item_code, a.area_no limit ${mostOnPlan}`.execute(
      ctx.db,
    )
  const list = rows.map(({ id, placeName, itemCode, areaNo, planId, x, y, measured, passed, worst }) => ({
    id,
    placeName,
    itemName: dictName('measureItem', itemCode) ?? itemCode,
    areaNo,
    planId,
    x,
    y,
    measured,
    passed,
    worst,
  }))
  return {
    list,
    total: list.length,
    plans: await planPictures(
      ctx,
      list.map((one) => one.planId),
    ),
  }
}
/** Marks on one plan; the worst are kept. */
const mostOnPlan = 300

const views: Record<Parsed['view'], (ctx: Context, query: Parsed) => ReturnType<HandlerOf<typeof measureRecords>>> = {
  list: listView,
  heat: heatOf,
  matrix: matrixOf,
  rank: rankOf,
  plan: planOf,
}
