import { z } from 'zod'
import { endpoint, viewOf } from '../../kit/endpoint.ts'
import { numericRange, paged, text } from '../../kit/fields.ts'
import { listOf, sortBy } from '../../kit/list.ts'
import { periodQuery, readingRow } from '../../telemetry/model.ts'
import { analysisPeriod, machineRank, rankCounts, rankFilters } from '../analysis.ts'
import { markedRecord } from '../model.ts'
import { liftDayFilters, liftReadingRanges, liftRunFilters } from './lift-filters.ts'
import { liftCycles, liftDay, liftDaySorts, liftRecords, liftRunSorts, liftsBeside, runGroup, runGroupings } from './lift-live.ts'

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

/** One row per lift and day. */
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
  response: paged(markedRecord).extend(liftsBeside),
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

/** Figures of one lift, or of all in scope together, over a period. Persons are counted by the cage and are an estimate. */
export const liftAnalysis = endpoint({
  method: 'GET',
  path: '/api/v1/iot/lift/analysis',
  summary: '升降机数据分析',
  needs: 'lifter.view',
  query: analysisPeriod.extend({ cage: text(2).optional() }),
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
      /** Minutes with more wind than lifts may run in. */
      windStopMinutes: z.number(),
    }),
    /** By quarter of an hour of the day, all days together. `fullPercent`: share of runs at 90 % or more of the rated persons or load. */
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
    /** Runs by pair of floors, most frequent first. */
    floors: z.array(z.object({ from: z.number().int(), to: z.number().int(), runs: z.number().int(), persons: z.number().int() })),
    /** Runs by ten percent of the rated load. */
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
    /** Drivers by number of violations, descending; unrecognised drivers are one row. */
    illegalBy: z.array(
      z.object({
        name: z.string(),
        runs: z.number().int(),
        overPersonRuns: z.number().int(),
        doorOpenRuns: z.number().int(),
        /** Runs with any violation, each counted once. */
        illegal: z.number().int(),
      }),
    ),
  }),
})

export const liftRank = machineRank.extend({
  runs: z.number().int(),
  overPersonRuns: z.number().int(),
  doorOpenRuns: z.number().int(),
  overPer1000: number,
  doorOpenPer1000: number,
  noDriverPercent: number,
  safetyDeviceExpiry: z.string().nullable(),
  expiryDays: z.number().int().nullable(),
})
/** Lifts ranked by violations per thousand runs; those with too little data are listed but not ranked. */
export const liftRanks = endpoint({
  method: 'GET',
  path: '/api/v1/iot/lift/rank',
  summary: '升降机对比排名',
  needs: 'lifter.view',
  answers: 'list',
  query: periodQuery.extend({
    sort: sortBy('overPer1000', 'doorOpenPer1000', 'noDriverPercent', 'onlinePercent', 'handledHours', 'expiryDays', 'coverage'),
    ...rankFilters,
    overPer1000: numericRange.optional(),
    doorOpenPer1000: numericRange.optional(),
    expiryDays: numericRange.optional(),
  }),
  response: paged(liftRank).extend(rankCounts),
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
