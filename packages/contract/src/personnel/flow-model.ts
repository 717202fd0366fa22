import { z } from 'zod'
import { dayRange, numericRange, several } from '../kit/fields.ts'

/** Filters of the list of entries and exits, in addition to those of all lists of people. */
export const flowFilters = {
  flowType: several.optional(),
  flowDate: dayRange.optional(),
  exitReason: several.optional(),
  source: several.optional(),
  stayDays: numericRange.optional(),
}
/** One entry or exit. */
export const flowRow = z.object({
  id: z.string(),
  workerId: z.string(),
  projectWorkerId: z.string(),
  name: z.string(),
  /** 1 entry, 0 exit. */
  flowType: z.enum(['1', '0']),
  date: z.string(),
  projectCode: z.string(),
  projectName: z.string().nullable(),
  corpCode: z.string(),
  corpName: z.string().nullable(),
  teamId: z.string().nullable(),
  teamName: z.string().nullable(),
  workTypeName: z.string().nullable(),
  /** The visible project the person was on before, or went to; 首次登记 if there was none. */
  other: z.string().nullable(),
  exitReasonName: z.string().nullable(),
  sourceName: z.string().nullable(),
  /** For an exit: length of the stay in days. */
  stayDays: z.number().int().nullable(),
  /** Whether the stay is still open. */
  onSite: z.boolean(),
})
export type FlowRow = z.infer<typeof flowRow>
