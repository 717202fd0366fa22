import type { ProtocolKey } from '@zhugong/contract/protocols/catalogue'
import type { CrcMode } from '@zhugong/contract/protocols/hj212'
import type { PointMarks } from '@zhugong/contract/telemetry/point-marks'
import type { Generated } from 'kysely'
import type { Json, JsonGiven, JsonOrNull } from '#kit/columns'

export interface DeviceAccess {
  protocol: ProtocolKey
  gatewayId?: string
  mn?: string
  /** HJ 212: unit in which each particulate metric is sent. */
  units?: Record<string, 'ug' | 'mg'>
  crcMode?: CrcMode
  /** HJ 212: longest data segment, if it differs from the standard's. */
  maxLength?: number
  /** HJ 212: the station's own codes, and since when they apply. Earlier readings are not rewritten. */
  codes?: Record<string, { metric: string; factor: number }>
  codesSince?: string
  phone?: string
  /** JT/T 808: the id printed on the terminal, if entered. */
  terminalId?: string
  appId?: string
  /** For polled devices: Modbus unit or meter number. */
  address?: string
}

interface GatewayTable {
  id: string
  code: string | null
  projectCode: string
  name: string
  connectionType: string
  secret: Buffer
  status: Generated<string>
  ip: string | null
  online: Generated<boolean>
  lastSeen: Date | null
  remark: string | null
  createTime: Generated<Date>
  createBy: string | null
  updateTime: Date | null
  updateBy: string | null
  version: Generated<number>
}
interface DeviceTable {
  id: string
  projectCode: string
  name: string
  deviceSn: string
  family: string
  category: string | null
  type: string | null
  factoryName: string | null
  brandName: string | null
  modelName: string | null
  factoryId: string | null
  brandId: string | null
  modelId: string | null
  providerId: string | null
  source: Generated<string>
  origin: Generated<string>
  specialRecordNo: string | null
  applyTime: Date | null
  auditTime: Date | null
  auditBy: string | null
  auditRemark: string | null
  pending: JsonOrNull<unknown>
  files: Generated<string[]>
  points: Json<PointMarks>
  access: JsonGiven<DeviceAccess>
  protocol: string
  accessKey: string
  accessSecret: Buffer | null
  gatewayId: string | null
  params: Json<Record<string, unknown>>
  intervalSeconds: number
  lng: number | null
  lat: number | null
  installPlace: string | null
  installDate: string | null
  dueDate: string | null
  leader: string | null
  status: Generated<string>
  direction: string | null
  gateRole: string | null
  ownerCorp: string | null
  createTime: Generated<Date>
  createBy: string | null
  updateTime: Date | null
  updateBy: string | null
  version: Generated<number>
}
interface UnregisteredDeviceTable {
  identifier: string
  protocol: string
  address: string
  gatewayId: string | null
  reason: string
  count: number
  firstTime: Date
  lastTime: Date
  sample: string | null
  guess: string | null
  ignored: Generated<boolean>
}
interface OpenAppTable {
  id: string
  name: string
  projectCode: string
  secret: Buffer
  families: Generated<string[]>
  status: Generated<string>
  createTime: Generated<Date>
  createBy: string | null
  /** Created by a docking to store its readings. */
  isInternal: Generated<boolean>
  remark: string | null
  updateTime: Date | null
  updateBy: string | null
  version: Generated<number>
}
interface OpenNonceTable {
  appId: string
  nonce: string
  at: Date
}

/** Numbers registered elsewhere that a group tried to register, by day. */
interface TakenNumberTable {
  groupId: string
  day: string
  number: string
  at: Date
}

interface BrandTable {
  id: string
  factoryId: string
  name: string
  alias: Generated<string[]>
  logo: string | null
  families: Generated<string[]>
  remark: string | null
  enable: Generated<string>
  mergedInto: string | null
  createTime: Generated<Date>
  createBy: string | null
  updateTime: Generated<Date>
  updateBy: string | null
  version: Generated<number>
}
interface BrandMergeTable {
  id: string
  intoId: string
  at: Date
  byName: string | null
  moved: JsonGiven<unknown>
  undoneAt: Date | null
}
interface OpenClaimTable {
  appId: string
  deviceSn: string
  id: string
  name: string
  family: string
  at: Date
}
interface DeviceDayTable {
  deviceId: string
  day: string
  through: Date
  readings: Generated<number>
  doubtful: Generated<number>
  spans: Generated<number>
}
interface DeviceDueTable {
  id: string
  deviceId: string
  projectCode: string
  kind: string
  dueDate: string
  owner: string | null
  noticeState: Generated<string>
  noticedAt: Date | null
  noticedTo: string | null
  handledAt: Date | null
  handledBy: string | null
  files: Generated<string[]>
  remark: string | null
  createTime: Generated<Date>
  version: Generated<number>
}
interface DeviceMoveTable {
  id: string
  deviceId: string
  deviceName: string
  fromProject: string
  toProject: string
  at: Date
  since: Date
  byName: string
  reason: Generated<string>
}
interface DeviceRepairTable {
  id: string
  deviceId: string
  deviceName: string
  projectCode: string
  providerId: string | null
  at: Date
  byName: string
  fault: string
  doneAt: Date | null
  doneBy: string | null
  measure: string | null
  score: number | null
  comment: string | null
}
interface DueSettingTable {
  groupId: string
  days: Generated<number[]>
  receivers: Generated<string[]>
  updateTime: Generated<Date>
  updateBy: string | null
}
interface EquipmentChangeTable {
  id: string
  subject: string
  subjectId: string
  projectCode: string | null
  at: Date
  byName: string
  act: string
  detail: Json<unknown>
}
interface ExternalDeviceTable {
  id: string
  gatewayId: string
  externalId: string
  externalName: string | null
  externalProject: string | null
  externalModel: string | null
  deviceSn: string | null
  deviceId: string | null
  matchState: Generated<string>
  enabled: Generated<boolean>
  lastSync: Date | null
  lastError: string | null
  firstSeen: Date
}
interface FactoryTable {
  id: string
  name: string
  corpCode: string | null
  roles: Generated<string[]>
  families: Generated<string[]>
  contact: string | null
  contactPhone: Buffer | null
  contactPhoneMask: string | null
  salesContact: string | null
  salesPhone: Buffer | null
  salesPhoneMask: string | null
  serviceHours: string | null
  areaCodes: Generated<string[]>
  serviceUntil: string | null
  dockState: Generated<string>
  dockTests: Json<unknown>
  files: Generated<string[]>
  remark: string | null
  enable: Generated<string>
  createTime: Generated<Date>
  createBy: string | null
  updateTime: Generated<Date>
  updateBy: string | null
  version: Generated<number>
}
interface GateFaceTable {
  deviceId: string
  workerId: string
  projectCode: string
  corpCode: string
  state: Generated<string>
  reason: string | null
  at: Date
}
interface Gateway3rdTable {
  id: string
  code: string
  name: string
  vendor: string
  connType: string
  endpoint: string | null
  httpMethod: Generated<string>
  authKind: Generated<string>
  authName: string | null
  authSecret: Buffer | null
  tokenExpire: string | null
  scheduleMinutes: Generated<number>
  mapping: Json<unknown>
  modelMatch: Json<Record<string, string>>
  projectMatch: Json<Record<string, string>>
  pushSecret: Buffer | null
  sample: string | null
  remark: string | null
  enable: Generated<string>
  lastRun: Date | null
  lastResult: string | null
  createTime: Generated<Date>
  createBy: string | null
  updateTime: Generated<Date>
  updateBy: string | null
  version: Generated<number>
}
interface Gateway3rdRunTable {
  id: string
  gatewayId: string
  cause: string
  at: Date
  ms: number | null
  rows: Generated<number>
  accepted: Generated<number>
  duplicated: Generated<number>
  rejected: Generated<number>
  result: string
  message: string | null
  refused: Json<unknown>
}
interface ModelTable {
  id: string
  rootId: string
  factoryId: string
  brandId: string
  family: string
  name: string
  modelVersion: Generated<number>
  protocols: Generated<string[]>
  metrics: Json<unknown>
  registers: Json<unknown>
  alarmCodes: Json<unknown>
  params: Json<unknown>
  photo: string | null
  docs: Generated<string[]>
  remark: string | null
  enable: Generated<string>
  createTime: Generated<Date>
  createBy: string | null
  updateTime: Generated<Date>
  updateBy: string | null
  version: Generated<number>
}
interface PollDeviceTable {
  id: string
  gatewayId: string
  address: string
  registers: Json<unknown>
}
interface PollGatewayTable {
  id: string
  protocol: string
  host: string
  port: number
  intervalSeconds: Generated<number>
  timeoutMs: Generated<number>
  enabled: Generated<boolean>
  lastOk: Date | null
  lastError: string | null
}

declare module '#kit/db' {
  interface Tables {
    gateway: GatewayTable
    device: DeviceTable
    unregisteredDevice: UnregisteredDeviceTable
    openApp: OpenAppTable
    openNonce: OpenNonceTable
    takenNumber: TakenNumberTable
    brand: BrandTable
    brandMerge: BrandMergeTable
    openClaim: OpenClaimTable
    deviceDay: DeviceDayTable
    deviceDue: DeviceDueTable
    deviceMove: DeviceMoveTable
    deviceRepair: DeviceRepairTable
    dueSetting: DueSettingTable
    equipmentChange: EquipmentChangeTable
    externalDevice: ExternalDeviceTable
    factory: FactoryTable
    gateFace: GateFaceTable
    gateway3rd: Gateway3rdTable
    gateway3rdRun: Gateway3rdRunTable
    model: ModelTable
    pollDevice: PollDeviceTable
    pollGateway: PollGatewayTable
  }
}
