import { listOf } from '../kit/list.ts'
import { findTriggers, listExecs, ruleBase } from './endpoints.ts'

/** The catalogue of alarms with the platform's defaults. */
export const ruleBaseList = listOf(ruleBase, {
  feature: 'ruleBase',
  columns: {
    label: '告警',
    familyName: '设备类型',
    level: '等级',
    text: '默认阈值',
    source: '依据',
    enabled: '启用',
    locked: '锁定',
    projectsOverriding: '项目改动',
    fired30d: '近 30 天',
    precision: '准确率',
  },
})

export const triggerList = listOf(findTriggers, {
  feature: 'ruleTrigger',
  columns: {
    name: '规则',
    family: '设备类型',
    alarmKey: '告警',
    summary: '条件与动作',
    level: '等级',
    scope: '范围',
    coveredDevices: '覆盖设备',
    lastReason: '最近判定',
    fired30d: '近 30 天',
    precision: '准确率',
    enabled: '启用',
    version: '版本',
    updateTime: '更新时间',
  },
})

export const execList = listOf(listExecs, {
  feature: 'ruleExec',
  columns: {
    name: '动作',
    kind: '类型',
    targets: '对象',
    channels: '渠道 / 联动命令',
    ladder: '升级',
    quietHours: '静默时段',
    usedBy: '引用',
    lastRun: '最近执行',
    failed30d: '失败',
    enabled: '启用',
    version: '版本',
    updateTime: '更新时间',
  },
  // Formatted by the page from the content of each kind of action.
  onScreen: ['targets', 'channels', 'ladder', 'quietHours'],
})
