import { examineList } from '@zhugong/contract/examine/calls'
import { itemResults } from '@zhugong/contract/scoring/score'
import { sql } from 'kysely'
import { countChecks, registerPatrolPrint } from '../checks/public.ts'
import { exportOf } from '../exports/registry.ts'
import { scoreOf, sheetsOf, sheetTitle } from '../scoring/public.ts'
import { examineKind, examinePatrol } from './kind.ts'
import { conditions, readExamines } from './rows.ts'

export function registerExamineExports(): void {
  exportOf(
    examineList,
    {
      title: '项目安全检查',
      widths: { code: 26, projectName: 28, checkTime: 20, checkers: 24, part: 24 },
      async *rows(ctx, query) {
        yield* await readExamines(ctx, conditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countChecks(ctx, conditions(ctx, query)),
    },
    {
      round: (c) => c.roundName,
      inspectType: (c) => c.inspectTypeName,
      checkers: (c) => c.checkers.join('、'),
      grade: (c) => c.gradeName,
      state: (c) => (c.archived ? '已归档' : c.stateName),
    },
  )
  registerPatrolPrint({
    feature: 'examineSheet',
    patrol: examinePatrol,
    kind: examineKind,
    more: async (ctx, pdf, id) => {
      const stored = await sheetsOf(ctx, id)
      const score = scoreOf(stored)
      const { rows } = await sql<{ reason: string | null }>`select reason from check_score where check_id = ${id}`.execute(ctx.db)
      pdf.heading(`得分 ${score.score?.toFixed(2) ?? '--'}　${rows[0]?.reason ?? ''}`)
      await pdf.table(
        [
          { title: '检查项目', width: 40, value: (c) => c.name },
          { title: '满分', width: 12, align: 'right', value: (c) => c.weight },
          { title: '分项得分', width: 24, align: 'right', value: (c) => c.score?.toFixed(2) ?? '未查' },
          { title: '汇总得分', width: 24, align: 'right', value: (c) => c.points?.toFixed(2) ?? '--' },
        ],
        score.categories,
      )
      const lost = stored.flatMap(({ sheet, results }) =>
        results.filter((one) => one.result === itemResults.wrong).map((one) => ({ ...one, sheet: sheetTitle(sheet) })),
      )
      if (lost.length === 0) return
      pdf.heading('失分项')
      await pdf.table(
        [
          { title: '检查表', width: 24, value: (r) => r.sheet },
          { title: '检查项', width: 24, value: (r) => (r.guarantee ? `${r.name}（保证项目）` : r.name) },
          { title: '满分', width: 8, align: 'right', value: (r) => r.maxScore },
          { title: '扣分', width: 8, align: 'right', value: (r) => r.deduction },
          { title: '说明', width: 36, value: (r) => r.note },
        ],
        lost,
      )
    },
  })
}
