import { z } from 'zod'

/** What the readings of a measuring point mean from a moment on: a point that is damaged, an instrument that was replaced or set to zero. */
export const pointMark = z.object({
  /** Epoch milliseconds; earlier readings stay as they were told. */
  since: z.number(),
  /** Why what it tells does not count. */
  damaged: z.string().optional(),
  /** Added to what is told, by metric. */
  shift: z.record(z.string(), z.number()).optional(),
  /** Of an inclinometer: added at each depth. */
  profile: z.array(z.object({ depth: z.number(), value: z.number() })).optional(),
})
export type PointMark = z.infer<typeof pointMark>
/** By the code of the point: one device may speak for several. */
export type PointMarks = Record<string, PointMark>
