import { z } from 'zod'

/** Quality of devices in use. Null if there is too little data. */
export const quality = z.object({
  onlinePercent: z.number().nullable(),
  validPercent: z.number().nullable(),
  faultPer100: z.number().nullable(),
  falsePercent: z.number().nullable(),
  sites: z.number().int(),
  /** Fewer than ten devices: not ranked. */
  few: z.boolean(),
})

export type Quality = z.infer<typeof quality>

const change = z.object({
  id: z.string(),
  at: z.string(),
  byName: z.string(),
  act: z.string(),
  detail: z.array(z.object({ label: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
})

export type Change = z.infer<typeof change>

export const changes = z.array(change)
