import { AppError } from '@zhugong/contract/kit/errors'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { spotPrint } from '@zhugong/contract/spotchecks/print'
import { judge } from '@zhugong/contract/spotchecks/readings'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { found } from '#kit/context'
import type { Db } from '#kit/db'
import { Pdf } from '#kit/pdf'
import { type ListContext, type PrintContext, registerPrint } from '../exports/registry.ts'
import { drawVerifyCode, registerPaper } from '../process/public.ts'
import { reportsOf } from './detail.ts'
import { readSpotRow, type Spot } from './kind.ts'
import { spotFor } from './rows.ts'

type Query = z.output<typeof spotPrint>

/** 质量抽查记录: readings with their calculation and every report, with a code that anybody verifies. */
export function registerSpotCheckPrint(publicUrl?: string): void {
  registerPrint({
    feature: 'spotcheckSheet',
    title: '质量抽查记录',
    query: spotPrint as z.ZodType<Query>,
    draw: (ctx, query) => draw(ctx, query, publicUrl),
  })
  registerPaper('spotcheck', async ({ db }, id) => {
    const projectName = await nameOf(db, id)
    if (projectName === undefined) return undefined
    const spot = await readSpotRow({ db } as Pick<ListContext, 'db'>, id)
    if (spot.code === null) return undefined
    return {
      title: '质量抽查记录',
      number: spot.code,
      issuer: spot.checkerGroupName,
      date: spot.shownAt,
      projectName,
      revoked: false,
      content: paperContent(spot),
    }
  })
}

async function nameOf(db: Db, id: string): Promise<string | undefined> {
  const { rows } = await sql<{
    name: string
  }>`select p.name from spot_check c join project p using (project_code) where c.id = ${id}`.execute(db)
  return rows[0]?.name
}

const paperContent = ({ code, projectCode, kind, part, checkDate, checkers, readings, actualValue, reportNo, result, state }: Spot) => ({
  code,
  projectCode,
  kind,
  part,
  checkDate,
  checkers,
  readings,
  actualValue,
  reportNo,
  result,
  state,
})

async function draw(ctx: PrintContext, { id }: Query, publicUrl: string | undefined): Promise<Pdf> {
  const row = found(await spotFor(ctx, id), '质量抽查')
  if (row.code === null) throw new AppError('refused', '草稿尚未提交，不能打印')
  const spot = await readSpotRow(ctx, id)
  const pdf = new Pdf({
    title: '质量抽查记录',
    subtitle: row.projectName,
    foot: `${row.code}　打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['编号', row.code],
    ['抽查对象', row.kindName],
    ['部位/批次', row.part],
    ['单位工程', row.unitName],
    ['抽查日期', row.checkDate],
    ['抽查单位', row.checkerGroupName],
    ['抽查人', row.checkers.join('、')],
    ['责任单位', row.corpName],
    ['检测方法', row.method],
    ['设计/标准值', row.designValue],
    ['样品编号', row.sampleNo],
    ['检测机构', row.labOrg],
    ['实测值', row.actualValue],
    ['结论', dictName('itemResult', row.result)],
    ['状态', row.stateName],
    ['处理要求', spot.handle],
  ])
  const verdict = judge(spot.readings)
  if (spot.readings.test === 'rebound') {
    pdf.heading('回弹值')
    await pdf.table(
      [
        { title: '测区', width: 14, value: (a) => a.name },
        { title: '16 个回弹值', width: 66, value: (a) => a.readings.join(' ') },
        { title: '碳化 mm', width: 20, align: 'right', value: (a) => a.carbonation },
      ],
      spot.readings.areas,
    )
  }
  if (verdict) {
    pdf.heading('计算')
    for (const line of verdict.lines) pdf.paragraph(line)
  } else if ('note' in spot.readings) pdf.paragraph(spot.readings.note)
  const reports = await reportsOf(ctx, id)
  if (reports.length > 0) {
    pdf.heading('检测报告')
    await pdf.table(
      [
        { title: '报告编号', width: 24, value: (r) => r.reportNo },
        { title: '检测机构', width: 26, value: (r) => r.labOrg },
        { title: '日期', width: 14, value: (r) => r.reportDate },
        { title: '实测值', width: 24, value: (r) => r.actualValue },
        { title: '结论', width: 12, value: (r) => (r.passed ? '合格' : '不合格') },
      ],
      reports,
    )
  }
  pdf.signatures(row.checkers)
  drawVerifyCode(pdf, ctx.secrets, publicUrl, { name: 'spotcheck', id, content: paperContent(spot) })
  return pdf
}
