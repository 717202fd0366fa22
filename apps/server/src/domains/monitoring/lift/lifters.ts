import * as lists from '@zhugong/contract/monitoring/lift/lift-lists'
import * as calls from '@zhugong/contract/monitoring/lift/lift-live'
import * as fixes from '@zhugong/contract/monitoring/record-fixes'
import { sql } from 'kysely'
import { projectsFor } from '#kit/context'
import type { Tx } from '#kit/db'
import { allOf, type Condition, condition, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { driverGroupsFor, type ReadingRow, servedDriven, toReading } from '../../readings/public.ts'
import { analysisScope, splitSort } from '../cycles/scopes.ts'
import { blameCycle } from '../shared/blame.ts'
import { warnRefused } from '../shared/cabin.ts'
import { type DeviceRow, findDeviceRows, getDeviceRow, latestOf, toDeviceNow } from '../shared/devices.ts'
import { daysUntil, textOr, todayStart } from '../shared/family.ts'
import { fileOf, infoOf, lineOf, rangesWhere, readingsOf } from '../shared/family-reads.ts'
import { dailyAlarmsOf } from './daily-alarms.ts'
import { liftAnalysis } from './lift-analysis.ts'
import { liftDayPage, liftRankPage, liftRunGroupPage, liftRunPage } from './lift-pages.ts'
import { runTotals } from './lift-runs.ts'
import { stateStop } from './lift-stops.ts'
import { countDropTests, dropTestsOf } from './lift-tests.ts'

const family = 'lifter'
const usualMetrics = ['height', 'loadPercent', 'personCount', 'speed', 'windSpeed']
/** Readings of a cage older than this are not shown. */
const cageWindow = sql`interval '15 minutes'`

const ofCage = (cage: string | undefined): Condition | undefined =>
  cage ? condition(sql`(t.extra ->> 'cage' = ${cage} or t.extra ->> 'cage' is null)`) : undefined
/** Condition on a list of readings; undefined without filters, because that query is faster. */
const narrowed = (query: Readonly<Record<string, unknown>> & { cage?: string | undefined }): Condition | undefined => {
  const requested = [ofCage(query.cage), rangesWhere(family, query)].flatMap((one) => (one ? [one] : []))
  return requested.length > 0 ? allOf(...requested) : undefined
}

/** Latest reading of each cage; one device may have two cages. */
async function cagesOf(db: Tx, rows: readonly DeviceRow[]) {
  const readings = await sql<ReadingRow & { cage: string | null }>`
    select x.* from device_latest l, lateral (
      select distinct on (t.extra ->> 'cage') t.device_id, t.ts, t.seq, t.received_at, t.schema_ver, t.v, t.w, t.extra, t.quality, t.flag, t.extra ->> 'cage' as cage
      from telemetry t where t.device_id = l.device_id and t.ts <= l.ts and t.ts > l.ts - ${cageWindow} order by t.extra ->> 'cage', t.ts desc, t.received_at desc, t.seq desc) x
    where l.device_id = any (${rows.map((r) => r.id)})`.execute(db)
  return (row: DeviceRow) => {
    const own = readings.rows.filter((r) => r.deviceId === row.id)
    const expected =
      row.params.cageCount === '2' && !textOr(row.params.cage) ? ['1', '2'] : [textOr(row.params.cage) ?? own[0]?.cage ?? '0']
    const names = [...new Set([...expected, ...own.flatMap((r) => (r.cage ? [r.cage] : []))])].sort()
    return names.map((cage) => {
      const reading = own.find((r) => r.cage === cage) ?? (names.length === 1 ? own[0] : undefined)
      return { cage, latest: reading ? toReading(family, reading) : names.length === 1 ? latestOf(row) : null }
    })
  }
}

const dueOf = (row: Pick<DeviceRow, 'params'>, now: number) => {
  const safetyDeviceExpiry = textOr(row.params.safetyDeviceExpiry)
  return { safetyDeviceExpiry: safetyDeviceExpiry?.slice(0, 10) ?? null, expiryDays: daysUntil(safetyDeviceExpiry, now) }
}

export function lifterRoutes(plain: Serve): void {
  const serve = servedDriven(plain)
  serve(calls.liftInfo, async ({ params }, ctx) => {
    const row = await getDeviceRow(ctx, params.id, family)
    return { ...(await infoOf(ctx, row)), cages: (await cagesOf(ctx.db, [row]))(row), ...dueOf(row, ctx.clock.now()) }
  })
  serve(calls.liftDevice, liftDevice)
  serve(calls.liftLine, async ({ query }, ctx) => {
    const { list, total, bucketSeconds } = await lineOf(ctx, family, query, usualMetrics, ofCage(query.cage))
    return { list, total, bucketSeconds }
  })
  serve(calls.liftStatus, liftStatus)
  serve(calls.liftRecords, liftRecords)
  serve(calls.liftCycles, liftCycles)
  serve(fixes.markLiftRun, markLiftRun)
  serve(lists.liftAnalysis, liftAnalysisOf)
  serve(lists.liftRanks, ({ query }, ctx) => liftRankPage(ctx, query))
  serve(calls.liftDailyAlarms, ({ query }, ctx) => dailyAlarmsOf(ctx, family, query))
}

const liftDevice: HandlerOf<typeof calls.liftDevice> = async ({ params }, ctx) => {
  const row = await getDeviceRow(ctx, params.id, family)
  const { rows } = await findDeviceRows(ctx.db, family, [row.projectCode])
  return {
    ...(await fileOf(ctx, row)),
    ...dueOf(row, ctx.clock.now()),
    ...(await dropTestsOf(ctx.db, [row.id], ctx.clock.now()))(row.id),
    stop: await stateStop(ctx.db, row, ctx.clock.now()),
    warnRefused: warnRefused(row, '升降机', '吊笼'),
    siblings: rows
      .filter((r) => r.id !== row.id && r.installPlace === row.installPlace && r.status === '1')
      .map((r) => ({ deviceId: r.id, name: r.name, cage: textOr(r.params.cage) ?? '0', online: r.online ?? false, latest: latestOf(r) })),
  }
}

const liftStatus: HandlerOf<typeof calls.liftStatus> = async ({ query }, ctx) => {
  const now = ctx.clock.now()
  const projects = projectsFor(ctx, query.projectCode)
  const all = (await findDeviceRows(ctx.db, family, projects, query)).rows.filter((r) => r.status === '1')
  const { limit, offset } = pageSlice(query)
  const page = all.slice(offset, offset + limit)
  const cages = await cagesOf(ctx.db, page)
  const dropTestOf = await dropTestsOf(
    ctx.db,
    all.map((r) => r.id),
    now,
  )
  const moving = (r: DeviceRow) => r.online && (r.v?.direction === '1' || r.v?.direction === '2')
  return {
    list: page.map((r) => ({ ...toDeviceNow(r), status: liftStatusOf(r), cages: cages(r), ...dueOf(r, now) })),
    total: all.length,
    running: all.filter(moving).length,
    stopped: all.filter((r) => r.online && !moving(r)).length,
    offline: all.filter((r) => !r.online).length,
    dueIn30Days: all.filter((r) => (dueOf(r, now).expiryDays ?? 999) <= 30).length,
    dropTests: countDropTests(all.map((r) => dropTestOf(r.id))),
  }
}

const liftRecords: HandlerOf<typeof calls.liftRecords> = async ({ query }, ctx) => {
  const sort = splitSort(query.sort)
  if (query.groupBy === 'day') return liftDayPage(ctx, { ...query, sort: sort.ofDays })
  return readingsOf(ctx, family, { ...query, sort: sort.ofReadings }, narrowed(query))
}

const liftCycles: HandlerOf<typeof calls.liftCycles> = async ({ query }, ctx) => {
  const now = ctx.clock.now()
  const period = { from: todayStart(now), to: now + 1 }
  const today = await runTotals(ctx.db, { projects: projectsFor(ctx, query.projectCode), deviceId: query.deviceId, period })
  const { groupBy } = query
  return { ...(groupBy ? await liftRunGroupPage(ctx, { ...query, groupBy }) : await liftRunPage(ctx, query)), today }
}

const markLiftRun: HandlerOf<typeof fixes.markLiftRun> = async (input, ctx) => {
  await blameCycle(ctx, input, { family, needs: 'lifter.view', thing: '运行循环', one: '这次运行', called: '违章运行' })
}

const liftAnalysisOf: HandlerOf<typeof lists.liftAnalysis> = async ({ query }, ctx) => {
  const scope = { ...(await analysisScope(ctx, family, query)), cage: query.cage }
  return liftAnalysis(ctx.db, scope, ctx.clock.now(), (drivers) => driverGroupsFor(ctx, drivers))
}

/** Status code of the family: 离线 0, 停止 1, 上行 2, 下行 3, 报警 4, 故障 5. */
function liftStatusOf(row: DeviceRow): string {
  if (!row.online) return '0'
  if (Object.values(row.quality ?? {}).includes('fault')) return '5'
  if (row.openLevel !== null) return '4'
  return row.v?.direction === '1' ? '2' : row.v?.direction === '2' ? '3' : '1'
}
