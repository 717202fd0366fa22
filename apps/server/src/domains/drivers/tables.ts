import type { DriverState } from '@zhugong/contract/drivers/calls'
import type { Generated } from 'kysely'
import type { Disclosed } from '#kit/columns'

interface MachineDriverTable extends Disclosed {
  id: string
  corpCode: string
  workerId: string
  name: string
  idCardMask: string
  phoneMask: string | null
  driverType: string
  certId: string
  certNo: string
  certType: string
  /** yyyy-MM-dd. */
  certValidEnd: string
  certFiles: Generated<string[]>
  endedAt: Date | null
  auditRemark: string | null
  state: Generated<DriverState>
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface MachineDriverDeviceTable extends Disclosed {
  id: string
  driverId: string
  deviceId: string
  corpCode: string
}

declare module '#kit/db' {
  interface Tables {
    machineDriver: MachineDriverTable
    machineDriverDevice: MachineDriverDeviceTable
  }
}
