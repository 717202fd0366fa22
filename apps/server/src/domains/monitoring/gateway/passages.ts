import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs } from '@zhugong/contract/kit/time'
import * as calls from '@zhugong/contract/monitoring/gateway/passages'
import * as fixes from '@zhugong/contract/monitoring/record-fixes'
import { sql } from 'kysely'
import { mayAct } from '#kit/acts'
import { type Context, found, groupTypes, projectsFor } from '#kit/context'
import { allOf, type Condition, condition, contains, equals, inProjects, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import type { ListContext } from '../../exports/registry.ts'
import { linkOf } from '../../files/public.ts'
import { lastDays, numberOr, textOr, todayStart } from '../shared/family.ts'
import { periodOf } from '../shared/period.ts'
import { fieldAnyOf, fieldContains, numericField, within } from '../shared/record-fields.ts'
import { fixLogOf } from '../shared/record-fix.ts'
import { findRecordByKey, type RecordFilter, type RecordRow, recordColumns, recordsWhere, recordTables } from '../shared/records.ts'
import { ticketsOfPlate } from '../weigh/weighing.ts'
import { correctPassage, covers, directions, passageWords, washes } from './passage-correction.ts'
import { accessRecord, entering, isInside, joinedByHand, leaving } from './passage-halves.ts'
import { markPassages } from './passage-marks.ts'

const record = accessRecord
const back = (map: Readonly<Record<string, string>>, wanted: readonly string[] | undefined) =>
  wanted?.length ? Object.keys(map).filter((code) => wanted.includes(map[code] ?? '')) : undefined

const muckTruck = '1'
const privateCar = '4'
/** Passages of the same plate and direction within this time are one. */
const repeatSeconds = 30
const stillInsideMs = 24 * 3_600_000
/** Passages marked unreadable are not doubtful any more. */
const doubtful = sql`((coalesce(r.data ->> 'plateNo', '') !~ '^[一-龥][A-Z][A-Z0-9]{5,6}$' or coalesce(${numericField('confidence')}, 1) < 0.8)
  and r.data ->> 'plateUnreadable' is distinct from 'true')`

/** Excludes duplicates seen by the camera. */
export const onePassage = condition(sql`not exists (
  select 1 from record_now e where e.device_id = r.device_id and e.record = ${record} and e.ts >= r.ts - make_interval(secs => ${repeatSeconds}) and e.ts <= r.ts
    and (e.ts, e.id) < (r.ts, r.id) and e.data ->> 'plateNo' = r.data ->> 'plateNo' and e.data ->> 'direction' = r.data ->> 'direction')`)

/** Passages that must be washed and covered. */
export const isMuckOut = sql`r.data ->> 'direction' = '1' and r.data ->> 'vehicleType' = ${muckTruck}`

export type PassageRow = RecordRow & {
  key: string
  outTime: Date | null
  inTime: Date | null
  inside: boolean
  alarms: string[] | null
  pairKey: string | null
  byHand: boolean | null
  known: boolean | null
  barred: boolean | null
  transportCorp: string | null
  permitNo: string | null
  permitUntil: string | null
  photoFile: string | null
  plateFile: string | null
}

/** The site's own register of a plate: registered, barred, company and permit. */
const registry = sql`lateral (
  select bool_or(g.kind = 'known') as known, bool_or(g.kind = 'black' and coalesce(g.until_day >= (r.ts at time zone 'Asia/Shanghai')::date, true)) as barred,
    max(g.corp_name) filter (where g.kind = 'known') as transport_corp, max(g.permit_no) filter (where g.kind = 'known') as permit_no,
    to_char(max(g.until_day) filter (where g.kind = 'known'), 'YYYY-MM-DD') as permit_until
  from vehicle_registry g where g.project_code = r.project_code and g.plate_no = r.data ->> 'plateNo') reg`

/** Only files of the same site, whatever id a camera's record contains. */
const fileOf = (key: string) => sql`zg_site_file(r.project_code, r.data ->> ${sql.lit(key)})`

export const pairedColumns = (
  now: number,
) => sql`gone.ts as out_time, came.ts as in_time, coalesce(gone.key, came.key) as pair_key, coalesce(gone.by_hand, came.by_hand) as by_hand, ${isInside(now)} as inside,
  reg.known, reg.barred, reg.transport_corp, reg.permit_no, reg.permit_until,
  (select array_agg(distinct a.label) from alarm a where a.device_id = r.device_id and a.start_time >= r.ts - interval '2 minutes' and a.start_time <= r.ts + interval '2 minutes'
    and a.alarm_key <> 'offline' and not a.simulated) as alarms, ${fileOf('photoUrl')} as photo_file, ${fileOf('plateUrl')} as plate_file`
export const pairTables = sql`left join ${leaving} gone on r.data ->> 'direction' = '0' left join ${entering} came on r.data ->> 'direction' = '1' left join ${registry} on true`

/** A private car's driver is a person: supervising bodies see the passage with a masked plate. */
const maskPlate = (plate: string) => `${plate.slice(0, 2)}•••${plate.slice(-2)}`
const isVeiled = (ctx: ListContext, data: Readonly<Record<string, unknown>>) =>
  ctx.group.type === groupTypes.government && textOr(data.vehicleType) === privateCar

/** URL of a stored picture, or the address the camera reported. */
function shown(ctx: ListContext, fileId: string | null, reported: unknown): string | null {
  const text = textOr(reported)
  return linkOf(ctx, fileId) ?? (text !== null && /^https?:\/\//.test(text) ? text : null)
}

export function toPassage(ctx: ListContext, row: PassageRow, now: number) {
  const { data } = row
  const veiled = isVeiled(ctx, data)
  const time = row.ts.getTime()
  const stay = row.outTime ? row.outTime.getTime() - time : row.inTime ? time - row.inTime.getTime() : row.inside ? now - time : null
  return rowOf(calls.passage, row, {
    id: row.key,
    gateName: textOr(row.params.gateName) ?? row.deviceName,
    plateNo: veiled ? maskPlate(textOr(data.plateNo) ?? '未识别') : (textOr(data.plateNo) ?? '未识别'),
    plateColor: textOr(data.plateColor),
    vehicleType: textOr(data.vehicleType),
    direction: directions[String(data.direction)] ?? '1',
    time,
    receivedAt: row.receivedAt.getTime(),
    washState: washes[String(data.washed)] ?? null,
    washSeconds: numberOr(data.washSeconds),
    coverState: covers[String(data.covered)] ?? null,
    registered: row.known ? true : typeof data.registered === 'boolean' ? data.registered : null,
    barred: row.barred ?? false,
    confidence: numberOr(data.confidence),
    photo: veiled ? null : shown(ctx, row.photoFile, data.photoUrl),
    platePhoto: veiled ? null : shown(ctx, row.plateFile, data.plateUrl),
    stayMinutes: stay === null ? null : Math.round(stay / 60_000),
    paired: row.pairKey === null ? null : row.byHand ? ('hand' as const) : ('plate' as const),
    unreadable: data.plateUnreadable === true,
    alarms: row.alarms ?? [],
    corrected: row.isFixed,
    version: row.fixVersion,
  })
}

interface Today {
  entries: number
  exits: number
  washed: number
  washKnown: number
  covered: number
  coverKnown: number
  unknown: number
  muckOut: number
}

async function todayOf(ctx: Context, projects: readonly string[] | undefined, deviceId: string | undefined, now: number) {
  const where = recordsWhere({ record, projects, deviceId, period: { from: todayStart(now), to: now + 1 }, where: [onePassage] })
  const { rows } = await sql<Today>`
    select count(*) filter (where r.data ->> 'direction' = '0')::int as entries, count(*) filter (where r.data ->> 'direction' = '1')::int as exits,
      count(*) filter (where ${isMuckOut} and r.data ->> 'washed' = '1')::int as washed, count(*) filter (where ${isMuckOut} and r.data ->> 'washed' in ('0', '1', '2'))::int as wash_known,
      count(*) filter (where ${isMuckOut} and r.data ->> 'covered' = '1')::int as covered, count(*) filter (where ${isMuckOut} and r.data ->> 'covered' in ('0', '1'))::int as cover_known,
      count(*) filter (where ${isMuckOut} and coalesce(r.data ->> 'washed', '') not in ('0', '1', '2'))::int as unknown, count(*) filter (where ${isMuckOut})::int as muck_out
    from record_now r where ${where}`.execute(ctx.db)
  const hours = await sql<{ hour: number; direction: string; n: number }>`
    select extract(hour from r.ts at time zone 'Asia/Shanghai')::int as hour, r.data ->> 'direction' as direction, count(*)::int as n from record_now r where ${where} group by 1, 2`.execute(
    ctx.db,
  )
  const inside = await sql<{ n: number }>`
    select count(*)::int as n from record_now r left join ${leaving} gone on true
    where ${recordsWhere({ record, projects, deviceId, period: { from: now - stillInsideMs, to: now + 1 } })} and ${isInside(now)}`.execute(
    ctx.db,
  )
  const n = rows[0]
  const share = (part: number | undefined, whole: number | undefined) => (whole ? Math.round(((part ?? 0) / whole) * 1000) / 10 : null)
  const count = (hour: number, direction: string) => hours.rows.find((r) => r.hour === hour && r.direction === direction)?.n ?? 0
  return {
    in: n?.entries ?? 0,
    out: n?.exits ?? 0,
    inside: inside.rows[0]?.n ?? 0,
    washPercent: share(n?.washed, n?.washKnown),
    coverPercent: share(n?.covered, n?.coverKnown),
    unknownPercent: share(n?.unknown, n?.muckOut),
    byHour: Array.from({ length: 24 }, (_, hour) => ({ hour, in: count(hour, '0'), out: count(hour, '1') })),
  }
}

async function findPassages(
  ctx: ListContext,
  filter: RecordFilter,
  extra: readonly Condition[],
  slice: { limit: number; offset: number },
  now: number,
  rising: boolean,
) {
  const where = allOf(recordsWhere(filter), ...extra)
  const { rows } = await sql<PassageRow>`
    select ${recordColumns}, ${pairedColumns(now)} from ${recordTables} ${pairTables} where ${where}
    order by r.ts ${rising ? sql`asc` : sql`desc`}, r.device_id, r.id limit ${slice.limit} offset ${slice.offset}`.execute(ctx.db)
  const count = await sql<{ n: number }>`select count(*)::int as n from ${recordTables} ${pairTables} where ${where}`.execute(ctx.db)
  return { rows, total: count.rows[0]?.n ?? 0 }
}

/** A passage with its other half, within the given projects or all visible ones. */
export async function passageByKey(
  ctx: Context,
  key: string,
  now: number,
  projects: readonly string[] | undefined = projectsFor(ctx),
): Promise<PassageRow | undefined> {
  const row = await findRecordByKey(ctx.db, record, key, projects)
  if (!row) return undefined
  const { rows } = await sql<PassageRow>`
    select ${recordColumns}, ${pairedColumns(now)} from ${recordTables} ${pairTables}
    where r.device_id = ${row.deviceId} and r.ts = ${row.ts} and r.id = ${row.id}`.execute(ctx.db)
  return rows[0]
}

async function neighbours(ctx: Context, row: PassageRow) {
  const plate = textOr(row.data.plateNo)
  if (!plate) return { previousId: null, nextId: null }
  const next = async (later: boolean) => {
    const { rows } = await sql<{ key: string }>`
      select ${sql`r.device_id || '.' || (extract(epoch from r.ts) * 1000)::bigint || '.' || left(md5(r.id), 8)`} as key from record_now r
      where ${allOf(...equals('r.record', record), ...inProjects('r.project_code', [row.projectCode]))} and r.data ->> 'plateNo' = ${plate}
        and r.ts ${later ? sql`>` : sql`<`} ${row.ts} order by r.ts ${later ? sql`asc` : sql`desc`} limit 1`.execute(ctx.db)
    return rows[0]?.key ?? null
  }
  return { previousId: await next(false), nextId: await next(true) }
}

async function monthOf(ctx: Context, row: PassageRow, now: number) {
  const plate = textOr(row.data.plateNo)
  const days = lastDays(now, 30)
  const { rows } = await sql<{ day: string; n: number; violations: number }>`
    select to_char(r.ts at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day, count(*)::int as n,
      count(*) filter (where r.data ->> 'direction' = '1' and (r.data ->> 'washed' in ('0', '2') or r.data ->> 'covered' = '0'))::int as violations
    from record_now r where r.project_code = ${row.projectCode} and r.record = ${record} and r.data ->> 'plateNo' = ${plate} and r.ts >= ${new Date(now - 30 * dayMs)}
    group by 1`.execute(ctx.db)
  const byDay = new Map(rows.map((r) => [r.day, r]))
  return days.map((day) => ({ day, passages: byDay.get(day)?.n ?? 0, violations: byDay.get(day)?.violations ?? 0 }))
}

export function passageRoutes(serve: Serve): void {
  serve(calls.listPassages, listPassages)
  serve(calls.getPassage, getPassage)
  serve(fixes.correctPassage, putRight)
  serve(fixes.markPassages, markPassages)
}

type PassageQuery = ParsedFor<typeof calls.listPassages>['query']

/** Passages, shared by list and export. */
export async function passagePage(ctx: ListContext, query: PassageQuery) {
  const now = ctx.clock.now()
  const filter: RecordFilter = {
    record,
    projects: projectsFor(ctx, query.projectCode),
    deviceId: query.deviceId,
    period: periodOf(query, now, query.tab === 'inside' ? stillInsideMs * 7 : dayMs, 100 * dayMs),
    where: [
      onePassage,
      ...fieldContains('plateNo', query.plateNo),
      ...fieldAnyOf('direction', back(directions, query.direction)),
      ...fieldAnyOf('vehicleType', query.vehicleType),
      ...fieldAnyOf('washed', back(washes, query.washState)),
      ...fieldAnyOf('covered', back(covers, query.coverState)),
      ...within(numericField('washSeconds'), query.washSeconds),
      // Callers who see masked plates cannot search by plate either.
      ...(query.plateNo && ctx.group.type === groupTypes.government
        ? [condition(sql`r.data ->> 'vehicleType' is distinct from ${privateCar}`)]
        : []),
    ],
  }
  const extra = [
    ...(query.tab === 'inside' ? [condition(isInside(now))] : query.tab === 'doubtful' ? [condition(doubtful)] : []),
    ...(query.registered === undefined
      ? []
      : [condition(sql`coalesce(reg.known, r.data ->> 'registered' = 'true', false) = ${query.registered}`)]),
    ...contains('reg.transport_corp', query.transportCorp),
    ...contains('reg.permit_no', query.permitNo),
  ]
  const { rows, total } = await findPassages(ctx, filter, extra, pageSlice(query), now, query.sort === 'time')
  return { list: rows.map((r) => toPassage(ctx, r, now)), total }
}

const listPassages: HandlerOf<typeof calls.listPassages> = async ({ query }, ctx) => ({
  ...(await passagePage(ctx, query)),
  today: await todayOf(ctx, projectsFor(ctx, query.projectCode), query.deviceId, ctx.clock.now()),
})

const getPassage: HandlerOf<typeof calls.getPassage> = async ({ params }, ctx) => {
  const now = ctx.clock.now()
  const row = found(await passageByKey(ctx, params.id, now), '出入记录')
  const pair = row.pairKey ? await passageByKey(ctx, row.pairKey, now) : undefined
  const plate = textOr(row.data.plateNo)
  const { rows: trucks } = await sql<{ id: string }>`
      select id from device where family = 'truckMonitor' and project_code = ${row.projectCode} and params ->> 'plateNo' = ${plate} limit 1`.execute(
    ctx.db,
  )
  return {
    ...toPassage(ctx, row, now),
    pair: pair ? toPassage(ctx, pair, now) : null,
    tickets: plate && !isVeiled(ctx, row.data) ? await ticketsOfPlate(ctx, row.projectCode, plate, row.ts.getTime()) : [],
    truckId: trucks[0]?.id ?? null,
    month: await monthOf(ctx, row, now),
    ...(await neighbours(ctx, row)),
    log: veiledLog(await fixLogOf(ctx, row, passageWords), isVeiled(ctx, row.data)),
    mayCorrect: ctx.codes.has('vehicle-access.correct') && mayAct(ctx, fixes.correctPassage.acts, { projectCode: row.projectCode }),
  }
}

type Log = Awaited<ReturnType<typeof fixLogOf>>
/** Masks plates in the history as well. */
const veiledLog = (log: Log, veiled: boolean): Log =>
  veiled
    ? log.map((step) => ({
        ...step,
        changes: step.changes.map((one) => (one.field === 'plateNo' ? { ...one, from: '•••', to: '•••' } : one)),
      }))
    : log

const putRight: HandlerOf<typeof fixes.correctPassage> = async ({ params, query, body }, ctx) => {
  const now = ctx.clock.now()
  const row = found(await findRecordByKey(ctx.db, record, params.id, projectsFor(ctx, query.projectCode)), '出入记录')
  if (body.direction && body.direction !== directions[String(row.data.direction)] && (await joinedByHand(ctx.db, row)))
    throw new AppError('refused', '这次通行已人工配对，请先解除配对再改方向', { field: 'direction' })
  const changed = await correctPassage(ctx, row, body)
  ctx.note(`更正出入记录 ${textOr(row.data.plateNo) ?? '未识别'} 的${changed.join('、')}（${body.reason}）`, params.id)
  return toPassage(ctx, found(await passageByKey(ctx, params.id, now), '出入记录'), now)
}
