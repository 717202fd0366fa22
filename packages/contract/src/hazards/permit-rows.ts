import { z } from 'zod'
import { dayRange, flag, several, text } from '../kit/fields.ts'

export const permitRow = z.object({
  id: z.string(),
  /** Null for a draft. */
  code: z.string().nullable(),
  projectCode: z.string(),
  projectName: z.string(),
  corpCode: z.string(),
  corpName: z.string(),
  type: z.string(),
  typeName: z.string(),
  level: z.string().nullable(),
  content: z.string(),
  part: z.string(),
  placeId: z.string().nullable(),
  placeName: z.string().nullable(),
  startTime: z.string(),
  endTime: z.string(),
  /** Epoch milliseconds at which it ends by itself. */
  closesBy: z.number(),
  guardian: z.string(),
  workerCount: z.number().int(),
  /** It was not closed in time. */
  late: z.boolean(),
  /** The work has ended, and somebody will look for embers. */
  embers: z.boolean(),
  /** A longer time is asked for. */
  extending: z.boolean(),
  state: z.string(),
  stateName: z.string(),
  version: z.number().int(),
})
export type PermitRow = z.output<typeof permitRow>

export const permitFilters = {
  kind: z.literal('permit').optional(),
  tab: z.enum(['todo', 'today', 'draft']).optional(),
  code: text(50).optional(),
  type: several.optional(),
  level: several.optional(),
  part: text(50).optional(),
  corpName: text(50).optional(),
  startTime: dayRange.optional(),
  guardian: text(50).optional(),
  late: flag.optional(),
  state: several.optional(),
}
export const permitSorts = ['startTime', 'endTime', 'code'] as const
export const permitCounts = z.object({
  todo: z.number().int(),
  /** Permits whose time touches today. */
  today: z.number().int(),
  running: z.number().int(),
  overdue: z.number().int(),
})
