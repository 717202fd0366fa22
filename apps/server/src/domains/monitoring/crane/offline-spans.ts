import { sql } from 'kysely'
import type { Tx } from '#kit/db'
import { allOf, anyOf, condition, contains, equals, inProjects, orderBy } from '#kit/list'
import type { Period } from '../shared/period.ts'
import { type Range, within } from '../shared/record-fields.ts'

export interface OfflineFilter {
  projects: readonly string[] | undefined
  deviceId?: string | undefined
  period: Period
  deviceName?: string | undefined
  cause?: readonly string[] | undefined
  workedMeanwhile?: string | undefined
  night?: string | undefined
  durationSeconds?: Range | undefined
}
type OfflineSort = 'startTime' | 'durationSeconds'

/** A power cut is reported within this time of the start of the offline span; machines of one gateway go offline within it. */
const together = sql`interval '15 minutes'`

/** Switched off between 22:00 and 06:00, which is normal. */
const byNight = sql`(cause = '断电' and (extract(hour from start_time at time zone 'Asia/Shanghai') >= 22 or extract(hour from start_time at time zone 'Asia/Shanghai') < 6))`

/** The offline event of a span. Its id consists of the device and the second of the event. */
export async function findOfflineEvent(db: Tx, id: string, projects: readonly string[] | undefined) {
  const match = /^(.{1,64})-(\d{9,11})$/.exec(id)
  if (!match) return undefined
  const from = new Date(Number(match[2]) * 1000)
  const { rows } = await sql<{ deviceId: string; projectCode: string; ts: Date }>`
    select e.device_id, d.project_code, e.ts from device_event e join device d on d.id = e.device_id
    where e.device_id = ${match[1] ?? ''} and e.kind = 'offline' and e.ts >= ${from} and e.ts < ${new Date(from.getTime() + 1000)}
      and ${allOf(...inProjects('d.project_code', projects))} order by e.ts limit 1`.execute(db)
  return rows[0]
}

/** Offline spans of a family's machines from their offline and online events, with the cause as far as the data show it. */
export async function offlineSpans(
  db: Tx,
  family: string,
  f: OfflineFilter,
  slice: { limit: number; offset: number },
  now: number,
  sort?: OfflineSort | `-${OfflineSort}`,
) {
  const ofScope = allOf(...equals('d.family', family), ...inProjects('d.project_code', f.projects))
  const of = allOf(ofScope, ...equals('d.id', f.deviceId))
  // A gateway outage is recognised by other machines that went offline at the same time, so machines outside the filter are counted too.
  const besides = f.deviceId
    ? condition(sql`(d.id = ${f.deviceId} or d.gateway_id = (select g.gateway_id from device g where g.id = ${f.deviceId}))`)
    : condition(sql`true`)
  const order = orderBy(sort, { startTime: 'startTime', durationSeconds: 'durationSeconds' }, '-startTime', 'id')
  const { rows } = await sql<{
    id: string
    deviceId: string
    deviceName: string
    projectCode: string
    projectName: string
    startTime: Date
    endTime: Date | null
    durationSeconds: number
    cause: string
    remark: string | null
    byName: string | null
    worked: boolean
    total: number
  }>`
    with gone as (
      select e.device_id || '-' || floor(extract(epoch from e.ts))::bigint as id, e.device_id, d.name as device_name, d.project_code, p.name as project_name, d.gateway_id,
        coalesce(to_timestamp((e.data ->> 'since')::float8 / 1000), e.ts) as start_time, e.ts, back.ts as end_time, note.cause as told, note.remark, note.by_name
      from device_event e join device d on d.id = e.device_id join project p on p.project_code = d.project_code
        left join lateral (select ts from device_event o where o.device_id = e.device_id and o.kind = 'online' and o.ts > e.ts order by o.ts limit 1) back on true
        left join offline_note note on note.device_id = e.device_id and note.ts = e.ts
      where e.kind = 'offline' and e.ts >= ${new Date(f.period.from)} and e.ts < ${new Date(f.period.to)}
        and ${allOf(ofScope, besides)}),
    e as (
      select gone.*, count(*) over (partition by gateway_id order by start_time range between ${together} preceding and ${together} following)::int as together from gone),
    x as (
      select e.*, extract(epoch from coalesce(e.end_time, ${new Date(now)}::timestamptz) - e.start_time)::float8 as duration_seconds,
        case when e.told is not null then e.told
          when exists (select 1 from device_record r where r.device_id = e.device_id and r.record = 'powerEvent' and r.data ->> 'operation' = '0'
            and r.ts between e.start_time - ${together} and e.start_time + ${together}) then '断电'
          when e.gateway_id is not null and e.together > 1
            then '网关'
          when e.end_time is not null and exists (select 1 from device_record r where r.device_id = e.device_id and r.ts >= e.start_time and r.ts < e.end_time) then '网络'
          else '未知' end as cause,
        exists (select 1 from device_record r where r.device_id = e.device_id and r.record = 'workingCycle' and r.ts >= e.start_time
          and r.ts < coalesce(e.end_time, ${new Date(now)}::timestamptz) and r.received_at > r.ts + interval '1 minute') as worked
      from e)
    select x.id, device_id, device_name, project_code, project_name, start_time, end_time, duration_seconds, cause, worked, remark, by_name, count(*) over ()::int as total from x
    where ${allOf(
      ...equals('deviceId', f.deviceId),
      ...contains('deviceName', f.deviceName),
      ...anyOf('cause', f.cause),
      ...(f.workedMeanwhile === undefined ? [] : [condition(sql`worked = ${f.workedMeanwhile === '1'}`)]),
      ...(f.night === undefined ? [] : [condition(sql`${byNight} = ${f.night === '1'}`)]),
      ...within(sql`duration_seconds`, f.durationSeconds),
    )}
    order by ${order} limit ${slice.limit} offset ${slice.offset}`.execute(db)
  const counts = await sql<{ online: number; offline: number }>`
    select count(*) filter (where l.online)::int as online, count(*) filter (where not coalesce(l.online, false))::int as offline
    from device d left join device_latest l on l.device_id = d.id where ${of} and d.status = '1'`.execute(db)
  return {
    list: rows.map(({ worked, total: _total, startTime, endTime, durationSeconds, ...r }) => ({
      ...r,
      startTime: startTime.getTime(),
      endTime: endTime?.getTime() ?? null,
      durationSeconds: Math.round(durationSeconds),
      workedMeanwhile: worked,
      backfilled: worked,
    })),
    total: rows[0]?.total ?? 0,
    ...(counts.rows[0] ?? { online: 0, offline: 0 }),
  }
}
