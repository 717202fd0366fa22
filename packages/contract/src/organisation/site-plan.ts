import { z } from 'zod'

const point = z.tuple([z.number(), z.number()])

/** The site's local coordinate system: metres east (x) and north (y) of `origin`, as used by machines, plans and anti-collision. */
export const sitePlan = z.object({
  origin: z.object({ lng: z.number(), lat: z.number() }),
  fence: z.array(point),
  buildings: z.array(z.object({ name: z.string(), points: z.array(point), height: z.number(), floorsUp: z.number() })),
  roads: z.array(z.array(point)),
  zones: z.array(z.object({ name: z.string(), kind: z.string(), marginMeters: z.number(), points: z.array(point) })),
  gates: z.array(z.object({ name: z.string(), x: z.number(), y: z.number() })),
  spray: z.array(z.object({ name: z.string(), points: z.array(point) })).default([]),
})
export type SitePlan = z.infer<typeof sitePlan>
