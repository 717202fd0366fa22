import { dropOldFrames } from '../frame-log.ts'
import type { Extension } from './extension.ts'

const flushMs = 1_000
const framesMs = 600_000

/** Writes the logs kept beside readings: frames, unknown devices, refusals, device addresses. */
export const notesBeside: Extension = {
  name: 'notes',
  async start({ pool, fleet, frames, strangers, warnings, origins, now }) {
    await origins.load()
    return {
      repeats: [
        {
          ms: flushMs,
          name: 'notes',
          run: () => Promise.all([strangers.flush(pool), frames.flush(pool), origins.flush(), warnings.flush(pool)]),
        },
        { ms: framesMs, name: 'frame log', run: () => dropOldFrames(pool, now()) },
      ],
      changed({ table, id }) {
        if (table === 'device' && !fleet.device(id)) origins.forget(id)
      },
      stop: () => strangers.flush(pool).catch(() => undefined),
    }
  },
}
