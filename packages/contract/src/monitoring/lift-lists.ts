import { z } from 'zod'
import { endpoint, viewOf } from '../kit/endpoint.ts'
import { numericRange, paged, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { ownedBy } from '../telemetry/analysis.ts'
import { periodQuery, readingRow } from '../telemetry/model.ts'
import { liftDayFilters, liftReadingRanges, liftRunFilters } from './lift-filters.ts'
import {
  liftCycles,
  liftDay,
  liftDaySorts,
  liftRecords,
  liftRunRow,
  liftRunSorts,
  liftsBeside,
  runGroup,
  runGroupings,
} from './lift-live.ts'

/** Readings of one lift. */
export const findLiftReadings = viewOf(liftRecords, {
  query: periodQuery.extend({ sort: sortBy('time'), cage: text(2).optional(), ...liftReadingRanges }),
  response: paged(readingRow),
})
export const liftReadingList = listOf(findLiftReadings, {
  feature: 'readings.lifter',
  columns: {
    deviceName: '设备',
    time: '时间',
    cage: '吊笼',
    load: '载重（t）',
    loadPercent: '载重百分比（%）',
    personCount: '人数（人）',
    height: '高度（m）',
    floor: '楼层（层）',
    speed: '运行速度（m/s）',
    direction: '方向',
    frontDoorOpen: '前门开',
    rearDoorOpen: '后门开',
    doorLocked: '门锁闭合',
    tiltX: '倾角X（°）',
    tiltY: '倾角Y（°）',
    windSpeed: '风速（m/s）',
    driverName: '司机姓名',
    quality: '数据质量',
    late: '补传',
    receivedAt: '接收时间',
  },
})

/** One row per lift and day: who reports, carries too many, or runs with a door open. */
export const findLiftDays = viewOf(liftRecords, {
  query: periodQuery.extend({ groupBy: z.literal('day'), sort: sortBy(...liftDaySorts), ...liftDayFilters }),
  response: paged(liftDay),
})
export const liftDayList = listOf(findLiftDays, {
  feature: 'liftDay',
  columns: {
    projectName: '项目',
    deviceName: '升降机',
    cage: '吊笼',
    day: '日期',
    reportPercent: '上报率（%）',
    runs: '运行',
    persons: '载人次',
    overPersonRuns: '超员次',
    maxLoadPercent: '最大载重（%）',
    doorOpenRuns: '开门运行',
    noDriverMinutes: '未识别司机（分）',
    alarmCount: '告警',
    safetyDeviceExpiry: '防坠器到期',
    expiryDays: '剩余天数',
    notice: '通知',
  },
  onScreen: ['notice'],
})

/** Runs one by one. */
export const findLiftRuns = viewOf(liftCycles, {
  query: periodQuery.extend({ sort: sortBy(...liftRunSorts), ...liftRunFilters }),
  response: paged(liftRunRow).extend(liftsBeside),
})
export const liftRunList = listOf(findLiftRuns, {
  feature: 'liftRun',
  columns: {
    projectName: '项目',
    deviceName: '升降机',
    cage: '吊笼',
    startTime: '开始时间',
    direction: '方向',
    startFloor: '起始楼层',
    endFloor: '到达楼层',
    durationSeconds: '时长（秒）',
    maxPersonCount: '最大人数',
    maxLoadPercent: '最大载重（%）',
    averageSpeed: '平均速度（m/s）',
    maxSpeed: '最大速度（m/s）',
    maxTilt: '最大倾角（°）',
    illegal: '违章',
    illegalReason: '违章原因',
    driverName: '司机',
    source: '来源',
  },
})

/** Runs by driver or lift. */
export const findLiftRunGroups = viewOf(liftCycles, {
  query: periodQuery.extend({ groupBy: z.enum(runGroupings), ...liftRunFilters }),
  response: paged(runGroup).extend(liftsBeside),
})
export const liftRunGroupList = listOf(findLiftRunGroups, {
  feature: 'liftRunGroup',
  columns: {
    name: '分组',
    deviceNames: '升降机',
    days: '出勤天数',
    runs: '运行',
    hours: '运行小时',
    persons: '载人次',
    overPersonRuns: '超员次',
    overLoadRuns: '超载次',
    doorOpenRuns: '开门运行',
    speedOver: '超速次',
    illegalPercent: '违章率（%）',
    kilometers: '行程（km）',
    averageSeconds: '平均时长（秒）',
    noRecognitionRuns: '未识别司机',
    notice: '约谈',
  },
  onScreen: ['notice'],
})

const number = z.number().nullable()
const analysisPeriod = periodQuery.pick({ deviceId: true, projectCode: true, startTime: true, endTime: true }).extend({
  cage: text(2).optional(),
})

/** What a lift carried in a period, when and between which floors. Persons are as the cage counts them: an estimate. */
export const liftAnalysis = endpoint({
  method: 'GET',
  path: '/api/v1/iot/lift/analysis',
  summary: '升降机数据分析',
  needs: 'lifter.view',
  query: analysisPeriod,
  response: z.object({
    coverage: z.number(),
    lifts: z.number().int(),
    figures: z.object({
      runs: z.number().int(),
      persons: z.number().int(),
      hours: z.number(),
      overPersonRuns: z.number().int(),
      overLoadRuns: z.number().int(),
      doorOpenRuns: z.number().int(),
      alarms: z.number().int(),
      /** Minutes with more wind than a lift may run in. */
      windStopMinutes: z.number(),
    }),
    /** By quarters of an hour of the day, all days together; `fullPercent` the share of runs nine tenths full or more, by persons or load. */
    quarters: z.array(
      z.object({
        /** 07:15 */
        from: z.string(),
        runs: z.number().int(),
        persons: z.number().int(),
        full: z.number().int(),
        fullPercent: number,
        overs: z.number().int(),
      }),
    ),
    /** Runs between two floors, most often first. */
    floors: z.array(z.object({ from: z.number().int(), to: z.number().int(), runs: z.number().int(), persons: z.number().int() })),
    /** Runs by tenths of the rated load. */
    loads: z.array(z.object({ from: z.number(), runs: z.number().int() })),
    days: z.array(
      z.object({
        day: z.string(),
        runs: z.number().int(),
        persons: z.number().int(),
        overPersonRuns: z.number().int(),
        doorOpenRuns: z.number().int(),
        alarms: z.number().int(),
        maxWindSpeed: number,
        coverage: z.number(),
      }),
    ),
    /** Whose runs broke a rule, most often first; nobody recognised is a row of its own. */
    illegalBy: z.array(
      z.object({
        name: z.string(),
        runs: z.number().int(),
        overPersonRuns: z.number().int(),
        doorOpenRuns: z.number().int(),
        /** Blamed for anything, each run once. */
        illegal: z.number().int(),
      }),
    ),
  }),
})

export const liftRank = z.object({
  deviceId: z.string(),
  deviceName: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  areaCode: z.string(),
  areaName: z.string().nullable(),
  ownerCorpName: z.string().nullable(),
  modelName: z.string().nullable(),
  coverage: z.number(),
  runs: z.number().int(),
  overPersonRuns: z.number().int(),
  doorOpenRuns: z.number().int(),
  overPer1000: number,
  doorOpenPer1000: number,
  noDriverPercent: number,
  onlinePercent: z.number(),
  /** From an alarm to its handling, mean hours. */
  handledHours: number,
  safetyDeviceExpiry: z.string().nullable(),
  expiryDays: z.number().int().nullable(),
  doubtful: z.boolean(),
  reason: z.string(),
})
const range = numericRange.optional()
/** Lifts ranked by what went wrong in a thousand runs, those whose data are doubtful apart. */
export const liftRanks = endpoint({
  method: 'GET',
  path: '/api/v1/iot/lift/rank',
  summary: '升降机对比排名',
  needs: 'lifter.view',
  answers: 'list',
  query: periodQuery.extend({
    sort: sortBy('overPer1000', 'doorOpenPer1000', 'noDriverPercent', 'onlinePercent', 'handledHours', 'expiryDays', 'coverage'),
    deviceName: text(50).optional(),
    projectName: text(50).optional(),
    ...ownedBy,
    overPer1000: range,
    doorOpenPer1000: range,
    onlinePercent: range,
    expiryDays: range,
    doubtful: z.enum(['0', '1'], { error: '应为 1 或 0' }).optional(),
  }),
  response: paged(liftRank).extend({ ranked: z.number().int(), doubtful: z.number().int() }),
})
export const liftRankList = listOf(liftRanks, {
  feature: 'liftRank',
  columns: {
    projectName: '项目',
    areaCode: '区划',
    deviceName: '升降机',
    ownerCorpName: '产权单位',
    modelName: '型号',
    runs: '运行',
    overPer1000: '每千次超员',
    doorOpenPer1000: '每千次开门运行',
    noDriverPercent: '未识别司机（%）',
    onlinePercent: '在线率（%）',
    handledHours: '平均处置时长（时）',
    safetyDeviceExpiry: '防坠器到期',
    expiryDays: '剩余天数',
    coverage: '有效数据（%）',
    reason: '为什么',
    notice: '通知',
  },
  onScreen: ['notice'],
})
