import type { HouseItemResult, HouseState } from '@zhugong/contract/houses/moves'
import type { Failure } from '@zhugong/contract/houses/plan-sync'
import type { Generated } from 'kysely'
import type { Disclosed, Json } from '#kit/columns'

interface HouseTable extends Disclosed {
  id: string
  externalNo: string
  placeId: string
  buildingId: string
  buildingName: string
  unitName: string | null
  floorName: string
  name: string
  houseType: string | null
  businessType: string | null
  buildArea: number | null
  goneAt: Date | null
  problemCount: Generated<number>
  /** yyyy-MM-dd. */
  acceptDate: string | null
  certNo: string | null
  fixNote: string | null
  fixPhotos: Generated<string[]>
  state: Generated<HouseState>
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface HouseItemTable {
  houseId: string
  itemCode: string
  projectCode: string
  corpCode: string | null
  result: HouseItemResult
  note: string | null
  photos: Generated<string[]>
  badSince: Date | null
  byName: string
  at: Date
}
interface HouseSyncTable {
  id: string
  projectCode: string
  source: string
  at: Date
  rows: number
  added: number
  changed: number
  missing: number
  failed: number
  failures: Json<Failure[]>
  byName: string
}

declare module '#kit/db' {
  interface Tables {
    house: HouseTable
    houseItem: HouseItemTable
    houseSync: HouseSyncTable
  }
}
