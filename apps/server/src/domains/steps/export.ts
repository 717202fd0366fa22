import { dictName } from '@zhugong/contract/settings/dictionaries'
import { stepList } from '@zhugong/contract/steps/calls'
import { exportOf } from '../exports/registry.ts'
import { conditions, countSteps, readSteps } from './rows.ts'

export function registerStepExport(): void {
  exportOf(
    stepList,
    {
      title: '工序验收台账',
      widths: { code: 24, projectName: 28, part: 24, placeName: 28, corpName: 28, checkTime: 20 },
      async *rows(ctx, query) {
        yield* await readSteps(ctx, conditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countSteps(ctx, conditions(ctx, query)),
    },
    {
      kind: (s) => s.kindName,
      checkers: (s) => s.checkers.join('、'),
      result: (s) => dictName('itemResult', s.result),
      problems: (s) => s.problemNames.join('、'),
      state: (s) => s.stateName,
    },
  )
}
