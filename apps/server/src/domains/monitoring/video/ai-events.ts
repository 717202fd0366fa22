import { AppError } from '@zhugong/contract/kit/errors'
import type { Sort } from '@zhugong/contract/kit/list'
import { dayMs } from '@zhugong/contract/kit/time'
import { aiTypes } from '@zhugong/contract/monitoring/video/ai-codes'
import * as calls from '@zhugong/contract/monitoring/video/ai-events'
import { boxesIn, type CameraRules, whyKept } from '@zhugong/contract/monitoring/video/camera-ai'
import { sql } from 'kysely'
import { changedMeanwhile, changeRow, conflictOf } from '#kit/change-row'
import { found, projectsFor } from '#kit/context'
import { allOf, type Condition, condition, contains, equals, inProjects, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import type { ListContext } from '../../exports/registry.ts'
import { recordKeySql } from '../shared/device-records.ts'
import { numberOr, textOr, todayStart } from '../shared/family.ts'
import { type PeriodQuery, periodOf } from '../shared/period.ts'
import { readRecordKey } from '../shared/records.ts'
import { channelAddress, findMedia, type Media, streamOf } from './media.ts'

const record = 'aiEvent'
const similarDays = 7
const similarMost = 12
const usualDays = 30
const longestDays = 400

interface Row {
  key: string
  deviceId: string
  deviceName: string
  projectCode: string
  projectName: string
  area: string | null
  params: Record<string, unknown>
  deviceFamily: string
  deviceStatus: string
  ts: Date
  recordId: string
  data: Record<string, unknown>
  review: string
  firstVerdict: string | null
  reason: string | null
  byName: string | null
  reviewedAt: Date | null
  version: number | null
  alarmId: string | null
  level: number | null
  rules: CameraRules | null
}

/** A person's verdict takes precedence over the device's own. */
const review = sql`coalesce(v.verdict, nullif(r.data ->> 'review', ''), '0')`
const confidence = sql`(case when jsonb_typeof(r.data -> 'confidence') = 'number' then (r.data ->> 'confidence')::float8 end)`
const tables = sql`device_record r join device d on d.id = r.device_id join project p on p.project_code = r.project_code
  left join ai_review v on v.device_id = r.device_id and v.ts = r.ts and v.record_id = r.id`
/** Current settings of the camera. */
const setOf = sql`(select jsonb_build_object('thresholds', c.thresholds, 'zones', c.zones) from camera_ai c
  where c.device_id = r.device_id and c.project_code = r.project_code)`
const columns = sql`${recordKeySql} as key, r.device_id, d.name as device_name, r.project_code, p.name as project_name, d.install_place as area, d.params, d.family as device_family, d.status as device_status, r.ts,
  r.id as record_id, r.data, ${review} as review, v.first_verdict, v.reason, v.by_name, v.at as reviewed_at, v.version, a.id as alarm_id, a.level, ${setOf} as rules`
/** The alarm raised by the event, if its rule raised one. */
const alarmOf = sql`left join lateral (select a.id, a.level from alarm a where a.device_id = r.device_id and a.alarm_key = r.data ->> 'type'
  and a.start_time between r.ts - interval '1 minute' and r.ts + interval '1 minute' order by a.start_time limit 1) a on true`

interface EventQuery extends PeriodQuery {
  projectCode?: string | undefined
  deviceId?: string | undefined
  deviceName?: string | undefined
  type?: string[] | undefined
  review?: string[] | undefined
  confidence?: { low?: number | undefined; high?: number | undefined } | undefined
  sort?: Sort<'time' | 'confidence' | 'review'> | undefined
  page: number
  size: number
}

function conditionsOf(ctx: ListContext, query: EventQuery, withReview: boolean): Condition[] {
  const period = periodOf(query, ctx.clock.now(), usualDays * dayMs, longestDays * dayMs)
  return [
    ...equals('r.record', record),
    ...inProjects('r.project_code', projectsFor(ctx, query.projectCode)),
    ...equals('r.device_id', query.deviceId),
    ...contains('d.name', query.deviceName),
    condition(sql`r.ts >= ${new Date(period.from)} and r.ts < ${new Date(period.to)}`),
    ...(query.type?.length ? [condition(sql`r.data ->> 'type' = any (${query.type})`)] : []),
    ...(query.confidence?.low === undefined ? [] : [condition(sql`${confidence} >= ${query.confidence.low}`)]),
    ...(query.confidence?.high === undefined ? [] : [condition(sql`${confidence} <= ${query.confidence.high}`)]),
    ...(withReview && query.review?.length ? [condition(sql`${review} = any (${query.review})`)] : []),
  ]
}

const orders: Readonly<Record<string, ReturnType<typeof sql>>> = {
  time: sql`r.ts asc`,
  '-time': sql`r.ts desc`,
  confidence: sql`${confidence} asc nulls last`,
  '-confidence': sql`${confidence} desc nulls last`,
  // Pending ones first, newest at the top.
  review: sql`${review} asc, r.ts desc`,
  '-review': sql`${review} desc, r.ts desc`,
}

/** Events with their verdicts; counts cover all verdicts. */
export async function aiEventPage(ctx: ListContext, query: EventQuery) {
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Row & { total: number }>`
    select ${columns}, count(*) over ()::int as total from ${tables} ${alarmOf} where ${allOf(...conditionsOf(ctx, query, true))}
    order by ${orders[query.sort ?? 'review'] ?? orders.review}, r.device_id, r.id limit ${limit} offset ${offset}`.execute(ctx.db)
  const media = await mediaFor(ctx)
  return { list: rows.map((row) => toEvent(ctx, row, media)), total: rows[0]?.total ?? 0, counts: await countsOf(ctx, query) }
}

async function countsOf(ctx: ListContext, query: EventQuery) {
  const { rows } = await sql<{ total: number; open: number; real: number; wrong: number; today: number }>`
    select count(*)::int as total, count(*) filter (where ${review} = '0')::int as open, count(*) filter (where ${review} = '1')::int as real,
      count(*) filter (where ${review} = '2')::int as wrong, count(*) filter (where r.ts >= ${new Date(todayStart(ctx.clock.now()))})::int as today
    from ${tables} where ${allOf(...conditionsOf(ctx, query, false))}`.execute(ctx.db)
  return rows[0] ?? { total: 0, open: 0, real: 0, wrong: 0, today: 0 }
}

/** Pictures need the right to play; the list works without them. */
const mediaFor = async (ctx: ListContext): Promise<Media | undefined> => (ctx.codes.has('video.play') ? findMedia(ctx) : undefined)

function toEvent(ctx: ListContext, row: Row, media: Media | undefined): calls.AiEvent {
  const time = row.ts.getTime()
  const own = streamOf({ id: row.deviceId, family: row.deviceFamily, status: row.deviceStatus, params: row.params })
  const address = media && own && channelAddress(ctx, media, own, 'sub', ctx.clock.now(), { startTime: time, endTime: time + 30_000 })
  return rowOf(calls.aiEvent, row, {
    id: row.key,
    type: textOr(row.data.type) ?? 'noHelmet',
    time,
    confidence: numberOr(row.data.confidence),
    count: Math.max(1, Math.round(numberOr(row.data.count) ?? 1)),
    boxes: boxesIn(row.data.boxes),
    review: row.review === '1' || row.review === '2' ? row.review : '0',
    firstReview: row.firstVerdict,
    reviewer: row.byName,
    reviewTime: row.reviewedAt?.getTime() ?? null,
    version: row.version ?? -1,
    snapshotUrl: address?.snapshotUrl ?? null,
    kept: whyKept(row.rules ?? undefined, { type: row.data.type, confidence: row.data.confidence, boxes: row.data.boxes }, time),
  })
}

async function aiGroups(ctx: ListContext, query: EventQuery) {
  const period = periodOf(query, ctx.clock.now(), usualDays * dayMs, longestDays * dayMs)
  const before = new Date(2 * period.from - period.to)
  const { limit, offset } = pageSlice(query)
  const requested = allOf(
    ...conditionsOf(ctx, { ...query, startTime: before.toISOString(), endTime: new Date(period.to).toISOString() }, false),
  )
  const inside = sql`r.ts >= ${new Date(period.from)}`
  const { rows } = await sql<{
    projectCode: string
    projectName: string
    type: string
    cameras: number
    hits: number
    real: number
    wrong: number
    open: number
    realBefore: number
    total: number
  }>`
    select r.project_code, p.name as project_name, coalesce(r.data ->> 'type', 'noHelmet') as type,
      (select count(*)::int from device c where c.project_code = r.project_code and c.family = 'videoAi') as cameras,
      count(*) filter (where ${inside})::int as hits, count(*) filter (where ${inside} and ${review} = '1')::int as real,
      count(*) filter (where ${inside} and ${review} = '2')::int as wrong, count(*) filter (where ${inside} and ${review} = '0')::int as open,
      count(*) filter (where not (${inside}) and ${review} = '1')::int as real_before, count(*) over ()::int as total
    from ${tables} where ${requested} group by r.project_code, p.name, 3 order by r.project_code, 3 limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  return { list: rows.map(({ total: _total, ...row }) => row), total: rows[0]?.total ?? 0, counts: await countsOf(ctx, query) }
}

export function aiEventRoutes(serve: Serve): void {
  serve(calls.listAiEvents, async ({ query }, ctx) => (query.groupBy ? aiGroups(ctx, query) : aiEventPage(ctx, query)))
  serve(calls.getAiEvent, getAiEvent)
  serve(calls.reviewAiEvent, reviewAiEvent)
}

type Placed = Row & { lng: number | null; lat: number | null }

async function rowByKey(ctx: ListContext, key: string, projectCode: string): Promise<Placed> {
  const known = readRecordKey(key)
  if (!known) throw new AppError('notFound', '识别记录不存在或已删除')
  const { rows } = await sql<Placed>`
    select ${columns}, d.lng, d.lat from ${tables} ${alarmOf} where r.device_id = ${known.deviceId} and r.ts = ${known.at} and left(md5(r.id), 8) = ${known.mark}
      and ${allOf(...equals('r.record', record), ...inProjects('r.project_code', projectsFor(ctx, projectCode)))}`.execute(ctx.db)
  return found(rows[0], '识别记录')
}

const getAiEvent: HandlerOf<typeof calls.getAiEvent> = async ({ params, query }, ctx) => {
  const row = await rowByKey(ctx, params.id, query.projectCode)
  const media = await mediaFor(ctx)
  const at = row.ts.getTime()
  const similar = await aiEventPage(ctx, {
    projectCode: row.projectCode,
    deviceId: row.deviceId,
    startTime: String(at - similarDays * dayMs),
    endTime: String(Math.min(ctx.clock.now() + 1, at + similarDays * dayMs)),
    sort: '-time',
    page: 1,
    size: similarMost + 1,
  })
  const beside = async (later: boolean) => {
    const { rows } = await sql<{ key: string }>`select ${recordKeySql} as key from device_record r
      where r.record = ${record} and r.project_code = ${row.projectCode} and (r.ts, r.id) ${later ? sql`>` : sql`<`} (${row.ts}, ${row.recordId})
      order by r.ts ${later ? sql`asc` : sql`desc`}, r.id ${later ? sql`asc` : sql`desc`} limit 1`.execute(ctx.db)
    return rows[0]?.key ?? null
  }
  return {
    ...toEvent(ctx, row, media),
    similar: similar.list.filter((one) => one.id !== params.id).slice(0, similarMost),
    previousId: await beside(false),
    nextId: await beside(true),
    lng: row.lng,
    lat: row.lat,
  }
}

const reviewAiEvent: HandlerOf<typeof calls.reviewAiEvent> = async ({ params, query, body }, ctx) => {
  const row = await rowByKey(ctx, params.id, query.projectCode)
  if (body.review === calls.aiVerdicts.wrong && !body.reason) throw new AppError('invalidInput', '请填写误报原因', { field: 'reason' })
  const now = new Date(ctx.clock.now())
  const key = { deviceId: row.deviceId, ts: row.ts, recordId: row.recordId }
  if (row.version !== null)
    await changeRow(ctx, 'aiReview', {
      key,
      version: body.version,
      noun: '复核',
      values: { verdict: body.review, reason: body.reason, byName: ctx.user.name, at: now },
    })
  else {
    if (body.version !== -1) throw changedMeanwhile('复核')
    const { numAffectedRows } =
      await sql`insert into ai_review (device_id, project_code, ts, record_id, verdict, first_verdict, reason, by_name, at)
        values (${row.deviceId}, ${row.projectCode}, ${row.ts}, ${row.recordId}, ${body.review}, ${row.review === '0' ? body.review : row.review}, ${body.reason},
          ${ctx.user.name}, ${now}) on conflict do nothing`.execute(ctx.db)
    if (!numAffectedRows) throw await conflictOf(ctx, 'aiReview', key, '复核')
  }
  ctx.note(
    `${row.deviceName} ${aiTypes[row.data.type as keyof typeof aiTypes] ?? '识别'} 复核为${calls.aiVerdictNames[body.review]}`,
    params.id,
  )
}
