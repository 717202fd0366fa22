import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { numericRange, paged } from '../../kit/fields.ts'
import { listOf, sortBy } from '../../kit/list.ts'
import { periodQuery } from '../../telemetry/model.ts'
import { analysisPeriod, machineRank, rankCounts, rankFilters } from '../analysis.ts'

const number = z.number().nullable()
/** Movement of an idle crane's tilt over a period, in degrees, above which its foundation must be inspected. */
export const tiltDriftLimit = 0.2
/** Wind in m/s above which lifting is watched and above which it stops (JGJ 276-2012 3.0.6, GB 5144-2006 10.6). */
export const windMarks = { watch: 10.8, stop: 12 } as const

export const craneRank = machineRank.extend({
  ageYears: number,
  cycles: z.number().int(),
  workHours: z.number(),
  /** Share of the hours with data in which a load was on the hook, in percent. */
  utilisation: number,
  alarms: z.number().int(),
  alarmPer100: number,
  level1: z.number().int(),
  falsePercent: number,
  offlineHours: z.number(),
  overMoment: z.number().int(),
  dueDate: z.string().nullable(),
})
export type CraneRank = z.infer<typeof craneRank>

/** Figures of one crane, or of all in scope together, over a period. Drills and maintenance are not counted. */
export const towerAnalysis = endpoint({
  method: 'GET',
  path: '/api/v1/iot/tower/analysis',
  summary: '塔机数据分析',
  needs: 'tower-crane.view',
  query: analysisPeriod,
  response: z.object({
    coverage: z.number(),
    cranes: z.number().int(),
    figures: z.object({
      cycles: z.number().int(),
      workHours: z.number(),
      utilisation: number,
      overMoment: z.number().int(),
      alarms: z.number().int(),
      alarmPer100: number,
      simulated: z.number().int(),
      maintenanceHours: z.number(),
    }),
    /** By hour of the day, all days together: minutes with a load, waiting, without data, and of strong wind. */
    hours: z.array(
      z.object({
        hour: z.number().int(),
        cycles: z.number().int(),
        working: z.number(),
        waiting: z.number(),
        off: z.number(),
        windWatch: z.number(),
        windStop: z.number(),
        overMoment: z.number().int(),
      }),
    ),
    /** Cycles by ten percent of the rated moment. */
    spectrum: z.array(z.object({ from: z.number(), cycles: z.number().int() })),
    days: z.array(
      z.object({
        day: z.string(),
        cycles: z.number().int(),
        workHours: z.number(),
        alarms: z.number().int(),
        maxMomentPercent: number,
        maxWindSpeed: number,
        coverage: z.number(),
      }),
    ),
    /** Median tilt of the idle crane in calm air by week, in degrees, and the number of five-minute values. */
    tilt: z.array(z.object({ week: z.string(), median: z.number(), samples: z.number().int() })),
    /** Drivers by number of cycles over the rated moment, descending. */
    overBy: z.array(z.object({ name: z.string(), cycles: z.number().int() })),
  }),
})

/** Cranes ranked by rates; those with too little data are listed but not ranked. */
export const craneRanks = endpoint({
  method: 'GET',
  path: '/api/v1/iot/tower/rank',
  summary: '塔机对比排名',
  needs: 'tower-crane.view',
  answers: 'list',
  query: periodQuery.extend({
    sort: sortBy('alarmPer100', 'utilisation', 'level1', 'handledHours', 'onlinePercent', 'falsePercent', 'coverage'),
    ...rankFilters,
    utilisation: numericRange.optional(),
    alarmPer100: numericRange.optional(),
  }),
  response: paged(craneRank).extend(rankCounts),
})
export const craneRankList = listOf(craneRanks, {
  feature: 'craneRank',
  columns: {
    projectName: '项目',
    areaCode: '区划',
    deviceName: '塔机',
    ownerCorpName: '产权单位',
    modelName: '型号',
    ageYears: '使用年限',
    utilisation: '利用率（%）',
    cycles: '吊次',
    alarmPer100: '每百吊次告警',
    level1: '一级告警',
    overMoment: '超力矩吊次',
    handledHours: '平均处置时长（时）',
    falsePercent: '误报率（%）',
    onlinePercent: '在线率（%）',
    coverage: '有效数据（%）',
    dueDate: '到期日期',
    reason: '为什么',
    notice: '通知',
  },
  onScreen: ['notice'],
})
