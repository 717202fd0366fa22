import { hazardList, permitList } from '@zhugong/contract/hazards/calls'
import { exportOf } from '../exports/registry.ts'
import { countHazards, hazardConditions, readHazards } from './hazard-rows.ts'
import { countPermits, permitConditions, readPermits } from './permit-rows.ts'

export function registerHazardExports(): void {
  exportOf(
    hazardList,
    {
      title: '危险源清单',
      widths: { name: 28, projectName: 28, part: 24, placeName: 28, corpName: 28 },
      async *rows(ctx, query) {
        yield* await readHazards(ctx, hazardConditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countHazards(ctx, hazardConditions(ctx, query)),
    },
    {
      hazardSource: (h) => h.hazardSourceNames.join('、'),
      controlLevel: (h) => h.controlLevelName,
      state: (h) => h.stateName,
    },
  )
  exportOf(
    permitList,
    {
      title: '作业票台账',
      widths: { code: 26, projectName: 28, content: 30, part: 24, corpName: 28, startTime: 20, endTime: 20 },
      async *rows(ctx, query) {
        yield* await readPermits(ctx, permitConditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countPermits(ctx, permitConditions(ctx, query)),
    },
    {
      type: (w) => w.typeName,
      late: (w) => (w.late ? '超时' : ''),
      state: (w) => w.stateName,
    },
  )
}
