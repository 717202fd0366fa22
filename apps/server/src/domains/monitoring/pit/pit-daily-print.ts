import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs } from '@zhugong/contract/kit/time'
import { pitStates } from '@zhugong/contract/monitoring/pit/pit-live'
import { pitPrint } from '@zhugong/contract/monitoring/pit/pits'
import type { z } from 'zod'
import { addDays, formatInstant, startOfDay } from '#kit/clock'
import { projectsFor } from '#kit/context'
import { Pdf, type PdfColumn } from '#kit/pdf'
import { type ListContext, registerPrint } from '../../exports/registry.ts'
import { findDeviceRows } from '../shared/devices.ts'
import { numberOr, textOr } from '../shared/family.ts'
import { type PitDayRow, pitDays } from './pit-days.ts'
import { pitFamily, pitNameOf, pitState, worstOf } from './pit-of.ts'
import { pitStages } from './pit-stages.ts'

type Query = z.output<typeof pitPrint>
/** A rate needs the previous day's reading, or one up to two days older if a survey was missed. */
const lookBackDays = 3
export const grades: Readonly<Record<string, string>> = { 1: '一级', 2: '二级', 3: '三级' }

/** Daily monitoring report of a pit: facts, excavation, a table per kind of point, conclusion, signatures (GB 50497-2019, 9.0.4 and annexes). */
export function registerPitDaily(): void {
  registerPrint({ feature: 'pitDaily', title: '基坑监测日报', query: pitPrint as z.ZodType<Query>, draw })
}

async function draw(ctx: ListContext, { projectCode: wanted, pitName, day }: Query): Promise<Pdf> {
  const [projectCode, ...others] = projectsFor(ctx, wanted) ?? []
  if (!projectCode || others.length > 0) throw new AppError('refused', '请先选择项目')
  const start = startOfDay(day)
  if (start > ctx.clock.now()) throw new AppError('refused', '日报日期不能晚于今天')
  const { rows } = await findDeviceRows(ctx.db, pitFamily, [projectCode])
  const devices = rows.filter((r) => r.status === '1' && pitNameOf(r) === pitName)
  const [first] = devices
  if (!first) throw new AppError('refused', `没有名为“${pitName}”的基坑`)
  const days = await pitDays(ctx, devices, { from: startOfDay(addDays(day, -lookBackDays)), to: start + dayMs })
  const today = days.filter((r) => r.day === day)
  const before = new Map(days.filter((r) => r.day < day && r.value !== null).map((r) => [`${r.deviceId} ${r.pointCode}`, r.value]))
  const { list: stages } = await pitStages(ctx, { projectCode, pitName, page: 1, size: 100 })
  const stage = stages.find((s) => s.at < start + dayMs)
  const missing = today.filter((r) => r.value === null)
  const pdf = new Pdf({
    title: '基坑监测日报',
    subtitle: `${first.projectName}　${pitName}　${day}`,
    foot: `${pitName} ${day}　出具 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['基坑等级', grades[textOr(first.params.safetyGrade) ?? ''] ?? '未填'],
    ['设计深度', numberOr(first.params.depth) === null ? '未填' : `${numberOr(first.params.depth)} m`],
    ['当前工况', stage ? `挖至 ${stage.depth} m（${formatInstant(stage.at).slice(0, 16)} ${stage.createBy ?? ''}）` : '未上报'],
    ['工况说明', stage?.note ?? '--'],
    ['应测 / 已测', `${today.length} / ${today.length - missing.length}`],
    ['缺测', missing.map((r) => r.pointCode).join('、') || '无'],
  ])
  for (const [, points] of Map.groupBy(today, (r) => r.pointType)) {
    pdf.heading(`${points[0]?.pointTypeName ?? ''}（${points[0]?.unit ?? ''}）`)
    await pdf.table(
      columns,
      points.map((r) => ({ ...r, last: before.get(`${r.deviceId} ${r.pointCode}`) ?? null })),
    )
  }
  pdf.heading('结论')
  pdf.paragraph(conclusion(today))
  pdf.small('累计与速率任一达到控制值的 70 % 为预警，85 % 为报警，100 % 为超控制值；速率与相距 0.75 天以上的上次测值比较。')
  pdf.signatures(['现场监测人', '计算人', '校核人', '监测负责人'])
  return pdf
}

export const shareText = (n: number | null) => (n === null ? null : `${n.toFixed(0)} %`)
const columns: PdfColumn<PitDayRow & { last: number | null }>[] = [
  { title: '测点', width: 9, value: (r) => r.pointCode },
  { title: '测量时间', width: 13, value: (r) => (r.time === null ? '缺测' : formatInstant(r.time).slice(5, 16)) },
  { title: '上次累计', width: 9, align: 'right', value: (r) => r.last },
  { title: '本次变化', width: 9, align: 'right', value: (r) => r.change },
  { title: '本次累计', width: 9, align: 'right', value: (r) => r.value },
  { title: '速率/天', width: 9, align: 'right', value: (r) => r.ratePerDay },
  { title: '累计控制', width: 9, align: 'right', value: (r) => r.control },
  { title: '速率控制', width: 9, align: 'right', value: (r) => r.controlRate },
  { title: '占累计', width: 8, align: 'right', value: (r) => shareText(r.share) },
  { title: '占速率', width: 8, align: 'right', value: (r) => shareText(r.rateShare) },
  { title: '状态', width: 9, value: (r) => pitStates[stateOf(r)] },
]
export const stateOf = (r: PitDayRow) => pitState(r.share === null ? null : worstOf(r), r.value === null)

/** Conclusion in one sentence: points over a threshold, else the nearest one. */
export function conclusion(rows: readonly PitDayRow[]): string {
  const measured = rows.filter((r) => r.value !== null)
  if (measured.length === 0) return '当日没有监测数据，不能作出判断，请立即补测。'
  const named = (state: 'over' | 'alarm' | 'warning') =>
    measured
      .filter((r) => stateOf(r) === state)
      .map((r) => `${r.pointCode}（累计 ${r.value} ${r.unit}，占 ${shareText(r.share) ?? '--'}，速率占 ${shareText(r.rateShare) ?? '--'}）`)
      .join('、')
  const said = [
    named('over') && `超控制值：${named('over')}，应立即停止开挖并启动应急预案`,
    named('alarm') && `报警：${named('alarm')}，应加密监测并分析原因`,
    named('warning') && `预警：${named('warning')}，应加强巡视`,
  ].filter(Boolean)
  const top = measured.reduce((a, b) => (worstOf(b) > worstOf(a) ? b : a))
  const gaps = rows.length - measured.length
  const calm = `各测点均未达到预警值，最大为 ${top.pointCode}，占控制值 ${shareText(Math.max(0, worstOf(top))) ?? '--'}`
  return `${said.length > 0 ? said.join('；') : calm}${gaps > 0 ? `；缺测 ${gaps} 点` : ''}。`
}
