import { keyPosts, quarantineReasons } from '@zhugong/contract/attendance/facts'
import type * as contract from '@zhugong/contract/attendance/records'
import { recordRow } from '@zhugong/contract/attendance/records'
import type { Fence } from '@zhugong/contract/organisation/fence'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Db, Row } from '#kit/db'
import { metresOutside } from '#kit/fence'
import {
  allOf,
  anyOf,
  between,
  type Condition,
  condition,
  contains,
  equals,
  inProjects,
  instantsBetween,
  orderBy,
  pageSlice,
} from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { ListContext } from '../exports/registry.ts'
import { faceLink } from './day-list.ts'
import { type EventStatus, evaluate, type Traced } from './engine/day.ts'
import { lateness } from './engine/intake.ts'
import { findFacts } from './facts-store.ts'
import { isWaiting } from './waiting.ts'

export type RawRecord = Row<'attendanceEvent'> & {
  name: string | null
  corpName: string | null
  teamName: string | null
  projectName: string | null
  hash: string
  /** The gate's picture, if it is a file of the same project; file ids sent by gates are not trusted. */
  file: string | null
  fence: Fence | null
  /** Another person signed in by phone on the same date at exactly the same position. */
  sameSpot: boolean
}

/** Dictionary attendanceSource. */
export const sourceOfPhones = '3'

/** Events with names and their ledger hash. */
const eventsWithPeople = sql`
  select e.*, (select pw.worker_name from project_worker pw where pw.project_code = e.project_code and pw.worker_id = e.worker_id limit 1) as name,
    c.corp_name, t.team_name, t.team_sys_no::text as team_sys_no, p.name as project_name, p.area_rule as fence, l.hash, f.id as file,
    (e.source = ${sourceOfPhones} and e.lng is not null and exists (select 1 from attendance_event o where o.project_code = e.project_code
      and o.work_day = e.work_day and o.source = e.source and o.worker_id <> e.worker_id and o.lng = e.lng and o.lat = e.lat)) as same_spot
  from attendance_event e join project p on p.project_code = e.project_code
    join attendance_ledger l on l.project_code = e.project_code and l.seq = e.seq
    left join corporation c on c.corp_code = e.corp_code left join team t on t.id = e.team_id
    left join stored_file f on f.id = e.picture and f.project_code = e.project_code`

type RecordQuery = NonNullable<(typeof contract.listRecords)['types']>['parsed']['query']

export function recordConditions(query: Partial<RecordQuery>, projects: readonly string[] | undefined): Condition {
  return allOf(
    ...inProjects('e.projectCode', projects),
    ...equals('e.workerId', query.workerId),
    ...equals('e.corpCode', query.corpCode),
    ...equals('e.teamSysNo', query.teamSysNo),
    ...instantsBetween('e.time', query.date),
    ...instantsBetween('e.receivedAt', query.receivedAt),
    ...contains('e.name', query.name),
    ...anyOf('e.direction', query.direction),
    ...anyOf('e.attendType', query.attendType),
    ...contains('e.channel', query.channel),
    ...equals('e.terminalCode', query.terminalCode),
    ...between('e.score', query.sim),
    ...anyOf('e.source', query.source),
    ...equals('e.late', query.late),
    ...(query.stranger === undefined ? [] : [condition(query.stranger ? sql`e.worker_id is null` : sql`e.worker_id is not null`)]),
    ...anyOf('e.quarantine', query.quarantine),
    ...between('e.seq', query.seq),
    ...(query.waiting ? [isWaiting('e')] : []),
    ...(query.suspicious ? [condition(sql`'suspicious' = any (e.flags)`)] : []),
  )
}

const order = (sort: RecordQuery['sort']) =>
  orderBy(sort, { date: 'e.time!', time: 'e.time!', receivedAt: 'e.receivedAt', seq: 'e.seq!', name: 'e.name' }, '-date', 'e.id')

export async function findRecords(ctx: ListContext, query: RecordQuery, projects: readonly string[] | undefined): Promise<RawRecord[]> {
  const { limit, offset } = pageSlice(query)
  const where = recordConditions(query, projects)
  const { rows } = await sql<RawRecord>`
    select * from (${eventsWithPeople}) e where ${where} order by ${order(query.sort)} limit ${limit} offset ${offset}`.execute(ctx.db)
  return rows
}
export async function countRecords(
  ctx: ListContext,
  query: Partial<RecordQuery>,
  projects: readonly string[] | undefined,
): Promise<number> {
  // Without a filter on names, counting reads only the events.
  const plain = !query.name && !query.teamSysNo
  const from = plain ? sql`attendance_event` : sql`(${eventsWithPeople})`
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${from} e where ${recordConditions(query, projects)}`.execute(
    ctx.db,
  )
  return rows[0]?.n ?? 0
}

/** Permission for temperatures measured by gates, which are health data. */
export const healthCode = 'personnel.health'

/** Texts for the status of a record. */
export const stateWords: Record<EventStatus, string> = {
  counted: '计入',
  stranger: '陌生人，不计',
  voided: '误刷，已作废',
  clockAhead: `待核：${quarantineReasons.clockAhead}`,
  tooOld: `待核：${quarantineReasons.tooOld}`,
  clockOffset: `待核：${quarantineReasons.clockOffset}`,
  outsideFence: `待核：${quarantineReasons.outsideFence}`,
  refused: '未放行，不计',
  cleared: '夜间清退，只结束在岗',
  openedByHand: '一键开闸，不计',
  noDirection: '应急通道，方向不明，不计',
  notEntered: '当日未进场，不计',
  exited: '已退场，不计',
}

const doubtsOf = (r: RawRecord): contract.SignInDoubt[] =>
  r.source !== sourceOfPhones
    ? []
    : [
        ...(r.flags.includes('suspicious') ? (['score'] as const) : []),
        ...(r.outsideFence ? (['outside'] as const) : []),
        ...(r.sameSpot ? (['sameSpot'] as const) : []),
      ]

export function toRecord(ctx: Parameters<typeof faceLink>[0], r: RawRecord, trace?: Traced): contract.RecordRow {
  const countState = trace?.standing ?? null
  const text =
    trace && (trace.standing !== 'counted' ? stateWords[trace.standing] : trace.repeat ? '60 秒内重复，并入同一次通行' : stateWords.counted)
  return rowOf(recordRow, r, {
    name: r.name ?? (r.workerId ? '未登记人员' : '陌生人'),
    date: formatInstant(r.time),
    receivedAt: formatInstant(r.receivedAt),
    direction: r.direction ?? (trace?.inferred ? trace.direction : null),
    directionName: dictName('attendanceDirection', r.direction ?? trace?.direction ?? null),
    attendTypeName: dictName('attendanceType', r.attendType),
    sim: r.score,
    temperature: ctx.codes.has(healthCode) ? r.temperature : null,
    sourceName: dictName('attendanceSource', r.source),
    lateData: lateness({ time: r.time.getTime(), receivedAt: r.receivedAt.getTime() }).lateData,
    quarantineText: r.quarantine ? quarantineReasons[r.quarantine as keyof typeof quarantineReasons] : null,
    fenceMetres: r.lng === null || r.lat === null ? null : metresOutside(r.fence, { lng: r.lng, lat: r.lat }),
    doubts: doubtsOf(r),
    hasPicture: r.picture !== null || r.pictureHash !== null,
    picture: faceLink(ctx, r.file),
    standing: countState,
    standingText: text ?? null,
    countsOn: trace?.countsOn ?? null,
    inferred: trace?.inferred ?? false,
    repeat: trace?.repeat ?? false,
  })
}

/** Records by id, with the status of each. */
export async function recordsByIds(
  ctx: Parameters<typeof faceLink>[0] & Pick<Context, 'db'>,
  projectCode: string,
  traces: readonly Traced[],
): Promise<contract.RecordRow[]> {
  if (traces.length === 0) return []
  const { rows } = await sql<RawRecord>`
    select * from (${eventsWithPeople}) e where e.project_code = ${projectCode} and e.id = any (${traces.map((t) => t.event.id)})`.execute(
    ctx.db,
  )
  const known = new Map(rows.map((r) => [r.id, r]))
  return traces.flatMap((t) => {
    const row = known.get(t.event.id)
    return row ? [toRecord(ctx, row, t)] : []
  })
}

/** Evaluates one person's day. */
export async function evaluatePerson(ctx: Pick<Context, 'db' | 'clock'>, projectCode: string, workerId: string, date: string) {
  const { facts, site } = await findFacts(ctx.db, projectCode, { from: date, to: date }, ctx.clock.now(), [workerId])
  const own = facts.get(workerId)
  return own ? { facts: own, evaluation: evaluate(own), site } : undefined
}

/** Counts of the records of one calendar date. */
export async function recordFigures(
  ctx: ListContext,
  query: { source?: readonly string[] | undefined; date?: string | undefined },
  projects: readonly string[] | undefined,
) {
  const today = formatDay(ctx.clock.now())
  const date = query.date ?? today
  const ofScope = allOf(...inProjects('e.projectCode', projects), ...anyOf('e.source', query.source))
  const where = allOf(ofScope, ...instantsBetween('e.time', { from: date, to: date }))
  type Sums = Record<'total' | 'people' | 'late' | 'suspicious' | 'stranger' | 'outside' | 'keyPosts', number>
  const sums = await sql<Sums>`
    select count(*)::int as total, count(distinct e.worker_id)::int as people, count(*) filter (where e.late)::int as late,
      count(*) filter (where 'suspicious' = any (e.flags))::int as suspicious, count(*) filter (where e.worker_id is null)::int as stranger,
      count(*) filter (where e.outside_fence)::int as outside,
      (count(distinct e.worker_id) filter (where exists (select 1 from project_worker pw where pw.project_code = e.project_code
        and pw.worker_id = e.worker_id and pw.exit_time is null and pw.post = any (${Object.keys(keyPosts)}))))::int as key_posts
    from attendance_event e where ${where}`.execute(ctx.db)
  const waiting = await sql<{
    n: number
  }>`select count(*)::int as n from attendance_event e where ${allOf(ofScope, isWaiting('e'))}`.execute(ctx.db)
  const types = await sql<{ attendType: string; count: number }>`
    select e.attend_type, count(*)::int as count from attendance_event e where ${where} group by 1 order by 2 desc`.execute(ctx.db)
  const hours = await sql<{ hour: string; inCount: number; outCount: number }>`
    select to_char(e.time at time zone 'Asia/Shanghai', 'HH24') as hour, count(*) filter (where e.direction = '01')::int as in_count,
      count(*) filter (where e.direction = '02')::int as out_count from attendance_event e where ${where} group by 1`.execute(ctx.db)
  const gates = await sql<{ terminalCode: string; channel: string | null; count: number; late: number }>`
    select e.terminal_code, max(e.channel) as channel, count(*)::int as count, count(*) filter (where e.late)::int as late
    from attendance_event e where ${where} and e.device_id is not null group by 1 order by 3 desc limit 50`.execute(ctx.db)
  const byHour = new Map(hours.rows.map((h) => [h.hour, h]))
  return {
    date,
    today,
    ...sums.rows[0]!,
    waiting: waiting.rows[0]?.n ?? 0,
    byType: types.rows.map((t) => ({ ...t, name: dictName('attendanceType', t.attendType) })),
    byHour: Array.from({ length: 24 }, (_, i) => {
      const hour = String(i).padStart(2, '0')
      return byHour.get(hour) ?? { hour, inCount: 0, outCount: 0 }
    }),
    gates: gates.rows,
  }
}

/** Deletes temperatures measured before a date. They are part of neither the ledger nor any day. */
export async function dropTemperatures(db: Db, projectCode: string, before: Date): Promise<void> {
  await sql`
    update attendance_event set temperature = null where project_code = ${projectCode} and temperature is not null and time < ${before}`.execute(
    db,
  )
}
