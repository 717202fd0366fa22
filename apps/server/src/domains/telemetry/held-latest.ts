import type { Batch, Job } from './batch.ts'
import { type Latest, newerOf } from './store.ts'

/** Newest values cost the database more than the readings themselves: in large batches a device's are written this often at most. */
export const latestMs = 1_000

/** Newest values that stand back while batches are full, by device; they are stored as readings already. */
export class HeldLatest {
  /** A batch of fewer readings has room for all of them. */
  private readonly smallBatch: number
  private readonly held = new Map<string, Latest>()
  private readonly writtenAt = new Map<string, number>()
  /** Nothing stands back any more: the process ends. */
  leaving = false

  constructor(smallBatch: number) {
    this.smallBatch = smallBatch
  }

  get size(): number {
    return this.held.size
  }

  /** Those to be written with a batch: while it is small at once, else each device's as often as it may. */
  due(batch: Batch, jobs: readonly Job[]): Latest[] {
    const now = performance.now()
    const isDue = (id: string) => this.leaving || now - (this.writtenAt.get(id) ?? Number.NEGATIVE_INFINITY) >= latestMs
    const isSmall = batch.readings.length < this.smallBatch
    const out = new Map<string, Latest>()
    for (const [id, one] of batch.latest) if (isSmall || isDue(id)) out.set(id, newerOf(this.held.get(id), one))
    // Whoever goes off line is written with what was heard of him last.
    const leaving = new Set(jobs.flatMap((job) => job.offline.map((o) => o.device.id)))
    for (const [id, one] of this.held) if (!batch.latest.has(id) && (isDue(id) || leaving.has(id))) out.set(id, one)
    return [...out.values()]
  }

  written(batch: Batch, written: readonly Latest[]): void {
    const now = performance.now()
    for (const [id, one] of batch.latest) this.held.set(id, newerOf(this.held.get(id), one))
    for (const { device } of written) {
      this.held.delete(device.id)
      this.writtenAt.set(device.id, now)
    }
  }
}
