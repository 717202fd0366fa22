import { AppError } from '@zhugong/contract/kit/errors'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { resumeItems, stopTypes } from '@zhugong/contract/stops/moves'
import { stopPrint, stopsZip } from '@zhugong/contract/stops/print'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatDay, formatInstant } from '#kit/clock'
import { found, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, inProjects } from '#kit/list'
import { Pdf } from '#kit/pdf'
import { type ListContext, registerPrint } from '../exports/registry.ts'
import { drawnSeats, drawVerifyCode, registerPaper } from '../process/public.ts'
import { type Application, shortName, stopKind } from './kind.ts'
import { decisionContent } from './seats.ts'
import { papers } from './writes.ts'

type Query = z.output<typeof stopPrint>
type Printed = Application & {
  projectName: string
  superviseNo: string | null
  corpName: string
  contractor: string | null
  supervisor: string | null
}

/**
 * The application as the three parties seal it, and the 告知书 301, 302 or 303 with its number. `publicUrl`: address in the QR code of the
 * latter.
 */
export function registerStopPaper(publicUrl?: string): void {
  registerPrint({
    feature: 'stopPaper',
    title: '停复工文书',
    query: stopPrint as z.ZodType<Query>,
    several: stopsZip.transform(({ ids, paper }) => ids.map((id) => ({ id, paper }))) as unknown as z.ZodType<readonly Query[]>,
    draw: (ctx, query) => draw(ctx, query, publicUrl),
  })
  registerPaper('stop', async ({ db }, id) => {
    const { rows } = await sql<Row<'stopapply'> & { projectName: string }>`select a.*, p.name as project_name
      from stopapply a join project p using (project_code) where a.id = ${id} and a.doc_code is not null`.execute(db)
    const row = rows[0]
    return (
      row && {
        title: papers[row.type]?.title ?? '',
        number: row.docCode ?? '',
        issuer: row.decideGroup ?? '',
        date: row.decideTime,
        projectName: row.projectName,
        revoked: false,
        content: decisionContent(row),
      }
    )
  })
}

async function draw(ctx: ListContext, { id, paper }: Query, publicUrl: string | undefined): Promise<Pdf> {
  const within = allOf(...inProjects('a.projectCode', projectsFor(ctx)))
  const { rows } = await sql<Printed>`select a.*, false as holding, false as coming, p.name as project_name, p.supervise_no, c.corp_name,
      (select k.corp_name from corporation k where k.corp_code = p.contractor_corp_code) as contractor,
      (select k.corp_name from project_corp u join corporation k using (corp_code) where u.project_code = p.project_code and u.corp_type = '007'
        and u.exit_time is null order by u.entry_time limit 1) as supervisor
    from stopapply a join project p using (project_code) join corporation c on c.corp_code = a.corp_code where a.id = ${id} and ${within}`.execute(
    ctx.db,
  )
  const row = found(rows[0], '申请')
  return paper === 'form' ? drawForm(ctx, row) : drawDecision(ctx, row, publicUrl)
}

const factsOf = (row: Printed) =>
  [
    ['工程名称', row.projectName],
    ['监督登记号', row.superviseNo],
    ['建设单位', row.corpName],
    ['施工单位', row.contractor],
    ['监理单位', row.supervisor],
    ['申请编号', row.code ?? '草稿'],
  ] as const

async function drawForm(ctx: ListContext, row: Printed): Promise<Pdf> {
  const pdf = new Pdf({
    title: `${dictName('stopApplyType', row.type) ?? ''}表`,
    subtitle: row.projectName,
    foot: `打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts(factsOf(row))
  if (row.type === stopTypes.stop) {
    pdf.facts([
      ['停工原因', dictName('stopReason', row.reasonType)],
      ['值守人员', row.guardPersons],
      ['停工日期', row.stopDate],
      ['计划复工日期', row.planResumeDate],
    ])
    pdf.heading('在施部位及安全保障措施')
    pdf.paragraph(row.ongoingParts ?? '—')
  }
  pdf.heading('申请理由')
  pdf.paragraph(row.reason || '—')
  if (row.type === stopTypes.resume) {
    const { rows } = await sql<Row<'stopapplyCheck'>>`select * from stopapply_check where apply_id = ${row.id}`.execute(ctx.db)
    const of = (item: string) => rows.find((one) => one.item === item)
    const verdict = (passed: boolean | null | undefined) => (passed === true ? '合格' : passed === false ? '不合格' : '')
    pdf.heading('复工安全条件核查表')
    await pdf.table(
      [
        { title: '核查项', width: 16, value: (one) => one.name },
        { title: '要求', width: 34, value: (one) => one.asks },
        { title: '自查', width: 10, align: 'center', value: (one) => verdict(of(one.item)?.passed) },
        { title: '说明', width: 26, value: (one) => of(one.item)?.note },
        { title: '核查', width: 10, align: 'center', value: (one) => verdict(of(one.item)?.sitePassed) },
      ],
      resumeItems,
    )
  }
  const audit = (await drawnSeats(ctx, stopKind, row)).filter((one) => one.seat === 'supervisor')
  if (audit.length > 0) pdf.signed(audit)
  pdf.heading('三方盖章')
  pdf.signatures(['建设单位（章）', '施工单位（章）', '监理单位（章）'])
  return pdf
}

/** What the 告知书 says, by the kind of application. */
const sentences: Readonly<Record<string, (row: Printed) => string>> = {
  1: (row) =>
    `你单位关于${row.projectName}因“${dictName('stopReason', row.reasonType) ?? '其他'}”停工、申请中止施工安全监督的材料收悉。经审查，同意自 ${row.stopDate ?? ''} 起中止施工安全监督，计划复工日期 ${row.planResumeDate ?? ''}。中止期间不得施工；你单位应落实现场安全保障措施和值守，并在复工前申请恢复施工安全监督，未经同意不得擅自复工。`,
  2: (row) =>
    `你单位关于${row.projectName}申请恢复施工安全监督的材料收悉。经现场核查（${row.checkDate ?? ''}，${row.officer ?? ''}、${row.secondOfficer ?? ''}），复工安全条件合格，同意自 ${row.decideTime ? formatDay(row.decideTime) : ''} 起恢复施工安全监督。`,
  3: (row) =>
    `你单位关于${row.projectName}申请终止施工安全监督的材料收悉。经审查，工程已完工，同意自 ${row.decideTime ? formatDay(row.decideTime) : ''} 起终止施工安全监督。`,
}

async function drawDecision(ctx: ListContext, row: Printed, publicUrl: string | undefined): Promise<Pdf> {
  if (!row.docCode || !row.decideTime) throw new AppError('refused', `${shortName(row.type)}申请尚未通过，没有告知书`)
  const pdf = new Pdf({
    title: papers[row.type]?.title ?? '',
    subtitle: row.docCode,
    foot: `${row.docCode}　打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts(factsOf(row))
  pdf.heading(`${row.corpName}：`)
  pdf.paragraph(sentences[row.type]?.(row) ?? '')
  if (row.decideOpinion) {
    pdf.heading('审定意见')
    pdf.paragraph(row.decideOpinion)
  }
  pdf.heading(`${row.decideGroup ?? ''}（机构盖章）`)
  pdf.paragraph(`审定人 ${row.decideName ?? ''}　　${formatDay(row.decideTime)}`)
  const seats = await drawnSeats(ctx, stopKind, row)
  const of = (...names: string[]) => seats.filter((one) => names.includes(one.seat))
  pdf.signed([...of('decider', 'officer', 'officer2'), { role: '送达人' }, ...of('receiver')])
  drawVerifyCode(pdf, ctx.secrets, publicUrl, { name: 'stop', id: row.id, content: decisionContent(row) })
  return pdf
}
