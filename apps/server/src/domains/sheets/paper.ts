import { dictName } from '@zhugong/contract/settings/dictionaries'
import { personTitles, sealed } from '@zhugong/contract/sheets/moves'
import { sheetPrint, sheetsZip } from '@zhugong/contract/sheets/print'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { found, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, equals, inProjects } from '#kit/list'
import { Pdf } from '#kit/pdf'
import { type ListContext, registerPrint } from '../exports/registry.ts'
import { drawnSeats, drawVerifyCode, registerPaper } from '../process/public.ts'
import { partiesOf } from './detail.ts'
import { type Sheet, selectSheet, sheetKind } from './kind.ts'
import { personsOf, problemsOf, sheetContent } from './seats.ts'

type Query = z.output<typeof sheetPrint>
const paperName = 'sheet'

/** A record sheet as its parties sign it. `publicUrl`: address in its QR code. */
export function registerSheetPaper(publicUrl?: string): void {
  registerPrint({
    feature: 'manualsheetPaper',
    title: '监督记录单文书',
    query: sheetPrint as z.ZodType<Query>,
    several: sheetsZip.transform(({ ids }) => ids.map((id) => ({ id }))) as unknown as z.ZodType<readonly Query[]>,
    draw: (ctx, query) => draw(ctx, query, publicUrl),
  })
  registerPaper(paperName, async ({ db }, id) => {
    const { rows } = await sql<Row<'manualsheet'> & { projectName: string }>`select m.*, p.name as project_name
      from manualsheet m join project p using (project_code) where m.id = ${id} and m.code is not null`.execute(db)
    const row = rows[0]
    return (
      row && {
        title: dictName('superviseDocType', row.docType) ?? '监督记录单',
        number: row.code ?? '',
        issuer: row.groupName,
        date: row.submitTime,
        projectName: row.projectName,
        revoked: row.state === '4',
        content: await sheetContent({ db }, row),
      }
    )
  })
}

async function draw(ctx: ListContext, { id }: Query, publicUrl: string | undefined): Promise<Pdf> {
  const within = allOf(...equals('m.id', id), ...inProjects('m.projectCode', projectsFor(ctx)))
  const { rows } = await sql<Sheet>`${selectSheet} where ${within}`.execute(ctx.db)
  const row = found(rows[0], '监督记录单')
  const project = await sql<{ name: string; superviseNo: string | null }>`select name, supervise_no from project
    where project_code = ${row.projectCode}`.execute(ctx.db)
  const { name = '', superviseNo = null } = project.rows[0] ?? {}
  const units = await partiesOf(ctx, row)
  const pdf = new Pdf({
    title: dictName('superviseDocType', row.docType) ?? '监督记录单',
    subtitle: [row.code ?? '草稿', row.state === '4' ? '已作废' : ''].filter(Boolean).join('　'),
    foot: `${row.code ?? '草稿'}　打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['工程名称', name],
    ['监督登记号', superviseNo],
    ['建设单位', units.ownerCorp],
    ['施工单位', units.contractorCorp],
    ['监理单位', units.supervisorCorp],
    ['监督人员', row.officers.join('、')],
    ['检查日期', row.checkDate],
    ['形象进度', row.progress && dictName('projectPhase', row.progress)],
    ['检查部位', row.checkPart],
    ['处理意见', row.opinion && dictName('checkResult', row.opinion)],
    ...(row.meetTime
      ? ([
          ['约谈时间', formatInstant(row.meetTime).slice(0, 16)],
          ['约谈地点', row.meetPlace],
        ] as const)
      : []),
  ])
  await drawBody(ctx, pdf, row)
  const seats = await drawnSeats(ctx, sheetKind, row)
  pdf.heading(row.onPaper ? '签字（原件为纸质，扫描件附后）' : '签字')
  pdf.signed(seats)
  if (sealed.includes(row.docType)) pdf.heading(`${row.groupName}（机构盖章）`)
  if (row.code) drawVerifyCode(pdf, ctx.secrets, publicUrl, { name: paperName, id: row.id, content: await sheetContent(ctx, row) })
  return pdf
}

async function drawBody(ctx: ListContext, pdf: Pdf, row: Sheet): Promise<void> {
  const persons = await personsOf(ctx, row.id)
  if (persons.length > 0) {
    pdf.heading(personTitles[row.docType] ?? '参加人员')
    await pdf.table(
      [
        { title: '姓名', width: 20, value: (one) => one.name },
        { title: '单位', width: 44, value: (one) => one.unit },
        { title: '职务', width: 26, value: (one) => one.post },
      ],
      persons,
    )
  }
  pdf.heading('检查情况')
  pdf.paragraph(row.content || '—')
  const problems = await problemsOf(ctx, row.id)
  if (problems.length > 0) {
    pdf.heading('存在问题')
    await pdf.table(
      [
        { title: '序号', width: 10, align: 'center', value: (one) => String(problems.indexOf(one) + 1) },
        { title: '问题', width: 54, value: (one) => one.description },
        { title: '依据条款', width: 32, value: (one) => one.clause },
      ],
      problems,
    )
  }
  if (row.state === '4') {
    pdf.heading('作废原因')
    pdf.paragraph(row.voidReason ?? '—')
  }
}
