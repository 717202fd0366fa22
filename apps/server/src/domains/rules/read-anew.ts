import { minuteMs } from '@zhugong/contract/kit/time'
import type pg from 'pg'

/**
 * What rules know of a site beside its readings: read anew after a while, by one at a time. A reading never fails for it: what was known stays
 * until it can be read again.
 */
export abstract class ReadAnew {
  private loadedAt: number | undefined
  private loading: Promise<void> | undefined
  private readonly everyMs: number

  constructor(everyMs = minuteMs) {
    this.everyMs = everyMs
  }

  protected abstract load(pool: pg.Pool, now: number): Promise<void>

  protected get isLoaded(): boolean {
    return this.loadedAt !== undefined
  }

  /** Answers whether anything was read. */
  async refresh(pool: pg.Pool, now: number): Promise<boolean> {
    if (this.loadedAt !== undefined && now - this.loadedAt < this.everyMs) return false
    this.loading ??= this.load(pool, now)
      .then(() => {
        this.loadedAt = now
      })
      .catch(() => undefined)
      .finally(() => {
        this.loading = undefined
      })
    await this.loading
    return this.loadedAt === now
  }
}
