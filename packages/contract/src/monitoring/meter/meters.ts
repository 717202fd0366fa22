import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { numericRange, paged, text } from '../../kit/fields.ts'
import { sortBy } from '../../kit/list.ts'
import { deviceInfo, epoch, lineQuery, lines, readingsQuery } from '../../telemetry/model.ts'
import { byId } from '../model.ts'

const metersView = 'meters.view'

/** Counters never decrease: consumption is the difference of readings; over missing readings it is interpolated and marked as estimated. */
const entered = z.enum(['reading', 'change']).nullable()
export const usage = z.object({ time: epoch, usage: z.number(), estimated: z.boolean(), entered })
const sums = {
  ratio: z.number(),
  area: z.string().nullable(),
  parentId: z.string().nullable(),
  todayUsage: z.number().nullable(),
  yesterdayUsage: z.number().nullable(),
  monthUsage: z.number().nullable(),
  quota: z.number().nullable(),
  params: z.record(z.string(), z.unknown()),
}

export const electricInfo = endpoint({
  method: 'GET',
  path: '/api/v1/iot/data/electricMeter/info/:id',
  summary: '电表实时数据',
  needs: metersView,
  params: byId,
  response: deviceInfo.extend(sums),
})
export const waterInfo = endpoint({
  method: 'GET',
  path: '/api/v1/iot/data/waterMeter/info/:id',
  summary: '水表实时数据',
  needs: metersView,
  params: byId,
  response: deviceInfo.extend({
    ...sums,
    /** Lowest flow between 0 and 6 o'clock in each of the last seven nights: indicates leakage. */
    nights: z.array(z.object({ day: z.string(), minFlow: z.number() })),
  }),
})
const withUsage = lines.extend({ usage: z.array(usage), usageUnit: z.string() })
const meterLineQuery = lineQuery.extend({ step: z.enum(['15m', 'hour', 'day']).optional() })
export const electricLine = endpoint({
  method: 'GET',
  path: '/api/v1/iot/electricMeter/line',
  summary: '电表数据曲线',
  needs: metersView,
  answers: 'list',
  query: meterLineQuery,
  response: withUsage,
})
export const waterLine = endpoint({
  method: 'GET',
  path: '/api/v1/iot/waterMeter/line',
  summary: '水表数据曲线',
  needs: metersView,
  answers: 'list',
  query: meterLineQuery,
  response: withUsage,
})
export const meterReading = z.object({
  deviceId: z.string(),
  deviceName: z.string(),
  time: epoch,
  reading: z.number().nullable(),
  usage: z.number().nullable(),
  estimated: z.boolean(),
  /** The counter decreased here: meter replaced, or register overflow. Consumption before and after is added. */
  rollback: z.boolean(),
  /** Manual reading or replacement at this point; null for a transmitted value. */
  entered,
  values: z.record(z.string(), z.number()),
})
export const settlement = z.object({
  deviceId: z.string(),
  deviceName: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  area: z.string().nullable(),
  corpName: z.string().nullable(),
  parentId: z.string().nullable(),
  month: z.string(),
  startReading: z.number().nullable(),
  endReading: z.number().nullable(),
  ratio: z.number(),
  usage: z.number(),
  quota: z.number().nullable(),
  quotaPercent: z.number().nullable(),
  rollbacks: z.number().int(),
  /** Number of manual readings used; undefined for sheets settled before this was counted. */
  manualReads: z.number().int().optional(),
  /** Yuan, for a settled month with a price. */
  amount: z.number().nullable(),
  /** Settled: readings arriving later count in the next month. */
  locked: z.boolean(),
})
export const meterSteps = ['15m', 'hour', 'day'] as const
/** Filters of meter readings, beside period and step. */
export const meterReadingFilters = {
  step: z.enum(meterSteps).default('hour'),
  kind: z.enum(['electric', 'water']).default('electric'),
  usage: numericRange.optional(),
  estimated: z.enum(['0', '1'], { error: '应为 1 或 0' }).optional(),
}
/** Filters of settlement sheets. */
export const settlementFilters = {
  kind: meterReadingFilters.kind,
  usage: meterReadingFilters.usage,
  area: text(20).optional(),
  deviceName: text(50).optional(),
  corpName: text(80).optional(),
  quotaPercent: numericRange.optional(),
}
/** Readings of one meter by quarter hour, hour or day; `groupBy=meter,month` the settlement sheet (`kind=water` for water). */
export const electricRecords = endpoint({
  method: 'GET',
  path: '/api/v1/iot/electricMeter/record',
  summary: '电表记录',
  needs: metersView,
  answers: 'list',
  query: readingsQuery.extend({
    ...meterReadingFilters,
    ...settlementFilters,
    groupBy: z.enum(['meter,month']).optional(),
    sort: sortBy('time', 'usage', 'quotaPercent', 'month'),
  }),
  response: paged(z.union([meterReading, settlement])),
})
