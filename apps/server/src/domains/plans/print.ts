import { AppError } from '@zhugong/contract/kit/errors'
import { planList, planPrint } from '@zhugong/contract/plans/calls'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { found } from '#kit/context'
import type { Row } from '#kit/db'
import { Pdf } from '#kit/pdf'
import { exportOf, type ListContext, registerPrint } from '../exports/registry.ts'
import { drawVerifyCode, registerPaper } from '../process/public.ts'
import { versionsOf } from './detail.ts'
import { readPlan } from './kind.ts'
import { conditions, countRows, readRows, rowFor } from './rows.ts'
import { docTypeOf } from './writes.ts'

type Query = z.output<typeof planPrint>
const paperName = 'checkplan'
type Version = Row<'checkPlanVersion'>
const contentOf = ({
  planId,
  versionNo,
  title,
  supervisors,
  startDate,
  endDate,
  mainContent,
  measures,
  focus,
  disclosureDate,
}: Version) => ({
  ...{ planId, versionNo, title, supervisors, startDate, endDate, mainContent, measures, focus, disclosureDate },
})

/** The plan as the parties are given it (101, 107), without windows. `publicUrl`: address in its QR code. */
export function registerPlanPrint(publicUrl?: string): void {
  registerPrint({
    feature: 'checkplanPaper',
    title: '监督工作计划',
    query: planPrint as z.ZodType<Query>,
    draw: (ctx, query) => draw(ctx, query, publicUrl),
  })
  registerPaper(paperName, async ({ db }, id) => {
    type Printed = Version & { code: string | null; discipline: string; authorGroupName: string; state: string; projectName: string }
    const { rows } = await sql<Printed>`select v.*, p.code, p.discipline, p.author_group_name, p.state, j.name as project_name
      from check_plan_version v join check_plan p on p.id = v.plan_id join project j on j.project_code = p.project_code
      where v.plan_id = ${id} order by v.version_no desc limit 1`.execute(db)
    const row = rows[0]
    return (
      row && {
        title: dictName('superviseDocType', docTypeOf(row)) ?? '',
        number: row.code ?? '',
        issuer: row.authorGroupName,
        date: row.approveAt,
        projectName: row.projectName,
        revoked: row.state === '6',
        content: contentOf(row),
      }
    )
  })
}

async function draw(ctx: ListContext, { id }: Query, publicUrl: string | undefined): Promise<Pdf> {
  const row = found(await rowFor(ctx, id), '监督计划')
  const plan = await readPlan(ctx, id)
  const version = (await versionsOf(ctx, id)).at(-1)
  if (!version) throw new AppError('refused', '审批通过以后才能打印监督计划')
  const pdf = new Pdf({
    title: dictName('superviseDocType', docTypeOf(plan)) ?? '监督工作计划',
    subtitle: plan.code ?? '',
    foot: `出具 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['工程名称', row.projectName],
    ['监督机构', plan.authorGroupName],
    ['计划名称', version.title],
    ['监督专业', row.disciplineName],
    ['监督人员', version.supervisors.join('、')],
    ['起止', `${version.startDate} 至 ${version.endDate}`],
    ['监督交底', version.disclosureDate],
    ['版本', `第 ${version.versionNo} 版`],
  ])
  pdf.heading('主要监督内容')
  for (const line of version.mainContent.split('\n')) pdf.paragraph(line)
  if (version.measures) {
    pdf.heading('监督措施')
    pdf.paragraph(version.measures)
  }
  if (version.focus.length > 0) {
    pdf.heading('重点部位')
    pdf.paragraph(version.focus.join('；'))
  }
  pdf.signatures(['监督人员', '科室负责人', '签收人'])
  pdf.small(`审批 ${version.approveName} ${formatInstant(version.approveAt).slice(0, 16)}　（机构盖章）`, 'right')
  drawVerifyCode(pdf, ctx.secrets, publicUrl, { name: paperName, id, content: contentOf(version) })
  return pdf
}

export function registerPlanExport(): void {
  exportOf(
    planList,
    {
      title: '监督计划',
      widths: { code: 30, projectName: 28, title: 36, supervisors: 20, startDate: 26 },
      async *rows(ctx, query) {
        yield* await readRows(ctx, conditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countRows(ctx, conditions(ctx, query)),
    },
    {
      discipline: (r) => r.disciplineName,
      supervisors: (r) => r.supervisors.join('、'),
      startDate: (r) => `${r.startDate} 至 ${r.endDate}`,
      doneCount: (r) => (r.planCount === null ? '' : `${r.doneCount}/${r.planCount}`),
      state: (r) => r.stateName,
    },
  )
}
