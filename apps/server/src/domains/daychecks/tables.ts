import type { Generated } from 'kysely'
import type { Disclosed } from '#kit/columns'

interface DayCheckTable extends Disclosed {
  id: string
  code: string | null
  surprise: Generated<boolean>
  checkerGroup: string
  checkerIds: string[]
  discipline: string[]
  /** yyyy-MM-dd. */
  plannedDate: string
  planId: string | null
  visitId: string | null
  campaignId: string | null
  campaignGroup: string | null
  sourceKind: string | null
  sourceId: string | null
  template: string[] | null
  progress: string | null
  checkInAt: Date | null
  checkInBy: string | null
  checkInLng: number | null
  checkInLat: number | null
  outsideM: number | null
  locationAbnormal: Generated<boolean>
  abnormalReason: string | null
  checkInPhotos: Generated<string[]>
  conclusion: string | null
  submitAt: Date | null
  remark: string | null
  remarkBy: string | null
  remarkAt: Date | null
  lastAct: string | null
  state: Generated<string>
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface DayCheckUnitTable extends Disclosed {
  id: string
  checkId: string
  seq: number
  unitId: string | null
  name: string
  doneAt: Date | null
  doneBy: string | null
  savedBy: string | null
  savedAt: Date | null
  lastAct: string | null
  version: Generated<number>
}
interface DayCheckPresenceTable extends Disclosed {
  checkId: string
  seq: number
  post: string
  name: string | null
  state: 'in' | 'out' | 'never' | 'vacant'
  at: Date | null
}
interface DayCheckDisciplineTable extends Disclosed {
  checkId: string
  discipline: string
  byId: string
  byName: string
  at: Date
}

declare module '#kit/db' {
  interface Tables {
    dayCheck: DayCheckTable
    dayCheckUnit: DayCheckUnitTable
    dayCheckPresence: DayCheckPresenceTable
    dayCheckDiscipline: DayCheckDisciplineTable
  }
}
