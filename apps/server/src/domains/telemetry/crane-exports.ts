import { craneRankList } from '@zhugong/contract/telemetry/analysis'
import * as cranes from '@zhugong/contract/telemetry/crane-lists'
import { cycleOf, type LoadPlace } from '@zhugong/contract/telemetry/known-records'
import { formatInstant } from '#kit/clock'
import { byPages, exportOf, shownAs } from '../exports/registry.ts'
import { registerCraneMonth } from './crane-month.ts'
import { craneDayPage, craneRankPage, cycleGroupPage, cyclePage, offlinePage } from './crane-pages.ts'

const yesNo = (value: boolean) => (value ? '是' : '否')
const placed = ({ radius, angle, height }: LoadPlace) =>
  radius === null || angle === null ? null : `${radius} m / ${angle}°${height === null ? '' : `，高 ${height} m`}`

/** The lists of cranes as files: the rows that their pages show. */
export function registerCraneExports(): void {
  registerCraneMonth()
  craneCycleFile()
  craneCycleGroupFile()
  craneDayFile()
  craneOfflineFile()
  craneRankFile()
}

function craneCycleFile(): void {
  exportOf(
    cranes.craneCycleList,
    {
      title: '塔机吊装循环',
      widths: { projectName: 28, startTime: 20, from: 24, to: 24 },
      ...byPages(shownAs(cyclePage, (row) => ({ ...row, cycle: cycleOf(row) }))),
    },
    {
      cycleNo: (r) => r.cycle.cycleNo,
      startTime: (r) => formatInstant(r.cycle.startTime),
      durationSeconds: (r) => r.cycle.durationSeconds,
      maxLoad: (r) => r.cycle.maxLoad,
      maxLoadPercent: (r) => r.cycle.maxLoadPercent,
      maxMomentPercent: (r) => r.cycle.maxMomentPercent,
      from: (r) => placed(r.cycle.from),
      to: (r) => placed(r.cycle.to),
      maxWindSpeed: (r) => r.cycle.maxWindSpeed,
      overMomentCount: (r) => r.cycle.overMomentCount,
      fall: (r) => r.cycle.fall,
      illegal: (r) => yesNo(r.cycle.illegal),
      illegalReason: (r) => r.cycle.illegalReason,
      driverName: (r) => r.cycle.driverName ?? '未识别',
      source: (r) => (r.cycle.byPlatform ? '平台识别' : '设备上报'),
    },
  )
}

function craneCycleGroupFile(): void {
  exportOf(
    cranes.craneCycleGroupList,
    {
      title: '多塔吊装循环',
      widths: { deviceNames: 28 },
      ...byPages(cycleGroupPage),
    },
    {
      deviceNames: (r) => r.deviceNames.join('、'),
    },
  )
}

function craneDayFile(): void {
  exportOf(
    cranes.craneDayList,
    {
      title: '多塔监测记录',
      widths: { projectName: 28 },
      ...byPages(craneDayPage),
    },
    {},
  )
}

function craneOfflineFile(): void {
  exportOf(
    cranes.craneOfflineList,
    {
      title: '塔机在线离线记录',
      widths: { projectName: 28, startTime: 20, endTime: 20 },
      ...byPages(offlinePage),
    },
    {
      startTime: (r) => formatInstant(r.startTime),
      endTime: (r) => (r.endTime === null ? '未恢复' : formatInstant(r.endTime)),
      workedMeanwhile: (r) => yesNo(r.workedMeanwhile),
      backfilled: (r) => yesNo(r.backfilled),
    },
  )
}

function craneRankFile(): void {
  exportOf(
    craneRankList,
    {
      title: '塔机对比排名',
      widths: { projectName: 28, reason: 40 },
      ...byPages(craneRankPage),
    },
    {
      areaCode: (r) => r.areaName,
    },
  )
}
