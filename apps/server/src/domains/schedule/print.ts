import type { TaskRow } from '@zhugong/contract/schedule/calls'
import { baseStateNames } from '@zhugong/contract/schedule/moves'
import { judge } from '@zhugong/contract/schedule/plan'
import { schedulePrint } from '@zhugong/contract/schedule/print'
import type { z } from 'zod'
import { formatDay, formatInstant } from '#kit/clock'
import { oneProject } from '#kit/context'
import { allOf, equals } from '#kit/list'
import { Pdf } from '#kit/pdf'
import { type PrintContext, registerPrint } from '../exports/registry.ts'
import { scheduleOf } from './kind.ts'
import { planned, stopsOf, tasksOf } from './store.ts'
import { basesOf, nameOf, readTasks } from './tasks.ts'

type Query = z.output<typeof schedulePrint>

/** 进度计划与实际对照表: what the page shows of one project, with its baselines and stops. */
export function registerSchedulePrint(): void {
  registerPrint({
    feature: 'schedulePaper',
    title: '进度对照表',
    query: schedulePrint as z.ZodType<Query>,
    draw,
  })
}

const percent = (n: number | null | undefined) => (n === null || n === undefined ? '—' : `${n}%`)
const span = (from: string | null, to: string | null) => `${from?.slice(2) ?? '—'} 至 ${to?.slice(2) ?? '—'}`
const indent = ({ wbs }: Pick<TaskRow, 'wbs'>) => '　'.repeat(Math.min(3, wbs.split('.').length - 1))

async function draw(ctx: PrintContext, query: Query): Promise<Pdf> {
  const projectCode = oneProject(ctx, query.projectCode)
  const schedule = await scheduleOf(ctx, projectCode)
  const stops = await stopsOf(ctx, projectCode, schedule?.approvedAt ?? null)
  const { figures } = judge((await tasksOf(ctx, projectCode)).map(planned), { today: formatDay(ctx.clock.now()), stops })
  const rows = await readTasks(ctx, allOf(...equals('t.projectCode', projectCode)), {})
  const pdf = new Pdf({
    title: '进度计划与实际对照表',
    subtitle: await nameOf(ctx, projectCode),
    landscape: true,
    foot: `打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
  })
  pdf.facts([
    ['基准', schedule ? `第 ${schedule.baseNo} 版，${baseStateNames[schedule.state]}` : null],
    ['计划 / 实际', figures && `${percent(figures.planPercent)} / ${percent(figures.percent)}`],
    ['计划工期', figures && `${figures.planStart} 至 ${figures.planEnd}`],
    ['滞后', figures && `${figures.delayDays} 天，预计竣工偏差 ${figures.finishDeviation} 天`],
  ])
  pdf.heading('任务')
  await pdf.table(
    [
      { title: '编号', width: 8, value: (t) => t.wbs },
      { title: '单体', width: 9, value: (t) => t.unitName },
      { title: '任务', width: 22, value: (t) => `${indent(t)}${t.name}${t.critical ? '（关键）' : ''}` },
      { title: '权重', width: 6, align: 'right', value: (t) => t.weight },
      { title: '计划', width: 16, value: (t) => span(t.baseStart ?? t.planStart, t.baseEnd ?? t.planEnd) },
      { title: '实际', width: 16, value: (t) => span(t.actualStart, t.actualEnd) },
      { title: '计划 / 实际', width: 11, align: 'right', value: (t) => `${percent(t.planPercent)} / ${percent(t.percent)}` },
      { title: '滞后', width: 5, align: 'right', value: (t) => t.delayDays },
      { title: '状态', width: 7, value: (t) => t.stateName },
      { title: '原因', width: 14, value: (t) => t.delayReason },
    ],
    rows,
  )
  if (stops.length > 0) {
    pdf.heading('停工')
    for (const stop of stops) pdf.paragraph(`${stop.from} 至 ${stop.until ?? '今'}：${stop.reason || '停工'}，不计入滞后`)
  }
  const bases = schedule ? await basesOf(ctx, schedule.id) : []
  if (bases.length > 0) {
    pdf.heading('基准版本')
    await pdf.table(
      [
        { title: '版本', width: 8, value: (b) => `第 ${b.no} 版` },
        { title: '变更原因', width: 34, value: (b) => b.reason ?? '首次基准' },
        { title: '改动任务', width: 10, align: 'right', value: (b) => b.moved },
        { title: '提交', width: 24, value: (b) => `${b.submittedBy} ${b.submittedAt.slice(0, 16)}` },
        { title: '批准', width: 24, value: (b) => (b.approvedAt ? `${b.approvedBy} ${b.approvedAt.slice(0, 16)}` : '待批准') },
      ],
      bases,
    )
  }
  return pdf
}
