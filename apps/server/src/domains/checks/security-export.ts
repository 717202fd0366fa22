import { securityList } from '@zhugong/contract/checks/security-check'
import { exportOf } from '../exports/registry.ts'
import { securityKind, securityPatrol } from './patrol-kind.ts'
import { registerPatrolPrint } from './patrol-print.ts'
import { conditions, countChecks, readChecks } from './patrol-rows.ts'

export function registerCheckExports(): void {
  exportOf(
    securityList,
    {
      title: '安全检查',
      widths: { code: 26, projectName: 28, checkTime: 20, part: 24, problem: 36, corpNames: 28 },
      async *rows(ctx, query) {
        yield* await readChecks(ctx, conditions(ctx, securityPatrol.kind, query), { sort: query.sort })
      },
      count: (ctx, query) => countChecks(ctx, conditions(ctx, securityPatrol.kind, query)),
    },
    {
      placeNames: (c) => c.placeNames.join('、'),
      inspectType: (c) => c.inspectTypeName,
      problemCount: (c) => (c.problemCount === 0 ? '无问题' : `${c.passedCount} / ${c.problemCount}`),
      dangerLevel: (c) => c.dangerLevelName,
      corpNames: (c) => c.corpNames.join('、'),
      persons: (c) => c.persons.join('、'),
      checkers: (c) => c.checkers.join('、'),
      state: (c) => c.stateName,
    },
  )
  registerPatrolPrint({ feature: 'securityCheckSheet', patrol: securityPatrol, kind: securityKind })
}
