import type pg from 'pg'
import { allFixtures } from '../fixtures/all.ts'
import type { CallCase } from '../fixtures/helpers.ts'
import type { SiteRows } from './site-rows.ts'

export const calls: readonly CallCase[] = allFixtures.flatMap((one) => one.calls ?? [])

export const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
export const exemptCalls: ReadonlySet<string> = new Set(
  allFixtures.flatMap((one) => one.exempt ?? []).flatMap(({ calls }) => calls.map(nameOf)),
)

/** Makes a call between the statements of its `meanwhile`. */
export async function tryCall<T>(pool: pg.Pool, { meanwhile }: CallCase, site: SiteRows, ask: () => Promise<T>): Promise<T> {
  if (!meanwhile) return ask()
  const [before, after] = meanwhile
  await pool.query(before, [site.projectCode])
  try {
    return await ask()
  } finally {
    await pool.query(after, [site.projectCode])
  }
}
