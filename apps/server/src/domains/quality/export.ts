import { AppError } from '@zhugong/contract/kit/errors'
import { getImprovement, improvementList } from '@zhugong/contract/quality/improvement'
import { causeNames } from '@zhugong/contract/quality/improvement-moves'
import { qualityList } from '@zhugong/contract/quality/inspection'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { Pdf } from '#kit/pdf'
import { countChecks, registerPatrolPrint } from '../checks/public.ts'
import { exportOf, type PrintContext, registerPrint } from '../exports/registry.ts'
import { conditions as checkConditions, readQuality } from './check-rows.ts'
import { fileOf } from './improvement-detail.ts'
import { conditions, countImprovements, readImprovements } from './improvement-rows.ts'
import { itemsOf } from './items.ts'
import { qualityKind, qualityPatrol } from './patrol.ts'

export function registerQualityExports(): void {
  exportOf(
    qualityList,
    {
      title: '质量检查',
      widths: { code: 26, projectName: 28, checkTime: 20, itemNames: 28, qualityProblemNames: 24, part: 24, corpNames: 28 },
      async *rows(ctx, query) {
        yield* await readQuality(ctx, checkConditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countChecks(ctx, checkConditions(ctx, query)),
    },
    {
      itemNames: (c) => c.itemNames.join('、'),
      qualityProblemNames: (c) => c.qualityProblemNames.join('、'),
      placeNames: (c) => c.placeNames.join('、'),
      inspectType: (c) => c.inspectTypeName,
      problemCount: (c) => (c.problemCount === 0 ? '无问题' : `${c.passedCount} / ${c.problemCount}`),
      corpNames: (c) => c.corpNames.join('、'),
      persons: (c) => c.persons.join('、'),
      checkers: (c) => c.checkers.join('、'),
      conclusion: (c) => c.conclusionName,
      state: (c) => c.stateName,
    },
  )
  exportOf(
    improvementList,
    {
      title: '质量改进',
      widths: { code: 26, projectName: 28, title: 32, parts: 28, corpName: 28 },
      async *rows(ctx, query) {
        yield* await readImprovements(ctx, conditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countImprovements(ctx, conditions(ctx, query)),
    },
    {
      qualityProblem: (i) => i.qualityProblemName,
      source: (i) => i.sourceName,
      parts: (i) => i.parts.join('、'),
      causes: (i) => i.causes.map((one) => causeNames[one]).join('、'),
      state: (i) => i.stateName,
    },
  )
  registerPatrolPrint({
    feature: 'qualityInspectionSheet',
    patrol: qualityPatrol,
    kind: qualityKind,
    more: async (ctx, pdf, id) => {
      pdf.heading('检查项')
      await pdf.table(
        [
          { title: '分部', width: 18, value: (i) => i.groupName },
          { title: '检查项', width: 22, value: (i) => i.name },
          { title: '结果', width: 10, value: (i) => i.resultName },
          { title: '实测值', width: 14, value: (i) => i.measured },
          { title: '设计值与允许偏差', width: 20, value: (i) => i.standard },
          { title: '说明', width: 24, value: (i) => i.note },
        ],
        await itemsOf(ctx, id),
      )
    },
  })
  registerPrint({
    feature: 'qualityImprovementSheet',
    title: '质量改进单',
    query: getImprovement.schemas.params as z.ZodType<Query>,
    draw,
  })
}

type Query = NonNullable<(typeof getImprovement)['types']>['parsed']['params']

/** 质量改进单: findings, causes, what is mended, what prevents it, and the verdict. */
async function draw(ctx: PrintContext, { id }: Query): Promise<Pdf> {
  const file = await fileOf(ctx, id)
  if (file.code === null) throw new AppError('refused', '草稿尚未下发，不能打印')
  const pdf = new Pdf({
    title: '质量改进单',
    subtitle: file.projectName,
    foot: `${file.code}　打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['编号', file.code],
    ['名称', file.title],
    ['质量通病', file.qualityProblemName],
    ['来源', file.sourceName],
    ['责任单位', file.corpName],
    ['编制单位', file.authorGroupName],
    ['整改期限', file.deadline],
    ['验证日期', file.recheckAfter],
    ['目标合格率', file.targetRate === null ? null : `${file.targetRate}%`],
    ['状态', file.stateName],
  ])
  pdf.heading('一、问题')
  await pdf.table(
    [
      { title: '编号', width: 22, value: (f) => f.code },
      { title: '时间', width: 16, value: (f) => f.at.slice(0, 16) },
      { title: '部位', width: 20, value: (f) => f.part },
      { title: '问题', width: 32, value: (f) => f.text },
      { title: '实测值', width: 12, value: (f) => f.measured },
    ],
    file.findings,
  )
  pdf.heading('二、原因')
  for (const { group, text } of file.causeTexts) pdf.paragraph(`${causeNames[group]}：${text}`)
  for (const [at, why] of file.whys.entries()) pdf.paragraph(`追问 ${at + 1}：${why}`)
  pdf.heading('三、整改')
  await pdf.table(
    [
      { title: '部位', width: 26, value: (l) => l.part },
      { title: '整改内容', width: 50, value: (l) => l.text },
      { title: '责任人', width: 16, value: (l) => l.person },
    ],
    file.lines,
  )
  pdf.heading('四、预防')
  pdf.paragraph(file.prevention)
  pdf.heading('五、验证')
  const verdicts = { effective: '有效', ineffective: '无效' } as const
  pdf.paragraph(
    file.verdict === null
      ? `尚未验证，验证日期 ${file.recheckAfter}。`
      : `验证${verdicts[file.verdict]}：${file.verdictOpinion ?? ''}（${file.verdictBy ?? ''} ${file.verdictAt ?? ''}）`,
  )
  if (file.recurrence !== null) pdf.paragraph(`闭合后同类问题复发 ${file.recurrence} 次。`)
  return pdf
}
