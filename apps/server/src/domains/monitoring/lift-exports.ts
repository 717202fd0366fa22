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
      deviceNames: (r) => r.deviceNames.join('、'),
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
      cage: (r) => cageName(r.cage),
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
      areaCode: (r) => r.areaName,
    },
  )
}
