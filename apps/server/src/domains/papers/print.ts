import { AppError } from '@zhugong/contract/kit/errors'
import { cellStates, columnKeys, paperColumns } from '@zhugong/contract/papers/catalogue'
import { dutyGroups } from '@zhugong/contract/papers/duties'
import { divisionPrint } from '@zhugong/contract/papers/quality'
import { monthPrint } from '@zhugong/contract/papers/safety'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import { Pdf } from '#kit/pdf'
import { type PrintContext, registerPrint } from '../exports/registry.ts'
import { countsOf, obligationsOf } from './duty-rows.ts'
import { lotsOf } from './matrix.ts'
import { libraryOf } from './project.ts'

type Division = z.output<typeof divisionPrint>
type Month = z.output<typeof monthPrint>

/** 分部质量资料汇总 and 安全资料月报. */
export function registerPaperPrints(): void {
  registerPrint({
    feature: 'qualityDivision',
    title: '分部质量资料',
    query: divisionPrint as z.ZodType<Division>,
    draw: drawDivision,
  })
  registerPrint({ feature: 'safetyMonth', title: '安全资料月报', query: monthPrint as z.ZodType<Month>, draw: drawMonth })
}

async function projectName(ctx: Pick<Context, 'db'>, projectCode: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from project where project_code = ${projectCode}`.execute(ctx.db)
  return found(rows[0], '项目').name
}
const footOf = (ctx: PrintContext) => `打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`

async function drawDivision(ctx: PrintContext, query: Division): Promise<Pdf> {
  const projectCode = libraryOf(ctx, query.projectCode)
  const name = await projectName(ctx, projectCode)
  const lots = (await lotsOf(ctx, projectCode)).filter((one) => one.unit === query.unit && one.division === query.division)
  const [first] = lots
  if (!first) throw new AppError('refused', '该分部还没有检验批')
  const pdf = new Pdf({ title: `${first.divisionName}分部质量资料`, subtitle: name, landscape: true, foot: footOf(ctx) })
  const cells = lots.flatMap((one) => one.cells)
  pdf.facts([
    ['单位工程', first.unitName],
    ['检验批', lots.length],
    ['缺项', lots.reduce((sum, one) => sum + one.gaps, 0)],
    ['待监理', cells.filter((one) => one.state === 'waiting').length],
    ['后补', cells.reduce((sum, one) => sum + one.late, 0)],
  ])
  await pdf.table(
    [
      { title: '分项', width: 14, value: (one) => one.workName },
      { title: '检验批', width: 26, value: (one) => one.placeName },
      ...columnKeys.map((column, at) => ({
        title: paperColumns[column],
        width: 10,
        value: (one: (typeof lots)[number]) => {
          const cell = one.cells[at]
          return cell ? `${cellStates[cell.state]}${cell.count > 0 ? ` ${cell.count}` : ''}${cell.late > 0 ? ' 后补' : ''}` : ''
        },
      })),
    ],
    lots,
  )
  const gaps = lots.filter((one) => one.gaps > 0)
  if (gaps.length > 0) {
    pdf.heading('缺项')
    for (const one of gaps)
      pdf.paragraph(
        `${one.workName} ${one.placeName}：${one.cells
          .filter((cell) => cell.state === 'missing')
          .map((cell) => paperColumns[cell.column])
          .join('、')}`,
      )
  }
  pdf.signatures(['资料员', '质量员', '监理工程师'])
  return pdf
}

async function drawMonth(ctx: PrintContext, query: Month): Promise<Pdf> {
  const projectCode = libraryOf(ctx, query.projectCode)
  const name = await projectName(ctx, projectCode)
  const today = formatDay(ctx.clock.now())
  const { rows, since } = await obligationsOf(ctx, projectCode)
  const own = rows.filter((one) => one.due.startsWith(query.month))
  const counts = countsOf(own, today)
  const pdf = new Pdf({ title: `${query.month} 安全资料`, subtitle: name, foot: footOf(ctx) })
  pdf.facts([
    ['应归', counts.owed],
    ['已归', counts.filed],
    ['已归率', counts.rate === null ? '--' : `${counts.rate}%`],
    ['逾期', counts.overdue],
    ['免除', own.filter((one) => one.state === 'exempt').length],
    ['起算日', since],
  ])
  for (const [group, title] of Object.entries(dutyGroups)) {
    const list = own.filter((one) => one.group === group)
    if (list.length === 0) continue
    pdf.heading(title)
    await pdf.table(
      [
        { title: '应归日期', width: 16, value: (one) => one.due },
        { title: '资料', width: 34, value: (one) => one.item },
        { title: '频次', width: 10, value: (one) => one.rhythmName },
        { title: '状态', width: 14, value: (one) => (one.late ? `${one.stateName} 后补` : one.stateName) },
        { title: '归档', width: 26, value: (one) => one.reason ?? [one.filedBy, one.filedAt?.slice(0, 10)].filter(Boolean).join(' ') },
      ],
      list,
    )
  }
  pdf.signatures(['资料员', '安全员', '项目负责人'])
  return pdf
}
