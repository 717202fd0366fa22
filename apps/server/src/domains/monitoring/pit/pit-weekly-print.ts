import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs } from '@zhugong/contract/kit/time'
import { pitStates } from '@zhugong/contract/monitoring/pit/pit-live'
import { pitPrint } from '@zhugong/contract/monitoring/pit/pits'
import { sql } from 'kysely'
import type { z } from 'zod'
import { addDays, formatInstant, startOfDay } from '#kit/clock'
import { projectsFor } from '#kit/context'
import { allOf, equals } from '#kit/list'
import { Pdf, type PdfColumn } from '#kit/pdf'
import { pick } from '#kit/pick'
import { type ListContext, registerPrint } from '../../exports/registry.ts'
import { findDeviceRows } from '../shared/devices.ts'
import { numberOr, textOr } from '../shared/family.ts'
import { conclusion, grades, shareText, stateOf } from './pit-daily-print.ts'
import { type PitDayRow, pitDays } from './pit-days.ts'
import { pitFamily, pitNameOf, worstOf } from './pit-of.ts'
import { pitStages } from './pit-stages.ts'

type Query = z.output<typeof pitPrint>
const weekDays = 7
const mostAlarms = 100

interface PointWeek {
  pointCode: string
  pointType: string
  pointTypeName: string
  unit: string
  /** Value before the week, or its first measured value. */
  first: number | null
  last: PitDayRow | undefined
  change: number | null
  fastest: PitDayRow | undefined
  missing: number
}

/** A point's seven days: values, change, greatest rate, and days without measurement. */
export function weekOf(rows: readonly PitDayRow[], from: string): PointWeek[] {
  return [...Map.groupBy(rows, (r) => `${r.deviceId} ${r.pointCode}`).values()].flatMap((own): PointWeek[] => {
    const [any] = own
    if (!any) return []
    const measured = own.filter((r) => r.value !== null).sort((a, b) => (a.day < b.day ? -1 : 1))
    const week = measured.filter((r) => r.day >= from)
    const before = measured.findLast((r) => r.day < from)
    const first = before?.value ?? week[0]?.value ?? null
    const last = week.at(-1)
    const fastest = week.filter((r) => r.ratePerDay !== null).sort((a, b) => Math.abs(b.ratePerDay ?? 0) - Math.abs(a.ratePerDay ?? 0))[0]
    const change = last?.value === undefined || last.value === null || first === null ? null : Math.round((last.value - first) * 100) / 100
    return [
      {
        ...pick(any, 'pointCode', 'pointType', 'pointTypeName', 'unit'),
        first,
        last,
        change,
        fastest,
        missing: own.filter((r) => r.day >= from && r.value === null).length,
      },
    ]
  })
}

/** Weekly monitoring report of a pit: excavation, change of each point, alarms, conclusion (GB 50497-2019, 9.0.5). */
export function registerPitWeekly(): void {
  registerPrint({ feature: 'pitWeekly', title: '基坑监测周报', query: pitPrint as z.ZodType<Query>, draw })
}

async function draw(ctx: ListContext, { projectCode: wanted, pitName, day }: Query): Promise<Pdf> {
  const [projectCode, ...others] = projectsFor(ctx, wanted) ?? []
  if (!projectCode || others.length > 0) throw new AppError('refused', '请先选择项目')
  const end = startOfDay(day) + dayMs
  if (end - dayMs > ctx.clock.now()) throw new AppError('refused', '周报截止日期不能晚于今天')
  const first = addDays(day, 1 - weekDays)
  const { rows } = await findDeviceRows(ctx.db, pitFamily, [projectCode])
  const devices = rows.filter((r) => r.status === '1' && pitNameOf(r) === pitName)
  const [one] = devices
  if (!one) throw new AppError('refused', `没有名为“${pitName}”的基坑`)
  // One day more: changes of the week start from the previous week's last value.
  const days = await pitDays(ctx, devices, { from: startOfDay(addDays(first, -1)), to: end })
  const week = weekOf(days, first)
  const { list: stages } = await pitStages(ctx, { projectCode, pitName, page: 1, size: 100 })
  const dug = stages.filter((s) => s.at >= startOfDay(first) && s.at < end)
  const current = stages.find((s) => s.at < end)
  const wantedCount = week.length * weekDays
  const missing = week.reduce((sum, p) => sum + p.missing, 0)
  const pdf = new Pdf({
    title: '基坑监测周报',
    subtitle: `${one.projectName}　${pitName}　${first} 至 ${day}`,
    landscape: true,
    foot: `${pitName} ${first} 至 ${day}　出具 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['基坑等级', grades[textOr(one.params.safetyGrade) ?? ''] ?? '未填'],
    ['设计深度', numberOr(one.params.depth) === null ? '未填' : `${numberOr(one.params.depth)} m`],
    ['截止工况', current ? `挖至 ${current.depth} m` : '未上报'],
    ['测点', `${week.length} 个`],
    ['应测 / 已测（点·日）', `${wantedCount} / ${wantedCount - missing}`],
    ['本周工况', dug.length > 0 ? `上报 ${dug.length} 次` : '没有上报'],
  ])
  if (dug.length > 0) {
    pdf.heading('本周工况')
    await pdf.table(
      [
        { title: '时间', width: 20, value: (s) => formatInstant(s.at).slice(0, 16) },
        { title: '挖至（m）', width: 14, align: 'right', value: (s) => s.depth },
        { title: '说明', width: 50, value: (s) => s.note },
        { title: '上报人', width: 14, value: (s) => s.createBy },
      ],
      dug,
    )
  }
  for (const points of Map.groupBy(week, (p) => p.pointType).values()) {
    pdf.heading(`${points[0]?.pointTypeName ?? ''}（${points[0]?.unit ?? ''}）`)
    await pdf.table(columns, points)
  }
  await alarms(
    ctx,
    pdf,
    devices.map((d) => d.id),
    startOfDay(first),
    end,
  )
  pdf.heading('结论与建议')
  pdf.paragraph(conclusion(week.flatMap((p) => p.last ?? [])))
  pdf.small('本周变化为周末累计与上周末累计之差，上周末没有测值的以本周首次测值为准；最大速率为本周各日中绝对值最大的一天。')
  pdf.signatures(['监测人', '计算人', '校核人', '监测负责人', '总监理工程师'])
  return pdf
}

const columns: PdfColumn<PointWeek>[] = [
  { title: '测点', width: 9, value: (p) => p.pointCode },
  { title: '上周累计', width: 9, align: 'right', value: (p) => p.first },
  { title: '本周累计', width: 9, align: 'right', value: (p) => p.last?.value ?? null },
  { title: '本周变化', width: 9, align: 'right', value: (p) => p.change },
  { title: '最大速率/天', width: 10, align: 'right', value: (p) => p.fastest?.ratePerDay ?? null },
  { title: '出现日期', width: 9, value: (p) => p.fastest?.day.slice(5) ?? null },
  { title: '累计控制', width: 9, align: 'right', value: (p) => p.last?.control ?? null },
  { title: '速率控制', width: 9, align: 'right', value: (p) => p.last?.controlRate ?? null },
  { title: '占控制值', width: 9, align: 'right', value: (p) => shareText(p.last?.share == null ? null : worstOf(p.last)) },
  { title: '缺测（日）', width: 8, align: 'right', value: (p) => p.missing },
  { title: '状态', width: 10, value: (p) => (p.last ? pitStates[stateOf(p.last)] : '本周缺测') },
]

interface Alarm {
  name: string
  label: string
  level: number
  at: Date
  active: boolean
  measure: string | null
}

async function alarms(ctx: ListContext, pdf: Pdf, devices: readonly string[], from: number, to: number): Promise<void> {
  const { rows } = await sql<Alarm>`
    select d.name, a.label, a.level, a.start_time as at, a.active, a.threshold_text as measure from alarm a join device d on d.id = a.device_id
    where ${allOf(...equals('a.family', pitFamily))} and a.device_id = any (${[...devices]}) and not a.simulated and a.alarm_key <> 'offline'
      and a.start_time >= ${new Date(from)} and a.start_time < ${new Date(to)} order by a.start_time limit ${mostAlarms}`.execute(ctx.db)
  pdf.heading('本周告警')
  if (rows.length === 0) {
    pdf.paragraph('本周没有告警。')
    return
  }
  await pdf.table(
    [
      { title: '时间', width: 18, value: (a) => formatInstant(a.at.getTime()).slice(0, 16) },
      { title: '测点', width: 18, value: (a) => a.name },
      { title: '告警', width: 20, value: (a) => a.label },
      { title: '级别', width: 8, value: (a) => `${a.level} 级` },
      { title: '条件', width: 30, value: (a) => a.measure },
      { title: '状态', width: 10, value: (a) => (a.active ? '未恢复' : '已恢复') },
    ],
    rows,
  )
}
