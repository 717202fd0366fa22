import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#kit/db'
import { allOf, type Condition, condition, equals, inProjects } from '#kit/list'
import { recordKeySql, type RecordRow as StoredRecord, toRecord } from './device-records.ts'
import type { Period } from './period.ts'

/** A record with its corrections applied, and the parameters of its device. */
export interface RecordRow extends StoredRecord {
  params: Record<string, unknown>
  /** Corrected by a user; `fixVersion` is the number of corrections. */
  isFixed: boolean
  fixVersion: number
}

export interface RecordFilter {
  record: string
  projects: readonly string[] | undefined
  deviceId?: string | undefined
  period: Period
  where?: readonly Condition[]
}

export function readRecordKey(key: string): { deviceId: string; at: Date; mark: string } | undefined {
  const match = /^([\w-]{1,40})\.(\d{12,14})\.([0-9a-f]{8})$/.exec(key)
  return match ? { deviceId: match[1] ?? '', at: new Date(Number(match[2])), mark: match[3] ?? '' } : undefined
}

export const recordColumns = sql`r.id, r.device_id, d.name as device_name, d.params, r.project_code, p.name as project_name, r.record, r.ts, r.received_at, r.data, r.is_fixed, r.fix_version, ${recordKeySql} as key`
export const recordTables = sql`record_now r join device d on d.id = r.device_id join project p on p.project_code = r.project_code`

export const recordsWhere = (f: RecordFilter): Condition =>
  allOf(
    ...equals('r.record', f.record),
    ...equals('r.device_id', f.deviceId),
    ...inProjects('r.project_code', f.projects),
    condition(sql`r.ts >= ${new Date(f.period.from)} and r.ts < ${new Date(f.period.to)}`),
    ...(f.where ?? []),
  )

export async function findKeyedRecords(
  db: Tx,
  filter: RecordFilter,
  slice: { limit: number; offset: number },
  order: RawBuilder<unknown> = sql`r.ts desc`,
) {
  const where = recordsWhere(filter)
  const { rows } = await sql<RecordRow & { key: string }>`
    select ${recordColumns} from ${recordTables} where ${where} order by ${order}, r.device_id, r.id limit ${slice.limit} offset ${slice.offset}`.execute(
    db,
  )
  const count = await sql<{ n: number }>`select count(*)::int as n from ${recordTables} where ${where}`.execute(db)
  return { rows, total: count.rows[0]?.n ?? 0 }
}

export const toKeyedRecord = (row: RecordRow & { key: string }) => ({ ...toRecord(row), key: row.key })

/** One record by its key, if the user may see its project. */
export async function findRecordByKey(db: Tx, record: string, key: string, projects: readonly string[] | undefined) {
  const known = readRecordKey(key)
  if (!known) return undefined
  const { rows } = await sql<RecordRow & { key: string }>`
    select ${recordColumns} from ${recordTables} where r.device_id = ${known.deviceId} and r.ts = ${known.at} and left(md5(r.id), 8) = ${known.mark}
      and ${allOf(...equals('r.record', record), ...inProjects('r.project_code', projects))}`.execute(db)
  return rows[0]
}
