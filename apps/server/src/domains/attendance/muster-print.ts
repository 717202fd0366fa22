import { inPlaceStats } from '@zhugong/contract/attendance/stats'
import { AppError } from '@zhugong/contract/kit/errors'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { projectsFor } from '#kit/context'
import { Pdf } from '#kit/pdf'
import { type ListContext, registerPrint } from '../exports/registry.ts'
import { findInside, runningDay } from './day-list.ts'

type Query = NonNullable<(typeof inPlaceStats.queryperson)['types']>['parsed']['query']

/** Printed list of everyone inside now, by team, with check boxes; for rescue teams. */
export function registerMusterPrint(): void {
  registerPrint({
    feature: 'attendanceMuster',
    title: '应急点名表',
    query: inPlaceStats.queryperson.schemas.query as z.ZodType<Query>,
    draw,
  })
}

async function draw(ctx: ListContext, query: Query): Promise<Pdf> {
  const [projectCode, ...others] = projectsFor(ctx, query.projectCode) ?? []
  if (!projectCode || others.length > 0) throw new AppError('refused', '请先选择项目')
  const today = await runningDay(ctx, projectCode)
  const people = await findInside(ctx, [projectCode], today)
  const project = await ctx.db.selectFrom('project').select('name').where('projectCode', '=', projectCode).executeTakeFirst()
  const pdf = new Pdf({
    title: '应急点名表',
    subtitle: `${project?.name ?? projectCode}　截至 ${formatInstant(ctx.clock.now())}　在岗 ${people.length} 人`,
    foot: `末次通行为入场的人员，离线闸机可能少计　${ctx.user.name}`,
  })
  for (const [, team] of Map.groupBy(people, (p) => `${p.corpName ?? ''}　${p.teamName ?? '管理人员'}`)) {
    pdf.heading(`${team[0]?.corpName ?? ''}　${team[0]?.teamName ?? '管理人员'}　${team.length} 人`)
    await pdf.table(
      [
        { title: '到', width: 4, value: () => '□' },
        { title: '姓名', width: 12, value: (p) => p.name },
        { title: '工种/岗位', width: 16, value: (p) => p.workTypeName },
        { title: '进场时间', width: 18, value: (p) => p.firstIn },
        { title: '备注', width: 30, value: () => '' },
      ],
      team,
    )
  }
  pdf.signatures(['点名人', '时间', '现场负责人'])
  return pdf
}
