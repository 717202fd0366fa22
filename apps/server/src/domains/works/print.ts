import { dictName } from '@zhugong/contract/settings/dictionaries'
import { reviewResults } from '@zhugong/contract/works/moves'
import { workPrint, worksZip } from '@zhugong/contract/works/print'
import { sizeText } from '@zhugong/contract/works/scale'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatDay, formatInstant } from '#kit/clock'
import { found } from '#kit/context'
import { Pdf } from '#kit/pdf'
import { expertsAt } from '../experts/public.ts'
import { type ListContext, registerPrint } from '../exports/registry.ts'
import { drawnSeats, drawVerifyCode, historyOf, registerPaper } from '../process/public.ts'
import { source, stepLabels } from './kind.ts'
import { type RawWork, rowFor, toRow } from './rows.ts'
import { planContent, readPeople, workSeats } from './seats.ts'

type Query = z.output<typeof workPrint>

/** The file of a dangerous work: what it is, who signed what, and the list of its papers. */
export function registerWorkFile(publicUrl?: string): void {
  registerPrint({
    feature: 'bigprojectFile',
    title: '危大工程档案',
    query: workPrint as z.ZodType<Query>,
    several: worksZip.transform(({ ids }) => ids.map((id) => ({ id }))) as unknown as z.ZodType<readonly Query[]>,
    draw: (ctx, { id }) => draw(ctx, id, publicUrl),
  })
  registerPaper('bigwork', async ({ db }, id) => {
    const { rows } = await sql<RawWork>`select b.*, p.name as project_name, c.corp_name as construction_name from bigproject b
      join project p using (project_code) join corporation c on c.corp_code = b.construction_corp where b.id = ${id}`.execute(db)
    const row = rows[0]
    return (
      row && {
        title: '危大工程档案',
        number: row.code,
        issuer: row.constructionName,
        date: row.createTime,
        projectName: row.projectName,
        revoked: false,
        content: paperContent(row),
      }
    )
  })
}

const paperContent = (row: Parameters<typeof planContent>[0]) => ({ ...planContent(row), state: row.state, planPassDate: row.planPassDate })

/** The papers of a work by the stage to which they belong. */
const papersOf = (row: RawWork) =>
  [
    { title: '专项施工方案', ids: row.planFiles },
    { title: '专家论证报告', ids: row.reviewReport ? [row.reviewReport] : [] },
    { title: '修改后的方案', ids: row.revisionFiles },
    { title: '公告牌与警示标志', ids: row.warnPhotos },
    { title: '监测方案', ids: row.monitorFiles },
    { title: '验收标识牌', ids: row.acceptPhotos },
  ] as const

async function draw(ctx: ListContext, id: string, publicUrl: string | undefined): Promise<Pdf> {
  const row = found(await rowFor(ctx, id, '*'), '危大工程')
  const shown = toRow(row)
  const pdf = new Pdf({
    title: '危大工程档案',
    subtitle: `${row.code} ${row.name}`,
    foot: `${row.code}　打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['工程名称', row.projectName],
    ['危大工程', row.name],
    ['类别', shown.categoryName],
    ['规模', sizeText(row.category, row)],
    ['超规模', row.overScale ? '是' : '否'],
    ['风险等级', dictName('riskLevel', row.riskLevel)],
    ['部位', row.part],
    ['施工单位', row.constructionName],
    ['专业分包', row.subName],
    ['状态', shown.stateName],
    ['计划', `${row.planStartDate} 至 ${row.planEndDate}`],
    ['实际', `${row.actualStartDate ?? '—'} 至 ${row.actualEndDate ?? '—'}`],
    ['方案通过', row.planPassDate],
    ['第三方监测', row.monitorOrg],
  ])
  if (row.activityId) {
    pdf.heading('专家论证')
    pdf.facts([
      ['论证日期', row.reviewDate],
      ['结论', row.reviewResult && reviewResults[row.reviewResult]],
    ])
    pdf.paragraph((await expertsAt(ctx, row.activityId)).map((one) => `${one.name}（${one.workUnit}，${one.role}）`).join('；') || '—')
    if (row.revisionNote) pdf.paragraph(`修改说明：${row.revisionNote}`)
  }
  const people = await readPeople(ctx, id)
  if (row.disclosureDate) {
    pdf.heading('安全技术交底')
    pdf.facts([
      ['交底日期', row.disclosureDate],
      ['交底人', row.discloser],
    ])
    pdf.paragraph(row.disclosureText ?? '—')
    pdf.paragraph(
      `现场监督：${
        people
          .filter((one) => one.kind === 'inspector')
          .map((one) => `${one.post} ${one.name}`)
          .join('、') || '—'
      }`,
    )
  }
  await drawPapers(pdf, ctx, row)
  pdf.heading('经过')
  await pdf.table(
    [
      { title: '时间', width: 24, value: (one) => formatInstant(one.at).slice(0, 16) },
      { title: '办理', width: 18, value: (one) => one.label },
      { title: '办理人', width: 26, value: (one) => `${one.byName} ${one.groupName}` },
      { title: '意见', width: 40, value: (one) => one.opinion },
    ],
    await historyOf(ctx, source, id, stepLabels),
  )
  pdf.heading('签名')
  pdf.signed(await drawnSeats(ctx, { kind: source, seats: (c) => workSeats(c, row) }, { ...row, state: row.state }))
  drawVerifyCode(pdf, ctx.secrets, publicUrl, { name: 'bigwork', id, content: paperContent(row) })
  return pdf
}

/** The list of papers with their names and digests, so that a paper in a folder can be recognised. */
async function drawPapers(pdf: Pdf, ctx: ListContext, row: RawWork): Promise<void> {
  const papers = papersOf(row).flatMap(({ title, ids }) => ids.map((id) => ({ title, id })))
  const { rows } = await sql<{ id: string; name: string; at: Date }>`select id, name, create_time as at from stored_file
    where id = any (${papers.map((one) => one.id)})`.execute(ctx.db)
  const fileOf = new Map(rows.map((one) => [one.id, one]))
  pdf.heading('资料目录')
  if (papers.length === 0) return pdf.paragraph('尚无资料')
  await pdf.table(
    [
      { title: '资料', width: 26, value: (one) => one.title },
      { title: '文件', width: 54, value: (one) => fileOf.get(one.id)?.name ?? one.id },
      { title: '上传', width: 20, value: (one) => fileOf.get(one.id) && formatDay(fileOf.get(one.id)?.at ?? 0) },
    ],
    papers,
  )
}
