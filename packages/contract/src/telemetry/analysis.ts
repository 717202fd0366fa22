import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { numericRange, paged, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { analysisRow } from './environment-endpoints.ts'
import { periodQuery } from './model.ts'

const number = z.number().nullable()
/** What machines of many sites are compared within: a district, whose they are, which model. */
export const ownedBy = { areaCode: several.optional(), ownerCorpName: text(80).optional(), modelName: text(80).optional() }
/** Below this share of expected data a figure says little of the machine and much of its box. */
export const leastCoverage = 75
/** Lifts in a period below which a rate of them is chance: shown and not ranked. */
export const leastCycles = 30
/** Degrees by which an idle crane's tilt may move over a period before its foundation is looked at. */
export const tiltDriftLimit = 0.2
/** m/s from which lifting is watched and from which it stops (JGJ 276-2012 3.0.6, GB 5144-2006 10.6). */
export const windMarks = { watch: 10.8, stop: 12 } as const

const rankBasis = {
  deviceId: z.string(),
  deviceName: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  areaCode: z.string(),
  areaName: z.string().nullable(),
  ownerCorpName: z.string().nullable(),
  modelName: z.string().nullable(),
  /** Share of the readings that were to be expected, in percent. */
  coverage: z.number(),
}

export const craneRank = z.object({
  ...rankBasis,
  ageYears: number,
  cycles: z.number().int(),
  workHours: z.number(),
  /** Hours with a load on the hook, of the hours in which it reported. */
  utilisation: number,
  alarms: z.number().int(),
  alarmPer100: number,
  level1: z.number().int(),
  falsePercent: number,
  /** From an alarm to its handling, mean. */
  handledHours: number,
  onlinePercent: z.number(),
  offlineHours: z.number(),
  overMoment: z.number().int(),
  dueDate: z.string().nullable(),
  /** Doubtful data: first the box is looked at, then the crane. */
  doubtful: z.boolean(),
  reason: z.string(),
})
export type CraneRank = z.infer<typeof craneRank>

const analysisPeriod = periodQuery.pick({ deviceId: true, projectCode: true, startTime: true, endTime: true })

/** What a crane did in a period, and when: for one crane, or all of a scope together. Drills and maintenance stand outside. */
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
    /** By hour of the day, all days together: minutes with a load, waiting, silent; minutes of wind. */
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
    /** Lifts by tenths of the rated moment. */
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
    /** The idle crane in calm air, week by week: median of its tilt in degrees, and of how many five-minute values. */
    tilt: z.array(z.object({ week: z.string(), median: z.number(), samples: z.number().int() })),
    /** Who lifted over the rated moment, most often first. */
    overBy: z.array(z.object({ name: z.string(), cycles: z.number().int() })),
  }),
})

/** Cranes ranked by rates, those whose data are doubtful apart. */
export const craneRanks = endpoint({
  method: 'GET',
  path: '/api/v1/iot/tower/rank',
  summary: '塔机对比排名',
  needs: 'tower-crane.view',
  answers: 'list',
  query: periodQuery.extend({
    sort: sortBy('alarmPer100', 'utilisation', 'level1', 'handledHours', 'onlinePercent', 'falsePercent', 'coverage'),
    deviceName: text(50).optional(),
    projectName: text(50).optional(),
    ...ownedBy,
    utilisation: numericRange.optional(),
    alarmPer100: numericRange.optional(),
    onlinePercent: numericRange.optional(),
    doubtful: z.enum(['0', '1'], { error: '应为 1 或 0' }).optional(),
  }),
  response: paged(craneRank).extend({ ranked: z.number().int(), doubtful: z.number().int() }),
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

/** Stations ranked by their score; those whose data are doubtful have none and stand at the end. */
export const stationRanks = endpoint({
  method: 'GET',
  path: '/api/v1/iot/env/rank',
  summary: '监测站对比排名',
  needs: 'environment.view',
  answers: 'list',
  query: periodQuery.extend({
    sort: sortBy('score', 'pm10Mean', 'deltaToDistrict', 'overHours', 'nightNoiseHours', 'validPercent'),
    name: text(50).optional(),
    projectName: text(50).optional(),
    ...ownedBy,
    stage: several.optional(),
    overHours: numericRange.optional(),
    validPercent: numericRange.optional(),
  }),
  response: paged(analysisRow),
})
export const stationRankList = listOf(stationRanks, {
  feature: 'stationRank',
  columns: {
    projectName: '项目',
    name: '监测站',
    areaCode: '区划',
    ownerCorpName: '产权单位',
    modelName: '型号',
    stage: '施工阶段',
    pm10Mean: 'PM10 均值',
    deltaToDistrict: '与区域站差值',
    overHours: '超标小时',
    nightNoiseHours: '夜间噪声超标小时',
    nightPermitHours: '许可期内夜间超标小时',
    validPercent: '有效数据（%）',
    frozenHours: '恒值小时',
    offlineAtPeak: '高值时离线小时',
    score: '排名分',
    notice: '通知',
  },
  onScreen: ['notice'],
})
