import type { BriefingReceiver } from '@zhugong/contract/briefings/calls'
import { type BriefingType, briefingStateNames, briefingStates, managerKinds } from '@zhugong/contract/briefings/moves'
import { briefingPrint } from '@zhugong/contract/briefings/print'
import { pointsOf } from '@zhugong/contract/briefings/templates'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { found } from '#kit/context'
import type { Row } from '#kit/db'
import { Pdf } from '#kit/pdf'
import { type PrintContext, registerPrint } from '../exports/registry.ts'
import { contentHash, drawnSeats, drawVerifyCode, registerPaper } from '../process/public.ts'
import { receiversOf } from './detail.ts'
import { kindOf, readBriefingRow } from './kind.ts'
import { briefingFor } from './rows.ts'
import { briefingContent } from './seats.ts'

type Query = z.output<typeof briefingPrint>
const title = '安全技术交底记录'

/** 安全技术交底记录: the content and the sheet of signatures, without any identity number; its hash stands at the foot. */
export function registerBriefingPrint(publicUrl?: string): void {
  registerPrint({
    feature: 'briefingSheet',
    title,
    query: briefingPrint as z.ZodType<Query>,
    draw: (ctx, query) => draw(ctx, query, publicUrl),
  })
  registerPaper('briefing', async ({ db }, id) => {
    const { rows } = await sql<Row<'briefing'> & { projectName: string }>`select b.*, p.name as project_name
      from briefing b join project p using (project_code) where b.id = ${id} and b.code is not null`.execute(db)
    const row = rows[0]
    return (
      row && {
        title,
        number: row.code ?? '',
        issuer: row.authorGroupName,
        date: new Date(`${row.date}T00:00:00+08:00`),
        projectName: row.projectName,
        revoked: row.state === briefingStates.void,
        content: briefingContent(row),
      }
    )
  })
}

async function typeOf(ctx: PrintContext, id: string): Promise<BriefingType> {
  const { rows } = await sql<{ type: BriefingType }>`select type from briefing where id = ${id}`.execute(ctx.db)
  return found(rows[0], '交底').type
}

const words: Readonly<Record<BriefingReceiver['state'], string>> = {
  signed: '已签',
  paper: '纸质签字',
  waiting: '待补签',
  excused: '未到',
  gone: '已退场，未签',
}

async function draw(ctx: PrintContext, { id }: Query, publicUrl: string | undefined): Promise<Pdf> {
  const type = await typeOf(ctx, id)
  const shown = found(await briefingFor(ctx, type, id), kindOf(type).noun)
  if (shown.code === null) throw new AppError('refused', '草稿尚未发起签字，不能打印')
  const row = await readBriefingRow(ctx, { id, type })
  const hash = contentHash(briefingContent(row))
  const pdf = new Pdf({
    title,
    subtitle: shown.projectName,
    foot: `${shown.code}　内容摘要 ${hash}　打印 ${formatInstant(ctx.clock.now())}`,
  })
  pdf.facts([
    ['编号', shown.code],
    ['交底名称', shown.name],
    ...(row.kind ? ([['交底类型', managerKinds[row.kind]]] as const) : ([['工种', shown.workTypeName]] as const)),
    ['部位', shown.part],
    ['单位', shown.corpName],
    ['班组', shown.teamName],
    ['危大工程', shown.bigProjectName],
    ['交底日期', shown.date],
    ['交底人', shown.discloser],
    ['安全员（见证）', row.witness],
    ['状态', briefingStateNames[row.state]],
    ['签字', `${shown.signed} / ${shown.total} 人`],
  ])
  pdf.heading('交底内容')
  for (const [i, point] of pointsOf(row.content).entries()) pdf.paragraph(`${i + 1}. ${point}`)
  const receivers = await receiversOf(ctx, row)
  pdf.heading('被交底人')
  await pdf.table(
    [
      { title: '序号', width: 8, align: 'center', value: (one) => one.no },
      { title: '姓名', width: 14, value: (one) => one.name },
      { title: '单位', width: 30, value: (one) => one.unit },
      { title: '工种或职务', width: 18, value: (one) => one.role },
      { title: '签字', width: 14, value: (one) => words[one.state] },
      { title: '时间', width: 16, value: (one) => one.signedAt?.slice(0, 16) ?? one.reason },
    ],
    receivers.map((one, i) => ({ ...one, no: i + 1 })),
  )
  const names = new Map(receivers.map((one) => [one.id, one.name]))
  pdf.heading('签名')
  const seats = await drawnSeats(ctx, kindOf(type), row)
  pdf.signed(seats.map((one) => ({ ...one, role: names.get(one.seat) ?? one.role })))
  drawVerifyCode(pdf, ctx.secrets, publicUrl, { name: 'briefing', id, content: briefingContent(row) })
  return pdf
}
