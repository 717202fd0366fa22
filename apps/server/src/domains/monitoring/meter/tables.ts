import type { Generated } from 'kysely'
import type { Json, JsonGiven } from '#kit/columns'

interface MeterMonthTable {
  id: string
  projectCode: string
  kind: 'electric' | 'water'
  month: string
  totalUsage: number
  lossPercent: number | null
  amount: number | null
  price: number | null
  peakPrice: number | null
  valleyPrice: number | null
  rows: JsonGiven<unknown>
  signed: Json<unknown>
  version: Generated<number>
  closeBy: string
  closeTime: Date
}
interface MeterPriceTable {
  id: string
  projectCode: string
  kind: 'electric' | 'water'
  fromMonth: string
  price: number
  peakPrice: number | null
  valleyPrice: number | null
  createBy: string
  createTime: Date
}
interface MeterEntryTable {
  id: string
  projectCode: string
  deviceId: string
  kind: 'reading' | 'change'
  at: Date
  reading: number
  startReading: number | null
  reason: string
  files: Generated<string[]>
  byName: string
  createTime: Date
  voidReason: string | null
  voidBy: string | null
  voidAt: Date | null
  prevRatio: number | null
  nextRatio: number | null
}

declare module '#kit/db' {
  interface Tables {
    meterMonth: MeterMonthTable
    meterPrice: MeterPriceTable
    meterEntry: MeterEntryTable
  }
}
