import { type WorkRow, workList } from '@zhugong/contract/works/calls'
import { monitorStates, type WorkGap, workGaps } from '@zhugong/contract/works/moves'
import { exportOf } from '../exports/registry.ts'
import { conditions, countRows, readRows, scaleWord, toRow } from './rows.ts'

export function registerWorkExport(): void {
  exportOf(
    workList,
    {
      title: '危大工程清单',
      widths: { code: 22, projectName: 28, name: 30, category: 40, part: 24, size: 28, constructionName: 28, gaps: 24 },
      async *rows(ctx, query): AsyncGenerator<WorkRow> {
        const rows = await readRows(ctx, conditions(query), query.projectCode, { sort: query.sort })
        yield* rows.map(toRow)
      },
      count: (ctx, query) => countRows(ctx, conditions(query), query.projectCode),
    },
    {
      category: (r) => r.categoryName,
      overScale: (r) => scaleWord(r),
      gaps: (r) => r.gaps.map((key) => workGaps[key as WorkGap]).join('、'),
      monitorState: (r) => monitorStates[r.monitorState as keyof typeof monitorStates],
      state: (r) => r.stateName,
    },
  )
}
