import type { Facts } from './moment.ts'
import { passage } from './people.ts'
import { RecordLog, recordsOf } from './record-log.ts'

import type { ReadyTrigger } from './trigger.ts'

export interface RehearsalSample {
  time: number
  receivedAt?: number | undefined
  seq?: number | undefined
  data: Readonly<Record<string, unknown>>
  quality?: Readonly<Record<string, string>> | undefined
  /** The device's parameters from this sample on. */
  params?: Readonly<Record<string, unknown>> | undefined
  /** A record of this kind instead of a reading. */
  record?: string | undefined
}

const [entering, leaving] = ['0', '1']

/** Records among the samples of a rehearsal; they supply the record facts that a device's stored records supply otherwise. */
export class GivenRecords {
  private readonly log = new RecordLog()
  private readonly kinds = new Map<string, number>()
  private readonly passages = new Map<unknown, { time: number; direction: unknown }[]>()
  readonly facts: Facts

  constructor({ levels, on }: ReadyTrigger) {
    for (const level of levels) recordsOf(level.condition, on, this.kinds)
    this.facts = { ...this.log.facts(on), stateSince: (state, values, at) => this.insideSince(state, values.workerId, at) }
  }

  add(record: string, { time, data }: RehearsalSample): void {
    const keepMs = this.kinds.get(record)
    if (keepMs !== undefined) this.log.add(record, keepMs, { time, data })
    if (record !== passage) return
    const known = this.passages.get(data.workerId)
    const one = { time, direction: data.direction }
    if (known) known.push(one)
    else this.passages.set(data.workerId, [one])
  }

  /** Since when a person is inside, from the gate passages. */
  private insideSince(state: string, workerId: unknown, at: number): number | null | undefined {
    if (state !== 'onSite') return undefined
    let since: number | null = null
    for (const { time, direction } of this.passages.get(workerId) ?? []) {
      if (time > at) continue
      if (direction === leaving) since = null
      else if (direction === entering) since = time
    }
    return since
  }
}
