import type { Tx } from '#kit/db'
import type { FleetDevice } from '../equipment/public.ts'
import type { EventItem, Reading, RecordItem } from '../readings/public.ts'

/** A gate passage for the attendance domain. */
export interface GateRecord {
  deviceId: string
  projectCode: string
  deviceName: string
  params: Readonly<Record<string, unknown>>
  time: number
  receivedAt: number
  seq: number
  id: string
  data: Readonly<Record<string, unknown>>
}

/**
 * Stores gate records in the transaction of the message that contained them. The returned function runs after the commit. It must accept a
 * record it has stored before.
 */
export type OnGateRecords = (tx: Tx, records: readonly GateRecord[]) => Promise<(() => void | Promise<void>) | undefined>

export interface Outcome {
  /** Readings and records that were already stored. */
  duplicated: number
}

/** One message of one device, stored completely or not at all. */
export interface Work {
  device: FleetDevice
  receivedAt: number
  readings: Reading[]
  records: RecordItem[]
  events: EventItem[]
  /** Entered later by users: rules treat the readings as if they had been received when they were measured. */
  byHand?: true
  /** Called once, after the commit or after a permanent failure. */
  done(error: Error | undefined, outcome: Outcome): void
}

export const weightOf = (work: Work): number => 1 + work.readings.length + work.records.length + work.events.length
