import { dayMs } from '@zhugong/contract/kit/time'
import * as lists from '@zhugong/contract/monitoring/lift-lists'
import * as calls from '@zhugong/contract/monitoring/lift-live'
import * as fixes from '@zhugong/contract/monitoring/record-fixes'
import { sql } from 'kysely'
import { projectsFor } from '#kit/context'
import type { Tx } from '#kit/db'
import { allOf, type Condition, condition, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { driverGroupsFor, type ReadingRow, servedDriven, toReading } from '../readings/public.ts'
import {
  type DeviceRow,
  fileOf,
  findDeviceRows,
  getDeviceRow,
  infoOf,
  latestOf,
  lineOf,
  longest,
  periodOf,
  rangesWhere,
  readingsOf,
  toDeviceNow,
  warnRefused,
} from '../telemetry/views/public.ts'
import { blameCycle } from './blame.ts'
import { dailyAlarmsOf } from './daily-alarms.ts'
import { daysUntil, textOr, todayStart } from './family.ts'
import { liftAnalysis } from './lift-analysis.ts'
import { liftDayPage, liftRankPage, liftRunGroupPage, liftRunPage } from './lift-pages.ts'
import { runTotals } from './lift-runs.ts'
import { standingStop } from './lift-stops.ts'
import { countDropTests, dropTestsOf } from './lift-tests.ts'

const family = 'lifter'
const usualMetrics = ['height', 'loadPercent', 'personCount', 'speed', 'windSpeed']
/** A cage that has not spoken for this long is drawn without its own data. */
const cageWindow = sql`interval '15 minutes'`

const ofCage = (cage: string | undefined): Condition | undefined =>
  cage ? condition(sql`(t.extra ->> 'cage' = ${cage} or t.extra ->> 'cage' is null)`) : undefined
/** What a list of readings is narrowed by: undefined where by nothing, which reads faster. */
const narrowed = (query: Readonly<Record<string, unknown>> & { cage?: string | undefined }): Condition | undefined => {
  const asked = [ofCage(query.cage), rangesWhere(family, query)].flatMap((one) => (one ? [one] : []))
  return asked.length > 0 ? allOf(...asked) : undefined
}

/** The newest reading of each cage of each device: one device may carry two. */
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
    stop: await standingStop(ctx.db, row, ctx.clock.now()),
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
  const { sort } = query
  const byTime = sort === 'time' || sort === '-time'
  if (query.groupBy === 'day') return liftDayPage(ctx, { ...query, sort: byTime ? undefined : sort })
  // A lift's readings have no order but their time.
  return readingsOf(ctx, family, { ...query, sort: byTime ? sort : undefined }, narrowed(query))
}

const liftCycles: HandlerOf<typeof calls.liftCycles> = async ({ query }, ctx) => {
  const now = ctx.clock.now()
  const period = { from: todayStart(now), to: now + 1 }
  const today = await runTotals(ctx.db, { projects: projectsFor(ctx, query.projectCode), deviceId: query.deviceId, period })
  const { groupBy } = query
  return { ...(groupBy ? await liftRunGroupPage(ctx, { ...query, groupBy }) : await liftRunPage(ctx, query)), today }
}

const markLiftRun: HandlerOf<typeof fixes.markLiftRun> = async (asked, ctx) => {
  await blameCycle(ctx, asked, { family, needs: 'lifter.view', thing: '运行循环', one: '这次运行', called: '违章运行' })
}

const liftAnalysisOf: HandlerOf<typeof lists.liftAnalysis> = async ({ query }, ctx) => {
  if (query.deviceId) await getDeviceRow(ctx, query.deviceId, family)
  const now = ctx.clock.now()
  const period = periodOf(query, now, 30 * dayMs, longest.analysis)
  const scope = { projects: projectsFor(ctx, query.projectCode), deviceId: query.deviceId, cage: query.cage, period }
  return liftAnalysis(ctx.db, scope, now, (drivers) => driverGroupsFor(ctx, drivers))
}

/** The family's own words: 停止, 上行, 下行, 报警, 故障. */
function liftStatusOf(row: DeviceRow): string {
  if (!row.online) return '0'
  if (Object.values(row.quality ?? {}).includes('fault')) return '5'
  if (row.openLevel !== null) return '4'
  return row.v?.direction === '1' ? '2' : row.v?.direction === '2' ? '3' : '1'
}
