import { Readable } from 'node:stream'
import { AppError } from '@zhugong/contract/kit/errors'
import { joinPage, type selfEntryPoster } from '@zhugong/contract/personnel/self-entry'
import { formatInstant } from '#kit/clock'
import { FileAnswer, found, oneProject } from '#kit/context'
import { Pdf } from '#kit/pdf'
import type { HandlerOf } from '#kit/serve'
import { doorKey } from './self-entry.ts'

const qrSize = 300
const big = 26
const middle = 14

/** The poster with the site's QR code. `publicUrl`: the installation's configured address; otherwise the address the browser used. */
export const printPoster =
  (publicUrl: string | undefined): HandlerOf<typeof selfEntryPoster> =>
  async ({ query }, ctx) => {
    const projectCode = oneProject(ctx, query.projectCode)
    const origin = publicUrl ?? query.origin
    if (!origin) throw new AppError('refused', '未设置平台对外地址（PUBLIC_URL），无法生成二维码')
    const door = await ctx.db.selectFrom('selfEntryDoor').selectAll().where('projectCode', '=', projectCode).executeTakeFirst()
    if (!door?.isOpen) throw new AppError('refused', '自助登记二维码未启用')
    const project = found(
      await ctx.db.selectFrom('project').select('name').where('projectCode', '=', projectCode).executeTakeFirst(),
      '项目',
    )
    const pdf = new Pdf({
      title: '工人自助登记',
      subtitle: project.name,
      foot: `第 ${door.turn + 1} 版　${formatInstant(door.updateTime)} 启用　更换二维码后本张作废`,
    })
    const { document } = pdf
    const line = (text: string, size: number) => {
      document.fillColor('#1f2329').fontSize(size).text(text, pdf.left, undefined, { width: pdf.width, align: 'center' }).moveDown(0.5)
    }
    document.moveDown(1)
    line('进场先登记，手机扫一扫', big)
    const y = document.y
    pdf.qr(`${origin}${joinPage}#${doorKey(ctx, projectCode, door.turn)}`, pdf.left + (pdf.width - qrSize) / 2, y, qrSize)
    document.y = y + qrSize + 12
    for (const text of [
      '1  扫码，填写姓名、身份证号、手机号、班组、工种和紧急联系人',
      '2  同意后拍一张正面照片（不同意人脸采集也可以登记，凭胸牌进出）',
      '3  提交后记下回执号，同一页面可查看审核结果',
      '4  带身份证原件到劳务办公室核对，签合同、参加入场教育后上岗',
    ])
      line(text, middle)
    const bytes = await pdf.bytes()
    return new FileAnswer(`自助登记海报_${project.name}.pdf`, 'application/pdf', Readable.from([bytes]))
  }
