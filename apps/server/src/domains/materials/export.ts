import { materialFlowList, materialList, materialStockList } from '@zhugong/contract/materials/calls'
import { exportOf } from '../exports/registry.ts'
import { countFlow, countStock, flowConditions, readFlow, readStock, stockConditions } from './flow.ts'
import { conditions, countBatches, readBatches } from './rows.ts'

export function registerMaterialExports(): void {
  exportOf(
    materialList,
    {
      title: '材料批次台账',
      widths: { projectName: 28, name: 24, spec: 20, supplier: 24, corpName: 28, arriveTime: 20 },
      async *rows(ctx, query) {
        yield* await readBatches(ctx, conditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countBatches(ctx, conditions(ctx, query)),
    },
    {
      category: (m) => m.categoryName,
      needRetest: (m) => (m.needRetest ? '是' : '否'),
      samplesTaken: (m) => (m.needRetest ? `${m.samplesTaken} / ${m.samplesDue}` : ''),
      retestResult: (m) => retestWord(m),
      state: (m) => (m.exited ? '已退场' : m.stateName),
    },
  )
  exportOf(
    materialFlowList,
    {
      title: '物资流水',
      widths: { projectName: 28, name: 24, spec: 20, supplier: 24, at: 20, part: 28 },
      async *rows(ctx, query) {
        yield* await readFlow(ctx, flowConditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countFlow(ctx, flowConditions(ctx, query)),
    },
    {
      action: (e) => e.actionName,
      category: (e) => e.categoryName,
      part: (e) => e.placeName ?? e.part,
      weighId: (e) => (e.weighId ? '有磅单' : ''),
    },
  )
  exportOf(
    materialStockList,
    {
      title: '材料收发存汇总',
      widths: { projectName: 28, name: 24, spec: 20 },
      async *rows(ctx, query) {
        yield* await readStock(ctx, stockConditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countStock(ctx, stockConditions(ctx, query)),
    },
    { category: (s) => s.categoryName },
  )
}

const retestWord = ({ needRetest, retestPassed }: { needRetest: boolean; retestPassed: boolean | null }) =>
  !needRetest ? '不需复验' : retestPassed === null ? '未出报告' : retestPassed ? '合格' : '不合格'
