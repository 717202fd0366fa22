import type { MeasureState } from '@zhugong/contract/measures/moves'
import type { Generated } from 'kysely'
import type { Disclosed } from '#kit/columns'
import type { SeriesKind } from '../checks/public.ts'

interface SafetyMeasureTable extends Disclosed {
  id: string
  corpCode: string
  authorGroup: string
  authorGroupName: string
  name: string
  hazardSource: string
  riskLevel: string
  placeId: string | null
  content: string
  responsible: string
  /** yyyy-MM-dd. */
  startDate: string
  endDate: string
  /** Cents. */
  cost: number | null
  seriesBy: SeriesKind | null
  seriesKey: string | null
  photos: Generated<string[]>
  vouchers: Generated<string[]>
  doneAt: Date | null
  state: Generated<MeasureState>
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface SafetyMeasureWorkTable extends Disclosed {
  id: string
  measureId: string
  corpCode: string
  note: string
  photos: string[]
  byId: string
  byName: string
  at: Date
}

declare module '#kit/db' {
  interface Tables {
    safetyMeasure: SafetyMeasureTable
    safetyMeasureWork: SafetyMeasureWorkTable
  }
}
