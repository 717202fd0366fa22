import type { Batch, Job } from './batch.ts'
import { type Latest, newerOf } from './store.ts'

/**
 * Shortest interval between two writes of a device's latest values in large batches. They cost more to write than the readings themselves.
 */
export const latestMs = 1_000

/** Latest values whose write is deferred during large batches, by device. The readings themselves are already stored. */
export class DeferredLatest {
  /** Batches with fewer readings write all latest values at once. */
  private readonly smallBatch: number
  private readonly existing = new Map<string, Latest>()
  private readonly writtenAt = new Map<string, number>()
  /** Set at shutdown: nothing is deferred any more. */
  leaving = false

  constructor(smallBatch: number) {
    this.smallBatch = smallBatch
  }

  get size(): number {
    return this.existing.size
  }

  /** The latest values to write with this batch: all of a small batch, otherwise those whose interval has passed. */
  due(batch: Batch, jobs: readonly Job[]): Latest[] {
    const now = performance.now()
    const isDue = (id: string) => this.leaving || now - (this.writtenAt.get(id) ?? Number.NEGATIVE_INFINITY) >= latestMs
    const isSmall = batch.readings.length < this.smallBatch
    const out = new Map<string, Latest>()
    for (const [id, one] of batch.latest) if (isSmall || isDue(id)) out.set(id, newerOf(this.existing.get(id), one))
    // A device that goes offline is written with its last values.
    const leaving = new Set(jobs.flatMap((job) => job.offline.map((o) => o.device.id)))
    for (const [id, one] of this.existing) if (!batch.latest.has(id) && (isDue(id) || leaving.has(id))) out.set(id, one)
    return [...out.values()]
  }

  written(batch: Batch, written: readonly Latest[]): void {
    const now = performance.now()
    for (const [id, one] of batch.latest) this.existing.set(id, newerOf(this.existing.get(id), one))
    for (const { device } of written) {
      this.existing.delete(device.id)
      this.writtenAt.set(device.id, now)
    }
  }
}
