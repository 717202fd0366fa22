import type { Sort } from '@zhugong/contract/kit/list'
import { recordView } from '@zhugong/contract/telemetry/model'
import { sql } from 'kysely'
import type { Tx } from '#kit/db'
import { allOf, anywhere, condition, equals, inProjects, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { DeviceRow } from './devices.ts'
import type { Period } from './period.ts'

/** A record of a machine with its device and project. */
export interface RecordRow {
  id: string
  deviceId: string
  deviceName: string
  projectCode: string
  projectName: string
  record: string
  ts: Date
  receivedAt: Date
  data: Record<string, unknown>
}

/** Public key of a record: device, time, and a hash of the device's own record id, which may contain any characters. */
export const recordKeySql = sql<string>`r.device_id || '.' || (extract(epoch from r.ts) * 1000)::bigint || '.' || left(md5(r.id), 8)`

export const toRecord = (row: RecordRow) =>
  rowOf(recordView, row, {
    time: row.ts.getTime(),
    receivedAt: row.receivedAt.getTime(),
    data: withoutIds(row.data),
  })

/** Removes identity card numbers. */
function withoutIds({ driverIdCard: _idCard, ...data }: Record<string, unknown>): Record<string, unknown> {
  return data
}

export interface RecordFilter {
  record: string
  projects: readonly string[] | undefined
  deviceId?: string | undefined
  period: Period
  text?: Record<string, string | undefined>
  illegal?: string | undefined
}

export const recordWhere = (f: RecordFilter) =>
  allOf(
    ...equals('r.record', f.record),
    ...equals('r.device_id', f.deviceId),
    ...inProjects('r.project_code', f.projects),
    condition(sql`r.ts >= ${new Date(f.period.from)} and r.ts < ${new Date(f.period.to)}`),
    ...Object.entries(f.text ?? {}).flatMap(([key, value]) => (value ? [condition(sql`r.data ->> ${key} ilike ${anywhere(value)}`)] : [])),
    ...(f.illegal === '1'
      ? [condition(sql`(r.data ->> 'illegal')::boolean`)]
      : f.illegal === '0'
        ? [condition(sql`not coalesce((r.data ->> 'illegal')::boolean, false)`)]
        : []),
  )

export async function findRecords(
  db: Tx,
  filter: RecordFilter,
  slice: { limit: number; offset: number },
  sort?: Sort<'time' | 'startTime'>,
) {
  const order = orderBy(sort, { time: 'r.ts!', startTime: 'r.ts!' }, '-time', 'r.deviceId')
  const where = recordWhere(filter)
  const [page, count] = await Promise.all([
    sql<RecordRow>`
      select r.id, r.device_id, d.name as device_name, r.project_code, p.name as project_name, r.record, r.ts, r.received_at, r.data
      from device_record r join device d on d.id = r.device_id join project p on p.project_code = r.project_code
      where ${where} order by ${order}, r.id limit ${slice.limit} offset ${slice.offset}`.execute(db),
    sql<{ n: number }>`select count(*)::int as n from device_record r where ${where}`.execute(db),
  ])
  return { list: page.rows.map(toRecord), total: count.rows[0]?.n ?? 0 }
}

export async function lastRecord(db: Tx, device: DeviceRow) {
  const { rows } = await sql<RecordRow>`
    select id, device_id, ${device.name}::text as device_name, project_code, ${device.projectName}::text as project_name, record, ts, received_at, data
    from device_record where device_id = ${device.id} order by ts desc limit 1`.execute(db)
  return rows[0] ? toRecord(rows[0]) : null
}

export async function openAlarmsOf(db: Tx, deviceId: string) {
  const { rows } = await sql<{
    id: string
    alarmKey: string
    label: string
    level: number
    state: string
    startTime: Date
    peakValue: number | null
    metric: string | null
    thresholdText: string
    stale: boolean
  }>`select id, alarm_key, label, level, state, start_time, peak_value, metric, threshold_text, stale from alarm
     where device_id = ${deviceId} and active and not simulated order by level, start_time desc limit 50`.execute(db)
  return rows.map((r) => ({ ...r, startTime: r.startTime.getTime() }))
}
