import type { FleetDevice } from '../equipment/public.ts'
import { type Rejection, readEvent, readRecord, readTelemetry, seqOf } from '../readings/public.ts'
import type { Work } from './work.ts'

export const maxItems = 500

export interface Envelope {
  msgId: string | undefined
  wantsAck: boolean
  items: unknown[]
  record: unknown
}

export type Kind = 'telemetry' | 'event' | 'record'

/** Parses the outer form of a message. Returns the reason as text if the whole message is refused. */
export function readEnvelope(body: unknown, limit = maxItems): Envelope | string {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'format'
  const { v, msgId, ack, items, record } = body as Record<string, unknown>
  if (v !== undefined && v !== 1) return 'version'
  // The smallest devices send a single item without the list around it.
  const list = Array.isArray(items) ? items : items === undefined ? [body] : undefined
  if (!list) return 'format'
  if (list.length > limit) return 'tooManyItems'
  return { msgId: typeof msgId === 'string' ? msgId.slice(0, 64) : undefined, wantsAck: ack === true, items: list, record }
}

/** A hint for items in the format of another platform; undefined for an unknown format. */
export function hintOfShape(items: readonly unknown[]): string | undefined {
  const [first] = items
  if (typeof first !== 'object' || first === null || 'data' in first) return undefined
  if ('ts' in first && 'values' in first) return 'ThingsBoard 的 {ts, values} 应改为 {"time":ts,"data":values}'
  if ('values' in first) return '数值应放在 data 里：{"time":…,"data":{…}}'
  const flat = Object.keys(first).filter((key) => key !== 'time' && key !== 'seq')
  return flat.length > 0 ? `数值应放在 data 里：{"time":…,"data":{"${flat[0]?.slice(0, 40)}":…}}` : undefined
}

export interface Decoded {
  work: Omit<Work, 'done'>
  accepted: number
  rejected: Rejection[]
}

/** Decodes the items of one device one by one; an invalid item does not reject the others. */
export function decodeItems(device: FleetDevice, kind: Kind, envelope: Pick<Envelope, 'items' | 'record'>, receivedAt: number): Decoded {
  const work: Omit<Work, 'done'> = { device, receivedAt, readings: [], records: [], events: [] }
  const rejected: Rejection[] = []
  for (const [index, item] of envelope.items.entries()) {
    if (kind === 'telemetry') {
      const read = readTelemetry(device.family, item, index, receivedAt)
      if (read.accepted) work.readings.push(read.accepted)
      rejected.push(...read.rejected)
    } else if (kind === 'record') {
      const read = readRecord(device.family, item, index, receivedAt, envelope.record)
      if (read.accepted) work.records.push(read.accepted)
      rejected.push(...read.rejected)
    } else {
      const read = readEvent(item, index, receivedAt)
      if (read.accepted) work.events.push(read.accepted)
      rejected.push(...read.rejected)
    }
  }
  // Sorted by time, so that rules evaluate a backlog in the order it happened.
  work.readings.sort((a, b) => a.time - b.time || seqOf(a.mark) - seqOf(b.mark))
  return { work, accepted: work.readings.length + work.records.length + work.events.length, rejected }
}
