import { inspectionList } from '@zhugong/contract/scoring/inspections'
import { checkItemList } from '@zhugong/contract/scoring/library'
import { exportOf } from '../exports/registry.ts'
import { itemExport } from './items.ts'
import { conditions, countRows, readRows } from './rows.ts'

export function registerScoringExports(): void {
  exportOf(
    inspectionList,
    {
      title: '安全巡检',
      widths: { code: 24, projectName: 28, checkerGroupName: 28, checkTime: 20, checkers: 24 },
      async *rows(ctx, query) {
        yield* await readRows(ctx, conditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countRows(ctx, conditions(ctx, query)),
    },
    {
      inspectType: (r) => r.inspectTypeName,
      checkers: (r) => r.checkers.join('、'),
      grade: (r) => r.gradeName,
      weakest: (r) => r.weakestName,
      dangerLevel: (r) => r.dangerLevelName,
      state: (r) => r.stateName,
    },
  )
  exportOf(
    checkItemList,
    { title: '安全检查项', widths: { name: 28, clause: 28, rule: 40, phrases: 40 }, ...itemExport },
    {
      guarantee: (r) => (r.guarantee ? '是' : ''),
      owner: (r) => r.ownerName,
      phrases: (r) => r.phrases.join('；'),
      enable: (r) => (r.enable ? '启用' : '停用'),
    },
  )
}
