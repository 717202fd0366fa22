import { storedOrder } from '@zhugong/contract/telemetry/families'
import type { ReadingView } from '@zhugong/contract/telemetry/model'
import { fromColumns } from './sample.ts'

/** A row of `telemetry`: what a reading says stands in `v` and `w` by position, in the order of its family at `schemaVer`. */
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

/** A stored reading as calls answer it. */
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
