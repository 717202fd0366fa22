import { z } from 'zod'
import { viewOf } from '../../kit/endpoint.ts'
import { paged } from '../../kit/fields.ts'
import { listOf, sortBy } from '../../kit/list.ts'
import { periodQuery, readingRow, recordView } from '../../telemetry/model.ts'

import { loadFilters, loadGroup, loadSums, unloadingRecords } from './unloading-live.ts'

export const findPlatformReadings = viewOf(unloadingRecords, {
  query: periodQuery.extend({ kind: z.literal('reading').optional(), sort: sortBy('time') }),
  response: paged(readingRow),
})
export const platformReadingList = listOf(findPlatformReadings, {
  feature: 'readings.unloadingPlatform',
  columns: {
    deviceName: '设备',
    time: '时间',
    weight: '载重（t）',
    weightPercent: '载重百分比（%）',
    tilt: '合成倾角（°）',
    batteryPercent: '电量（%）',
    receivedAt: '接收时间',
  },
})

/** Single loads: put on, taken off. */
export const findLoads = viewOf(unloadingRecords, {
  query: periodQuery.extend({ ...loadFilters, sort: sortBy('time', 'maxWeightPercent', 'durationSeconds') }),
  response: paged(recordView).extend({ sums: loadSums.optional() }),
})
export const loadList = listOf(findLoads, {
  feature: 'unloadingLoad',
  columns: {
    projectName: '项目',
    deviceName: '卸料平台',
    startTime: '上料',
    endTime: '清空',
    maxWeight: '最大载重（t）',
    maxWeightPercent: '载重百分比（%）',
    durationSeconds: '滞留（秒）',
    overload: '超载',
    teamName: '班组',
    source: '来源',
  },
})

/** One row per platform and day. */
export const findLoadDays = viewOf(unloadingRecords, {
  query: periodQuery.extend({ ...loadFilters, groupBy: z.literal('day'), sort: sortBy('overloads', 'maxWeightPercent', 'loads') }),
  response: paged(loadGroup),
})
export const loadDayList = listOf(findLoadDays, {
  feature: 'unloadingDay',
  columns: {
    projectName: '项目',
    name: '卸料平台',
    day: '日期',
    loads: '上料次数',
    overloads: '超载次数',
    maxWeightPercent: '最大载重（%）',
    stayOver2h: '滞留超 2 时',
    longestSeconds: '最长滞留（秒）',
    moves: '移位',
    reportPercent: '上报率（%）',
  },
})

/** One row per team. */
export const findLoadTeams = viewOf(unloadingRecords, {
  query: periodQuery.extend({ ...loadFilters, groupBy: z.literal('team'), sort: sortBy('overloads', 'maxWeightPercent', 'loads') }),
  response: paged(loadGroup),
})
export const loadTeamList = listOf(findLoadTeams, {
  feature: 'unloadingTeam',
  columns: {
    name: '班组',
    loads: '上料次数',
    overloads: '超载次数',
    maxWeightPercent: '最大载重（%）',
    stayOver2h: '滞留超 2 时',
    longestSeconds: '最长滞留（秒）',
  },
})
