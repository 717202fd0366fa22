import * as lists from '@zhugong/contract/monitoring/lift/lift-lists'
import { cageNames, runDirections, runOf } from '@zhugong/contract/monitoring/lift/lift-runs'
import { byPages, exportOf, shownAs } from '../../exports/registry.ts'
import { cycleCells } from '../cycles/cells.ts'
import { registerLiftMonth } from './lift-month.ts'
import { liftDayPage, liftRankPage, liftRunGroupPage, liftRunPage } from './lift-pages.ts'

const cageName = (cage: string) => cageNames[cage] ?? cage

/** Registers the exports of the lifts' lists. They contain the rows that the pages show. */
export function registerLiftExports(): void {
  registerLiftMonth()
  exportOf(
    lists.liftRunList,
    {
      title: '升降机运行循环',
      widths: { projectName: 28, startTime: 20 },
      ...byPages(shownAs(liftRunPage, (row) => ({ ...row, cycle: runOf(row) }))),
    },
    {
      ...cycleCells,
      cage: (r) => cageName(r.cycle.cage),
      direction: (r) => (r.cycle.direction === null ? null : (runDirections[r.cycle.direction] ?? r.cycle.direction)),
      startFloor: (r) => r.cycle.startFloor,
      endFloor: (r) => r.cycle.endFloor,
      maxPersonCount: (r) => r.cycle.maxPersonCount,
      averageSpeed: (r) => r.cycle.averageSpeed,
      maxSpeed: (r) => r.cycle.maxSpeed,
      maxTilt: (r) => r.cycle.maxTilt,
    },
  )
  exportOf(
    lists.liftRunGroupList,
    { title: '升降机运行汇总', widths: { deviceNames: 28 }, ...byPages(liftRunGroupPage) },
    { deviceNames: (r) => r.deviceNames.join('、') },
  )
  exportOf(
    lists.liftDayList,
    { title: '多机监测记录', widths: { projectName: 28 }, ...byPages(liftDayPage) },
    { cage: (r) => cageName(r.cage) },
  )
  exportOf(
    lists.liftRankList,
    { title: '升降机对比排名', widths: { projectName: 28, reason: 40 }, ...byPages(liftRankPage) },
    { areaCode: (r) => r.areaName },
  )
}
