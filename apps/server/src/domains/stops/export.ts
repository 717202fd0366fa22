import { stopList } from '@zhugong/contract/stops/calls'
import { exportOf } from '../exports/registry.ts'
import { conditions, countRows, readRows } from './rows.ts'

export function registerStopExport(): void {
  exportOf(
    stopList,
    {
      title: '停复工申请',
      widths: { code: 28, projectName: 28, type: 26, applyCorp: 28 },
      async *rows(ctx, query) {
        yield* await readRows(ctx, conditions(ctx, query), query.projectCode, { sort: query.sort })
      },
      count: (ctx, query) => countRows(ctx, conditions(ctx, query), query.projectCode),
    },
    {
      type: (r) => r.typeName,
      reasonType: (r) => r.reasonTypeName,
      state: (r) => r.stateName,
    },
  )
}
