import { AppError } from '@zhugong/contract/kit/errors'
import { emptyOption } from '@zhugong/contract/kit/fields'
import { dayMs } from '@zhugong/contract/kit/time'
import { changeStates, projectStates } from '@zhugong/contract/organisation/codes'
import { type Fence, hectaresOf, placeOutside, ringsOf } from '@zhugong/contract/organisation/fence'
import * as contract from '@zhugong/contract/organisation/fence-overview'
import { isPlaced } from '@zhugong/contract/organisation/place'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, oneProject, projectsFor } from '#kit/context'
import { allOf, contains, inAreas, inProjects, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { exportOf } from '../exports/registry.ts'
import { setFence, storedFence } from './fences.ts'

export function fenceOverviewRoutes(serve: Serve) {
  serve(contract.listFences, listFences)
  serve(contract.fencePunches, fencePunches)
  serve(contract.setDefaultFences, setDefaultFences)
}

type Query = NonNullable<(typeof contract.listFences)['types']>['parsed']['query']
type FenceContext = Pick<Context, 'db' | 'clock' | 'scope' | 'scopeChecks'>

interface Raw {
  projectCode: string
  name: string
  areaCode: string
  lng: number | null
  lat: number | null
  areaRule: unknown
  at: Date | null
  waiting: boolean
  passes: number
  mobile: number
  outside: number
}

/** Areas are computed from the drawn fences, so all visible ones are read here. Attendance counts are those of the ledger. */
async function allFences(ctx: FenceContext, query: Partial<Query>): Promise<contract.FenceRow[]> {
  const from = new Date(ctx.clock.now() - contract.punchDays * dayMs)
  const within = allOf(
    ...inProjects('p.projectCode', projectsFor(ctx)),
    ...contains('p.name', query.projectName),
    ...inAreas('p.areaCode', query.areaCode),
  )
  const { rows } = await sql<Raw>`
    select p.project_code, p.name, p.area_code, p.lng, p.lat, p.area_rule,
      (select max(coalesce(f.decide_time, f.create_time)) from project_fence f where f.project_code = p.project_code and f.state = '1') as at,
      exists (select 1 from project_fence f where f.project_code = p.project_code and f.state = '0') as waiting,
      coalesce(e.passes, 0)::int as passes, coalesce(e.mobile, 0)::int as mobile, coalesce(e.outside, 0)::int as outside
    from project p left join lateral (
      select count(*) as passes, count(*) filter (where v.lng is not null) as mobile, count(*) filter (where v.lng is not null and v.outside_fence) as outside
      from attendance_event v where v.project_code = p.project_code and v.time >= ${from}) e on true
    where p.enable = '1' and ${within}`.execute(ctx.db)
  return rows.map(toRow).filter((one) => fits(one, query))
}

function toRow(p: Raw): contract.FenceRow {
  const fence = storedFence(p.areaRule)
  const rings = ringsOf(p.areaRule)
  const hectares = rings.length > 0 ? hectaresOf(rings) : null
  const off = placeOutside(p, rings)
  const offset = off === null ? null : Math.round(off)
  const why = oddness(hectares, offset)
  const state = why ? 'odd' : p.waiting ? 'waiting' : hectares === null ? 'none' : 'fine'
  return rowOf(contract.row, p, {
    projectName: p.name,
    areaName: areaName(p.areaCode),
    areaRule: fence,
    fenceType: hectares === null ? null : fence?.type === '1' ? '1' : '2',
    hectares,
    offset,
    outsideRate: p.mobile > 0 ? percent(p.outside, p.mobile) : null,
    punchRate: p.passes > 0 ? percent(p.mobile, p.passes) : null,
    updateTime: p.at && formatInstant(p.at),
    state,
    stateName: contract.fenceStates[state],
    why,
  })
}

const percent = (part: number, whole: number): number => Math.round((part / whole) * 1000) / 10

function oddness(hectares: number | null, offset: number | null): string | null {
  const { hectares: most, leastHectares, offsetMeters } = contract.oddFence
  if (hectares !== null && hectares > most) return `面积超过 ${most} 公顷`
  if (hectares !== null && hectares < leastHectares) return `面积不足 ${leastHectares * 10_000} ㎡`
  if (offset !== null && offset > offsetMeters) return `距项目地址 ${offset} 米`
  return null
}

const inRange = (value: number | null, range: { low?: number | undefined; high?: number | undefined } | undefined): boolean =>
  !range || (range.low === undefined && range.high === undefined)
    ? true
    : value !== null && value >= (range.low ?? Number.NEGATIVE_INFINITY) && value <= (range.high ?? Number.POSITIVE_INFINITY)
const among = (value: string | null, wanted: readonly string[] | undefined): boolean =>
  !wanted?.length || (wanted.includes(emptyOption) ? value === null : value !== null && wanted.includes(value))

const fits = (one: contract.FenceRow, query: Partial<Query>): boolean =>
  among(one.fenceType, query.fenceType) &&
  among(one.state, query.state) &&
  inRange(one.hectares, query.hectares) &&
  inRange(one.offset, query.offset) &&
  inRange(one.outsideRate, query.outsideRate) &&
  inRange(one.punchRate, query.punchRate)

/** Fences with problems come first. */
const ranks = Object.keys(contract.fenceStates)

function inOrder(list: contract.FenceRow[], sort: Query['sort']): contract.FenceRow[] {
  const name = (sort ?? 'state').replace(/^-/, '') as
    | 'state'
    | 'projectName'
    | 'hectares'
    | 'offset'
    | 'outsideRate'
    | 'punchRate'
    | 'updateTime'
  const turn = sort?.startsWith('-') ? -1 : 1
  const keyOf = (one: contract.FenceRow): number | string | null => (name === 'state' ? ranks.indexOf(one.state) : one[name])
  return list.toSorted((a, b) => {
    const [x, y] = [keyOf(a), keyOf(b)]
    // Empty values come last in both directions.
    if (x === null || y === null) return Number(x === null) - Number(y === null) || (a.projectCode < b.projectCode ? -1 : 1)
    return (x < y ? -1 : x > y ? 1 : 0) * turn || (a.projectCode < b.projectCode ? -1 : 1)
  })
}

const listFences: HandlerOf<typeof contract.listFences> = async ({ query }, ctx) => {
  const all = await allFences(ctx, query)
  const { limit, offset } = pageSlice(query)
  const count = (state: string) => all.filter((one) => one.state === state).length
  return {
    list: inOrder(all, query.sort).slice(offset, offset + limit),
    total: all.length,
    figures: {
      none: count('none'),
      waiting: count('waiting'),
      odd: count('odd'),
      outside: all.filter((one) => (one.outsideRate ?? 0) > contract.manyOutside).length,
    },
  }
}

export function registerFenceExport(): void {
  exportOf(
    contract.fenceList,
    {
      title: '电子围栏',
      widths: { projectName: 32 },
      count: async (ctx, query) => (await allFences(ctx, query)).length,
      async *rows(ctx, query) {
        yield* inOrder(await allFences(ctx, query), query.sort)
      },
    },
    {
      areaCode: (f) => f.areaName,
      fenceType: (f) => f.fenceType && contract.fenceTypes[f.fenceType as '1' | '2'],
      state: (f) => f.stateName,
    },
  )
}

/** Points on the map; more would overlap. */
const mostPoints = 500

const fencePunches: HandlerOf<typeof contract.fencePunches> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const from = new Date(ctx.clock.now() - query.days * dayMs)
  const { rows } = await sql<{ lng: number; lat: number; outside: boolean }>`
    select lng, lat, outside_fence as outside from attendance_event
    where project_code = ${projectCode} and time >= ${from} and lng is not null and lat is not null order by time desc limit ${mostPoints}`.execute(
    ctx.db,
  )
  const counted = await sql<{ total: number; outside: number }>`
    select count(*)::int as total, count(*) filter (where outside_fence)::int as outside from attendance_event
    where project_code = ${projectCode} and time >= ${from} and lng is not null`.execute(ctx.db)
  return { total: counted.rows[0]?.total ?? 0, outside: counted.rows[0]?.outside ?? 0, points: rows }
}

const setDefaultFences: HandlerOf<typeof contract.setDefaultFences> = async ({ body }, ctx) => {
  const wanted = body.projectCodes && new Set(body.projectCodes)
  const { rows } = await sql<{
    projectCode: string
    name: string
    lng: number | null
    lat: number | null
    areaRule: unknown
    version: number
  }>`
    select p.project_code, p.name, p.lng, p.lat, p.area_rule, p.version from project p
    where p.enable = '1' and p.prj_status <> ${projectStates.closed} and ${allOf(...inProjects('p.projectCode', projectsFor(ctx)))}
      and not exists (select 1 from project_fence f where f.project_code = p.project_code and f.state = ${changeStates.waiting})
    order by p.name, p.project_code`.execute(ctx.db)
  const without = rows.filter((p) => ringsOf(p.areaRule).length === 0 && (!wanted || wanted.has(p.projectCode)))
  const placed = without.filter(isPlaced)
  if (body.apply && placed.length === 0) throw new AppError('refused', '没有可设默认围栏的项目', { field: 'projectCodes' })
  const circle = (p: { lng: number; lat: number }): Fence => ({ type: '1', center: { lng: p.lng, lat: p.lat }, radius: body.radius })
  if (body.apply) {
    for (const p of placed) await setFence(ctx, p.projectCode, circle(p), `默认围栏，半径 ${body.radius} 米`)
    ctx.note(
      `为 ${placed.length} 个项目设默认围栏（${body.radius} 米）`,
      placed.map((p) => p.projectCode),
    )
  }
  return {
    list: placed.map((p) => ({ projectCode: p.projectCode, name: p.name, hectares: hectaresOf(ringsOf(circle(p))) })),
    unplaced: without.length - placed.length,
  }
}
