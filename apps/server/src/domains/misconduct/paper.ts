import { Readable } from 'node:stream'
import { maskName } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import type { exportBadAction } from '@zhugong/contract/misconduct/calls'
import { badStates } from '@zhugong/contract/misconduct/codes'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, FileAnswer, found } from '#kit/context'
import type { Row } from '#kit/db'
import { Pdf } from '#kit/pdf'
import type { HandlerOf } from '#kit/serve'
import { drawVerifyCode, registerPaper } from '../process/public.ts'
import type { Misconduct } from './kind.ts'
import { closeness, type RawRow, rowFor, toRow } from './rows.ts'

const paperName = 'bad'
const title = '不良行为认定书'

/** What the decision says: a print is genuine while this has not changed. An appeal or a receipt is not part of it. */
const contentOf = (row: Row<'misconduct'>) => [
  row.docCode,
  row.targetType,
  row.targetName,
  row.type,
  row.level,
  row.degree,
  row.occurrenceDate,
  row.fact,
  row.basis,
  row.score,
  row.months,
  row.decideTime?.getTime() ?? null,
]

/** The 认定书 can be verified by anybody who holds it, also after it was cancelled. */
export function registerBadPaper(): void {
  registerPaper(paperName, async ({ db }, id) => {
    const { rows } = await sql<Row<'misconduct'> & { projectName: string | null }>`select m.*, p.name as project_name
      from misconduct m left join project p using (project_code) where m.id = ${id} and m.doc_code is not null`.execute(db)
    const row = rows[0]
    return (
      row && {
        title,
        number: row.docCode ?? '',
        issuer: row.decideGroupName ?? '',
        date: row.decideTime,
        projectName: row.projectName ?? '专家库',
        revoked: row.state === badStates.cancelled,
        content: contentOf(row),
      }
    )
  })
}

export const exportPaper =
  (publicUrl: string | undefined): HandlerOf<typeof exportBadAction> =>
  async ({ params: { id } }, ctx) => {
    const row = found(await rowFor(ctx, id), '不良行为记录')
    if (!closeness(ctx, row).whole) throw new AppError('forbidden', '认定书由认定机构和当事人导出')
    if (!row.docCode) throw new AppError('refused', '记录尚未认定，没有认定书')
    const pdf = await draw(ctx, row, publicUrl)
    ctx.note('导出不良行为认定书', id)
    return new FileAnswer(`${title}_${row.docCode}.pdf`, 'application/pdf', Readable.from([await pdf.bytes()]))
  }

async function draw(ctx: Context, row: RawRow, publicUrl: string | undefined): Promise<Pdf> {
  const shown = toRow(ctx, row)
  const pdf = new Pdf({
    title,
    subtitle: row.docCode ?? '',
    foot: `${row.docCode ?? ''}　打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['当事人', shown.targetName],
    ['对象', shown.targetTypeName],
    ['所属单位', shown.corpName],
    ['工程名称', shown.projectName],
    ['行为类别', shown.typeName],
    ['严重程度', shown.levelName],
    ['认定级别', shown.degreeName],
    ['发生日期', row.occurrenceDate],
  ])
  pdf.heading('一、事实')
  pdf.paragraph(closeness(ctx, row).named ? row.fact : row.fact.replaceAll(row.targetName, maskName(row.targetName)))
  pdf.heading('二、依据')
  pdf.paragraph(row.basis)
  pdf.heading('三、认定')
  pdf.paragraph(sentenceOf(row))
  if (row.decideOpinion) pdf.paragraph(row.decideOpinion)
  pdf.heading('四、申诉与信用修复')
  pdf.paragraph(
    `如不服本认定，可自收到本认定书之日起 ${row.appealDays ?? ''} 日内向本机构申诉，也可依法申请行政复议或提起行政诉讼。申诉期间不停止执行。公示满 3 个月并完成整改的，可以申请信用修复。`,
  )
  pdf.heading(`${row.decideGroupName ?? ''}（机构盖章）`)
  pdf.paragraph(`认定人 ${row.deciderName ?? ''}　　${row.decideTime ? formatDay(row.decideTime) : ''}`)
  pdf.facts([
    ['收件人', row.receiver ?? '未签收'],
    ['签收时间', row.receiveTime ? formatDay(row.receiveTime) : null],
  ])
  if (row.state === badStates.cancelled) pdf.paragraph('本认定已撤销，所扣分数已退回。')
  drawVerifyCode(pdf, ctx.secrets, publicUrl, { name: paperName, id: row.id, content: contentOf(row) })
  return pdf
}

const sentenceOf = (row: Misconduct): string =>
  `经审核，上述行为属${dictName('actionLevel', row.level) ?? ''}不良行为，扣 ${row.score} 分，自签收或送达之日起公示 ${row.months ?? ''} 个月。`
