import type { ColumnType, Generated } from 'kysely'
import type { Json, JsonOrNull } from '#kit/columns'

interface DeviceLatestTable {
  deviceId: string
  ts: Date
  receivedAt: Date
  v: ColumnType<Record<string, unknown>, string, string>
  quality: ColumnType<Record<string, string> | null, string | null, string | null>
  online: Generated<boolean>
  onlineSince: Date
  held: JsonOrNull<unknown>
  paceSeconds: number | null
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

interface DeviceCommandTable {
  id: string
  deviceId: string
  projectCode: string
  cmd: string
  params: Json<unknown>
  byName: string | null
  sentAt: Date
  expireAt: Date | null
  answeredAt: Date | null
  result: number | null
  message: Generated<string>
  steps: Json<{ at: number; step: string; text: string }[]>
  data: JsonOrNull<unknown>
}
interface DeviceFrameTable {
  id: string
  time: Date
  projectCode: string | null
  deviceId: string | null
  gatewayId: string | null
  identifier: string
  protocol: string
  address: Generated<string>
  direction: string
  kind: string
  result: string
  length: number
  body: Buffer
  isText: boolean
  decoded: JsonOrNull<unknown>
  answer: string | null
  delayMs: number | null
  hint: string | null
}
interface DeviceOriginTable {
  deviceId: string
  address: string
  at: Date
}
interface DeviceWarningTable {
  deviceId: string
  kind: string
  projectCode: string
  count: number
  address: string
  text: string
  firstTime: Date
  lastTime: Date
  toldTime: Date | null
}
interface GatePushTable {
  id: string
  adapter: string
  keyHash: Buffer
  createdAt: Generated<Date>
  lastTime: Date | null
}
interface Jt808RegistrationTable {
  deviceId: string
  openedAt: Date
  openUntil: Date
  byName: string
  replaces: Generated<boolean>
}
interface Jt808TerminalTable {
  deviceId: string
  phone: string
  codeHash: Buffer | null
  registeredAt: Date | null
  terminalId: string | null
  maker: string | null
  model: string | null
  plate: string | null
  plateColor: number | null
  edition: string | null
}

declare module '#kit/db' {
  interface Tables {
    deviceLatest: DeviceLatestTable
    telemetry: TelemetryTable
    telemetry_5m: Telemetry5mTable
    deviceEvent: DeviceEventTable
    deviceRecord: DeviceRecordTable
    deviceCommand: DeviceCommandTable
    deviceFrame: DeviceFrameTable
    deviceOrigin: DeviceOriginTable
    deviceWarning: DeviceWarningTable
    gatePush: GatePushTable
    jt808Registration: Jt808RegistrationTable
    jt808Terminal: Jt808TerminalTable
  }
}
