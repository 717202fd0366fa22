import { createHash } from 'node:crypto'
import { deviationNames, sumWords, ticketStatusNames, weighTypeNames } from '@zhugong/contract/monitoring/weigh/weigh-codes'
import { getTicket } from '@zhugong/contract/monitoring/weigh/weighing'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { Pdf } from '#kit/pdf'
import { type PrintContext, registerPrint } from '../../exports/registry.ts'
import { toTicket } from './ticket.ts'
import { logOf, ticketFiles } from './ticket-log.ts'
import { ticketBy } from './ticket-store.ts'

type Query = NonNullable<(typeof getTicket)['types']>['parsed']['params']

const qrSize = 84
const digestShown = 16
/** Keeps the slip on one page where possible. */
const mostPhotos = 6

/** Printed weighing ticket: weights, corrections, and a code to verify it on the platform. */
export function registerWeighPrint(): void {
  registerPrint({ feature: 'weighSlip', title: '磅单', query: getTicket.schemas.params as z.ZodType<Query>, draw })
}

async function draw(ctx: PrintContext, { id }: Query): Promise<Pdf> {
  const row = await ticketBy(ctx, id)
  const ticket = toTicket(row, ctx.clock.now())
  const log = await logOf(ctx, row)
  const said = [
    ticket.billNo,
    ticket.plateNo,
    ticket.grossWeight,
    ticket.tareWeight,
    ticket.deductWeight,
    ticket.actualWeight,
    ticket.version,
  ]
  const digest = createHash('sha256').update(said.join('|')).digest('hex').slice(0, digestShown)
  const pdf = new Pdf({
    title: ticket.isManual ? '磅单（手工）' : '磅单',
    subtitle: `${ticket.projectName}　${ticket.deviceName}`,
    paper: 'A4',
    foot: `校验码 ${digest}　打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  const top = pdf.document.y
  const t = (n: number | null) => (n === null ? null : `${n.toFixed(3)} t`)
  const at = (n: number | null) => (n === null ? null : formatInstant(n))
  pdf.facts([
    ['磅单号', ticket.billNo],
    ['状态', ticketStatusNames[ticket.status] ?? ticket.status],
    ['车牌', ticket.plateNo],
    ['类型', weighTypeNames[ticket.weighType] ?? ticket.weighType],
    ['货物', [ticket.material, ticket.spec].filter(Boolean).join(' ')],
    ['供应商', ticket.supplier],
    ['收货单位', ticket.receiver],
    ['司磅员', ticket.weigher],
    ['来源', ticket.isManual ? `手工补录${ticket.awaitingAudit ? '（待审核）' : ''}` : '地磅'],
    ['毛重', t(ticket.grossWeight)],
    ['毛重时间', at(ticket.grossTime)],
    ['皮重', t(ticket.tareWeight)],
    ['皮重时间', at(ticket.tareTime)],
    ['扣重', t(ticket.deductWeight)],
    ['实重', t(ticket.actualWeight)],
    ['面单', t(ticket.billWeight)],
    ['偏差', ticket.deviationPercent === null ? null : `${ticket.deviationPercent} %（${deviationNames[ticket.deviationState]}）`],
  ])
  pdf.paragraph(sumWords(ticket))
  const ids = await ticketFiles(ctx, ticket, log)
  const photos = await Promise.all(ids.slice(0, mostPhotos).map((id) => ctx.picture(id)))
  const taken = photos.flatMap((body, i) => (body ? [{ body, caption: `照片 ${i + 1}` }] : []))
  if (taken.length > 0) {
    pdf.heading('过磅照片')
    pdf.pictures(taken)
  }
  if (log.length > 0) {
    pdf.heading('修改记录')
    await pdf.table(
      [
        { title: '时间', width: 18, value: (one) => formatInstant(one.time) },
        { title: '修改人', width: 10, value: (one) => one.byName },
        { title: '内容', width: 40, value: (one) => one.changes.map(({ label, from, to }) => `${label} ${from} → ${to}`).join('；') },
        { title: '原因', width: 24, value: (one) => one.reason },
      ],
      log,
    )
  }
  pdf.room(qrSize + 40)
  pdf.qr(`${ticket.id}|${digest}`, pdf.left + pdf.width - qrSize, Math.max(top, pdf.document.y), qrSize)
  pdf.small('扫码得到磅单编号与校验码，与平台上的磅单相符即未被改动。')
  pdf.document.y += qrSize
  pdf.signatures(['司磅员', '收料人', '送货人'])
  return pdf
}
