import { craneRankList } from '@zhugong/contract/monitoring/crane/crane-analysis'
import * as cranes from '@zhugong/contract/monitoring/crane/crane-lists'
import { cycleOf, type LoadPlace } from '@zhugong/contract/telemetry/known-records'
import { formatInstant } from '#kit/clock'
import { byPages, exportOf, shownAs } from '../../exports/registry.ts'
import { cycleCells, yesNo } from '../cycles/cells.ts'
import { registerCraneMonth } from './crane-month.ts'
import { craneDayPage, craneRankPage, cycleGroupPage, cyclePage, offlinePage } from './crane-pages.ts'

const placed = ({ radius, angle, height }: LoadPlace) =>
  radius === null || angle === null ? null : `${radius} m / ${angle}°${height === null ? '' : `，高 ${height} m`}`

/** Registers the exports of the cranes' lists. They contain the rows that the pages show. */
export function registerCraneExports(): void {
  registerCraneMonth()
  exportOf(
    cranes.craneCycleList,
    {
      title: '塔机吊装循环',
      widths: { projectName: 28, startTime: 20, from: 24, to: 24 },
      ...byPages(shownAs(cyclePage, (row) => ({ ...row, cycle: cycleOf(row) }))),
    },
    {
      ...cycleCells,
      cycleNo: (r) => r.cycle.cycleNo,
      maxLoad: (r) => r.cycle.maxLoad,
      maxMomentPercent: (r) => r.cycle.maxMomentPercent,
      from: (r) => placed(r.cycle.from),
      to: (r) => placed(r.cycle.to),
      maxWindSpeed: (r) => r.cycle.maxWindSpeed,
      overMomentCount: (r) => r.cycle.overMomentCount,
      fall: (r) => r.cycle.fall,
    },
  )
  exportOf(
    cranes.craneCycleGroupList,
    { title: '多塔吊装循环', widths: { deviceNames: 28 }, ...byPages(cycleGroupPage) },
    { deviceNames: (r) => r.deviceNames.join('、') },
  )
  exportOf(cranes.craneDayList, { title: '多塔监测记录', widths: { projectName: 28 }, ...byPages(craneDayPage) }, {})
  exportOf(
    cranes.craneOfflineList,
    { title: '塔机在线离线记录', widths: { projectName: 28, startTime: 20, endTime: 20 }, ...byPages(offlinePage) },
    {
      startTime: (r) => formatInstant(r.startTime),
      endTime: (r) => (r.endTime === null ? '未恢复' : formatInstant(r.endTime)),
      workedMeanwhile: (r) => yesNo(r.workedMeanwhile),
      backfilled: (r) => yesNo(r.backfilled),
    },
  )
  exportOf(
    craneRankList,
    { title: '塔机对比排名', widths: { projectName: 28, reason: 40 }, ...byPages(craneRankPage) },
    { areaCode: (r) => r.areaName },
  )
}
