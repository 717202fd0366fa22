import { z } from 'zod'
import { numericRange, several, text } from '../kit/fields.ts'
import { periodQuery } from '../telemetry/model.ts'

/** Filters of rankings across sites: area, owner, model. */
export const ownedBy = { areaCode: several.optional(), ownerCorpName: text(80).optional(), modelName: text(80).optional() }
/** Share of the expected data, in percent, below which a machine's figures are doubtful. */
export const leastCoverage = 75
/** A rate over fewer cycles than this means nothing: it is shown but not ranked. */
export const leastCycles = 30

/** Query of an analysis: one device or all in scope, over a period. */
export const analysisPeriod = periodQuery.pick({ deviceId: true, projectCode: true, startTime: true, endTime: true })

/** Columns of every ranking of machines. */
export const machineRank = z.object({
  deviceId: z.string(),
  deviceName: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  areaCode: z.string(),
  areaName: z.string().nullable(),
  ownerCorpName: z.string().nullable(),
  modelName: z.string().nullable(),
  /** Share of the expected data, in percent. */
  coverage: z.number(),
  onlinePercent: z.number(),
  /** Mean time from an alarm to its handling, in hours. */
  handledHours: z.number().nullable(),
  /** Too little data: the machine is listed but not ranked. */
  doubtful: z.boolean(),
  reason: z.string(),
})
/** Filters of every ranking of machines. */
export const rankFilters = {
  deviceName: text(50).optional(),
  projectName: text(50).optional(),
  ...ownedBy,
  onlinePercent: numericRange.optional(),
  doubtful: z.enum(['0', '1'], { error: '应为 1 或 0' }).optional(),
}
/** How many machines are ranked and how many are not, in addition to the page. */
export const rankCounts = { ranked: z.number().int(), doubtful: z.number().int() }
