import { tiltDriftLimit, windMarks } from '@zhugong/contract/telemetry/analysis'
import { monthFeatures, monthQuery } from '@zhugong/contract/telemetry/month-reports'
import type { z } from 'zod'
import type { Pdf, PdfColumn } from '#kit/pdf'
import { type ListContext, registerExport, registerPrint } from '../exports/registry.ts'
import { driverGroupsFor } from '../readings/public.ts'
import { craneAnalysis } from './crane-analysis.ts'
import { cycleGroups } from './crane-cycles.ts'
import { alarmCountWords, alarmTable, figure, type MonthQuery, monthAlarms, monthScope, monthSheet, named, wordsOfDay } from './month.ts'

const feature = monthFeatures.towerCrane
/** Silences stand in the list of times off line; limit switches act at work every day. */
const noFaults = ['offline', 'upperLimit', 'lowerLimit', 'outerLimit', 'innerLimit', 'leftLimit', 'rightLimit']
const tenth = (n: number) => Math.round(n * 10) / 10

/** A row of the workbook: what a driver lifted with a crane on a day, and what was wrong with the crane. */
interface DayRow {
  day: string
  device: string
  driver: string
  cycles: number
  hours: number
  overMoment: number
  overWind: number
  illegal: number
  maxMomentPercent: number | null
  faults: string
}

async function rowsOf(ctx: ListContext, query: MonthQuery): Promise<DayRow[]> {
  const scope = await monthScope(ctx, query, 'towerCrane')
  const groups = await cycleGroups(ctx.db, scope, 'day,device,driver')
  const told = Map.groupBy(await monthAlarms(ctx, scope, noFaults), (f) => `${f.day}/${f.deviceName}`)
  return groups.map((one) => {
    const [day = '', device = ''] = one.key.split('/')
    return {
      day,
      device,
      driver: driverGroupsFor(ctx, [one])[0]?.name ?? one.name,
      cycles: one.cycles,
      hours: tenth(one.workSeconds / 3600),
      overMoment: one.overMoment,
      overWind: one.overWind,
      illegal: one.illegal,
      maxMomentPercent: one.maxMomentPercent,
      faults: wordsOfDay(told.get(`${day}/${device}`) ?? []),
    }
  })
}

/** The month of cranes as a document and as a workbook: both count with the conditions of the list of lifts. */
export function registerCraneMonth(): void {
  const query = monthQuery as z.ZodType<MonthQuery>
  registerPrint({ feature, title: '塔机月报', query, draw })
  registerExport<MonthQuery, DayRow>({
    feature,
    title: '塔机月报',
    query,
    columns: [
      { key: 'day', title: '日期', width: 12, value: (r) => r.day },
      { key: 'device', title: '塔机', width: 16, value: (r) => r.device },
      { key: 'driver', title: '司机', width: 12, value: (r) => r.driver },
      { key: 'cycles', title: '吊次', value: (r) => r.cycles },
      { key: 'hours', title: '作业小时', value: (r) => r.hours },
      { key: 'overMoment', title: '超力矩吊次', value: (r) => r.overMoment },
      { key: 'overWind', title: '超风速吊次', value: (r) => r.overWind },
      { key: 'illegal', title: '违章吊次', value: (r) => r.illegal },
      { key: 'maxMomentPercent', title: '最大力矩（%）', value: (r) => r.maxMomentPercent },
      { key: 'faults', title: '当日故障与告警', width: 40, value: (r) => r.faults },
    ],
    async *rows(ctx, asked) {
      yield* await rowsOf(ctx, asked)
    },
    count: async (ctx, asked) => (await rowsOf(ctx, asked)).length,
  })
}

type Group = Awaited<ReturnType<typeof cycleGroups>>[number]
const counted: PdfColumn<Group>[] = [
  figure('吊次', (r) => r.cycles),
  figure('作业小时', (r) => tenth(r.workSeconds / 3600)),
  figure('超力矩', (r) => r.overMoment, 9),
  figure('超风速', (r) => r.overWind, 9),
  figure('违章', (r) => r.illegal, 9),
  figure('违章率 %', (r) => r.illegalPercent),
  figure('最大力矩 %', (r) => (r.maxMomentPercent === null ? null : tenth(r.maxMomentPercent))),
]

async function draw(ctx: ListContext, query: MonthQuery): Promise<Pdf> {
  const scope = await monthScope(ctx, query, 'towerCrane')
  const told = await craneAnalysis(ctx.db, scope, ctx.clock.now())
  const drivers = driverGroupsFor(ctx, await cycleGroups(ctx.db, scope, 'driver'))
  const devices = await cycleGroups(ctx.db, scope, 'device')
  const faults = await monthAlarms(ctx, scope, noFaults)
  const pdf = await monthSheet(ctx, scope, query, '塔机月报')
  const { figures } = told
  const illegal = devices.reduce((sum, one) => sum + one.illegal, 0)
  const stopped = told.hours.reduce((sum, one) => sum + one.windStop, 0)
  pdf.facts([
    ['塔机', `${told.cranes} 台`],
    ['有效数据', `${told.coverage} %`],
    ['吊装', `${figures.cycles} 吊，${figures.workHours} 小时`],
    ['利用率', figures.utilisation === null ? '--' : `${figures.utilisation} %`],
    ['超力矩 / 违章', `${figures.overMoment} / ${illegal} 吊`],
    ['故障与告警', alarmCountWords(faults)],
    [`风速超过 ${windMarks.stop} m/s`, `${tenth(stopped / 60)} 小时`],
    ['检修', `${figures.maintenanceHours} 小时（不计入以上）`],
  ])
  pdf.heading('每日吊装')
  await pdf.table<(typeof told.days)[number]>(
    [
      named('日期', (r) => r.day),
      figure('吊次', (r) => r.cycles),
      figure('作业小时', (r) => r.workHours),
      figure('告警', (r) => r.alarms),
      figure('最大力矩 %', (r) => (r.maxMomentPercent === null ? null : tenth(r.maxMomentPercent))),
      figure('最大风速 m/s', (r) => (r.maxWindSpeed === null ? null : tenth(r.maxWindSpeed))),
      figure('有效数据 %', (r) => r.coverage),
    ],
    told.days,
  )
  if (devices.length > 1) {
    pdf.heading('各塔机')
    await pdf.table([named<Group>('塔机', (r) => r.name), ...counted], devices)
  }
  pdf.heading('各司机')
  await pdf.table([named<Group>('司机', (r) => r.name), ...counted], drivers)
  if (scope.device) {
    pdf.heading('空载倾角')
    pdf.paragraph(tiltWords(told.tilt))
  }
  await alarmTable(pdf, '塔机', faults)
  pdf.small('违章含超力矩、超风速与人工标记。利用率为有负荷的时间占有数据的时间。有效数据为有上报的时间占本月已过时间。')
  pdf.signatures(['机械员', '安全员', '项目经理'])
  return pdf
}

/** Whether the idle crane leans otherwise than at the month's beginning. */
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
