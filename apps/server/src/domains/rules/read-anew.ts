import { minuteMs } from '@zhugong/contract/kit/time'
import type pg from 'pg'

/**
 * Base class of cached site data used by rules. It is reloaded after an interval, by one query at a time. If a reload fails, the previous
 * data stays in use and no reading fails.
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

  /** Reloads if the interval has passed. Returns whether data was loaded. */
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
