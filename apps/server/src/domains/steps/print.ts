import { AppError } from '@zhugong/contract/kit/errors'
import { concealed } from '@zhugong/contract/steps/chain'
import { stepPrint } from '@zhugong/contract/steps/print'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { found } from '#kit/context'
import { Pdf } from '#kit/pdf'
import { type PrintContext, registerPrint } from '../exports/registry.ts'
import { drawnSeats, drawVerifyCode, registerPaper } from '../process/public.ts'
import { pointsOf } from './detail.ts'
import { readStepRow, stepKind } from './kind.ts'
import { stepFor } from './rows.ts'
import { stepContent } from './seats.ts'

type Query = z.output<typeof stepPrint>
/** Keeps the sheet short; all photos are on the page. */
const mostPhotos = 6

/** 工序（隐蔽工程）验收记录, with a code that anybody verifies. */
export function registerStepPrint(publicUrl?: string): void {
  registerPrint({
    feature: 'qualityPSheet',
    title: '工序验收记录',
    query: stepPrint as z.ZodType<Query>,
    draw: (ctx, query) => draw(ctx, query, publicUrl),
  })
  registerPaper('step', async ({ db }, id) => {
    const ctx = { db } as Pick<PrintContext, 'db'>
    const { rows } = await sql<{ projectName: string; code: string; issuer: string; at: Date }>`select p.name as project_name, s.code,
        s.author_group_name as issuer, s.check_time as at
      from site_step s join project p using (project_code) where s.id = ${id} and s.code is not null`.execute(db)
    const head = rows[0]
    if (!head) return undefined
    return {
      title: '工序验收记录',
      number: head.code,
      issuer: head.issuer,
      date: head.at,
      projectName: head.projectName,
      revoked: false,
      content: await stepContent(ctx, await readStepRow(ctx, id)),
    }
  })
}

async function draw(ctx: PrintContext, { id }: Query, publicUrl: string | undefined): Promise<Pdf> {
  const row = found(await stepFor(ctx, id), '工序验收')
  if (row.code === null) throw new AppError('refused', '草稿尚未提交，不能打印')
  const step = await readStepRow(ctx, id)
  const points = (await pointsOf(ctx, id)).filter((one) => one.round === row.round)
  const title = row.kind === concealed ? '隐蔽工程验收记录' : '工序验收记录'
  const pdf = new Pdf({ title, subtitle: row.projectName, foot: `${row.code}　打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}` })
  pdf.facts([
    ['编号', row.code],
    ['单位工程', row.unitName],
    ['部位', row.part],
    ['位置', row.placeName],
    ['工序', `${row.workName} ${row.kindName}`],
    ['子分部', row.itemName],
    ['施工单位', row.corpName],
    ['班组', row.gang],
    ['检查时间', row.checkTime],
    ['检查人', row.checkers.join('、')],
    ['检查次数', `第 ${row.round} 次`],
    ['状态', row.stateName],
  ])
  pdf.heading('检查点')
  await pdf.table(
    [
      { title: '序号', width: 8, align: 'center', value: (p) => p.seq },
      { title: '检查点', width: 34, value: (p) => p.name },
      { title: '允许偏差 / 要求', width: 26, value: (p) => p.limitText },
      { title: '实测', width: 14, align: 'right', value: (p) => (p.value === null ? '目测' : `${p.value} ${p.unit ?? ''}`) },
      { title: '结论', width: 18, value: (p) => (p.passed ? '合格' : '不合格') },
    ],
    points,
  )
  if (step.remark) pdf.paragraph(step.remark)
  if (row.early) pdf.paragraph('本工序开工早于上一工序验收。')
  const read = step.photos.slice(0, mostPhotos).map(async (file) => ctx.picture(file))
  const taken = (await Promise.all(read)).flatMap((body) => (body ? [{ body, caption: row.kind === concealed ? '覆盖前' : '现场' }] : []))
  if (taken.length > 0) {
    pdf.heading('照片')
    pdf.pictures(taken)
  }
  pdf.signed(await drawnSeats(ctx, stepKind, step))
  drawVerifyCode(pdf, ctx.secrets, publicUrl, { name: 'step', id, content: await stepContent(ctx, step) })
  return pdf
}
