import type pg from 'pg'

interface Standing {
  black: boolean
  gone: boolean
}

const refreshMs = 5 * 60_000
/** Who left longer ago is a stranger to the gate as well. */
const goneDays = 60

/**
 * The people a gate must not let through: on a black list, or no longer on the project. Only they are kept, and looked up anew every few
 * minutes; whoever is not among them is in order.
 */
export class People {
  private standings = new Map<string, Standing>()
  private loadedAt: number | undefined
  private loading: Promise<void> | undefined

  /** Never fails: what was known stays until it can be read again. */
  refresh(pool: pg.Pool, now: number): Promise<void> {
    if (this.loadedAt !== undefined && now - this.loadedAt < refreshMs) return Promise.resolve()
    this.loading ??= this.load(pool, now)
      .catch(() => undefined)
      .finally(() => {
        this.loading = undefined
      })
    return this.loading
  }

  private async load(pool: pg.Pool, now: number): Promise<void> {
    const { rows } = await pool.query<{ project_code: string; worker_id: string; black: boolean; gone: boolean }>(
      `select project_code, worker_id, bool_or(black_hit) as black, bool_and(exit_time is not null) as gone from project_worker
       group by 1, 2 having bool_or(black_hit) or (bool_and(exit_time is not null) and max(exit_time) > $1)`,
      [new Date(now - goneDays * 86_400_000)],
    )
    this.standings = new Map(rows.map((r) => [`${r.project_code}|${r.worker_id}`, { black: r.black, gone: r.gone }]))
    this.loadedAt = now
  }

  isListed(projectCode: string, list: string, value: unknown): boolean | undefined {
    if (list !== 'laborBlack' || this.loadedAt === undefined || typeof value !== 'string') return undefined
    return this.standings.get(`${projectCode}|${value}`)?.black ?? false
  }

  is(projectCode: string, state: string, values: Readonly<Record<string, unknown>>): boolean | undefined {
    if (state !== 'exited' || this.loadedAt === undefined || typeof values.workerId !== 'string') return undefined
    return this.standings.get(`${projectCode}|${values.workerId}`)?.gone ?? false
  }
}
