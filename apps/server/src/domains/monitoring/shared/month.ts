import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs, shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { monthFeatures, monthQuery } from '@zhugong/contract/monitoring/month-reports'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatInstant, startOfDay } from '#kit/clock'
import { projectsFor } from '#kit/context'
import { allOf, equals, inProjects } from '#kit/list'
import { Pdf, type PdfColumn } from '#kit/pdf'
import { type ExportColumn, inOnePiece, type ListContext, registerExport, registerPrint } from '../../exports/registry.ts'
import { getDeviceRow } from './devices.ts'
import type { Period } from './period.ts'

export type MonthQuery = z.output<typeof monthQuery>

interface MonthReport<Row> {
  family: keyof typeof monthFeatures
  title: string
  columns: readonly ExportColumn<Row>[]
  rows(ctx: ListContext, query: MonthQuery): Promise<readonly Row[]>
  draw(ctx: ListContext, query: MonthQuery): Promise<Pdf>
}

/** Registers the monthly report of a family as a document and as a workbook. */
export function registerMonth<Row>({ family, title, columns, rows, draw }: MonthReport<Row>): void {
  const feature = monthFeatures[family]
  const query = monthQuery as z.ZodType<MonthQuery>
  registerPrint({ feature, title, query, draw })
  registerExport<MonthQuery, Row>({ feature, title, query, columns, ...inOnePiece(rows) })
}

function periodOfMonth(month: string, now: number): Period {
  const from = startOfDay(`${month}-01`)
  if (from > now) throw new AppError('refused', '月报月份不能晚于本月')
  // Start of the next month: 32 days after the first always lies in it.
  const next = new Date(from + 32 * dayMs + shanghaiOffsetMs).toISOString().slice(0, 7)
  return { from, to: Math.min(now, startOfDay(`${next}-01`)) }
}

/**
 * The machines and the period of a monthly report.
 * @throws AppError when the month is in the future.
 */
export async function monthScope(ctx: ListContext, query: MonthQuery, family: string) {
  const projects = projectsFor(ctx, query.projectCode)
  const device = query.deviceId ? await getDeviceRow(ctx, query.deviceId, family) : undefined
  return { family, projects, deviceId: device?.id, period: periodOfMonth(query.month, ctx.clock.now()), device }
}
export type MonthScope = Awaited<ReturnType<typeof monthScope>>

export interface MonthAlarm {
  day: string
  deviceName: string
  label: string
  level: number
  startTime: Date
  endTime: Date | null
}
/** A printed report contains at most this many alarms; the alarm list has all of them. */
export const mostMonthAlarms = 200

/** Alarms of a month from machines and rules, except the keys in `without`. */
export async function monthAlarms(ctx: ListContext, scope: MonthScope, without: readonly string[]): Promise<MonthAlarm[]> {
  const { rows } = await sql<MonthAlarm>`
    select to_char(a.start_time at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day, d.name as device_name, a.label, a.level, a.start_time, a.clear_time as end_time
    from alarm a join device d on d.id = a.device_id
    where ${allOf(...equals('a.family', scope.family), ...equals('a.device_id', scope.deviceId), ...inProjects('a.project_code', scope.projects))}
      and a.alarm_key <> all (${[...without]}) and not a.simulated
      and a.start_time >= ${new Date(scope.period.from)} and a.start_time < ${new Date(scope.period.to)}
    order by a.start_time limit ${mostMonthAlarms}`.execute(ctx.db)
  return rows
}
export const alarmCountWords = (alarms: readonly MonthAlarm[]): string =>
  alarms.length === mostMonthAlarms ? `${mostMonthAlarms} 次以上` : `${alarms.length} 次`

/** The alarms of a machine on one day as one table cell. */
const wordsOfDay = (alarms: readonly MonthAlarm[]): string =>
  [...Map.groupBy(alarms, (one) => one.label)].map(([label, all]) => (all.length > 1 ? `${label} ${all.length} 次` : label)).join('、')

/** Table cells with the alarms of a machine's day. */
export function dayAlarms(alarms: readonly MonthAlarm[]): (day: string, deviceName: string) => string {
  const byDay = Map.groupBy(alarms, (one) => `${one.day}/${one.deviceName}`)
  return (day, deviceName) => wordsOfDay(byDay.get(`${day}/${deviceName}`) ?? [])
}

export const named = <Row>(title: string, value: (row: Row) => string | null, width = 18): PdfColumn<Row> => ({ title, width, value })
export const figure = <Row>(title: string, value: (row: Row) => string | number | null, width = 10): PdfColumn<Row> => ({
  title,
  width,
  align: 'right',
  value,
})

export async function alarmTable(pdf: Pdf, thing: string, alarms: readonly MonthAlarm[]): Promise<void> {
  pdf.heading('故障与告警')
  if (alarms.length === 0) {
    pdf.paragraph('本月没有故障与告警。')
    return
  }
  await pdf.table<MonthAlarm>(
    [
      named(thing, (r) => r.deviceName, 16),
      named('告警', (r) => r.label, 24),
      named('级别', (r) => `${r.level} 级`, 8),
      named('开始', (r) => formatInstant(r.startTime.getTime())),
      named('结束', (r) => (r.endTime ? formatInstant(r.endTime.getTime()) : '未恢复')),
    ],
    alarms,
  )
}

/** The document of a monthly report with title and footer. */
export async function monthSheet(ctx: ListContext, scope: MonthScope, query: MonthQuery, title: string): Promise<Pdf> {
  const subject = scope.device ? `${scope.device.projectName}　${scope.device.name}` : await siteName(ctx, scope)
  return new Pdf({
    title,
    subtitle: `${subject}　${query.month}`,
    foot: `${query.month}　出具 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
}

async function siteName(ctx: ListContext, scope: MonthScope): Promise<string> {
  const [one, ...more] = scope.projects ?? []
  if (!one || more.length > 0) throw new AppError('refused', '月报按项目出具，请先选择项目')
  const { rows } = await sql<{ name: string }>`select name from project where project_code = ${one}`.execute(ctx.db)
  return rows[0]?.name ?? one
}
