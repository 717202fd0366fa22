import type { MaterialEventRow, materialFlow, materialStock, StockRow } from '@zhugong/contract/materials/calls'
import { materialEvents } from '@zhugong/contract/materials/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, between, type Condition, condition, contains, filtersOf, inProjects, instantsBetween, orderBy } from '#kit/list'
import { pick } from '#kit/pick'
import { placeNameOf } from '../places/public.ts'
import { deviates, monthStartOf, steps, type Viewer } from './rows.ts'

export type FlowQuery = Partial<NonNullable<(typeof materialFlow)['types']>['parsed']['query']>
export type StockQuery = Partial<NonNullable<(typeof materialStock)['types']>['parsed']['query']>

/** Conditions on `material_event e` and its batch `m`. */
export function flowConditions(ctx: Viewer, query: FlowQuery): Condition {
  return allOf(
    ...inProjects('e.projectCode', projectsFor(ctx, query.projectCode)),
    filtersOf(query, {
      projectCode: 'elsewhere',
      view: 'elsewhere',
      at: [instantsBetween, 'e.at'],
      action: [anyOf, 'e.action'],
      category: [anyOf, 'm.category'],
      name: [contains, 'm.name'],
      spec: [contains, 'm.spec'],
      batchNo: [contains, 'm.batchNo'],
      supplier: [anyOf, 'm.supplier'],
      quantity: [between, 'e.quantity'],
      weighed: (value) => condition(value ? sql`e.weigh_id is not null` : sql`e.weigh_id is null`),
      reportNo: [contains, 'e.reportNo'],
      result: [contains, 'e.result'],
      operator: [contains, 'e.byName'],
      pending: (value) => condition(value ? pending : sql`not ${pending}`),
      deviates: (value) => condition(value ? deviates : sql`not ${deviates}`),
      trace: (value) =>
        condition(
          sql`(m.batch_no = ${value} or exists (select from material_event t where t.batch_id = m.id and ${value} in (t.sample_no, t.report_no)))`,
        ),
    }),
  )
}

const pending = sql`(${steps.sample} or ${steps.send} or ${steps.report})`

const flowOrder = (sort: FlowQuery['sort']) => orderBy(sort, { at: 'e.at!', quantity: 'e.quantity', name: 'm.name!' }, '-at', 'e.id')

const joined = sql`material_event e join material_batch m on m.id = e.batch_id`

type RawEvent = Row<'materialEvent'> &
  Pick<Row<'materialBatch'>, 'category' | 'name' | 'spec' | 'batchNo' | 'supplier' | 'unit'> & {
    projectName: string
    placeName: string | null
  }

export async function readFlow(
  ctx: Pick<Context, 'db'>,
  where: Condition,
  { sort, limit, offset }: { sort?: FlowQuery['sort']; limit?: number; offset?: number },
): Promise<MaterialEventRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<RawEvent>`select e.*, m.category, m.name, m.spec, m.batch_no, m.supplier, m.unit, j.name as project_name,
      ${placeNameOf('e.place_id')} as place_name
    from ${joined} join project j on j.project_code = e.project_code where ${where} order by ${flowOrder(sort)} ${page}`.execute(ctx.db)
  return rows.map((e) => ({
    ...pick(
      e,
      'id',
      'batchId',
      'projectCode',
      'projectName',
      'action',
      'category',
      'name',
      'spec',
      'batchNo',
      'supplier',
      'part',
      'placeName',
      'weighId',
      'reportNo',
      'sampleNo',
      'result',
      'note',
    ),
    at: formatInstant(e.at),
    actionName: materialEvents[e.action],
    categoryName: dictName('materialCategory', e.category) ?? e.category,
    quantity: e.quantity === null ? null : Number(e.quantity),
    unitName: dictName('materialUnit', e.unit) ?? e.unit,
    operator: e.byName,
  }))
}

export async function countFlow(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${joined} where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** Arrivals of this month, arrivals of batches that wait for their retest or deviate in weight, and exits. */
export async function flowCounts(ctx: Viewer & Pick<Context, 'db'>, { projectCode }: Pick<FlowQuery, 'projectCode'>) {
  const { day } = monthStartOf(ctx.clock.now())
  const of = (query: FlowQuery) => countFlow(ctx, flowConditions(ctx, { projectCode, ...query }))
  const arrivals = { action: ['receive'] }
  return {
    monthStart: day,
    counts: {
      received: await of({ ...arrivals, at: { from: day, to: undefined } }),
      retest: await of({ ...arrivals, pending: true }),
      exited: await of({ action: ['withdraw'] }),
      deviates: await of({ ...arrivals, deviates: true }),
    },
  }
}

export function stockConditions(ctx: Viewer, query: StockQuery): Condition {
  return allOf(
    ...inProjects('s.projectCode', projectsFor(ctx, query.projectCode)),
    filtersOf(query, {
      projectCode: 'elsewhere',
      view: 'elsewhere',
      category: [anyOf, 's.category'],
      name: [contains, 's.name'],
      spec: [contains, 's.spec'],
    }),
  )
}

type RawStock = Omit<StockRow, 'key' | 'categoryName' | 'unitName'>

/** Rejected batches count as arrived, and neither as accepted nor as left. */
const stock = sql`(
  select coalesce(b.project_code, p.project_code) as project_code, coalesce(b.category, p.category) as category, coalesce(b.name, p.name) as name,
    coalesce(b.spec, p.spec) as spec, coalesce(b.unit, p.unit) as unit, p.planned::float8 as planned, coalesce(b.arrived, 0)::float8 as arrived,
    coalesce(b.accepted, 0)::float8 as accepted, coalesce(b.used, 0)::float8 as used, coalesce(b.accepted - b.used, 0)::float8 as left_over,
    coalesce(b.batches, 0)::int as batches, coalesce(b.samples_due, 0)::int as samples_due, coalesce(b.samples_taken, 0)::int as samples_taken
  from (select m.project_code, min(m.category) as category, m.name, m.spec, m.unit, sum(m.quantity) as arrived,
      sum(case when m.state in ('1', '4') and m.exit_at is null then m.quantity else m.used_quantity end) as accepted,
      sum(m.used_quantity) as used, count(*) as batches, sum(m.samples_due) as samples_due, sum(m.samples_taken) as samples_taken
    from material_batch m group by m.project_code, m.name, m.spec, m.unit) b
  full join material_plan p on p.project_code = b.project_code and p.name = b.name and p.spec = b.spec and p.unit = b.unit) s`

export async function readStock(
  ctx: Pick<Context, 'db'>,
  where: Condition,
  { sort, limit, offset }: { sort?: StockQuery['sort']; limit?: number; offset?: number },
): Promise<StockRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const order = orderBy(
    sort,
    { name: 's.name!', arrived: 's.arrived!', used: 's.used!', left: 's.leftOver!', category: 's.category!' },
    'category',
    's.name',
  )
  const { rows } = await sql<Omit<RawStock, 'left'> & { leftOver: number }>`select s.*, j.name as project_name from ${stock}
    join project j on j.project_code = s.project_code where ${where} order by ${order}, s.project_code, s.spec, s.unit ${page}`.execute(
    ctx.db,
  )
  return rows.map(({ leftOver, ...s }) => ({
    ...s,
    key: [s.projectCode, s.name, s.spec, s.unit].join('/'),
    left: leftOver,
    categoryName: dictName('materialCategory', s.category) ?? s.category,
    unitName: dictName('materialUnit', s.unit) ?? s.unit,
  }))
}

export async function countStock(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${stock} where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}
