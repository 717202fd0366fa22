import { parseInstant } from '@zhugong/contract/kit/fields'
import { dayMs } from '@zhugong/contract/kit/time'
import type { listMaterials, MaterialRow } from '@zhugong/contract/materials/calls'
import { materialRow } from '@zhugong/contract/materials/calls'
import { materialStates } from '@zhugong/contract/materials/moves'
import { weighedUnits } from '@zhugong/contract/materials/rules'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
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
} from '#kit/list'
import { rowOf } from '#kit/row-of'
import { whyNot } from './kind.ts'

export type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'codes' | 'group' | 'clock'>
type RawBatch = Row<'materialBatch'> & { projectName: string; corpName: string; ticketCount: number }
export type BatchQuery = Partial<NonNullable<(typeof listMaterials)['types']>['parsed']['query']>

const here = sql`m.exit_at is null`
const waiting = sql`m.state = '2' and m.blocked_by is null and ${here}`
/** What the figures count and the filter `step` selects. */
export const steps: Record<NonNullable<BatchQuery['step']>, RawBuilder<unknown>> = {
  accept: sql`(m.state = '0')`,
  sample: sql`(${waiting} and m.sent_at is null and m.samples_taken < m.samples_due)`,
  send: sql`(${waiting} and m.sent_at is null and m.samples_taken >= m.samples_due)`,
  report: sql`(${waiting} and m.sent_at is not null)`,
  banned: sql`(${here} and (m.state = '3' or m.blocked_by is not null))`,
  unweighed: sql`(${here} and m.unit = any (${[...weighedUnits]}) and m.state <> '3'
    and not exists (select from material_weigh w where w.batch_id = m.id and w.direction = 'in'))`,
}
export const deviates = sql`(m.deviation is not null and abs(m.deviation) > m.tolerance)`
const isWaiting = sql`(${here} and (m.state = '0' or ${waiting}))`
const ageDays = (ctx: Pick<Context, 'clock'>) =>
  sql`case when ${isWaiting} then floor(extract(epoch from ${new Date(ctx.clock.now())}::timestamptz - m.arrive_time) / 86400)::int end`
const [good, bad, none] = ['1', '2', '4']
const results: Readonly<Record<string, RawBuilder<unknown>>> = {
  [good]: sql`m.retest_passed`,
  [bad]: sql`not m.retest_passed`,
  [none]: sql`m.retest_passed is null`,
}

export function conditions(ctx: Viewer, query: BatchQuery): Condition {
  return allOf(
    ...inProjects('m.projectCode', projectsFor(ctx, query.projectCode)),
    filtersOf(query, {
      projectCode: 'elsewhere',
      step: (value) => condition(steps[value]),
      category: [anyOf, 'm.category'],
      name: [contains, 'm.name'],
      spec: [contains, 'm.spec'],
      batchNo: (value) =>
        condition(sql`(${allOf(...contains('m.batchNo', value))} or exists (select from material_event e where e.batch_id = m.id
          and e.sample_no is not null and ${allOf(...contains('e.sampleNo', value))}))`),
      supplier: [anyOf, 'm.supplier'],
      quantity: [between, 'm.quantity'],
      arriveTime: [instantsBetween, 'm.arriveTime'],
      needRetest: (value) => condition(value ? sql`m.need_retest` : sql`not m.need_retest`),
      retestResult: (values) => {
        const wanted = values.flatMap((one) => (Object.hasOwn(results, one) && results[one] ? [results[one]] : []))
        return condition(wanted.length ? sql`(m.need_retest and (${sql.join(wanted, sql` or `)}))` : sql`false`)
      },
      deviates: (value) => condition(value ? deviates : sql`not ${deviates}`),
      exited: (value) => condition(value ? sql`m.exit_at is not null` : here),
      state: [anyOf, 'm.state'],
      ageDays: ({ low, high }) =>
        condition(sql`coalesce(${ageDays(ctx)} >= ${low ?? -1}::numeric and ${ageDays(ctx)} <= ${high ?? 1_000_000}::numeric, false)`),
    }),
  )
}

const order = (ctx: Viewer, sort: BatchQuery['sort']) =>
  orderBy(
    sort,
    {
      arriveTime: 'm.arriveTime!',
      ageDays: ageDays(ctx),
      quantity: 'm.quantity!',
      name: 'm.name!',
      category: 'm.category!',
      deviation: sql`abs(m.deviation)`,
    },
    '-arriveTime',
    'm.id',
  )

interface Slice {
  sort?: BatchQuery['sort']
  limit?: number
  offset?: number
}
export async function readBatches(
  ctx: Viewer & Pick<Context, 'db'>,
  where: Condition,
  { sort, limit, offset }: Slice,
): Promise<MaterialRow[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<RawBatch>`select m.*, j.name as project_name, k.corp_name,
      (select count(*)::int from material_weigh w where w.batch_id = m.id and w.direction = 'in') as ticket_count
    from (select m.* from material_batch m where ${where} order by ${order(ctx, sort)} ${page}) m
    join project j on j.project_code = m.project_code join corporation k on k.corp_code = m.corp_code
    order by ${order(ctx, sort)}`.execute(ctx.db)
  return rows.map((row) => toRow(ctx, row))
}

export async function countBatches(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from material_batch m where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** The step that a batch waits for, as `steps` says it in SQL. */
export function stepOf(m: Row<'materialBatch'>): MaterialRow['step'] {
  if (m.exitAt !== null) return null
  if (m.state === '0') return 'accept'
  if (m.state === '3' || m.blockedBy !== null) return 'banned'
  if (m.state !== '2') return null
  if (m.sentAt !== null) return 'report'
  return m.samplesTaken < m.samplesDue ? 'sample' : 'send'
}

function toRow(ctx: Pick<Context, 'clock'>, m: RawBatch): MaterialRow {
  const step = stepOf(m)
  const reason = whyNot(m) ?? null
  return rowOf(materialRow, m, {
    categoryName: dictName('materialCategory', m.category) ?? m.category,
    quantity: Number(m.quantity),
    usedQuantity: Number(m.usedQuantity),
    unitName: dictName('materialUnit', m.unit) ?? m.unit,
    arriveTime: formatInstant(m.arriveTime),
    deviates: m.deviation !== null && Math.abs(m.deviation) > m.tolerance,
    usable: reason === null,
    whyNot: reason,
    step,
    ageDays: step === null || step === 'banned' ? null : Math.floor((ctx.clock.now() - m.arriveTime.getTime()) / dayMs),
    exited: m.exitAt !== null,
    stateName: materialStates[m.state],
  })
}

/** Figures of the strip, the tree and the choices of a filter, each with the conditions of the list. */
export async function countsOf(ctx: Viewer & Pick<Context, 'db'>, query: Pick<BatchQuery, 'projectCode'>) {
  const where = conditions(ctx, { projectCode: query.projectCode })
  const n = (of: RawBuilder<unknown>) => sql`count(*) filter (where ${of})::int`
  type Counts = Record<'accept' | 'sample' | 'report' | 'banned' | 'unweighed', number>
  const { rows } = await sql<Counts>`select ${n(steps.accept)} as accept, ${n(steps.sample)} as sample, ${n(steps.report)} as report,
      ${n(steps.banned)} as banned, ${n(steps.unweighed)} as unweighed
    from material_batch m where ${where}`.execute(ctx.db)
  const groups = await sql<{ code: string; count: number }>`select m.category as code, count(*)::int as count from material_batch m
    where ${where} group by 1 order by 1`.execute(ctx.db)
  const suppliers = await sql<{
    supplier: string
  }>`select distinct m.supplier from material_batch m where ${where} order by 1 limit ${mostSuppliers}`.execute(ctx.db)
  return {
    counts: rows[0] ?? { accept: 0, sample: 0, report: 0, banned: 0, unweighed: 0 },
    categories: groups.rows.map((one) => ({ ...one, name: dictName('materialCategory', one.code) ?? one.code })),
    suppliers: suppliers.rows.map((one) => one.supplier),
  }
}
/** The filter by supplier accepts as many values at once. */
const mostSuppliers = 200

export async function batchFor(ctx: Viewer & Pick<Context, 'db'>, id: string): Promise<MaterialRow | undefined> {
  const [row] = await readBatches(ctx, allOf(...equals('m.id', id), ...inProjects('m.projectCode', projectsFor(ctx))), {})
  return row
}

/** First moment of the present month in Beijing. */
export function monthStartOf(now: number): { day: string; at: Date } {
  const day = `${formatInstant(new Date(now)).slice(0, 7)}-01`
  return { day, at: new Date(parseInstant(day) ?? now) }
}
