import { ref } from '@zhugong/contract/kit/fields'
import { pileKinds } from '@zhugong/contract/monitoring/pile/pile-kinds'
import { type PileDetail, type PileRun, pilePrint, pileRegisterList, pileStates } from '@zhugong/contract/monitoring/pile/pile-register'
import { integrityNames, pileTestKinds, pileTestList } from '@zhugong/contract/monitoring/pile/pile-tests'
import { pileVerdictNames } from '@zhugong/contract/monitoring/pile/pile-verdict'
import { z } from 'zod'
import { formatDay, formatInstant } from '#kit/clock'
import { Pdf } from '#kit/pdf'
import { byPages, exportOf, type ListContext, registerPrint } from '../../../exports/registry.ts'
import { detailOf } from './routes.ts'
import { registerPage, testPage } from './store.ts'

/** Export of the register, and the printed page of one pile. */
export function registerPileRegisterExports(): void {
  exportOf(
    pileRegisterList,
    {
      title: '桩清单',
      widths: { projectName: 28, axis: 20, madeAt: 20 },
      ...byPages(registerPage),
    },
    {
      kind: (r) => pileKinds[r.kind],
      madeAt: (r) => (r.madeAt === null ? null : r.runs > 0 ? formatInstant(r.madeAt) : formatDay(r.madeAt)),
      state: (r) => pileStates[r.state],
    },
  )
  exportOf(
    pileTestList,
    {
      title: '静载试验',
      widths: { projectName: 28, tester: 24, note: 28 },
      ...byPages(testPage),
    },
    {
      pileKind: (r) => pileKinds[r.pileKind],
      isPassed: (r) => (r.isPassed === null ? null : r.isPassed ? '满足' : '不满足'),
    },
  )
  registerPrint({ feature: pilePrint, title: '成桩记录表', query: z.object({ id: ref('pile') }), draw })
}

async function draw(ctx: ListContext, { id }: { id: string }): Promise<Pdf> {
  const pile = await detailOf(ctx, id, '*')
  const [run] = pile.made
  const pdf = new Pdf({
    title: '成桩记录表',
    subtitle: `${pile.projectName}　${pile.pileNo}`,
    foot: `打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  const metres = (value: number | null | undefined) => (value === null || value === undefined ? null : `${value} m`)
  pdf.facts([
    ['桩号', pile.pileNo],
    ['桩型', pileKinds[pile.kind]],
    ['轴线位置', pile.axis],
    ['桩径', pile.diameter === null ? null : `${pile.diameter} mm`],
    ['设计桩长', metres(pile.designLength)],
    ['设计孔深', metres(pile.designDepth)],
    ['混凝土', pile.concrete],
    ['计划日期', pile.plannedOn],
    ['桩机', run?.deviceName],
    ['桩机所报桩号', run?.pileNo],
    ['开始', run?.startTime ? formatInstant(run.startTime) : null],
    ['结束', run ? formatInstant(run.time) : pile.madeOn],
    ['终孔深度', metres(run?.finalDepth)],
    ['最大垂直度偏差', run?.maxVerticality === null || run === undefined ? null : `${run.maxVerticality} %`],
    ...ownFacts(run),
    ['疑点', run?.doubts.join('，') || null],
  ])
  tellTests(pdf, pile)
  pdf.heading('判定')
  const [last] = pile.verdicts
  const { verdict, grounds } = pile.proposal
  pdf.paragraph(`数据建议：${verdict === null ? '无' : pileVerdictNames[verdict]}（${grounds.join('；')}）`)
  pdf.paragraph(
    last
      ? `结论：${pileVerdictNames[last.verdict]}。${last.reason}（${last.byName}，${last.byGroup}，${formatInstant(last.at)}）`
      : '结论：尚未判定',
  )
  pdf.signatures(['施工员', '质量员', '监理工程师'])
  return pdf
}

/** Acceptance figures of the pile's kind: grout, pressure or the last ten blows. */
function ownFacts(run: PileRun | undefined): [string, string | null][] {
  const facts: [string, string | null][] = []
  const { groutTotal = null, groutPercent = null, finalPressure = null, finalPenetration = null, designPressure = null } = run ?? {}
  if (groutTotal !== null) facts.push(['总浆量', `${groutTotal} L${groutPercent === null ? '' : `（设计的 ${groutPercent} %）`}`])
  if (finalPressure !== null) facts.push(['终压力', `${finalPressure} kN${designPressure === null ? '' : `（设计 ${designPressure} kN）`}`])
  if (finalPenetration !== null) facts.push(['最后十击贯入度', `${finalPenetration} mm`])
  return facts.length > 0 ? facts : [['总浆量', null]]
}

function tellTests(pdf: Pdf, { tested }: PileDetail): void {
  if (tested.length === 0) return
  pdf.heading('检测')
  for (const one of tested) {
    const result =
      one.kind === 'lowStrain'
        ? `桩身完整性${one.integrity === null ? '--' : integrityNames[one.integrity]}${one.waveSpeed === null ? '' : `，波速 ${one.waveSpeed} m/s`}`
        : `最大荷载 ${one.maxLoad} kN，沉降 ${one.settlement} mm，承载力${one.isPassed ? '满足' : '不满足'}`
    pdf.paragraph(`${one.testedOn}　${pileTestKinds[one.kind]}　${result}　${one.tester}${one.report ? `　报告 ${one.report}` : ''}`)
  }
}
