import { z } from 'zod'
import { endpoint, viewOf } from '../../kit/endpoint.ts'
import { filled, ofProject, paged, ref } from '../../kit/fields.ts'
import { listOf, sortBy } from '../../kit/list.ts'
import { offlineSpan, periodQuery, readingRow } from '../../telemetry/model.ts'
import { markedRecord } from '../model.ts'
import {
  craneDay,
  craneDaySorts,
  cycleGroup,
  cycleGroupings,
  cyclesBeside,
  onlineBeside,
  towerCycles,
  towerOnline,
  towerRecords,
} from './crane-endpoints.ts'
import { craneDayFilters, craneReadingRanges, cycleFilters, offlineFilters } from './crane-filters.ts'

/** Readings of one crane. */
export const findTowerReadings = viewOf(towerRecords, {
  query: periodQuery.extend({ sort: sortBy('time'), ...craneReadingRanges }),
  response: paged(readingRow),
})
export const craneReadingList = listOf(findTowerReadings, {
  feature: 'readings.towerCrane',
  columns: {
    deviceName: '设备',
    time: '时间',
    load: '吊重（t）',
    ratedLoad: '额定吊重（t）',
    loadPercent: '吊重百分比（%）',
    momentPercent: '力矩百分比（%）',
    radius: '幅度（m）',
    hookHeight: '吊钩高度（m）',
    slewAngle: '回转角度（°）',
    windSpeed: '风速（m/s）',
    tilt: '合成倾角（°）',
    fall: '倍率',
    sensorStatus: '传感器状态',
    driverName: '司机',
    quality: '数据质量',
    late: '补传',
    receivedAt: '接收时间',
  },
})

/** Cycles one by one. */
export const findCycles = viewOf(towerCycles, {
  query: periodQuery.extend({ sort: sortBy('startTime', 'durationSeconds', 'maxLoad', 'maxMomentPercent'), ...cycleFilters }),
  response: paged(markedRecord).extend(cyclesBeside),
})
export const craneCycleList = listOf(findCycles, {
  feature: 'craneCycle',
  columns: {
    cycleNo: '循环号',
    projectName: '项目',
    deviceName: '塔机',
    startTime: '开始时间',
    durationSeconds: '时长（秒）',
    maxLoad: '最大吊重（t）',
    maxLoadPercent: '吊重百分比（%）',
    maxMomentPercent: '力矩百分比（%）',
    from: '起点',
    to: '终点',
    maxWindSpeed: '最大风速（m/s）',
    overMomentCount: '超力矩次数',
    fall: '倍率',
    illegal: '违章',
    illegalReason: '违章说明',
    driverName: '司机',
    source: '来源',
  },
})

/** Cycles by driver, crane or hour of the day. */
export const findCycleGroups = viewOf(towerCycles, {
  query: periodQuery.extend({ groupBy: z.enum(cycleGroupings), ...cycleFilters }),
  response: paged(cycleGroup).extend(cyclesBeside),
})
export const craneCycleGroupList = listOf(findCycleGroups, {
  feature: 'craneCycleGroup',
  columns: {
    name: '分组',
    deviceNames: '塔机',
    days: '出勤天数',
    cycles: '吊次',
    perHour: '每小时吊次',
    overMoment: '超力矩吊次',
    overWind: '超风速吊次',
    illegal: '违章吊次',
    illegalPercent: '违章率（%）',
    maxMomentPercent: '最大力矩（%）',
    averageSeconds: '平均时长（秒）',
    unrecognised: '未识别司机吊次',
    notice: '约谈',
  },
  onScreen: ['notice'],
})

/** One row per crane and day. */
export const findCraneDays = viewOf(towerRecords, {
  query: periodQuery.extend({
    groupBy: z.literal('day'),
    sort: sortBy(...craneDaySorts),
    ...craneDayFilters,
  }),
  response: paged(craneDay),
})
export const craneDayList = listOf(findCraneDays, {
  feature: 'craneDay',
  columns: {
    projectName: '项目',
    deviceName: '塔机',
    recordNo: '备案编号',
    day: '日期',
    reportPercent: '上报率（%）',
    workHours: '作业小时',
    cycles: '吊次',
    maxMomentPercent: '最大力矩（%）',
    maxWindSpeed: '最大风速（m/s）',
    alarmCount: '告警',
    graveCount: '一二级告警',
    lateCount: '补传循环',
    noDriverMinutes: '未识别作业（分）',
    notice: '通知',
  },
  onScreen: ['notice'],
})

/** When cranes were offline. */
export const findOfflineSpans = viewOf(towerOnline, {
  query: periodQuery.extend({ sort: sortBy('startTime', 'durationSeconds'), ...offlineFilters }),
  response: paged(offlineSpan).extend(onlineBeside),
})
export const craneOfflineList = listOf(findOfflineSpans, {
  feature: 'craneOffline',
  columns: {
    projectName: '项目',
    deviceName: '塔机',
    startTime: '离线时间',
    endTime: '恢复时间',
    durationSeconds: '时长（秒）',
    cause: '原因',
    workedMeanwhile: '离线期间作业',
    backfilled: '已补传',
    remark: '说明',
    byName: '填写人',
  },
})

export const offlineCauses = ['断电', '网络', '网关', '设备故障', '停工', '其他'] as const
/** States why a machine was offline, where its data do not show it. */
export const explainSilence = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/offRecord/:id',
  summary: '填写离线原因',
  needs: ['alarm.handle', 'alarm.setting'],
  params: z.object({ id: ref('offlineSpan') }),
  query: ofProject,
  body: z.object({ cause: z.enum(offlineCauses, { error: '请选择原因' }), remark: filled(200, '说明') }),
})
