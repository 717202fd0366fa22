import { z } from 'zod'

/** How readings of a measuring point are interpreted from a moment on: the point is damaged, or its instrument was replaced or zeroed. */
export const pointMark = z.object({
  /** Epoch milliseconds; earlier readings are not affected. */
  since: z.number(),
  /** Reason why its readings are ignored. */
  damaged: z.string().optional(),
  /** Offsets added to readings, by metric. */
  shift: z.record(z.string(), z.number()).optional(),
  /** For an inclinometer: offset at each depth. */
  profile: z.array(z.object({ depth: z.number(), value: z.number() })).optional(),
})
export type PointMark = z.infer<typeof pointMark>
/** By point code: one device may report several points. */
export type PointMarks = Record<string, PointMark>
