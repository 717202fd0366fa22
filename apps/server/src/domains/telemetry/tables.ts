import type { ColumnType, Generated } from 'kysely'

interface DeviceLatestTable {
  deviceId: string
  ts: Date
  receivedAt: Date
  v: ColumnType<Record<string, unknown>, string, string>
  quality: ColumnType<Record<string, string> | null, string | null, string | null>
  online: Generated<boolean>
  onlineSince: Date
}
interface TelemetryTable {
  deviceId: string
  ts: Date
  seq: Generated<number>
  receivedAt: Date
  schemaVer: number
  v: (number | null)[]
  w: (number | null)[] | null
  extra: ColumnType<Record<string, unknown> | null, string | null, string | null>
  quality: ColumnType<Record<string, string> | null, string | null, string | null>
  flag: Generated<number>
}
interface Telemetry5mTable {
  deviceId: string
  ts: Date
  n: number
  /** Per metric [min, max, sum, count]. */
  v: ColumnType<Record<string, [number, number, number, number]>, string, string>
}
interface DeviceEventTable {
  deviceId: string
  ts: Date
  id: string
  kind: string
  data: ColumnType<Record<string, unknown>, string, string>
}
interface DeviceRecordTable {
  deviceId: string
  projectCode: string
  ts: Date
  id: string
  record: string
  data: ColumnType<Record<string, unknown>, string, string>
  receivedAt: Date
}

declare module '#kit/db' {
  interface Tables {
    deviceLatest: DeviceLatestTable
    telemetry: TelemetryTable
    telemetry_5m: Telemetry5mTable
    deviceEvent: DeviceEventTable
    deviceRecord: DeviceRecordTable
  }
}
