import { tiltDriftLimit, windMarks } from '@zhugong/contract/monitoring/crane/crane-analysis'
import type { Pdf, PdfColumn } from '#kit/pdf'
import type { ListContext } from '../../exports/registry.ts'
import { driverGroupsFor } from '../../readings/public.ts'
import { type DriverDay, driverDayColumns, driverDays, groupTables } from '../cycles/driver-month.ts'
import { rounded } from '../shared/family.ts'
import {
  alarmCountWords,
  alarmTable,
  figure,
  type MonthQuery,
  monthAlarms,
  monthScope,
  monthSheet,
  named,
  registerMonth,
} from '../shared/month.ts'
import { craneAnalysis } from './crane-analysis.ts'
import { cycleGroups } from './crane-cycles.ts'

/** Not listed: offline times have a list of their own, and limit switches act in normal operation. */
const noFaults = ['offline', 'upperLimit', 'lowerLimit', 'outerLimit', 'innerLimit', 'leftLimit', 'rightLimit']

type Group = Awaited<ReturnType<typeof cycleGroups>>[number]
const hoursOf = (r: Group) => rounded(r.workSeconds / 3600)

/** Registers the monthly report of cranes. It counts the same cycles as their list. */
export function registerCraneMonth(): void {
  registerMonth<DriverDay<Group>>({
    family: 'towerCrane',
    title: '塔机月报',
    columns: driverDayColumns('塔机', [
      { key: 'cycles', title: '吊次', value: (r) => r.cycles },
      { key: 'hours', title: '作业小时', value: (r) => hoursOf(r) },
      { key: 'overMoment', title: '超力矩吊次', value: (r) => r.overMoment },
      { key: 'overWind', title: '超风速吊次', value: (r) => r.overWind },
      { key: 'illegal', title: '违章吊次', value: (r) => r.illegal },
      { key: 'maxMomentPercent', title: '最大力矩（%）', value: (r) => r.maxMomentPercent },
    ]),
    rows: async (ctx, query) => {
      const scope = await monthScope(ctx, query, 'towerCrane')
      return driverDays(ctx, await cycleGroups(ctx.db, scope, 'day,device,driver'), await monthAlarms(ctx, scope, noFaults))
    },
    draw,
  })
}

const counted: PdfColumn<Group>[] = [
  figure('吊次', (r) => r.cycles),
  figure('作业小时', hoursOf),
  figure('超力矩', (r) => r.overMoment, 9),
  figure('超风速', (r) => r.overWind, 9),
  figure('违章', (r) => r.illegal, 9),
  figure('违章率 %', (r) => r.illegalPercent),
  figure('最大力矩 %', (r) => (r.maxMomentPercent === null ? null : rounded(r.maxMomentPercent))),
]

async function draw(ctx: ListContext, query: MonthQuery): Promise<Pdf> {
  const scope = await monthScope(ctx, query, 'towerCrane')
  const result = await craneAnalysis(ctx.db, scope, ctx.clock.now())
  const drivers = driverGroupsFor(ctx, await cycleGroups(ctx.db, scope, 'driver'))
  const devices = await cycleGroups(ctx.db, scope, 'device')
  const faults = await monthAlarms(ctx, scope, noFaults)
  const pdf = await monthSheet(ctx, scope, query, '塔机月报')
  const { figures } = result
  const illegal = devices.reduce((sum, one) => sum + one.illegal, 0)
  const stopped = result.hours.reduce((sum, one) => sum + one.windStop, 0)
  pdf.facts([
    ['塔机', `${result.cranes} 台`],
    ['有效数据', `${result.coverage} %`],
    ['吊装', `${figures.cycles} 吊，${figures.workHours} 小时`],
    ['利用率', figures.utilisation === null ? '--' : `${figures.utilisation} %`],
    ['超力矩 / 违章', `${figures.overMoment} / ${illegal} 吊`],
    ['故障与告警', alarmCountWords(faults)],
    [`风速超过 ${windMarks.stop} m/s`, `${rounded(stopped / 60)} 小时`],
    ['检修', `${figures.maintenanceHours} 小时（不计入以上）`],
  ])
  pdf.heading('每日吊装')
  await pdf.table<(typeof result.days)[number]>(
    [
      named('日期', (r) => r.day),
      figure('吊次', (r) => r.cycles),
      figure('作业小时', (r) => r.workHours),
      figure('告警', (r) => r.alarms),
      figure('最大力矩 %', (r) => (r.maxMomentPercent === null ? null : rounded(r.maxMomentPercent))),
      figure('最大风速 m/s', (r) => (r.maxWindSpeed === null ? null : rounded(r.maxWindSpeed))),
      figure('有效数据 %', (r) => r.coverage),
    ],
    result.days,
  )
  await groupTables(pdf, '塔机', counted, { devices, drivers })
  if (scope.device) {
    pdf.heading('空载倾角')
    pdf.paragraph(tiltWords(result.tilt))
  }
  await alarmTable(pdf, '塔机', faults)
  pdf.small('违章含超力矩、超风速与人工标记。利用率为有负荷的时间占有数据的时间。有效数据为有上报的时间占本月已过时间。')
  pdf.signatures(['机械员', '安全员', '项目经理'])
  return pdf
}

/** How far the tilt of the idle crane moved during the month, in words. */
export function tiltWords(tilt: readonly { week: string; median: number; samples: number }[]): string {
  const first = tilt[0]
  const last = tilt.at(-1)
  if (!first || !last) return '没有空载且无风的读数，不能判断。'
  const drift = Math.abs(last.median - first.median)
  const weeks = tilt.map((one) => `${one.week} 当周 ${one.median.toFixed(3)}°（${one.samples} 个五分钟值）`).join('；')
  const verdict =
    drift > tiltDriftLimit ? `移动 ${drift.toFixed(3)}°，超过 ${tiltDriftLimit}°：检查基础与塔身垂直度。` : `移动 ${drift.toFixed(3)}°。`
  return `${weeks}。${verdict}`
}
