import type { Pdf, PdfColumn } from '#kit/pdf'
import type { ListContext } from '../../exports/registry.ts'
import { driverGroupsFor } from '../../readings/public.ts'
import { type DriverDay, driverDayColumns, driverDays, groupTables } from '../cycles/driver-month.ts'
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
import { liftAnalysis } from './lift-analysis.ts'
import { runGroups } from './lift-runs.ts'

/** Not listed: offline times have a list of their own, and a calibration due soon is not a fault. */
const noFaults = ['offline', 'safetyDeviceExpiring']

type Group = Awaited<ReturnType<typeof runGroups>>[number]

/** Registers the monthly report of lifts. It counts the same cycles as their list. */
export function registerLiftMonth(): void {
  registerMonth<DriverDay<Group>>({
    family: 'lifter',
    title: '升降机月报',
    columns: driverDayColumns('升降机', [
      { key: 'runs', title: '运行', value: (r) => r.runs },
      { key: 'hours', title: '运行小时', value: (r) => r.hours },
      { key: 'persons', title: '载人次', value: (r) => r.persons },
      { key: 'overPersonRuns', title: '超员次', value: (r) => r.overPersonRuns },
      { key: 'overLoadRuns', title: '超载次', value: (r) => r.overLoadRuns },
      { key: 'doorOpenRuns', title: '开门运行', value: (r) => r.doorOpenRuns },
      { key: 'illegal', title: '违章次', value: (r) => r.illegal },
    ]),
    rows: async (ctx, query) => {
      const scope = await monthScope(ctx, query, 'lifter')
      return driverDays(ctx, await runGroups(ctx.db, scope, 'day,device,driver'), await monthAlarms(ctx, scope, noFaults))
    },
    draw,
  })
}

const counted: PdfColumn<Group>[] = [
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
  const result = await liftAnalysis(ctx.db, scope, ctx.clock.now(), seen)
  const days = await runGroups(ctx.db, scope, 'day')
  const drivers = seen(await runGroups(ctx.db, scope, 'driver'))
  const devices = await runGroups(ctx.db, scope, 'device')
  const faults = await monthAlarms(ctx, scope, noFaults)
  const pdf = await monthSheet(ctx, scope, query, '升降机月报')
  const { figures } = result
  const illegal = days.reduce((sum, one) => sum + one.illegal, 0)
  pdf.facts([
    ['升降机', `${result.lifts} 台`],
    ['有效数据', `${result.coverage} %`],
    ['运行', `${figures.runs} 次，${figures.hours} 小时`],
    ['载人次', `${figures.persons} 人次（估算）`],
    ['超员 / 超载', `${figures.overPersonRuns} / ${figures.overLoadRuns} 次`],
    ['开门运行', `${figures.doorOpenRuns} 次`],
    ['违章', `${illegal} 次`],
    ['故障与告警', alarmCountWords(faults)],
  ])
  pdf.heading('每日运行')
  await pdf.table([named<Group>('日期', (r) => r.name), ...counted], days)
  await groupTables(pdf, '升降机', counted, { devices, drivers })
  await alarmTable(pdf, '升降机', faults)
  pdf.small('违章含超员、超载、开门运行与人工标记；同一次运行只计一次。有效数据为有上报的时间占本月已过时间。')
  pdf.signatures(['机械员', '安全员', '项目经理'])
  return pdf
}
