import { AppError } from '@zhugong/contract/kit/errors'
import { liftMonthFeature, liftMonthQuery } from '@zhugong/contract/monitoring/lift-month'
import { sql } from 'kysely'
import type { z } from 'zod'
import { dayMs, formatInstant, startOfDay } from '#kit/clock'
import { projectsFor } from '#kit/context'
import { allOf, equals, inProjects } from '#kit/list'
import { Pdf, type PdfColumn } from '#kit/pdf'
import { type ListContext, registerExport, registerPrint } from '../exports/registry.ts'
import { driverGroupsFor } from '../readings/public.ts'
import { getDeviceRow, type Period } from '../telemetry/views/public.ts'
import { liftAnalysis } from './lift-analysis.ts'
import { runGroups } from './lift-runs.ts'

type Query = z.output<typeof liftMonthQuery>

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
interface Fault {
  day: string
  deviceName: string
  label: string
  level: number
  startTime: Date
  endTime: Date | null
}

/** More alarms of a month nobody reads on paper; the list of alarms holds them all. */
const mostFaults = 200

function periodOfMonth(month: string, now: number): Period {
  const from = startOfDay(`${month}-01`)
  if (from > now) throw new AppError('refused', '月报月份不能晚于本月')
  // The first of the month after: 32 days on lie in it.
  const next = new Date(from + 32 * dayMs + 8 * 3_600_000).toISOString().slice(0, 7)
  return { from, to: Math.min(now, startOfDay(`${next}-01`)) }
}

async function scopeOf(ctx: ListContext, query: Query) {
  const projects = projectsFor(ctx, query.projectCode)
  const device = query.deviceId ? await getDeviceRow(ctx, query.deviceId, 'lifter') : undefined
  return { projects, deviceId: device?.id, period: periodOfMonth(query.month, ctx.clock.now()), device }
}
type Scope = Awaited<ReturnType<typeof scopeOf>>

/** What the lifts themselves reported as wrong, and what rules found. Silences stand in the list of times off line. */
async function faultsOf(ctx: ListContext, scope: Scope): Promise<Fault[]> {
  const { rows } = await sql<Fault>`
    select to_char(a.start_time at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day, d.name as device_name, a.label, a.level, a.start_time, a.clear_time as end_time
    from alarm a join device d on d.id = a.device_id
    where ${allOf(...equals('a.family', 'lifter'), ...equals('a.device_id', scope.deviceId), ...inProjects('a.project_code', scope.projects))}
      and a.alarm_key not in ('offline', 'safetyDeviceExpiring') and not a.simulated
      and a.start_time >= ${new Date(scope.period.from)} and a.start_time < ${new Date(scope.period.to)}
    order by a.start_time limit ${mostFaults}`.execute(ctx.db)
  return rows
}

async function rowsOf(ctx: ListContext, query: Query): Promise<DayRow[]> {
  const scope = await scopeOf(ctx, query)
  const groups = await runGroups(ctx.db, scope, 'day,device,driver')
  const faults = await faultsOf(ctx, scope)
  const told = Map.groupBy(faults, (f) => `${f.day}/${f.deviceName}`)
  return groups.map((one) => {
    const [day = '', device = ''] = one.key.split('/')
    const own = told.get(`${day}/${device}`) ?? []
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
      faults: [...Map.groupBy(own, (f) => f.label)]
        .map(([label, all]) => (all.length > 1 ? `${label} ${all.length} 次` : label))
        .join('、'),
    }
  })
}

/** The month of lifts as a document and as a workbook: both count with the conditions of the list of runs. */
export function registerLiftMonth(): void {
  const query = liftMonthQuery as z.ZodType<Query>
  registerPrint({ feature: liftMonthFeature, title: '升降机月报', query, draw })
  registerExport<Query, DayRow>({
    feature: liftMonthFeature,
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
  { title: '运行', width: 10, align: 'right', value: (r) => r.runs },
  { title: '载人次', width: 10, align: 'right', value: (r) => r.persons },
  { title: '超员', width: 9, align: 'right', value: (r) => r.overPersonRuns },
  { title: '超载', width: 9, align: 'right', value: (r) => r.overLoadRuns },
  { title: '开门运行', width: 10, align: 'right', value: (r) => r.doorOpenRuns },
  { title: '违章', width: 9, align: 'right', value: (r) => r.illegal },
]
const named = <Row>(title: string, value: (row: Row) => string | null, width = 18): PdfColumn<Row> => ({ title, width, value })

async function draw(ctx: ListContext, query: Query): Promise<Pdf> {
  const scope = await scopeOf(ctx, query)
  const seen = (all: Awaited<ReturnType<typeof runGroups>>) => driverGroupsFor(ctx, all)
  const told = await liftAnalysis(ctx.db, scope, ctx.clock.now(), seen)
  const days = await runGroups(ctx.db, scope, 'day')
  const drivers = seen(await runGroups(ctx.db, scope, 'driver'))
  const devices = await runGroups(ctx.db, scope, 'device')
  const faults = await faultsOf(ctx, scope)
  const subject = scope.device ? `${scope.device.projectName}　${scope.device.name}` : await siteName(ctx, scope)
  const pdf = new Pdf({
    title: '升降机月报',
    subtitle: `${subject}　${query.month}`,
    foot: `${query.month}　出具 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
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
    ['故障与告警', faults.length === mostFaults ? `${mostFaults} 次以上` : `${faults.length} 次`],
  ])
  pdf.heading('每日运行')
  await pdf.table([named<(typeof days)[number]>('日期', (r) => r.name), ...counted], days)
  if (devices.length > 1) {
    pdf.heading('各升降机')
    await pdf.table([named<(typeof devices)[number]>('升降机', (r) => r.name), ...counted], devices)
  }
  pdf.heading('各司机')
  await pdf.table([named<(typeof drivers)[number]>('司机', (r) => r.name), ...counted], drivers)
  pdf.heading('故障与告警')
  if (faults.length === 0) pdf.paragraph('本月没有故障与告警。')
  else
    await pdf.table<Fault>(
      [
        named('升降机', (r) => r.deviceName, 16),
        named('告警', (r) => r.label, 24),
        { title: '级别', width: 8, value: (r) => `${r.level} 级` },
        named('开始', (r) => formatInstant(r.startTime.getTime()), 18),
        named('结束', (r) => (r.endTime ? formatInstant(r.endTime.getTime()) : '未恢复'), 18),
      ],
      faults,
    )
  pdf.small('违章含超员、超载、开门运行与人工标记；同一次运行只计一次。有效数据为有上报的时间占本月已过时间。')
  pdf.signatures(['机械员', '安全员', '项目经理'])
  return pdf
}

async function siteName(ctx: ListContext, scope: Scope): Promise<string> {
  const [one, ...more] = scope.projects ?? []
  if (!one || more.length > 0) throw new AppError('refused', '月报按项目出具，请先选择项目')
  const { rows } = await sql<{ name: string }>`select name from project where project_code = ${one}`.execute(ctx.db)
  return rows[0]?.name ?? one
}
