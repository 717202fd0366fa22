import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { month, numericRange, ofProject, paged, pageQuery, text } from '../../kit/fields.ts'
import { listOf, sortBy } from '../../kit/list.ts'

/** Reference area of the intensity figures, m². */
export const perSquareMetres = 10_000

const siteIntensity = z.object({
  projectCode: z.string(),
  projectName: z.string(),
  areaName: z.string().nullable(),
  /** Consumption of the main meters. */
  usage: z.number(),
  locked: z.boolean(),
  /** Registered area in m²; null if none is registered. */
  buildingArea: z.number().nullable(),
  perArea: z.number().nullable(),
  /** Mean number of people at work per day of the month; null without attendance records. */
  workers: z.number().nullable(),
  perWorker: z.number().nullable(),
})
export type SiteIntensity = z.infer<typeof siteIntensity>

/** Monthly consumption of sites in proportion to area and people, for comparison across sites. */
export const listIntensity = endpoint({
  method: 'GET',
  path: '/api/v1/iot/electricMeter/intensity',
  summary: '各项目单位面积与人均用量',
  needs: 'meters.view',
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    kind: z.enum(['electric', 'water']).default('electric'),
    month,
    projectName: text(50).optional(),
    perArea: numericRange.optional(),
    perWorker: numericRange.optional(),
    sort: sortBy('usage', 'perArea', 'perWorker'),
  }),
  response: paged(siteIntensity),
})
export const intensityList = listOf(listIntensity, {
  feature: 'meterIntensity',
  columns: {
    projectName: '项目',
    areaName: '区划',
    usage: '用量',
    buildingArea: '建筑面积（m²）',
    perArea: '每万平方米用量',
    workers: '日均出勤（人）',
    perWorker: '人均用量',
    locked: '月结',
  },
})
