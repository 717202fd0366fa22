import type { FleetDevice } from '../equipment/public.ts'
import { flags } from '../readings/public.ts'
import { Effects, type RuleEngine } from '../rules/public.ts'
import type { Presence } from './presence.ts'
import { type Latest, newerOf, readingKey, type StoredReading } from './store.ts'
import type { Work } from './work.ts'

/** The rows that one transaction writes. */
export interface Batch {
  works: Work[]
  effects: Effects
  readings: StoredReading[]
  latest: Map<string, Latest>
  cameOnline: { device: FleetDevice; time: number }[]
  /** Number of readings of a work item that occur more than once in this batch. */
  repeated: Map<Work, number>
}

export interface Job {
  /** Rule effects that come from no device message: clock ticks, changed rules, silent devices. */
  effects: Effects
  offline: { device: FleetDevice; since: number; at: number }[]
  done(): void
}

export const batchOf = (works: Work[] = []): Batch => ({
  works,
  effects: new Effects(),
  readings: [],
  latest: new Map(),
  cameOnline: [],
  repeated: new Map(),
})

/** Computes the rule effects and latest values of a batch. It runs once per batch; a retried write reuses the result. */
export function judge(works: Work[], { engine, presence }: { engine: RuleEngine; presence: Presence }): Batch {
  const batch = batchOf(works)
  // Newest reading time per device. A newer reading cannot be a duplicate within this batch, so keys are built only for older ones.
  const newestOf = new Map<string, number>()
  let seen: Set<string> | undefined
  for (const work of works) {
    const { device } = work
    if (presence.heard(device.id, work.receivedAt)) {
      batch.cameOnline.push({ device, time: work.receivedAt })
      engine.heard(device, work.receivedAt, batch.effects)
    }
    for (const reading of work.readings) {
      const newest = newestOf.get(device.id)
      if (newest === undefined || reading.time > newest) newestOf.set(device.id, reading.time)
      else seen ??= new Set(batch.readings.map((r) => readingKey(r.device.id, r.reading)))
      if (seen) {
        const key = readingKey(device.id, reading)
        if (seen.has(key)) {
          batch.repeated.set(work, (batch.repeated.get(work) ?? 0) + 1)
          continue
        }
        seen.add(key)
      }
      batch.readings.push({ device, reading })
      engine.take(device, work.byHand ? { ...reading, receivedAt: reading.time } : reading, batch.effects)
    }
    for (const record of work.records) engine.record(device, record, batch.effects)
    for (const event of work.events) engine.flag(device, event, batch.effects)
    const { receivedAt } = work
    let latest = newerOf(batch.latest.get(device.id), { device, receivedAt, reading: undefined })
    for (const reading of work.readings) latest = newerOf(latest, { device, receivedAt, reading })
    batch.latest.set(device.id, latest)
  }
  return batch
}

/** Adds the effects of jobs (no device message) to the effects of the batch, so that one transaction writes both. */
export function join(batch: Batch, jobs: readonly Job[]): void {
  for (const { effects } of jobs) {
    batch.effects.alarms.push(...effects.ops)
    batch.effects.notes.push(...effects.notes)
    for (const state of effects.states.values()) batch.effects.state(state)
  }
}

/** A batch with one message only, without rule effects. */
export function alone(work: Work, batch: Batch): Batch {
  const single = batchOf([work])
  const keys = new Set<string>()
  for (const reading of work.readings) {
    const key = readingKey(work.device.id, reading)
    if (keys.has(key)) single.repeated.set(work, (single.repeated.get(work) ?? 0) + 1)
    else single.readings.push({ device: work.device, reading })
    keys.add(key)
  }
  const latest = batch.latest.get(work.device.id)
  if (latest) single.latest.set(work.device.id, latest)
  return single
}

/** Whether the message holds only late readings, recorded while the device was disconnected. */
export const isBacklog = (work: Work) =>
  work.readings.length > 0 && work.records.length + work.events.length === 0 && work.readings.every((r) => r.flag === flags.late)
