import { lateAlterDays } from '@zhugong/contract/organisation/alter-types'
import { alterList, alterPrint } from '@zhugong/contract/organisation/project-alter'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import type { z } from 'zod'
import { formatInstant } from '#kit/clock'
import { Pdf } from '#kit/pdf'
import { exportOf, registerPrint } from '../exports/registry.ts'
import { readAlterPaper } from './alter-detail.ts'
import { alterConditions, countAlters, readAlters, sightOf } from './alter-rows.ts'

export function registerAlterExports(): void {
  exportOf(
    alterList,
    {
      title: '项目变更',
      widths: { code: 20, projectName: 28, summary: 48, applicant: 28, createTime: 20 },
      async *rows(ctx, query) {
        const sight = await sightOf(ctx)
        yield* await readAlters(sight, alterConditions(sight, query), { sort: query.sort })
      },
      count: async (ctx, query) => {
        const sight = await sightOf(ctx)
        return countAlters(sight, alterConditions(sight, query))
      },
    },
    {
      type: (r) => r.typeName,
      stay: (r) => (r.stay === null ? '' : `${r.stay} 小时${r.late ? `（超 ${lateAlterDays} 个工作日）` : ''}`),
      state: (r) => r.stateName,
    },
  )
  registerPrint({
    feature: 'projectAlterSheet',
    title: '项目变更审批表',
    query: alterPrint as z.ZodType<z.output<typeof alterPrint>>,
    draw: async (ctx, { id }) => {
      const { paper: alter } = await readAlterPaper(ctx, id)
      const pdf = new Pdf({
        title: '项目变更审批表',
        subtitle: alter.projectName,
        foot: `${alter.code ?? ''}　打印 ${formatInstant(ctx.clock.now())}　${ctx.user.name}`,
      })
      pdf.facts([
        ['编号', alter.code],
        ['变更类型', alter.typeName],
        ['申请', alter.applicant],
        ['申请时间', alter.createTime],
        ['变更原因', alter.reason],
        ['证明文件', `${alter.files.length} 份`],
        ...(alter.person ? ([['建设单位同意文件', `${alter.consent.length} 份`]] as const) : []),
        ['状态', alter.state === approvalStates.running ? `${alter.stateName}：${alter.node ?? ''}` : alter.stateName],
        ['审定', alter.decidedName && `${alter.decidedName}，${alter.decideTime ?? ''}`],
        ['审定意见', alter.opinion],
      ])
      pdf.heading('变更内容')
      await pdf.table(
        [
          { title: '内容', width: 24, value: (d) => d.label },
          { title: '变更前', width: 36, value: (d) => d.before ?? '未登记' },
          { title: '变更后', width: 36, value: (d) => d.after },
        ],
        alter.differences,
      )
      if (alter.events.length > 0) {
        pdf.heading('审批经过')
        await pdf.table(
          [
            { title: '时间', width: 20, value: (e) => e.at.slice(0, 16) },
            { title: '单位', width: 30, value: (e) => e.groupName },
            { title: '人员', width: 14, value: (e) => e.name },
            { title: '事项', width: 16, value: (e) => e.actionName },
            { title: '意见', width: 34, value: (e) => e.opinion ?? e.note },
          ],
          alter.events,
        )
      }
      return pdf
    },
  })
}
