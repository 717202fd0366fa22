import { z } from 'zod'
import { endpoint, viewOf } from '../../kit/endpoint.ts'
import { day, filled, flag, instant, nullable, ofProject, paged, pageQuery, several, text } from '../../kit/fields.ts'
import { listOf, sortBy } from '../../kit/list.ts'
import { epoch, periodQuery } from '../../telemetry/model.ts'
import { pitDay, pitPoint, pitReading, pitRecords, pitShare } from './pit-live.ts'

const pointFilters = { pointCode: text(40).optional(), pointType: text(30).optional(), pitName: text(60).optional() }

/** Single readings, newest first. */
export const findPitReadings = viewOf(pitRecords, {
  query: periodQuery.extend({ sort: sortBy('time'), ...pointFilters }),
  response: paged(pitReading),
})
export const pitReadingList = listOf(findPitReadings, {
  feature: 'pitReading',
  columns: {
    projectName: '项目',
    pitName: '基坑',
    pointCode: '测点',
    pointType: '监测项目',
    time: '时间',
    value: '本次值',
    change: '本次变化',
    ratePerDay: '速率（/天）',
    control: '控制值',
    share: '占控制值（%）',
    unit: '单位',
    source: '来源',
    quality: '数据质量',
    receivedAt: '录入时间',
  },
})

/** Current state of points, worst first. */
export const findPitPoints = viewOf(pitRecords, {
  query: pageQuery.extend({
    projectCode: periodQuery.shape.projectCode,
    ...pointFilters,
    state: several.optional(),
    groupBy: z.literal('point'),
  }),
  response: paged(pitPoint),
})
export const pitPointList = listOf(findPitPoints, {
  feature: 'pitPoint',
  columns: {
    projectName: '项目',
    pitName: '基坑',
    pointCode: '测点',
    pointType: '监测项目',
    cumulative: '累计',
    share: '占控制值（%）',
    ratePerDay: '速率（/天）',
    rateShare: '占速率控制（%）',
    unit: '单位',
    trend: '近 7 日',
    time: '最后数据',
    state: '状态',
  },
  onScreen: ['trend'],
})

/** A row per point and day, including days without a reading. */
export const findPitDays = viewOf(pitRecords, {
  query: periodQuery.extend({ sort: sortBy('time'), ...pointFilters, missing: flag.optional(), groupBy: z.literal('day') }),
  response: paged(pitDay),
})
export const pitDayList = listOf(findPitDays, {
  feature: 'pitDay',
  columns: {
    day: '日期',
    projectName: '项目',
    pitName: '基坑',
    pointCode: '测点',
    pointType: '监测项目',
    time: '末次测量',
    value: '累计',
    change: '本日变化',
    ratePerDay: '速率（/天）',
    control: '控制值',
    share: '占控制值（%）',
    unit: '单位',
    manual: '来源',
  },
})

/** Worst share by pit and kind of point. */
export const findPitShares = viewOf(pitRecords, {
  query: pageQuery.extend({ projectCode: periodQuery.shape.projectCode, groupBy: z.literal('pit,pointType') }),
  response: paged(pitShare),
})

/** Progress of excavation and supports as reported by the site. */
export const pitStage = z.object({
  id: z.string(),
  projectCode: z.string(),
  pitName: z.string(),
  at: epoch,
  depth: z.number(),
  note: z.string().nullable(),
  createBy: z.string().nullable(),
})
export type PitStage = z.infer<typeof pitStage>
export const listPitStages = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/pitStage',
  summary: '基坑工况列表',
  needs: 'foundation-pit.view',
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, pitName: text(60).optional() }),
  response: paged(pitStage),
})
export const reportPitStage = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/pitStage',
  summary: '上报基坑工况',
  needs: 'foundation-pit.stage',
  query: ofProject,
  body: z.object({
    pitName: filled(60, '基坑'),
    /** Metres below ground. */
    depth: z.coerce.number({ error: '开挖深度应为数字' }).min(0, '开挖深度不能为负').max(60, '开挖深度最多 60 米'),
    /** Default: now. */
    at: nullable(instant),
    note: nullable(text(200, '说明')),
  }),
  response: pitStage,
})

/** Monitoring reports of a pit and day (GB 50497-2019, 9.0.4); the weekly one covers the seven days ending with it. */
export const pitPrint = ofProject.extend({ pitName: filled(60, '基坑'), day })
