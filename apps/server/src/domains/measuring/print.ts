import { AppError } from '@zhugong/contract/kit/errors'
import { measureSummaryPrint } from '@zhugong/contract/measuring/records'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { found } from '#kit/context'
import { Pdf } from '#kit/pdf'
import { type ListContext, registerPrint } from '../exports/registry.ts'
import { heatOf, matrixOf, recordConditions, recordCounts } from './records.ts'

type Query = z.output<typeof measureSummaryPrint>

/** 实测实量汇总: figures, items by company, and the map of every building. */
export function registerMeasureSummary(): void {
  registerPrint({
    feature: 'measureSummary',
    title: '实测实量汇总',
    query: measureSummaryPrint as z.ZodType<Query>,
    draw,
  })
}

const rate = (value: number | null) => (value === null ? '未测' : `${value}%`)
const heatColours = [
  { from: 95, fill: '#cfe9d8' },
  { from: 90, fill: '#e6f3d6' },
  { from: 80, fill: '#fdf0c8' },
  { from: 0, fill: '#f8d4d0' },
] as const
const cell = { height: 13, label: 54, most: 64 }

async function draw(ctx: ListContext, query: Query): Promise<Pdf> {
  if (query.projectCode === '*') throw new AppError('invalidInput', '请选择一个项目', { field: 'projectCode' })
  const { rows } = await sql<{ name: string }>`select name from project where project_code = ${query.projectCode}`.execute(ctx.db)
  const project = found(rows[0], '项目')
  const { counts } = await recordCounts(ctx, recordConditions(ctx, query))
  const matrix = await matrixOf(ctx, query)
  const heat = await heatOf(ctx, query)
  const pdf = new Pdf({
    title: '实测实量汇总',
    subtitle: project.name,
    foot: `打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  const { from, to } = query.time ?? {}
  pdf.facts([
    ['测量期间', from || to ? `${from?.slice(0, 10) ?? '开工'} 至 ${to?.slice(0, 10) ?? '今'}` : '全部'],
    ['测点数', counts.measured],
    ['首次合格率', rate(counts.firstRate)],
    ['复测后合格率', rate(counts.passRate)],
    ['爆点', counts.burst],
    ['待整改点', counts.open],
  ])
  pdf.paragraph('合格率 = 合格点 / 已测点。极差类测项整个测区同一结论。未测的部位不计入合格率，在图中以斜线表示。')
  pdf.heading('测项合格率')
  await pdf.table(
    [
      { title: '测项', width: 4, value: (one) => one.itemName },
      { title: '测点', width: 1.2, align: 'right', value: (one) => one.measured },
      { title: '首次', width: 1.3, align: 'right', value: (one) => rate(one.firstRate) },
      { title: '复测后', width: 1.3, align: 'right', value: (one) => rate(one.passRate) },
      { title: '爆点', width: 1, align: 'right', value: (one) => one.burst },
      ...matrix.corps.slice(0, 5).map((corp) => ({
        title: corp.name,
        width: 2,
        align: 'right' as const,
        value: (one: (typeof matrix.list)[number]) => rate(one.corps.find(({ corpCode }) => corpCode === corp.corpCode)?.passRate ?? null),
      })),
    ],
    matrix.list,
  )
  for (const building of heat.list) drawBuilding(pdf, building, heat.cells)
  return pdf
}

type Heat = Awaited<ReturnType<typeof heatOf>>

/** The floors from the top down, a cell for every room with its rate; hatched where nothing was measured. */
function drawBuilding(pdf: Pdf, building: Heat['list'][number], cells: Heat['cells']): void {
  const rateOf = new Map(cells.map((one) => [one.placeId, one.passRate]))
  pdf.heading(`${building.name}：${rate(building.passRate)}，${building.measured} 点`)
  const across = Math.max(1, ...building.floors.map((one) => one.cells.length))
  const width = Math.min(cell.most, (pdf.width - cell.label) / across)
  const { document } = pdf
  for (const floor of building.floors) {
    pdf.room(cell.height)
    const y = document.y
    document
      .fontSize(7)
      .fillColor('#5c6370')
      .text(floor.floorName, pdf.left, y + 3, { width: cell.label, lineBreak: false })
    for (const [i, room] of floor.cells.entries()) {
      const x = pdf.left + cell.label + i * width
      const value = rateOf.get(room.id) ?? null
      const colour = value === null ? undefined : heatColours.find((one) => value >= one.from)
      if (colour) document.rect(x, y, width - 1, cell.height - 1).fill(colour.fill)
      else hatch(document, x, y, width - 1, cell.height - 1)
      document
        .fillColor('#1f2329')
        .fontSize(6.5)
        .text(`${room.name} ${value === null ? '未测' : `${value}%`}`, x + 2, y + 3, {
          width: width - 4,
          height: cell.height,
          lineBreak: false,
          ellipsis: true,
        })
    }
    document.y = y + cell.height
    document.x = pdf.left
  }
}

function hatch(document: PDFKit.PDFDocument, x: number, y: number, width: number, height: number): void {
  document.save().rect(x, y, width, height).clip().lineWidth(0.4).strokeColor('#c9cdd4')
  for (let at = -height; at < width; at += 4)
    document
      .moveTo(x + at, y + height)
      .lineTo(x + at + height, y)
      .stroke()
  document.restore()
}
