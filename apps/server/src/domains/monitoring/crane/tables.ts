import type { Generated } from 'kysely'
import type { JsonGiven } from '#kit/columns'

interface CraneZoneTable {
  id: string
  projectCode: string
  name: string
  kind: string
  marginMeters: Generated<number>
  points: JsonGiven<unknown>
  fromTime: Date | null
  untilTime: Date | null
  createTime: Generated<Date>
  createBy: string | null
  updateTime: Date | null
  updateBy: string | null
  version: Generated<number>
}
interface MachineCameraTable {
  cameraId: string
  machineId: string
  projectCode: string
  byName: string
  at: Date
}
interface OfflineNoteTable {
  deviceId: string
  projectCode: string
  ts: Date
  cause: '断电' | '网络' | '网关' | '设备故障' | '停工' | '其他'
  remark: string
  byName: string
  at: Date
}

declare module '#kit/db' {
  interface Tables {
    craneZone: CraneZoneTable
    machineCamera: MachineCameraTable
    offlineNote: OfflineNoteTable
  }
}
