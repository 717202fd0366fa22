import { AppError } from '@zhugong/contract/kit/errors'
import type { MaterialRow } from '@zhugong/contract/materials/calls'
import { materialPrint } from '@zhugong/contract/materials/print'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { found } from '#kit/context'
import { Pdf } from '#kit/pdf'
import { type PrintContext, registerPrint } from '../exports/registry.ts'
import { drawnSeats, drawVerifyCode, registerPaper } from '../process/public.ts'
import { ticketsOf } from './detail.ts'
import { type Batch, materialKind, readBatch, whyNot } from './kind.ts'
import { batchFor } from './rows.ts'

type Query = z.output<typeof materialPrint>

/** 材料进场验收单 and 见证取样单, with a code that anybody verifies. */
export function registerMaterialPrints(publicUrl?: string): void {
  registerPrint({
    feature: 'materialPaper',
    title: '材料验收单据',
    query: materialPrint as z.ZodType<Query>,
    draw: (ctx, query) => draw(ctx, query, publicUrl),
  })
  registerPaper('material', async ({ db }, id) => {
    const { rows } = await sql<{ projectName: string; at: Date; receiver: string }>`select p.name as project_name, m.arrive_time as at,
        m.receiver_name as receiver from material_batch m join project p using (project_code) where m.id = ${id}`.execute(db)
    const head = rows[0]
    if (!head) return undefined
    const batch = await readBatch({ db } as { db: PrintContext['db'] }, id)
    return {
      title: '材料进场验收与见证取样',
      number: batch.batchNo ?? batch.id.slice(0, 8),
      issuer: head.receiver,
      date: head.at,
      projectName: head.projectName,
      revoked: batch.exitAt !== null,
      content: paperContent(batch),
    }
  })
}

/** What identifies the batch and its verdict: a print from before a report or an exit is reported as different. */
const paperContent = ({ name, spec, brand, supplier, batchNo, quantity, unit, arriveTime, state, reportNo, exitAt }: Batch) => ({
  name,
  spec,
  brand,
  supplier,
  batchNo,
  quantity: Number(quantity),
  unit,
  arriveTime,
  state,
  reportNo,
  exitAt,
})

async function draw(ctx: PrintContext, { id, paper }: Query, publicUrl: string | undefined): Promise<Pdf> {
  const row = found(await batchFor(ctx, id), '材料批次')
  const batch = await readBatch(ctx, id)
  const pdf = paper === 'accept' ? await drawAccept(ctx, row, batch) : await drawSample(ctx, row, batch)
  drawVerifyCode(pdf, ctx.secrets, publicUrl, { name: 'material', id, content: paperContent(batch) })
  return pdf
}

const foot = (ctx: PrintContext, row: MaterialRow) => `${row.name} ${row.spec}　打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`
const facts = (row: MaterialRow) =>
  [
    ['工程名称', row.projectName],
    ['收料单位', row.corpName],
    ['材料类别', row.categoryName],
    ['材料名称', row.name],
    ['规格型号', row.spec],
    ['批号', row.batchNo],
    ['品牌 / 产地', row.brand],
    ['供应商', row.supplier],
    ['数量', `${row.quantity} ${row.unitName}`],
    ['进场时间', row.arriveTime],
  ] as const

async function drawAccept(ctx: PrintContext, row: MaterialRow, batch: Batch): Promise<Pdf> {
  if (row.state === '0') throw new AppError('refused', '尚未验收，没有验收单')
  const pdf = new Pdf({ title: '材料进场验收单', subtitle: row.projectName, foot: foot(ctx, row) })
  pdf.facts([
    ...facts(row),
    ['拟用部位', batch.usePart],
    ['质量证明文件', `${batch.certFiles.length} 份`],
    ['验收结论', row.exited ? `${row.stateName}（已退场）` : row.stateName],
    ['验收人', batch.checkedBy],
    ['复验报告', row.reportNo],
    ['能否使用', whyNot(batch) ? `不得使用：${whyNot(batch)}` : '可使用'],
  ])
  const tickets = (await ticketsOf(ctx, row.id)).filter((one) => one.direction === 'in')
  if (tickets.length > 0) {
    pdf.heading(`过磅${row.deviation === null ? '' : `（偏差 ${row.deviation}‰，允许 ±${batch.tolerance}‰）`}`)
    await pdf.table(
      [
        { title: '磅单号', width: 20, value: (t) => t.billNo },
        { title: '车牌', width: 14, value: (t) => t.plateNo },
        { title: '时间', width: 20, value: (t) => t.weighedAt.slice(0, 16) },
        { title: '毛重', width: 11, align: 'right', value: (t) => t.gross },
        { title: '皮重', width: 11, align: 'right', value: (t) => t.tare },
        { title: '实重', width: 11, align: 'right', value: (t) => t.actual },
        { title: '面单', width: 11, align: 'right', value: (t) => t.bill },
      ],
      tickets,
    )
  }
  pdf.signed((await drawnSeats(ctx, materialKind, batch)).filter(({ seat }) => seat === 'keeper' || seat === 'supervisor'))
  return pdf
}

async function drawSample(ctx: PrintContext, row: MaterialRow, batch: Batch): Promise<Pdf> {
  if (batch.samples.length === 0) throw new AppError('refused', '尚未取样，没有见证取样单')
  const pdf = new Pdf({ title: '见证取样单', subtitle: row.projectName, foot: foot(ctx, row) })
  pdf.facts([
    ...facts(row),
    ['应取样', `${row.samplesDue} 组`],
    ['已取样', `${row.samplesTaken} 组`],
    ['检测机构', batch.labOrg],
    ['复验报告', row.reportNo],
  ])
  pdf.heading('样品')
  await pdf.table(
    [
      { title: '样品编号', width: 24, value: (s) => s.sampleNo },
      { title: '取样时间', width: 20, value: (s) => formatInstant(s.at).slice(0, 16) },
      { title: '取样部位与数量', width: 40, value: (s) => s.note },
      { title: '取样人', width: 14, value: (s) => s.byName },
    ],
    batch.samples,
  )
  pdf.signed((await drawnSeats(ctx, materialKind, batch)).filter(({ seat }) => seat === 'sampler' || seat === 'witness'))
  return pdf
}
