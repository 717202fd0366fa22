import { z } from 'zod'
import { viewOf } from '../kit/endpoint.ts'
import { paged } from '../kit/fields.ts'
import { listOf } from '../kit/list.ts'
import { alarmQuery, alarmRow, besideAlarms, listAlarms, projectAlarms } from './endpoints.ts'

/** Single alarms. */
export const findAlarms = viewOf(listAlarms, {
  query: alarmQuery,
  // If rows are episodes: the number of alarms in them, which figures count.
  response: paged(alarmRow).extend({ ...besideAlarms, alarms: z.number().int() }),
})

/** Number of alarms per project; `counts` are the totals. */
export const findSiteAlarms = viewOf(listAlarms, {
  query: alarmQuery.omit({ sort: true }).extend({ groupBy: z.literal('project') }),
  response: paged(projectAlarms).extend(besideAlarms),
})

export const alarmList = listOf(findAlarms, {
  feature: 'alarm',
  columns: {
    level: '等级',
    alarmKey: '告警',
    projectName: '项目',
    deviceName: '设备',
    family: '设备类型',
    active: '告警状态',
    state: '处置状态',
    startTime: '开始',
    clearTime: '解除时间',
    duration: '持续',
    maxLevel: '最高等级',
    peakValue: '峰值',
    peakTime: '峰值时刻',
    thresholdText: '阈值',
    escalation: '升级到',
    urging: '督办',
    person: '人员',
    place: '位置',
    stop: '停用时长',
    driverName: '司机',
    otherCrane: '对象塔机',
    clearance: '净距（m）',
    zoneName: '区域',
    cycleNo: '循环',
    cause: '原因说明',
    finding: '原因与决定',
    permitted: '夜间许可',
    lossTonnes: '短少（t）',
    lossAmount: '折合金额（元）',
    handlerName: '处理人',
    handleTime: '处理时间',
  },
  // Changes within minutes, so it is not exported.
  onScreen: ['escalation'],
})

export const siteAlarmList = listOf(findSiteAlarms, {
  feature: 'alarmProject',
  columns: {
    projectName: '项目',
    areaName: '区划',
    contractorCorpName: '总包',
    level1: '一级',
    level2: '二级',
    level3: '三级',
    level4: '四级',
    openOver24h: '超 24 小时未处置',
    ackMinutes: '接单中位数',
    handledPercent: '处置率',
    falsePercent: '误报率',
    onlinePercent: '设备在线率',
    silent: '提示',
  },
})
