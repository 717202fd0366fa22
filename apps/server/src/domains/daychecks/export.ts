import { dayCheckList } from '@zhugong/contract/daychecks/calls'
import { exportOf } from '../exports/registry.ts'
import { conditions, countRows, readRows } from './rows.ts'

export function registerDayCheckExport(): void {
  exportOf(
    dayCheckList,
    {
      title: '日常检查',
      widths: { code: 30, projectName: 28, checkDate: 20, checkers: 20, conclusion: 24 },
      async *rows(ctx, query) {
        yield* await readRows(ctx, conditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countRows(ctx, conditions(ctx, query)),
    },
    {
      inspectType: (r) => r.inspectTypeName,
      discipline: (r) => r.disciplineNames.join('、'),
      checkDate: (r) => r.checkTime,
      checkers: (r) => r.checkers.join('、'),
      progress: (r) => r.progressName,
      grade: (r) => r.gradeName,
      conclusion: (r) => r.conclusionName,
      openRectify: (r) => `${r.openRectify}/${r.allRectify}`,
      locationAbnormal: (r) => (r.locationAbnormal ? '异常' : ''),
      state: (r) => r.stateName,
    },
  )
}
