import { monthFeatures, monthQuery } from '@zhugong/contract/telemetry/month-reports'
import type { z } from 'zod'
import type { Pdf, PdfColumn } from '#kit/pdf'
import { type ListContext, registerExport, registerPrint } from '../exports/registry.ts'
import { driverGroupsFor } from '../readings/public.ts'
import {
  alarmCountWords,
  alarmTable,
  figure,
  type MonthQuery,
  monthAlarms,
  monthScope,
  monthSheet,
  named,
  wordsOfDay,
} from '../telemetry/views/public.ts'
import { liftAnalysis } from './lift-analysis.ts'
import { runGroups } from './lift-runs.ts'

const feature = monthFeatures.lifter
/** Silences stand in the list of times off line; a calibration that comes near is no fault. */
const noFaults = ['offline', 'safetyDeviceExpiring']

/** A row of the workbook: what a driver ran of a lift on a day, and what was wrong with the lift. */
interface DayRow {
  day: string
  device: string
  driver: string
  runs: number
  hours: number
  persons: number
  overPersonRuns: number
  overLoadRuns: number
  doorOpenRuns: number
  illegal: number
  faults: string
}

async function rowsOf(ctx: ListContext, query: MonthQuery): Promise<DayRow[]> {
  const scope = await monthScope(ctx, query, 'lifter')
  const groups = await runGroups(ctx.db, scope, 'day,device,driver')
  const told = Map.groupBy(await monthAlarms(ctx, scope, noFaults), (f) => `${f.day}/${f.deviceName}`)
  return groups.map((one) => {
    const [day = '', device = ''] = one.key.split('/')
    return {
      day,
      device,
      driver: driverGroupsFor(ctx, [one])[0]?.name ?? one.name,
      runs: one.runs,
      hours: one.hours,
      persons: one.persons,
      overPersonRuns: one.overPersonRuns,
      overLoadRuns: one.overLoadRuns,
      doorOpenRuns: one.doorOpenRuns,
      illegal: one.illegal,
      faults: wordsOfDay(told.get(`${day}/${device}`) ?? []),
    }
  })
}

/** The month of lifts as a document and as a workbook: both count with the conditions of the list of runs. */
export function registerLiftMonth(): void {
  const query = monthQuery as z.ZodType<MonthQuery>
  registerPrint({ feature, title: '升降机月报', query, draw })
  registerExport<MonthQuery, DayRow>({
    feature,
    title: '升降机月报',
    query,
    columns: [
      { key: 'day', title: '日期', width: 12, value: (r) => r.day },
      { key: 'device', title: '升降机', width: 16, value: (r) => r.device },
      { key: 'driver', title: '司机', width: 12, value: (r) => r.driver },
      { key: 'runs', title: '运行', value: (r) => r.runs },
      { key: 'hours', title: '运行小时', value: (r) => r.hours },
      { key: 'persons', title: '载人次', value: (r) => r.persons },
      { key: 'overPersonRuns', title: '超员次', value: (r) => r.overPersonRuns },
      { key: 'overLoadRuns', title: '超载次', value: (r) => r.overLoadRuns },
      { key: 'doorOpenRuns', title: '开门运行', value: (r) => r.doorOpenRuns },
      { key: 'illegal', title: '违章次', value: (r) => r.illegal },
      { key: 'faults', title: '当日故障与告警', width: 40, value: (r) => r.faults },
    ],
    async *rows(ctx, asked) {
      yield* await rowsOf(ctx, asked)
    },
    count: async (ctx, asked) => (await rowsOf(ctx, asked)).length,
  })
}

type Counted = Pick<DayRow, 'runs' | 'persons' | 'overPersonRuns' | 'overLoadRuns' | 'doorOpenRuns' | 'illegal'>
const counted: PdfColumn<Counted>[] = [
  figure('运行', (r) => r.runs),
  figure('载人次', (r) => r.persons),
  figure('超员', (r) => r.overPersonRuns, 9),
  figure('超载', (r) => r.overLoadRuns, 9),
  figure('开门运行', (r) => r.doorOpenRuns),
  figure('违章', (r) => r.illegal, 9),
]

async function draw(ctx: ListContext, query: MonthQuery): Promise<Pdf> {
  const scope = await monthScope(ctx, query, 'lifter')
  const seen = (all: Awaited<ReturnType<typeof runGroups>>) => driverGroupsFor(ctx, all)
  const told = await liftAnalysis(ctx.db, scope, ctx.clock.now(), seen)
  const days = await runGroups(ctx.db, scope, 'day')
  const drivers = seen(await runGroups(ctx.db, scope, 'driver'))
  const devices = await runGroups(ctx.db, scope, 'device')
  const faults = await monthAlarms(ctx, scope, noFaults)
  const pdf = await monthSheet(ctx, scope, query, '升降机月报')
  const { figures } = told
  const illegal = days.reduce((sum, one) => sum + one.illegal, 0)
  pdf.facts([
    ['升降机', `${told.lifts} 台`],
    ['有效数据', `${told.coverage} %`],
    ['运行', `${figures.runs} 次，${figures.hours} 小时`],
    ['载人次', `${figures.persons} 人次（估算）`],
    ['超员 / 超载', `${figures.overPersonRuns} / ${figures.overLoadRuns} 次`],
    ['开门运行', `${figures.doorOpenRuns} 次`],
    ['违章', `${illegal} 次`],
    ['故障与告警', alarmCountWords(faults)],
  ])
  pdf.heading('每日运行')
  await pdf.table([named<(typeof days)[number]>('日期', (r) => r.name), ...counted], days)
  if (devices.length > 1) {
    pdf.heading('各升降机')
    await pdf.table([named<(typeof devices)[number]>('升降机', (r) => r.name), ...counted], devices)
  }
  pdf.heading('各司机')
  await pdf.table([named<(typeof drivers)[number]>('司机', (r) => r.name), ...counted], drivers)
  await alarmTable(pdf, '升降机', faults)
  pdf.small('违章含超员、超载、开门运行与人工标记；同一次运行只计一次。有效数据为有上报的时间占本月已过时间。')
  pdf.signatures(['机械员', '安全员', '项目经理'])
  return pdf
}
