import { adviceList } from '@zhugong/contract/advice/calls'
import { satisfactions } from '@zhugong/contract/advice/moves'
import { exportOf } from '../exports/registry.ts'
import { conditions, countRows, readRows } from './rows.ts'

export function registerAdviceExport(): void {
  exportOf(
    adviceList,
    {
      title: '意见反馈',
      widths: { title: 36, projectName: 28, addresseeName: 28, createTime: 20, replyTime: 20 },
      async *rows(ctx, query) {
        yield* await readRows(ctx, conditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countRows(ctx, conditions(ctx, query)),
    },
    {
      type: (r) => r.typeName,
      satisfaction: (r) => satisfactions[r.satisfaction as keyof typeof satisfactions],
      state: (r) => r.stateName,
    },
  )
}
