import * as lists from '@zhugong/contract/monitoring/lift-lists'
import { cageNames, runDirections, runOf } from '@zhugong/contract/monitoring/lift-runs'
import { formatInstant } from '#kit/clock'
import { byPages, exportOf, shownAs } from '../exports/registry.ts'
import { registerLiftMonth } from './lift-month.ts'
import { liftDayPage, liftRankPage, liftRunGroupPage, liftRunPage } from './lift-pages.ts'

const cageName = (cage: string) => cageNames[cage] ?? cage

/** The lists of lifts as files: the rows that their pages show. */
export function registerLiftExports(): void {
  registerLiftMonth()
  liftRunFile()
  liftRunGroupFile()
  liftDayFile()
  liftRankFile()
}

function liftRunFile(): void {
  exportOf(
    lists.liftRunList,
    {
      title: '升降机运行循环',
      widths: { projectName: 28, startTime: 20 },
      ...byPages(shownAs(liftRunPage, (row) => ({ ...row, run: runOf(row) }))),
    },
    {
      projectName: (r) => r.projectName,
      deviceName: (r) => r.deviceName,
      cage: (r) => cageName(r.run.cage),
      startTime: (r) => formatInstant(r.run.startTime),
      direction: (r) => (r.run.direction === null ? null : (runDirections[r.run.direction] ?? r.run.direction)),
      startFloor: (r) => r.run.startFloor,
      endFloor: (r) => r.run.endFloor,
      durationSeconds: (r) => r.run.durationSeconds,
      maxPersonCount: (r) => r.run.maxPersonCount,
      maxLoadPercent: (r) => r.run.maxLoadPercent,
      averageSpeed: (r) => r.run.averageSpeed,
      maxSpeed: (r) => r.run.maxSpeed,
      maxTilt: (r) => r.run.maxTilt,
      illegal: (r) => (r.run.illegal ? '是' : '否'),
      illegalReason: (r) => r.run.illegalReason,
      driverName: (r) => r.run.driverName ?? '未识别',
      source: (r) => (r.run.byPlatform ? '平台识别' : '设备上报'),
    },
  )
}

function liftRunGroupFile(): void {
  exportOf(
    lists.liftRunGroupList,
    {
      title: '升降机运行汇总',
      widths: { deviceNames: 28 },
      ...byPages(liftRunGroupPage),
    },
    {
      name: (r) => r.name,
      deviceNames: (r) => r.deviceNames.join('、'),
      days: (r) => r.days,
      runs: (r) => r.runs,
      hours: (r) => r.hours,
      persons: (r) => r.persons,
      overPersonRuns: (r) => r.overPersonRuns,
      overLoadRuns: (r) => r.overLoadRuns,
      doorOpenRuns: (r) => r.doorOpenRuns,
      speedOver: (r) => r.speedOver,
      illegalPercent: (r) => r.illegalPercent,
      kilometers: (r) => r.kilometers,
      averageSeconds: (r) => r.averageSeconds,
      noRecognitionRuns: (r) => r.noRecognitionRuns,
    },
  )
}

function liftDayFile(): void {
  exportOf(
    lists.liftDayList,
    {
      title: '多机监测记录',
      widths: { projectName: 28 },
      ...byPages(liftDayPage),
    },
    {
      projectName: (r) => r.projectName,
      deviceName: (r) => r.deviceName,
      cage: (r) => cageName(r.cage),
      day: (r) => r.day,
      reportPercent: (r) => r.reportPercent,
      runs: (r) => r.runs,
      persons: (r) => r.persons,
      overPersonRuns: (r) => r.overPersonRuns,
      maxLoadPercent: (r) => r.maxLoadPercent,
      doorOpenRuns: (r) => r.doorOpenRuns,
      noDriverMinutes: (r) => r.noDriverMinutes,
      alarmCount: (r) => r.alarmCount,
      safetyDeviceExpiry: (r) => r.safetyDeviceExpiry,
      expiryDays: (r) => r.expiryDays,
    },
  )
}

function liftRankFile(): void {
  exportOf(
    lists.liftRankList,
    {
      title: '升降机对比排名',
      widths: { projectName: 28, reason: 40 },
      ...byPages(liftRankPage),
    },
    {
      projectName: (r) => r.projectName,
      areaCode: (r) => r.areaName,
      deviceName: (r) => r.deviceName,
      ownerCorpName: (r) => r.ownerCorpName,
      modelName: (r) => r.modelName,
      runs: (r) => r.runs,
      overPer1000: (r) => r.overPer1000,
      doorOpenPer1000: (r) => r.doorOpenPer1000,
      noDriverPercent: (r) => r.noDriverPercent,
      onlinePercent: (r) => r.onlinePercent,
      handledHours: (r) => r.handledHours,
      safetyDeviceExpiry: (r) => r.safetyDeviceExpiry,
      expiryDays: (r) => r.expiryDays,
      coverage: (r) => r.coverage,
      reason: (r) => r.reason,
    },
  )
}
