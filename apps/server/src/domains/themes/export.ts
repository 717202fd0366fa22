import { AppError } from '@zhugong/contract/kit/errors'
import { campaignPrint, themeList } from '@zhugong/contract/themes/calls'
import { campaignStates } from '@zhugong/contract/themes/moves'
import { reportOf } from '@zhugong/contract/themes/progress'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { Pdf } from '#kit/pdf'
import { countChecks, registerPatrolPrint } from '../checks/public.ts'
import { exportOf, type PrintContext, registerPrint } from '../exports/registry.ts'
import { campaignFile } from './campaign-rows.ts'
import { checkedObjects, readThemes, themeConditions } from './check-rows.ts'
import { themeKind, themePatrol } from './kind.ts'

type Query = z.output<typeof campaignPrint>

export function registerThemeExports(): void {
  exportOf(
    themeList,
    {
      title: '项目专项检查',
      widths: { code: 26, projectName: 28, title: 28, checkTime: 20, checkers: 24 },
      async *rows(ctx, query) {
        yield* await readThemes(ctx, themeConditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countChecks(ctx, themeConditions(ctx, query)),
    },
    {
      theme: (c) => c.themeName,
      inspectType: (c) => c.inspectTypeName,
      checkers: (c) => c.checkers.join('、'),
      result: (c) => c.resultName,
      state: (c) => c.stateName,
    },
  )
  registerPatrolPrint({
    feature: 'checksPSheet',
    patrol: themePatrol,
    kind: themeKind,
    more: async (ctx, pdf, id) => {
      pdf.heading('检查对象与要点')
      const lines = (await checkedObjects(ctx, id)).flatMap((object) =>
        object.notApplicable
          ? [{ object: object.name, point: '全部要点', result: '不涉及', note: object.notApplicable }]
          : object.items.map((one) => ({ object: object.name, point: one.name, result: one.resultName, note: one.note ?? one.reason })),
      )
      await pdf.table(
        [
          { title: '检查对象', width: 30, value: (l) => l.object },
          { title: '要点', width: 28, value: (l) => l.point },
          { title: '结果', width: 12, value: (l) => l.result },
          { title: '说明', width: 30, value: (l) => l.note },
        ],
        lines,
      )
    },
  })
  registerPrint({ feature: 'checksPReport', title: '专项检查总结', query: campaignPrint as z.ZodType<Query>, draw: drawReport })
}

/** 专项检查总结: the report as it was saved, with every object and problem. */
async function drawReport(ctx: PrintContext, { id }: Query): Promise<Pdf> {
  const file = await campaignFile(ctx, id)
  if (file.state === campaignStates.draft) throw new AppError('refused', '专项检查尚未发起，不能打印')
  const problems = file.problems.map((one) => ({ ...one, closed: one.notice?.passed ?? false }))
  const pdf = new Pdf({
    title: '专项检查总结',
    subtitle: `${file.projectName}　${file.title}`,
    foot: `打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['主题', file.themeName],
    ['组织方式', file.orderedByName],
    ['检查依据', file.basis ?? file.notice?.code],
    ['起止日期', `${file.startDate} 至 ${file.endDate}`],
    ['检查人', file.persons.join('、')],
    ['组织单位', file.leaderGroupName],
    ['对象', `已检 ${file.checkedCount} / ${file.objectCount}`],
    ['问题', `${file.problemCount} 个，未闭合 ${file.openCount} 个`],
    ['状态', file.stateName],
  ])
  pdf.heading(file.report === null ? '总结（尚未保存，按检查结果生成）' : '总结')
  const written = problems.map((one) => ({ ...one, objectName: one.part }))
  for (const line of (file.report ?? reportOf({ ...file, problems: written })).split('\n')) pdf.paragraph(line)
  pdf.heading('检查对象')
  await pdf.table(
    [
      { title: '对象', width: 44, value: (o) => (o.added ? `${o.name}（新增）` : o.name) },
      { title: '来源', width: 16, value: (o) => o.registerName },
      { title: '检查时间', width: 20, value: (o) => o.checkTime },
      { title: '结果', width: 20, value: (o) => o.stateName },
    ],
    file.objects,
  )
  if (problems.length > 0) {
    pdf.heading('问题清单')
    await pdf.table(
      [
        { title: '对象', width: 22, value: (p) => p.part },
        { title: '问题', width: 34, value: (p) => p.description },
        { title: '责任单位', width: 22, value: (p) => p.corpName },
        { title: '期限', width: 12, value: (p) => p.deadline },
        { title: '结果', width: 10, value: (p) => (p.closed ? '已闭合' : (p.notice?.stateName ?? '')) },
      ],
      problems,
    )
  }
  return pdf
}
