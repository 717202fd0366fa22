import { listMonthly, type MonthlyRow } from '@zhugong/contract/attendance/months'
import { decodeCell, isUnkept } from '@zhugong/contract/attendance/sheet'
import { AppError } from '@zhugong/contract/kit/errors'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { projectsFor } from '#kit/context'
import { Pdf, type PdfColumn } from '#kit/pdf'
import { type ListContext, registerPrint } from '../exports/registry.ts'
import { runningDay } from './day-list.ts'
import { datesOfMonth } from './engine/month.ts'
import { closedMonth } from './month-closing.ts'
import { findSheet } from './months.ts'
import { markOf } from './sheet-marks.ts'

type Query = NonNullable<(typeof listMonthly)['types']>['parsed']['query']
/** Maximum number of printed rows: fifty teams. Larger sheets are printed by team. */
const mostRows = 3_000
const hashShown = 8
const legend =
  '√ 正常　迟 迟到　早 早退　缺 缺卡　× 缺勤　假 请假　加 加班　夜 夜班　停 停工　暂 暂停作业　— 不在场　空格 尚无考勤数据　补 离线补传　改 经审批更正'
const weekdays = ['日', '一', '二', '三', '四', '五', '六'] as const

/** The month's sheet on A3 or A4 landscape: each team starts a page, with sums and space for a signature; readable in black and white. */
export function registerMonthPrint(): void {
  registerPrint({ feature: 'attendanceMonthly', title: '月考勤表', query: listMonthly.schemas.query as z.ZodType<Query>, draw })
}

async function draw(ctx: ListContext, query: Query): Promise<Pdf> {
  const [projectCode, ...others] = projectsFor(ctx, query.projectCode) ?? []
  if (!projectCode || others.length > 0) throw new AppError('refused', '请先选择项目')
  const today = await runningDay(ctx, projectCode)
  const month = query.month ?? today.slice(0, 7)
  const { rows } = await findSheet(ctx, { ...query, month, page: 1, size: mostRows + 1 }, [projectCode])
  if (rows.length > mostRows) throw new AppError('refused', `一次最多打印 ${mostRows} 行，请按单位或班组打印`)
  const project = await ctx.db.selectFrom('project').select('name').where('projectCode', '=', projectCode).executeTakeFirst()
  const closed = await closedMonth(ctx.db, projectCode, month)
  const version = closed ? `第 ${closed.version} 版　${closed.hash.slice(0, hashShown)}` : '未封账'
  const pdf = new Pdf({
    title: `${Number(month.slice(0, 4))} 年 ${Number(month.slice(5))} 月考勤表`,
    subtitle: `${project?.name ?? projectCode}　${version}`,
    paper: query.paper ?? 'A4',
    landscape: true,
    foot: `${version}　打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  // The QR code identifies the version from which the sheet was printed.
  if (closed) pdf.qr(`${projectCode}|${month}|${closed.version}|${closed.hash}`, pdf.left + pdf.width - qrSize, qrTop, qrSize)
  pdf.small(legend)
  const dates = datesOfMonth(month)
  const columns = sheetColumns(dates, today)
  let first = true
  for (const [, team] of Map.groupBy(rows, (r) => `${r.corpCode}|${r.teamSysNo ?? ''}`)) {
    if (!first) pdf.document.addPage()
    first = false
    pdf.heading(`${team[0]?.corpName ?? ''}　${team[0]?.teamName ?? '管理人员'}　${team.length} 人`)
    await pdf.table(columns, [...team.map(lineOf(dates)), sumOf(team)])
    pdf.signatures(['班组长', '劳务员', '项目经理'])
  }
  if (rows.length === 0) pdf.paragraph('本月没有考勤。')
  return pdf
}

const qrSize = 40
const qrTop = 24

/** A printed line: a person's marks, or the daily counts of a sum. */
interface Printed extends Pick<MonthlyRow, 'name' | 'workTypeName' | Sum> {
  texts: readonly string[]
}
const sums = ['attendDays', 'workHours', 'late', 'early', 'missing', 'absent', 'leave'] as const
type Sum = (typeof sums)[number]

/** Column widths as shares; on A4 landscape a day has room for one character. */
export function sheetColumns(dates: readonly string[], today: string): PdfColumn<Printed>[] {
  const number = (title: string, width: number, value: (r: Printed) => string | number): PdfColumn<Printed> => ({
    title,
    width,
    align: 'right',
    value,
  })
  return [
    { title: '姓名', width: 4.6, value: (r) => r.name },
    { title: '工种', width: 5, value: (r) => r.workTypeName },
    ...dates.map(
      (date, i): PdfColumn<Printed> => ({
        title: `${i + 1} ${weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? ''}`,
        width: 2.2,
        align: 'center',
        value: (r) => (date <= today ? r.texts[i] : ''),
      }),
    ),
    number('天数', 3, (r) => r.attendDays),
    number('工时', 4.2, (r) => r.workHours.toFixed(1)),
    number('迟', 2.4, (r) => r.late || ''),
    number('早', 2.4, (r) => r.early || ''),
    number('缺卡', 2.6, (r) => r.missing || ''),
    number('缺勤', 2.6, (r) => r.absent || ''),
    number('假', 2.4, (r) => r.leave || ''),
    { title: '本人签字', width: 6.5, value: () => '' },
  ]
}

export const lineOf =
  (dates: readonly string[]) =>
  (r: MonthlyRow): Printed => ({ ...r, texts: r.cells.map((cell, i) => (isUnkept(cell, dates[i] ?? '', r.keptFrom) ? '' : markOf(cell))) })

/** The last line of a team: the number of people on each day, and the column sums. */
function sumOf(team: readonly MonthlyRow[]): Printed {
  const came = (day: number) => team.filter((r) => decodeCell(r.cells[day] ?? '')?.attended).length
  const totals = Object.fromEntries(sums.map((key) => [key, Math.round(team.reduce((n, r) => n + r[key], 0) * 10) / 10])) as Record<
    Sum,
    number
  >
  return { name: '合计', workTypeName: null, texts: (team[0]?.cells ?? []).map((_, i) => String(came(i) || '')), ...totals }
}
