import { DirtyBuckets, dropOldReadings, makePartitions, rollUp, rollUpAll } from '../rollup.ts'
import type { Extension, IngestContext } from './extension.ts'

const rollupMs = 60_000
const housekeepingMs = 3_600_000
/** Time span recalculated at start, for values that were pending when the process ended. */
const afterRestartMs = 15 * 60_000

/** Computes the five-minute values of stored readings, creates daily partitions and deletes expired readings. */
export const fiveMinuteValues: Extension = {
  name: 'five-minute values',
  start(ctx) {
    const { pool, log, now } = ctx
    const dirty = new DirtyBuckets()
    void rollUpAll(pool, now() - afterRestartMs, now()).catch((error: unknown) => log.warn({ err: error }, 'five-minute values'))
    return {
      repeats: [
        { ms: rollupMs, name: 'five-minute values', run: () => rollUpDirty(ctx, dirty) },
        {
          ms: housekeepingMs,
          name: 'housekeeping',
          run: async () => {
            await makePartitions(pool)
            await dropOldReadings(pool, now())
          },
        },
      ],
      committed(done) {
        for (const { device, reading } of done.stored) dirty.note(device.id, reading.time)
      },
    }
  },
}

async function rollUpDirty({ pool, fleet, now }: IngestContext, dirty: DirtyBuckets): Promise<void> {
  for (const { from, devices } of dirty.take(now())) {
    const known = devices.flatMap((id) => fleet.device(id) ?? [])
    try {
      for (const [family, list] of Map.groupBy(known, (d) => d.family)) {
        const ids = list.map((d) => d.id)
        await rollUp(pool, family, ids, from)
      }
    } catch (error) {
      dirty.putBack(from, devices)
      throw error
    }
  }
}
