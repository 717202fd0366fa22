import type { Generated } from 'kysely'

interface PassagePairTable {
  id: string
  projectCode: string
  kind: 'joined' | 'parted'
  inDevice: string
  inTs: Date
  inId: string
  outDevice: string
  outTs: Date
  outId: string
  reason: string
  byName: string
  at: Date
  undoneAt: Date | null
  undoneBy: string | null
  undoneReason: string | null
}
interface VehicleRegistryTable {
  id: string
  projectCode: string
  kind: 'known' | 'black'
  plateNo: string
  vehicleType: '1' | '2' | '3' | '4' | '9' | null
  corpName: string | null
  permitNo: string | null
  untilDay: string | null
  reason: string | null
  createTime: Date
  createBy: string
  updateTime: Date | null
  updateBy: string | null
  version: Generated<number>
}

declare module '#kit/db' {
  interface Tables {
    passagePair: PassagePairTable
    vehicleRegistry: VehicleRegistryTable
  }
}
