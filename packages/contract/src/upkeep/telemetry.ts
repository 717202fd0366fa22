import { z } from 'zod'

/** What the linked sensor says of a machine over a time. */
export const telemetry = z.object({
  deviceId: z.string(),
  deviceName: z.string(),
  from: z.string(),
  /** Working cycles and the hours they took. */
  cycles: z.number().int(),
  hours: z.number(),
  maxLoad: z.number().nullable(),
  maxLoadPercent: z.number().nullable(),
  /** Cycles while the machine was suspended. */
  whileStopped: z.number().int(),
  lastWhileStopped: z.string().nullable(),
  recent: z.array(
    z.object({
      id: z.string(),
      start: z.string(),
      end: z.string(),
      maxLoad: z.number().nullable(),
      maxLoadPercent: z.number().nullable(),
      stopped: z.boolean(),
    }),
  ),
  alarms: z.array(z.object({ id: z.string(), label: z.string(), level: z.number().int(), at: z.string(), active: z.boolean() })),
})
export type Telemetry = z.output<typeof telemetry>
