import type { House, houseSync, SyncRecord } from '@zhugong/contract/houses/houses'
import { findHouses, syncSources } from '@zhugong/contract/houses/houses'
import { houseStates } from '@zhugong/contract/houses/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, equals, inProjects, instantsBetween, orderBy } from '#kit/list'
import { pick } from '#kit/pick'
import { rowOf, rowSchemaOf } from '#kit/row-of'

type Parsed = NonNullable<(typeof houseSync)['types']>['parsed']['query']
export type HouseQuery = Pick<Parsed, 'projectCode'> & Partial<Omit<Parsed, 'projectCode'>>
type Viewer = Pick<Context, 'db' | 'scope' | 'scopeChecks'>
type Scoped = Pick<Context, 'scope' | 'scopeChecks'>
interface Page {
  sort?: HouseQuery['sort']
  limit?: number
  offset?: number
}
const pageSql = ({ limit, offset }: Page) => (limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`)

const isOpen = sql`(h.state in (${houseStates.toFix}, ${houseStates.toRecheck}))`
const isGone = sql`(h.gone_at is not null)`
const isDue = sql`(h.gone_at is null)`
const either = (is: RawBuilder<unknown>, value: boolean | undefined): Condition[] =>
  value === undefined ? [] : [condition(value ? is : sql`not ${is}`)]

export const houseConditions = (ctx: Scoped, query: HouseQuery): Condition =>
  allOf(
    ...inProjects('h.projectCode', projectsFor(ctx, query.projectCode)),
    ...equals('h.buildingId', query.building),
    ...contains('h.name', query.name),
    ...anyOf('h.state', query.state),
    ...either(isOpen, query.open),
    ...either(isGone, query.gone),
  )

type RawHouse = Row<'house'> & { projectName: string }
const schema = rowSchemaOf(findHouses)
/** Building, floor and room in the order of the tree. */
const byPlace = sql`row(b.seq, h.building_id, q.seqs)`

export async function readHouses(ctx: Viewer, where: Condition, page: Page): Promise<House[]> {
  const order = orderBy(
    page.sort as 'place' | undefined,
    { place: byPlace, problemCount: sql`h.problem_count`, acceptDate: sql`h.accept_date` } as never,
    'place',
    'h.id',
  )
  const { rows } = await sql<RawHouse>`select h.*, j.name as project_name from house h join project j on j.project_code = h.project_code
    join site_place b on b.id = h.building_id
    join lateral (select array(select s.seq from unnest((select r.path from site_place r where r.id = h.place_id)) with ordinality as p(id, n)
      join site_place s on s.id = p.id order by p.n) as seqs) q on true
    where ${where} order by ${order} ${pageSql(page)}`.execute(ctx.db)
  return rows.map((row) => rowOf(schema, row, { stateName: dictName('houseState', row.state) ?? row.state, gone: row.goneAt !== null }))
}

export async function countHouses(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from house h where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

const n = (of: RawBuilder<unknown>) => sql`(count(*) filter (where ${of}))::int`

/** Figures of the strip: each counts with the condition of the list it opens. */
export async function houseCounts(ctx: Viewer, query: HouseQuery) {
  type Counts = Record<'total' | 'passed' | 'open' | 'gone', number>
  const { rows } =
    await sql<Counts>`select ${n(isDue)} as total, ${n(sql`h.state = ${houseStates.passed}`)} as passed, ${n(isOpen)} as open,
      ${n(isGone)} as gone from house h where ${houseConditions(ctx, { projectCode: query.projectCode })}`.execute(ctx.db)
  return rows[0] ?? { total: 0, passed: 0, open: 0, gone: 0 }
}

/** Buildings with their share of passed houses. */
export async function buildingsOf(ctx: Viewer, query: HouseQuery) {
  type Raw = { id: string; name: string; projectName: string; total: number; passed: number }
  const { rows } = await sql<Raw>`select h.building_id as id, b.name, j.name as project_name, ${n(isDue)} as total,
      ${n(sql`h.gone_at is null and h.state = ${houseStates.passed}`)} as passed
    from house h join site_place b on b.id = h.building_id join project j on j.project_code = h.project_code
    where ${houseConditions(ctx, { projectCode: query.projectCode })} group by h.building_id, b.name, b.seq, j.name order by j.name, b.seq`.execute(
    ctx.db,
  )
  return rows.map((one) => ({ ...one, ready: one.total > 0 && one.passed === one.total }))
}

export const syncConditions = (ctx: Scoped, query: HouseQuery): Condition =>
  allOf(
    ...inProjects('s.projectCode', projectsFor(ctx, query.projectCode)),
    ...instantsBetween('s.at', query.time),
    ...anyOf('s.source', query.source),
    ...either(sql`(s.failed > 0)`, query.failed),
  )

export async function readSyncs(ctx: Viewer, where: Condition, page: Page): Promise<SyncRecord[]> {
  const order = orderBy(page.sort as 'time' | undefined, { time: sql`s.at`, count: sql`s.rows` } as never, '-time' as never, 's.id')
  const { rows } = await sql<Row<'houseSync'> & { projectName: string }>`select s.*, j.name as project_name from house_sync s
    join project j on j.project_code = s.project_code where ${where} order by ${order} ${pageSql(page)}`.execute(ctx.db)
  return rows.map(({ id, projectName, at, source, rows: count, added, changed, missing, failed, byName, failures }) => ({
    id,
    projectName,
    time: formatInstant(at),
    source,
    sourceName: (syncSources as Readonly<Record<string, string>>)[source] ?? source,
    count,
    added,
    changed,
    missing,
    failed,
    operator: byName,
    failures,
  }))
}

export async function countSyncs(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from house_sync s where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

export const problemConditions = (ctx: Scoped, query: HouseQuery): Condition =>
  allOf(
    condition(sql`i.result = '2' and h.state in (${houseStates.toFix}, ${houseStates.toRecheck})`),
    ...inProjects('i.projectCode', projectsFor(ctx, query.projectCode)),
    ...equals('h.buildingId', query.building),
    ...anyOf('i.itemCode', query.itemCode),
    ...contains('h.name', query.houseName),
  )

export async function readProblems(ctx: Viewer, where: Condition, page: Page) {
  type Raw = Row<'houseItem'> & Pick<Row<'house'>, 'buildingName' | 'unitName' | 'name' | 'state'> & { projectName: string }
  const order = orderBy(
    page.sort as 'since' | undefined,
    { since: sql`i.bad_since`, place: sql`row(h.building_name, h.floor_name, h.name)` } as never,
    'since',
    'i.itemCode',
  )
  const { rows } = await sql<Raw>`select i.*, h.building_name, h.unit_name, h.name, h.state, j.name as project_name
    from house_item i join house h on h.id = i.house_id join project j on j.project_code = i.project_code
    where ${where} order by ${order}, i.house_id ${pageSql(page)}`.execute(ctx.db)
  return rows.map((one) => ({
    id: `${one.houseId}-${one.itemCode}`,
    ...pick(one, 'houseId', 'projectName', 'itemCode', 'note'),
    houseName: [one.buildingName, one.unitName, one.name].filter(Boolean).join(' '),
    itemName: dictName('houseAcceptItem', one.itemCode) ?? one.itemCode,
    since: formatInstant(one.badSince ?? one.at),
    stateName: dictName('houseState', one.state) ?? one.state,
  }))
}

export async function countProblems(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from house_item i join house h on h.id = i.house_id where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}
