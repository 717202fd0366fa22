import type { Tx } from '#kit/db'
import type { FleetDevice } from '../equipment/public.ts'
import type { EventItem, Reading, RecordItem } from '../readings/public.ts'

/** Attendance of a gate, on its way to the domain that keeps it. */
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
 * Takes gate records in the transaction of the message that brought them; what it answers runs after the commit. It must take a record
 * that it has taken before.
 */
export type OnGateRecords = (tx: Tx, records: readonly GateRecord[]) => Promise<(() => void | Promise<void>) | undefined>

export interface Outcome {
  /** Readings and records that were stored before. */
  duplicated: number
}

/** One message of one device, stored as a whole or not at all. */
export interface Work {
  device: FleetDevice
  receivedAt: number
  readings: Reading[]
  records: RecordItem[]
  events: EventItem[]
  /** People took it down and told it later: the newest of a point is judged as if it had been told when it was measured. */
  byHand?: true
  /** Called once, after the commit or when it can never come. */
  done(error: Error | undefined, outcome: Outcome): void
}

export const weightOf = (work: Work): number => 1 + work.readings.length + work.records.length + work.events.length
