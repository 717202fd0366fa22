import { dictName } from '@zhugong/contract/settings/dictionaries'
import { spotCheckList } from '@zhugong/contract/spotchecks/calls'
import { exportOf } from '../exports/registry.ts'
import { conditions, countSpots, readSpots } from './rows.ts'

export function registerSpotCheckExport(): void {
  exportOf(
    spotCheckList,
    {
      title: '质量抽查台账',
      widths: { code: 24, projectName: 28, kind: 28, part: 28, corpName: 28, checkerGroupName: 28, designValue: 28, actualValue: 28 },
      async *rows(ctx, query) {
        yield* await readSpots(ctx, conditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countSpots(ctx, conditions(ctx, query)),
    },
    {
      kind: (c) => (c.kind === '1' ? `实体质量（${c.testName}）` : c.kindName),
      checkers: (c) => c.checkers.join('、'),
      result: (c) => dictName('itemResult', c.result),
      state: (c) => c.stateName,
    },
  )
}
