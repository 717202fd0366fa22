import { cellState, columnKeys, divisionOf, lotWork, lotWorks, type PaperColumn } from '@zhugong/contract/papers/catalogue'
import type * as contract from '@zhugong/contract/papers/quality'
import type { LotBranch, LotRow, PaperCell } from '@zhugong/contract/papers/quality'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import { pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import { seesProject } from '#kit/sees-project'
import type { HandlerOf } from '#kit/serve'
import { libraryOf } from './project.ts'
import { itemsOf } from './records.ts'

type Query = Partial<NonNullable<(typeof contract.listQuality)['types']>['parsed']['query']>
export type Reader = Pick<Context, 'db' | 'scope' | 'scopeChecks' | 'projectCode' | 'group'>

interface Raw {
  unit: string
  unitName: string
  placeId: string
  placeName: string
  work: string
  /** Each yyyy-MM,yyyy-MM or null. */
  months: (string | null)[]
  cells: { col: PaperColumn; done: number; waiting: number; count: number; late: number }[]
}
export interface Lot extends LotRow {
  months: string[]
}

/** Every lot of a project with its cells: one statement, whatever the number of lots. Ordered by unit, division, work and place. */
export async function lotsOf(ctx: Pick<Context, 'db'>, projectCode: string): Promise<Lot[]> {
  const { rows } = await sql<Raw>`select n.unit, n.unit_name, g.place_id, q.full_name as place_name, g.work,
      array_agg(g.months) as months,
      jsonb_agg(jsonb_build_object('col', g.col, 'done', g.done, 'waiting', g.waiting, 'count', g.count, 'late', g.late)) as cells
    from (select i.place_id, i.work, i.col, string_agg(distinct left(i.day, 7), ',') as months, count(*)::int as count,
        count(*) filter (where i.stands = 'done')::int as done, count(*) filter (where i.stands = 'waiting')::int as waiting,
        count(*) filter (where i.late)::int as late
      from ${itemsOf(projectCode)} i group by i.place_id, i.work, i.col) g
      join site_place q on q.id = g.place_id
      join lateral (select coalesce(w.id, o.id) as unit, coalesce(w.name, o.name) as unit_name, coalesce(w.seq, 10000) as unit_seq
        from site_place o left join unit_project w on w.id = (select b.unit_id from site_place b where b.id = any (q.path) and b.unit_id is not null limit 1)
        where o.id = q.path[1]) n on true
    group by n.unit, n.unit_name, n.unit_seq, g.place_id, q.full_name, q.seq, g.work
    order by n.unit_seq, n.unit_name, n.unit, q.seq, q.full_name, g.place_id`.execute(ctx.db)
  const order = new Map(lotWorks.map((one, at) => [one.code, at]))
  const units = [...new Set(rows.map((one) => one.unit))]
  return rows
    .flatMap((raw) => toLot(raw, projectCode) ?? [])
    .toSorted((a, b) => units.indexOf(a.unit) - units.indexOf(b.unit) || (order.get(a.work) ?? 0) - (order.get(b.work) ?? 0))
}

function toLot(raw: Raw, projectCode: string): Lot | undefined {
  const work = lotWork(raw.work)
  if (!work) return undefined
  const cells = columnKeys.map((column): PaperCell => {
    const own = raw.cells.find((one) => one.col === column) ?? { done: 0, waiting: 0, count: 0, late: 0 }
    return { column, count: own.count, late: own.late, state: cellState(work.needs.includes(column), own) }
  })
  const division = divisionOf(work.item)
  return {
    id: `${raw.placeId} ${raw.work}`,
    projectCode,
    ...pick(raw, 'unit', 'unitName', 'work', 'placeId', 'placeName'),
    division,
    divisionName: dictName('qualityCheckItem', division) ?? division,
    itemName: dictName('qualityCheckItem', work.item) ?? work.item,
    workName: work.name,
    cells,
    gaps: cells.filter((one) => one.state === 'missing').length,
    months: raw.months.flatMap((one) => one?.split(',') ?? []),
  }
}

const waits = (lot: LotRow) => lot.cells.some((one) => one.state === 'waiting')

export function filtered(lots: readonly Lot[], query: Query): Lot[] {
  const { unit, division, work, placeName, month, missing, waiting, late, sort } = query
  const kept = lots.filter(
    (one) =>
      (!unit?.length || unit.includes(one.unit)) &&
      (!division || one.division === division) &&
      (!work?.length || work.includes(one.work)) &&
      (!placeName || one.placeName.includes(placeName)) &&
      (!month || one.months.includes(month)) &&
      (!missing || one.gaps > 0) &&
      (!waiting || waits(one)) &&
      (!late || one.cells.some((cell) => cell.late > 0)),
  )
  if (sort === 'gaps') return kept.toSorted((a, b) => a.gaps - b.gaps)
  if (sort === '-gaps') return kept.toSorted((a, b) => b.gaps - a.gaps)
  return sort === '-place' ? kept.toReversed() : kept
}

function treeOf(lots: readonly Lot[]): LotBranch[] {
  const branches = new Map<string, LotBranch>()
  for (const { unit, unitName, division, divisionName, work, workName, gaps } of lots) {
    const key = `${unit} ${work}`
    const known = branches.get(key) ?? { unit, unitName, division, divisionName, work, workName, lots: 0, gaps: 0 }
    branches.set(key, { ...known, lots: known.lots + 1, gaps: known.gaps + gaps })
  }
  return [...branches.values()]
}

/** The lots that the list of a query counts. @throws AppError without one project that the caller sees */
export async function lotsFor(ctx: Reader, query: Query): Promise<{ all: Lot[]; list: Lot[] }> {
  const all = await lotsOf(ctx, libraryOf(ctx, query.projectCode))
  return { all, list: filtered(all, query) }
}

export const listQuality: HandlerOf<typeof contract.listQuality> = async ({ query }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const { all, list } = await lotsFor(ctx, query)
  const { limit, offset } = pageSlice(query)
  return {
    list: list.slice(offset, offset + limit).map(({ months: _months, ...lot }) => lot),
    total: list.length,
    tree: treeOf(all),
    counts: {
      lots: all.length,
      missing: filtered(all, { missing: true }).length,
      waiting: filtered(all, { waiting: true }).length,
      late: filtered(all, { late: true }).length,
    },
  }
}
