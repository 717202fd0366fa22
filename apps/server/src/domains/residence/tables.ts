import type { Generated } from 'kysely'

interface LivingRoomTable {
  id: string
  projectCode: string
  type: string
  buildingName: string
  floor: number
  roomNo: string
  area: number
  beds: number
  usage: string | null
  manager: string
  /** yyyy-MM-dd. */
  fireNext: string | null
  extinguisher: boolean
  smokeAlarm: boolean
  emergencyLight: boolean
  exitSign: boolean
  lowVoltage: boolean
  powerLimit: boolean
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Date | null
}
interface RoomStayTable {
  id: string
  roomId: string
  projectCode: string
  corpCode: string
  workerId: string
  name: string
  gender: string
  bed: number
  /** yyyy-MM-dd. */
  fromDay: string
  toDay: string | null
  reason: string | null
  byName: string
}
interface RoomCheckTable {
  id: string
  roomId: string
  projectCode: string
  at: Date
  byName: string
  fire: boolean
  power: boolean
  hygiene: boolean
  note: string | null
  photos: Generated<string[]>
}

declare module '#kit/db' {
  interface Tables {
    livingRoom: LivingRoomTable
    roomStay: RoomStayTable
    roomCheck: RoomCheckTable
  }
}
