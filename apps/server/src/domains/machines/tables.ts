import type { Generated } from 'kysely'
import type { Disclosed } from '#kit/columns'

interface SpecialMachineTable {
  id: string
  recordNo: string | null
  deviceType: string
  name: string
  model: string
  manufactureNo: string
  manufacturer: string
  manufactureDate: string
  ownerCorp: string
  ratedMoment: number | null
  hoistClass: string | null
  ageLimit: number | null
  retireDate: string | null
  appraisedUntil: string | null
  appraisalFiles: Generated<string[]>
  scrappedAt: Date | null
  createGroup: string
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface MachineStayTable extends Disclosed {
  id: string
  machineId: string
  corpCode: string
  position: string
  maintainCorp: string
  installCorp: string | null
  installDate: string | null
  maxHeight: number | null
  inspectOrg: string | null
  inspectDate: string | null
  inspectReport: Generated<string[]>
  acceptDate: string | null
  useRegNo: string | null
  useRegDate: string | null
  nextInspectDate: string | null
  suspendKind: 'hand' | 'check' | 'alarm' | null
  suspendReason: string | null
  dismantleCorp: string | null
  beforeDismantle: string | null
  confirmedAt: Date | null
  deviceId: string | null
  state: Generated<string>
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface MachineStageTable extends Disclosed {
  id: string
  stayId: string
  corpCode: string
  stage: string
  date: string | null
  unit: string | null
  files: Generated<string[]>
  note: string | null
  byName: string
  at: Date
}
interface MachinePersonTable extends Disclosed {
  id: string
  stayId: string
  corpCode: string
  kind: 'operator' | 'installer'
  seq: number
  workerId: string
}

declare module '#kit/db' {
  interface Tables {
    specialMachine: SpecialMachineTable
    machineStay: MachineStayTable
    machineStage: MachineStageTable
    machinePerson: MachinePersonTable
  }
}
