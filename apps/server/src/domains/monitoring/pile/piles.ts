import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { dayMs } from '@zhugong/contract/kit/time'
import { pileTypeName } from '@zhugong/contract/monitoring/pile/pile-kinds'
import { pileVerdictNames } from '@zhugong/contract/monitoring/pile/pile-verdict'
import * as calls from '@zhugong/contract/monitoring/pile/piles'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { projectsFor } from '#kit/context'
import { allOf, condition, contains, orderBy, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { Serve } from '#kit/serve'
import { byPages, exportOf, type ListContext, shownAs } from '../../exports/registry.ts'
import { toRecord } from '../shared/device-records.ts'
import { getDeviceRow } from '../shared/devices.ts'
import { numberOr, textOr, todayStart } from '../shared/family.ts'
import { infoOf, lineOf, readingsOf } from '../shared/family-reads.ts'
import { longest, periodOf } from '../shared/period.ts'
import { field, fieldAnyOf, fieldContains, numericField, within } from '../shared/record-fields.ts'
import { type RecordRow, recordColumns, recordsWhere, recordTables } from '../shared/records.ts'
import { workNow } from './pile-work.ts'

const family = 'pileFoundation'
const usualMetrics = ['depth', 'verticalityX', 'verticalityY', 'current', 'groutFlow']
const usualMs = 3 * 3_600_000
const isOpen = sql`${field('result')} is distinct from ${calls.pileResults.passed}`

type Query = ParsedFor<typeof calls.findPiles> extends { query: infer Q } ? Q : never

interface Listed extends RecordRow {
  key: string
  alarmCount: number
  /** Register entry the record is assigned to. */
  pileId: string | null
  registerNo: string | null
  designDepth: number | null
  verdict: '1' | '2' | '0' | null
  designGrout: number | null
  designPressure: number | null
  operator: string | null
}

const ofFile = (key: string) =>
  sql`(case when jsonb_typeof(d.params -> ${sql.lit(key)}) = 'number' then (d.params ->> ${sql.lit(key)})::float8 end)`
/** Designed grout, L per metre, from the rig's record. */
const designGrout = ofFile('designGrout')
/** Percent of the designed grout, like `pileOf`. */
const groutPercent = sql`round((${numericField('groutTotal')} / nullif(${designGrout} * ${numericField('finalDepth')}, 0) * 100)::numeric, 1)::float8`

const ofRigs = condition(sql`r.device_id in (select id from device where family = ${family})`)

/** Finished piles with design values and totals, shared by page and export. */
export async function pilePage(ctx: ListContext, query: Query) {
  const now = ctx.clock.now()
  const basis = {
    record: 'pileRecord',
    projects: projectsFor(ctx, query.projectCode),
    deviceId: query.deviceId,
    period: periodOf(query, now, 30 * dayMs, longest.records),
  }
  const where = allOf(
    recordsWhere({ ...basis, where: [ofRigs] }),
    ...fieldContains('pileNo', query.pileNo),
    ...contains('d.name', query.deviceName),
    ...fieldAnyOf('result', query.result),
    ...within(numericField('finalDepth'), query.finalDepth),
    ...within(numericField('maxVerticality'), query.maxVerticality),
    ...within(groutPercent, query.groutPercent),
  )
  const order = orderBy(
    query.sort,
    { startTime: 'r.ts!', finalDepth: numericField('finalDepth'), maxVerticality: numericField('maxVerticality') },
    '-startTime',
    'r.deviceId',
  )
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Listed & { total: number }>`
    select ${recordColumns}, g.pile_id, g.pile_no as register_no, g.design_depth, g.verdict, ${designGrout} as design_grout,
      ${ofFile('designPressure')} as design_pressure, count(*) over ()::int as total,
      (select w.by_name from pile_work w where w.device_id = r.device_id and w.started_at <= r.ts and (w.ended_at is null or w.ended_at + interval '10 minutes' >= r.ts)
        order by w.started_at desc limit 1) as operator,
      (select count(*)::int from alarm a where a.device_id = r.device_id and not a.simulated and a.alarm_key <> 'offline'
        and a.start_time <= r.ts + interval '1 minute' and a.start_time > r.ts - interval '1 day'
        and a.start_time >= coalesce((select max(b.ts) from device_record b where b.device_id = r.device_id and b.record = 'pileRecord' and b.ts < r.ts), r.ts - interval '1 day')) as alarm_count
    from ${recordTables} left join lateral (
      select n.pile_id, e.pile_no, coalesce(e.design_depth, e.design_length)::float8 as design_depth, e.verdict from pile_run_now n join pile e on e.id = n.pile_id
      where n.device_id = r.device_id and n.ts = r.ts and n.id = r.id limit 1) g on true
    where ${where} order by ${order}, r.id limit ${limit} offset ${offset}`.execute(ctx.db)
  const counts = await sql<{ piles: number; today: number; pending: number; failed: number }>`
    select count(*)::int as piles, count(*) filter (where r.ts >= ${new Date(todayStart(now))})::int as today,
      count(*) filter (where ${field('result')} is null or ${field('result')} = ${calls.pileResults.pending})::int as pending,
      count(*) filter (where ${field('result')} = ${calls.pileResults.failed})::int as failed
    from ${recordTables} where ${recordsWhere({ ...basis, where: [ofRigs] })}`.execute(ctx.db)
  return {
    list: rows.map((r) =>
      rowOf(calls.pileRow, r, {
        ...toRecord(r),
        designDepth: r.designDepth ?? numberOr(r.params.designDepth),
        pileType: textOr(r.params.pileType),
      }),
    ),
    total: rows[0]?.total ?? 0,
    counts: counts.rows[0] ?? { piles: 0, today: 0, pending: 0, failed: 0 },
  }
}

export function pileRoutes(serve: Serve): void {
  serve(calls.pileInfo, async ({ params }, ctx) => {
    const row = await getDeviceRow(ctx, params.id, family)
    const period = { from: todayStart(ctx.clock.now()), to: ctx.clock.now() + 1 }
    const { rows } = await sql<{ piles: number; open: number }>`
      select count(*)::int as piles, count(*) filter (where ${isOpen})::int as open from device_record r
      where ${recordsWhere({ record: 'pileRecord', projects: undefined, deviceId: row.id, period })}`.execute(ctx.db)
    return { ...(await infoOf(ctx, row)), params: row.params, today: rows[0] ?? { piles: 0, open: 0 }, work: await workNow(ctx.db, row.id) }
  })
  serve(calls.pileLine, async ({ query }, ctx) => {
    const { list, total, bucketSeconds } = await lineOf(ctx, family, query, usualMetrics, undefined, usualMs)
    return { list, total, bucketSeconds }
  })
  serve(calls.pileReadings, ({ query }, ctx) => readingsOf(ctx, family, query))
  serve(calls.findPiles, ({ query }, ctx) => pilePage(ctx, query))
}

export function registerPileExports(): void {
  exportOf(
    calls.pileList,
    {
      title: '成桩记录',
      widths: { projectName: 28, startTime: 20, endTime: 20, doubt: 28 },
      ...byPages(shownAs(pilePage, (row) => ({ ...row, pile: calls.pileOf(row) }))),
    },
    {
      pileNo: (r) => r.registerNo ?? r.pile.pileNo ?? '未指定桩号',
      pileType: (r) => pileTypeName(r.pileType),
      startTime: (r) => (r.pile.startTime === null ? null : formatInstant(r.pile.startTime)),
      endTime: (r) => formatInstant(r.pile.endTime),
      finalDepth: (r) => r.pile.finalDepth,
      maxVerticality: (r) => r.pile.maxVerticality,
      groutTotal: (r) => r.pile.groutTotal,
      groutPercent: (r) => r.pile.groutPercent,
      finalPressure: (r) => r.pile.finalPressure,
      finalPenetration: (r) => r.pile.finalPenetration,
      result: (r) => calls.pileResultNames[r.pile.result] ?? r.pile.result,
      verdict: (r) => (r.verdict === null ? null : pileVerdictNames[r.verdict]),
      doubt: (r) => r.pile.doubts.join('，') || null,
    },
  )
}
