import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { numericRange, paged, text } from '../../kit/fields.ts'
import { sortBy } from '../../kit/list.ts'
import { deviceInfo, epoch, lineQuery, lines, readingRow, readingsQuery, recordView } from '../../telemetry/model.ts'
import { byId } from '../model.ts'
import { platformMove } from './platform-moves.ts'

const unloadingView = 'unloading.view'
export const unloadingInfo = endpoint({
  method: 'GET',
  path: '/api/v1/iot/data/unloading/info/:id',
  summary: '卸料平台实时数据',
  needs: unloadingView,
  params: byId,
  response: deviceInfo.extend({
    /** Null: not set, 1.5 t is assumed. */
    ratedLoad: z.number().nullable(),
    installPlace: z.string().nullable(),
    /** Start of the current load. */
    loadedSince: epoch.nullable(),
    stayLimitSeconds: z.number(),
    /** Last move, and whether the platform was weighed empty since. */
    move: platformMove.pick({ id: true, movedAt: true, toPlace: true, personName: true, zeroWeight: true, zeroedAt: true }).nullable(),
    today: z.object({
      loads: z.number().int(),
      overloads: z.number().int(),
      maxWeight: z.number().nullable(),
      longestSeconds: z.number(),
    }),
  }),
})
export const unloadingLine = endpoint({
  method: 'GET',
  path: '/api/v1/iot/unloading/line',
  summary: '卸料平台数据曲线',
  needs: unloadingView,
  answers: 'list',
  query: lineQuery,
  response: lines,
})
export const loadGroup = z.object({
  key: z.string(),
  name: z.string(),
  projectName: z.string(),
  day: z.string(),
  loads: z.number().int(),
  overloads: z.number().int(),
  maxWeightPercent: z.number().nullable(),
  stayOver2h: z.number().int(),
  longestSeconds: z.number(),
  reportPercent: z.number().nullable(),
  /** Moves of a platform on a day. */
  moves: z.number().int(),
})
/** Filters of loads, beside platform and period. */
export const loadFilters = {
  deviceName: text(50).optional(),
  overload: z.enum(['0', '1'], { error: '应为 1 或 0' }).optional(),
  maxWeight: numericRange.optional(),
  maxWeightPercent: numericRange.optional(),
  durationSeconds: numericRange.optional(),
  overloads: numericRange.optional(),
  stayOver2h: numericRange.optional(),
}
export const loadSums = z.object({
  loads: z.number().int(),
  overloads: z.number().int(),
  maxWeight: z.number().nullable(),
  longestSeconds: z.number(),
})
/** Loads put on and taken off; `kind=reading` the readings of one platform; grouped by platform and day or by team. */
export const unloadingRecords = endpoint({
  method: 'GET',
  path: '/api/v1/iot/unloading/record',
  summary: '卸料平台监测记录',
  needs: unloadingView,
  answers: 'list',
  query: readingsQuery.extend({
    ...loadFilters,
    kind: z.enum(['load', 'reading']).default('load'),
    groupBy: z.enum(['day', 'team']).optional(),
    sort: sortBy('time', 'maxWeightPercent', 'durationSeconds', 'overloads', 'loads'),
  }),
  response: paged(z.union([readingRow, recordView, loadGroup])).extend({
    /** Over all pages of the filtered loads. */
    sums: loadSums.optional(),
  }),
})
