import { badActionList, expertMisconductList } from '@zhugong/contract/misconduct/calls'
import { exportOf } from '../exports/registry.ts'
import { countExpertRows, countRows, readExpertRows, readRows } from './rows.ts'

export function registerMisconductExports(): void {
  exportOf(
    badActionList,
    {
      title: '不良行为',
      widths: { code: 26, targetName: 26, projectName: 26, type: 26 },
      async *rows(ctx, query) {
        yield* await readRows(ctx, query)
      },
      count: (ctx, query) => countRows(ctx, query),
    },
    {
      targetType: (r) => r.targetTypeName,
      type: (r) => r.typeName,
      level: (r) => r.levelName,
      degree: (r) => r.degreeName,
      source: (r) => (r.system ? `${r.sourceName}（系统建议）` : r.sourceName),
      state: (r) => r.stateName,
    },
  )
  exportOf(
    expertMisconductList,
    {
      title: '专家不良行为',
      widths: { code: 22, misconductType: 20, activity: 30 },
      async *rows(ctx, query) {
        yield* await readExpertRows(ctx, query)
      },
      count: (ctx, query) => countExpertRows(ctx, query),
    },
    { misconductType: (r) => r.typeName, level: (r) => r.levelName, state: (r) => r.stateName },
  )
}
