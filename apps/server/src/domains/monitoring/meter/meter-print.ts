import {
  getSettledSheet,
  meterKindNames,
  meterSheetFeature,
  meterUnits,
  type SheetRow,
  signResults,
} from '@zhugong/contract/monitoring/meter/meter-settle'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { Pdf } from '#kit/pdf'
import { type ListContext, registerPrint } from '../../exports/registry.ts'
import { settledSheet } from './meter-settle.ts'

type Query = NonNullable<(typeof getSettledSheet)['types']>['parsed']['params']

/** Printed sheet of a settled month, by unit, with space for signatures. */
export function registerMeterPrint(): void {
  registerPrint({ feature: meterSheetFeature, title: '水电结算单', query: getSettledSheet.schemas.params as z.ZodType<Query>, draw })
}

const unnamed = '未登记使用单位'

async function draw(ctx: ListContext, { id }: Query): Promise<Pdf> {
  const sheet = await settledSheet(ctx, id)
  const unit = meterUnits[sheet.kind]
  const pdf = new Pdf({
    title: `${meterKindNames[sheet.kind]}结算单`,
    subtitle: `${sheet.projectName}　${sheet.month}`,
    paper: 'A4',
    foot: `月结 ${formatInstant(sheet.closeTime)} ${sheet.closeBy}　打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['总用量', `${sheet.totalUsage} ${unit}`],
    ['总表减分表', sheet.lossPercent === null ? '没有分表' : `${sheet.lossPercent} %`],
    ['金额', sheet.amount === null ? '未设单价' : `${sheet.amount.toFixed(2)} 元`],
    ['单价', sheet.price && priceWords(sheet.price, unit)],
  ])
  for (const [corpName, rows] of Map.groupBy(sheet.rows, (one) => one.corpName ?? unnamed)) {
    pdf.heading(corpName)
    await pdf.table<SheetRow>(
      [
        { title: '用途', width: 12, value: (one) => one.area },
        {
          title: '表计',
          width: 20,
          value: (one) => (one.manualReads ? `${one.deviceName}（人工抄表 ${one.manualReads} 次）` : one.deviceName),
        },
        { title: '起表底', width: 13, value: (one) => one.startReading },
        { title: '止表底', width: 13, value: (one) => one.endReading },
        { title: '倍率', width: 8, value: (one) => one.ratio },
        { title: `用量（${unit}）`, width: 14, value: (one) => one.usage },
        { title: '估算', width: 9, value: (one) => (one.estimatedShare > 0 ? `${one.estimatedShare} %` : null) },
        { title: '金额（元）', width: 14, value: (one) => one.amount },
      ],
      rows,
    )
    const said = sheet.signed.find((one) => one.corpName === corpName)
    if (said)
      pdf.small(
        `${signResults[said.result]}：${said.signer}，${formatInstant(said.time)} 由 ${said.by} 登记${said.remark ? `；${said.remark}` : ''}`,
      )
    else pdf.signatures([`${corpName} 签认`, '日期'])
  }
  pdf.signatures(['抄表人', '成本员', '项目经理'])
  return pdf
}

function priceWords(
  { price, peakPrice, valleyPrice }: { price: number; peakPrice: number | null; valleyPrice: number | null },
  unit: string,
): string {
  return peakPrice === null || valleyPrice === null ? `${price} 元/${unit}` : `平 ${price}、峰 ${peakPrice}、谷 ${valleyPrice} 元/${unit}`
}
