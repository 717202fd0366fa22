import { z } from 'zod'
import { dayRange, numericRange, several } from '../kit/fields.ts'

/** What the list of entries and exits is filtered by, beside what all lists of people are. */
export const flowFilters = {
  flowType: several.optional(),
  flowDate: dayRange.optional(),
  exitReason: several.optional(),
  source: several.optional(),
  stayDays: numericRange.optional(),
}
/** Somebody came or went. */
export const flowRow = z.object({
  id: z.string(),
  workerId: z.string(),
  projectWorkerId: z.string(),
  name: z.string(),
  /** 1 came, 0 went. */
  flowType: z.enum(['1', '0']),
  date: z.string(),
  projectCode: z.string(),
  projectName: z.string().nullable(),
  corpCode: z.string(),
  corpName: z.string().nullable(),
  teamId: z.string().nullable(),
  teamName: z.string().nullable(),
  workTypeName: z.string().nullable(),
  /** The project in sight where he was before, or went to; 首次登记 where there was none. */
  other: z.string().nullable(),
  exitReasonName: z.string().nullable(),
  sourceName: z.string().nullable(),
  /** Of an exit: how long the stay was. */
  stayDays: z.number().int().nullable(),
  /** Whether the stay still lasts. */
  onSite: z.boolean(),
})
export type FlowRow = z.infer<typeof flowRow>
