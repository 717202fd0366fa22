import type { ColumnType, Generated } from 'kysely'

type Json<T> = ColumnType<T, string, string>
type JsonDefault<T> = ColumnType<T, string | undefined, string>

export interface DeviceAccess {
  protocol: 'mqtt' | 'hj212' | 'jt808' | 'http' | 'poll'
  gatewayId?: string
  mn?: string
  /** HJ 212: unit in which each particulate metric is sent. */
  units?: Record<string, 'ug' | 'mg'>
  crcMode?: 'standard' | 'modbus'
  /** HJ 212: longest data segment, where it is not the standard's. */
  maxLength?: number
  /** HJ 212: the station's own codes, and since when they hold. What was stored before is not rewritten. */
  codes?: Record<string, { metric: string; factor: number }>
  codesSince?: string
  phone?: string
  /** JT/T 808: the id printed on the terminal, where somebody has entered it. */
  terminalId?: string
  appId?: string
  /** Of what is asked rather than heard: Modbus unit or meter number. */
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
  access: Json<DeviceAccess>
  protocol: string
  accessKey: string
  accessSecret: Buffer | null
  gatewayId: string | null
  params: JsonDefault<Record<string, unknown>>
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
  /** Made by a docking for the readings it hands on. */
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

declare module '#kit/db' {
  interface Tables {
    gateway: GatewayTable
    device: DeviceTable
    unregisteredDevice: UnregisteredDeviceTable
    openApp: OpenAppTable
    openNonce: OpenNonceTable
    takenNumber: TakenNumberTable
  }
}
