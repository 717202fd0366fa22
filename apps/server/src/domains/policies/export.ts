import { policyList } from '@zhugong/contract/policies/policies'
import { exportOf } from '../exports/registry.ts'
import { countOwn, listConditions, readOwn } from './rows.ts'

export function registerPolicyExport(): void {
  exportOf(
    policyList,
    {
      title: '政策汇编',
      widths: { title: 48, docNo: 24, issuer: 28, updateTime: 20 },
      async *rows(ctx, query) {
        yield* await readOwn(ctx, listConditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countOwn(ctx, listConditions(ctx, query)),
    },
    {
      level: (r) => r.levelName,
      category: (r) => r.categoryName,
      validity: (r) => r.validityName,
      state: (r) => r.stateName,
    },
  )
}
