import { measureList } from '@zhugong/contract/measures/measures'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { exportOf } from '../exports/registry.ts'
import { conditions, readMeasures, sumUp } from './rows.ts'

export function registerMeasureExport(): void {
  exportOf(
    measureList,
    {
      title: '安全措施及措施费台账',
      widths: { name: 32, projectName: 28, corpName: 28 },
      async *rows(ctx, query) {
        yield* await readMeasures(ctx, conditions(ctx, query), { sort: query.sort })
      },
      count: async (ctx, query) => (await sumUp(ctx, conditions(ctx, query))).total,
    },
    {
      hazardSource: (m) => m.hazardSourceName,
      riskLevel: (m) => dictName('riskLevel', m.riskLevel),
      done: (m) => (m.done ? '已落实' : '未落实'),
      cost: (m) => (m.cost === null ? null : m.cost / 100),
      state: (m) => m.stateName,
    },
  )
}
