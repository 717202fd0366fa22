import { noticePrint } from '@zhugong/contract/announcements/calls'
import { type AnnouncementState, noticeStates, readableStates, stateOf } from '@zhugong/contract/announcements/model'
import { AppError } from '@zhugong/contract/kit/errors'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { Pdf } from '#kit/pdf'
import { type PrintContext, registerPrint } from '../exports/registry.ts'
import { standingOf } from './standing.ts'

type Query = z.output<typeof noticePrint>

export function registerNoticePrint(): void {
  registerPrint({ feature: 'noticePaper', title: '通知公告', query: noticePrint as z.ZodType<Query>, draw })
}

/** The notice as on paper; of a recalled one only its title and the reason. */
async function draw(ctx: PrintContext, { id }: Query): Promise<Pdf> {
  const { row, oversees, receipt } = await standingOf(ctx, id)
  const withheld = !oversees && !readableStates.includes(row.state as AnnouncementState)
  const pdf = new Pdf({
    title: row.title,
    subtitle: `${row.groupName}　${row.publishTime ? formatInstant(row.publishTime).slice(0, 16) : noticeStates[row.state]}`,
    foot: `打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['类型', dictName('noticeType', row.type) ?? row.type],
    ['状态', noticeStates[row.state]],
    ['签收截止', row.deadline && formatInstant(row.deadline).slice(0, 16)],
    ['附件', withheld || row.files.length === 0 ? null : `${row.files.length} 个`],
  ])
  if (row.state === stateOf.recalled) pdf.paragraph(`本通知已撤回：${row.recallReason ?? ''}`)
  if (withheld && row.state !== stateOf.recalled) throw new AppError('refused', '通知还没有发布')
  if (!withheld) for (const line of row.body.split('\n').filter(Boolean)) pdf.paragraph(line)
  if (receipt?.receiptTime) {
    const image = await ctx.picture(receipt.signFile)
    pdf.heading('签收')
    pdf.facts([
      ['签收人', receipt.name],
      ['签收时间', formatInstant(receipt.receiptTime)],
    ])
    if (image) pdf.pictures([{ body: image, caption: '签名' }])
  }
  return pdf
}
