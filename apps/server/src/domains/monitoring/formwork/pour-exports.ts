import { AppError } from '@zhugong/contract/kit/errors'
import { formworkLimits, formworkMarks, pourList, pourPrint, pourStepKinds } from '@zhugong/contract/monitoring/formwork/formwork'
import { sql } from 'kysely'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { projectsFor } from '#kit/context'
import { Pdf } from '#kit/pdf'
import { byPages, exportOf, type ListContext, registerPrint } from '../../exports/registry.ts'
import { pourPage } from './pours.ts'

type Query = z.output<typeof pourPrint>

/** Export of pours, and the monitoring report of one. */
export function registerPourExports(): void {
  registerPrint({ feature: 'pourReport', title: '高支模浇筑监测报告', query: pourPrint as z.ZodType<Query>, draw })
  exportOf(
    pourList,
    {
      title: '高支模浇筑记录',
      widths: { projectName: 28, pourName: 32, startTime: 20, endTime: 20 },
      ...byPages(pourPage),
    },
    {
      startTime: (r) => formatInstant(r.startTime),
      endTime: (r) => formatInstant(r.endTime),
    },
  )
}

interface AlarmLine {
  startTime: Date
  deviceName: string
  label: string
  level: number
  peakValue: number | null
  measure: string | null
}

/** Content of a pour's report: extremes, steps, alarms and their handling (JGJ 300-2013, 8). */
async function draw(ctx: ListContext, { projectCode: wanted, bayName, startTime }: Query): Promise<Pdf> {
  const [projectCode, ...others] = projectsFor(ctx, wanted) ?? []
  if (!projectCode || others.length > 0) throw new AppError('refused', '请先选择项目')
  const around = { startTime: String(startTime - 1), endTime: String(startTime + 3 * 86_400_000) }
  const { list } = await pourPage(ctx, { projectCode, ...around, page: 1, size: 100 })
  const pour = list.find((one) => one.bayName === bayName && one.startTime === startTime)
  if (!pour) throw new AppError('refused', '没有找到这次浇筑')
  const { rows: steps } = await sql<{
    at: Date
    kind: keyof typeof pourStepKinds
    volume: number | null
    note: string | null
    byName: string
  }>`
    select at, kind, volume::float8 as volume, note, by_name from pour_step where project_code = ${projectCode} and bay_name = ${bayName}
      and at between ${new Date(pour.startTime - 600_000)} and ${new Date(pour.endTime + 1_800_000)} order by at`.execute(ctx.db)
  const { rows: alarms } = await sql<AlarmLine>`
    select start_time, device_name, label, level, peak_value, measure from alarm where device_id = any (${pour.deviceIds}) and not simulated
      and start_time between ${new Date(pour.startTime)} and ${new Date(pour.endTime)} order by start_time`.execute(ctx.db)
  const pdf = new Pdf({
    title: '高支模浇筑监测报告',
    subtitle: `${pour.projectName}　${pour.pourName}`,
    foot: `${bayName}　出具 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['部位', bayName],
    ['浇筑时段', `${formatInstant(pour.startTime)} 至 ${formatInstant(pour.endTime)}`],
    ['测点', `${pour.deviceIds.length} 个`],
    ['数据完整率', `${pour.dataPercent} %`],
    ['最大轴力', `${pour.maxAxialForce ?? '--'} kN，占设计值 ${pour.maxAxialForcePercent ?? '--'} %（${pour.worstPoint ?? '--'}）`],
    ['最大水平位移', `${pour.maxDisplacement ?? '--'} mm`],
    ['最大沉降', `${pour.maxSettlement ?? '--'} mm（限值 ${formworkLimits.settlementMm} mm）`],
    ['最大倾斜', `${pour.maxTilt ?? '--'}°（限值 ${formworkLimits.tiltDegrees}°）`],
    ['累计方量', pour.volume === null ? '未登记' : `${pour.volume} m³`],
    ['撤离用时', pour.stopSeconds === null ? '未停泵' : `${pour.stopSeconds} 秒`],
  ])
  pdf.heading('浇筑过程')
  await pdf.table(
    [
      { title: '时间', width: 16, value: (s) => formatInstant(s.at.getTime()) },
      { title: '步骤', width: 12, value: (s) => pourStepKinds[s.kind] },
      { title: '累计方量 m³', width: 10, align: 'right', value: (s) => s.volume },
      { title: '登记人', width: 10, value: (s) => s.byName },
      { title: '说明', width: 30, value: (s) => s.note },
    ],
    steps,
  )
  if (steps.length === 0) pdf.small('没有登记浇筑过程，起止时间取自测点上报。')
  pdf.heading('告警与处置')
  await pdf.table(
    [
      { title: '时间', width: 16, value: (a) => formatInstant(a.startTime.getTime()) },
      { title: '测点', width: 14, value: (a) => a.deviceName },
      { title: '等级', width: 6, value: (a) => a.level },
      { title: '告警', width: 14, value: (a) => a.label },
      { title: '峰值', width: 8, align: 'right', value: (a) => a.peakValue },
      { title: '处置', width: 30, value: (a) => a.measure },
    ],
    alarms,
  )
  if (alarms.length === 0) pdf.small('浇筑期间没有告警。')
  pdf.heading('结论')
  const share = pour.maxAxialForcePercent ?? 0
  pdf.paragraph(
    share >= formworkMarks.stop
      ? '轴力达到设计值，应组织专项检查，未经总监同意不得进行下一次浇筑。'
      : share >= formworkMarks.warning
        ? `轴力最大占设计值 ${share} %，达到预警值，下一次浇筑前复核支架与浇筑顺序。`
        : `轴力最大占设计值 ${share} %，各项监测值未达到预警值。`,
  )
  pdf.signatures(['监测员', '施工员', '项目技术负责人', '总监理工程师'])
  return pdf
}
