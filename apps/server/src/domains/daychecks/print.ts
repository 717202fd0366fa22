import { dayCheckPrint, dayChecksZip } from '@zhugong/contract/daychecks/print'
import { AppError } from '@zhugong/contract/kit/errors'
import { itemResults } from '@zhugong/contract/scoring/score'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { Pdf } from '#kit/pdf'
import { type ListContext, registerPrint } from '../exports/registry.ts'
import { drawnSeats, drawVerifyCode, registerPaper } from '../process/public.ts'
import type { DayCheck } from './day-check.ts'
import { fileOf } from './detail.ts'
import { dayCheckKind, selectDayCheck } from './kind.ts'
import { dayCheckContent } from './seats.ts'
import { docTypeOf } from './writes.ts'

type Query = z.output<typeof dayCheckPrint>
const paperName = 'daycheck'
const titleOf = (check: Pick<DayCheck, 'discipline'>) => dictName('superviseDocType', docTypeOf(check)) ?? '监督抽查记录'

/** 监督抽查记录 (103, 104): score, problems, presence and signatures of a submitted check. `publicUrl`: address in its QR code. */
export function registerDayCheckPrint(publicUrl?: string): void {
  registerPrint({
    feature: 'daycheckRecord',
    title: '监督抽查记录',
    query: dayCheckPrint as z.ZodType<Query>,
    several: dayChecksZip.transform(({ ids }) => ids.map((id) => ({ id }))) as unknown as z.ZodType<readonly Query[]>,
    draw: (ctx, query) => draw(ctx, query, publicUrl),
  })
  registerPaper(paperName, async ({ db }, id) => {
    type Printed = DayCheck & { projectName: string; groupName: string }
    const { rows } = await sql<Printed>`select x.*, p.name as project_name, k.checker_group_name as group_name from (${selectDayCheck}) x
      join project p on p.project_code = x.project_code join site_check k on k.id = x.id
      where x.id = ${id} and x.code is not null`.execute(db)
    const row = rows[0]
    return (
      row && {
        title: titleOf(row),
        number: row.code ?? '',
        issuer: row.groupName,
        date: row.submitAt,
        projectName: row.projectName,
        revoked: false,
        content: await dayCheckContent({ db: db as never }, row),
      }
    )
  })
}

const marks = (value: number | null) => (value === null ? '—' : value.toFixed(2))
const presenceWords = { in: '在场', out: '已离场', never: '今日未到', vacant: '未配备' } as const

async function draw(ctx: ListContext, { id }: Query, publicUrl: string | undefined): Promise<Pdf> {
  const file = await fileOf(ctx, id)
  if (!file.code) throw new AppError('refused', '提交以后才能打印抽查记录')
  const pdf = new Pdf({
    title: titleOf(file.check),
    subtitle: file.code,
    foot: `出具 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['工程名称', file.projectName],
    ['监督机构', file.checkerGroupName],
    ['检查类型', file.inspectTypeName],
    ['专业', file.disciplineNames.join('、')],
    ['检查时间', file.checkTime],
    ['监督人员', file.checkers.join('、')],
    ['形象进度', file.progressName],
    ['检查结论', file.conclusionName],
    ['总计得分', marks(file.score)],
    ['评定等级', file.gradeName],
  ])
  if (file.score !== null) pdf.paragraph(`评定依据：${file.reason}。`)
  if (file.summary) pdf.paragraph(`检查情况：${file.summary}`)
  if (file.score !== null) {
    pdf.heading('评分汇总')
    await pdf.table(
      [
        { title: '检查项目', width: 32, value: (c) => c.name },
        { title: '应得', width: 12, align: 'right', value: (c) => c.weight },
        { title: '实得', width: 14, align: 'right', value: (c) => (c.points === null ? '缺项' : marks(c.points)) },
        { title: '折算（百分制）', width: 18, align: 'right', value: (c) => marks(c.score) },
      ],
      file.categories,
    )
  }
  const lost = file.units.flatMap((unit) =>
    unit.sheets.flatMap((sheet) =>
      sheet.items
        .filter((one) => sheet.notApplicable === null && one.result === itemResults.wrong)
        .map((item) => ({ unit: unit.name, sheet: sheet.name, item })),
    ),
  )
  if (lost.length > 0) {
    pdf.heading('不合格项')
    await pdf.table(
      [
        { title: '单体', width: 18, value: (r) => r.unit },
        { title: '检查项', width: 30, value: (r) => `${r.sheet} ${r.item.name}` },
        { title: '扣分', width: 8, align: 'right', value: (r) => (r.item.maxScore > 0 ? r.item.deduction : '—') },
        { title: '说明', width: 44, value: (r) => r.item.note },
      ],
      lost,
    )
  }
  if (file.problems.length > 0) {
    pdf.heading('问题与整改')
    await pdf.table(
      [
        { title: '序号', width: 6, value: (p) => p.seq },
        { title: '部位', width: 16, value: (p) => p.part },
        { title: '问题', width: 34, value: (p) => p.description },
        { title: '责任单位', width: 20, value: (p) => p.corpName },
        { title: '整改', width: 24, value: (p) => (p.mended ? `当场改正：${p.mended}` : `${p.notice?.code ?? ''} 期限 ${p.deadline}`) },
      ],
      file.problems,
    )
  }
  if (file.presence.length > 0) {
    pdf.heading('到岗核查')
    await pdf.table(
      [
        { title: '岗位', width: 30, value: (p) => p.postName },
        { title: '姓名', width: 20, value: (p) => p.name },
        { title: '签到时', width: 20, value: (p) => presenceWords[p.state] },
        { title: '最近通行', width: 30, value: (p) => p.at },
      ],
      file.presence,
    )
  }
  if (file.remark) pdf.paragraph(`受检单位说明（${file.remark.byName}）：${file.remark.text}`)
  pdf.signed(await drawnSeats(ctx, dayCheckKind, file.check))
  pdf.small('（机构盖章）', 'right')
  const content = await dayCheckContent(ctx, file.check)
  drawVerifyCode(pdf, ctx.secrets, publicUrl, { name: paperName, id, content })
  return pdf
}
