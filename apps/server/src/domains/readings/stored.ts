import { storedOrder } from '@zhugong/contract/telemetry/families'
import type { ReadingView } from '@zhugong/contract/telemetry/model'
import { fromColumns } from './sample.ts'

/** A row of `telemetry`: `v` and `w` contain values by position, in the order of the family at `schemaVer`. */
export interface ReadingRow {
  deviceId: string
  ts: Date
  seq: number
  receivedAt: Date
  schemaVer: number
  v: (number | null)[]
  w: (number | null)[] | null
  extra: Record<string, unknown> | null
  quality: Record<string, string> | null
  flag: number
}

/** Converts a stored reading to the API form. */
export function toReading(family: string, row: Omit<ReadingRow, 'deviceId' | 'seq'> & Partial<ReadingRow>): ReadingView {
  const order = storedOrder(family, row.schemaVer)
  return {
    time: row.ts.getTime(),
    receivedAt: row.receivedAt.getTime(),
    values: order ? fromColumns(order, row) : {},
    quality: row.quality,
    flag: row.flag,
  }
}
