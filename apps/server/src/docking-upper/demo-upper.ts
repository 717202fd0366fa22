import { join } from 'node:path'
import type { Db } from '#kit/db'
import { startUpperPlatform, type UpperPlatform } from './upper-platform.ts'

/** The connection of the demonstration to its platform above; the address is set when that platform listens. */
export const demoUpper = {
  id: 'demo-upper-platform',
  appKey: 'zhugong-demo',
  secret: 'demonstration only, both ends stand in one house',
} as const

/** Starts the demonstration's platform above with the records it stored earlier; undefined when the city has none. */
export async function startDemoUpper(db: Db, dataDir: string): Promise<UpperPlatform | undefined> {
  const known = await db.selectFrom('dockingPlatform').select('id').where('id', '=', demoUpper.id).executeTakeFirst()
  if (!known) return undefined
  const upper = await startUpperPlatform({
    appKey: demoUpper.appKey,
    secret: demoUpper.secret,
    file: join(dataDir, 'upper-platform.jsonl'),
    faults: { later: 0.1, laterMs: 20_000, slow: 0.05, slowMs: 800 },
  })
  await db
    .updateTable('dockingPlatform')
    .set({ endpoint: upper.url, downSince: null, downReason: null, probeAt: null })
    .where('id', '=', demoUpper.id)
    .execute()
  return upper
}
