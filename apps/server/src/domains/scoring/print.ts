import { AppError } from '@zhugong/contract/kit/errors'
import { inspectionPrint } from '@zhugong/contract/scoring/inspections'
import { scoringState } from '@zhugong/contract/scoring/moves'
import { itemResults } from '@zhugong/contract/scoring/score'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { Pdf } from '#kit/pdf'
import { problemsOf } from '../checks/public.ts'
import { type ListContext, registerPrint } from '../exports/registry.ts'
import { drawnSeats } from '../process/public.ts'
import { fileOf } from './detail.ts'
import { inspectionKind } from './kind.ts'
import { sheetTitle } from './standard.ts'

type Query = z.output<typeof inspectionPrint>

/** 评分汇总表: the frozen figures of an inspection, its sheets item by item, and its problems. */
export function registerInspectionPrint(): void {
  registerPrint({ feature: 'safetyInspectionSheet', title: '安全检查评分汇总表', query: inspectionPrint as z.ZodType<Query>, draw })
}

const marks = (value: number | null) => (value === null ? '—' : value.toFixed(2))
const resultNames: Readonly<Record<string, string>> = {
  [itemResults.right]: '合格',
  [itemResults.wrong]: '不合格',
  [itemResults.notApplicable]: '不涉及',
  [itemResults.unchecked]: '未检查',
}

async function draw(ctx: ListContext, { id }: Query): Promise<Pdf> {
  const file = await fileOf(ctx, id)
  if (file.state === scoringState) throw new AppError('refused', '提交以后才能打印评分汇总表')
  const pdf = new Pdf({
    title: '建筑施工安全检查评分汇总表',
    subtitle: `${file.projectName}　${file.code ?? ''}`,
    foot: `出具 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['检查单位', file.checkerGroupName],
    ['检查类型', file.inspectTypeName],
    ['检查时间', file.checkTime],
    ['检查人', file.checkers.join('、')],
    ['检查范围', file.part],
    ['总计得分', marks(file.score)],
    ['等级', file.gradeName],
    ['问题', `${file.problemCount} 个`],
  ])
  pdf.paragraph(`评定依据：${file.reason}。`)
  pdf.heading('汇总')
  await pdf.table(
    [
      { title: '检查项目', width: 30, value: (c) => c.name },
      { title: '满分', width: 10, align: 'right', value: (c) => c.weight },
      { title: '分项得分（百分制）', width: 18, align: 'right', value: (c) => (c.score === null ? '未查' : marks(c.score)) },
      { title: '汇总得分', width: 14, align: 'right', value: (c) => marks(c.points) },
    ],
    file.categories,
  )
  for (const sheet of file.sheets) {
    pdf.heading(`${sheetTitle(sheet)}　${sheet.notApplicable ? `不涉及：${sheet.notApplicable}` : `${marks(sheet.score)} 分`}`)
    if (sheet.zero) pdf.paragraph(`本表记零分：${sheet.zero}。`)
    if (sheet.notApplicable) continue
    await pdf.table(
      [
        { title: '检查项', width: 26, value: (i) => `${i.name}${i.guarantee ? '（保证项目）' : ''}` },
        { title: '满分', width: 7, align: 'right', value: (i) => i.maxScore },
        { title: '扣分', width: 7, align: 'right', value: (i) => (i.result === itemResults.wrong ? i.deduction : 0) },
        {
          title: '实得',
          width: 7,
          align: 'right',
          value: (i) => (i.result === itemResults.wrong ? i.maxScore - i.deduction : i.result === itemResults.right ? i.maxScore : null),
        },
        { title: '结果', width: 9, value: (i) => resultNames[i.result] },
        { title: '说明', width: 36, value: (i) => i.note ?? i.reason },
      ],
      sheet.items,
    )
  }
  const problems = await problemsOf(ctx, id)
  if (problems.length > 0) {
    pdf.heading('问题与整改')
    await pdf.table(
      [
        { title: '序', width: 5, align: 'right', value: (p) => p.seq },
        { title: '问题', width: 34, value: (p) => `${p.part}：${p.description}` },
        { title: '责任单位', width: 22, value: (p) => p.corpName },
        { title: '期限', width: 12, value: (p) => p.deadline },
        { title: '整改单', width: 22, value: (p) => p.notice?.code },
      ],
      problems,
    )
  }
  pdf.heading('签字')
  for (const { side, name, groupName, at, opinion } of file.signs)
    pdf.paragraph(`${side === 'site' ? '受检单位' : '监理'}：${groupName} ${name}　${at}　${opinion}`)
  pdf.signed(await drawnSeats(ctx, inspectionKind, file.check))
  return pdf
}
