import { toleranceWords } from '@zhugong/contract/measuring/judge'
import { measurePointList } from '@zhugong/contract/measuring/records'
import { measureRuleList } from '@zhugong/contract/measuring/rules'
import { checkTypes, measureTaskList } from '@zhugong/contract/measuring/tasks'
import { exportOf } from '../exports/registry.ts'
import { countPointRows, readPoints, recordConditions } from './records.ts'
import { countRules, readRules, ruleConditions } from './rule-rows.ts'
import { countTasks, readTasks, taskConditions } from './task-rows.ts'

const yes = (is: boolean) => (is ? '是' : '否')

export function registerMeasuringExports(): void {
  exportOf(
    measureTaskList,
    {
      title: '实测实量任务',
      widths: { taskName: 32, projectName: 28, placeName: 32, unitCorp: 28 },
      async *rows(ctx, query) {
        yield* await readTasks(ctx, taskConditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countTasks(ctx, taskConditions(ctx, query)),
    },
    { checkType: (t) => checkTypes[t.checkType], state: (t) => t.stateName },
  )
  exportOf(
    measureRuleList,
    {
      title: '实测实量标准',
      widths: { standardName: 28, method: 28, norm: 32 },
      async *rows(ctx, query) {
        yield* await readRules(ctx, ruleConditions(query), { sort: query.sort })
      },
      count: (ctx, query) => countRules(ctx, ruleConditions(query)),
    },
    {
      itemCode: (r) => r.itemName,
      judgeEnd: (r) => toleranceWords(r, r.unit),
      isAbsolute: (r) => yes(r.isAbsolute),
      isRange: (r) => yes(r.isRange),
      isCustomBase: (r) => yes(r.isCustomBase),
      pointCount: (r) => `${r.areaCount} × ${r.pointCount}`,
      forbidManual: (r) => yes(r.forbidManual),
    },
  )
  exportOf(
    measurePointList,
    {
      title: '实测实量记录',
      widths: { placeName: 32, projectName: 28, unitCorp: 28, taskName: 28 },
      async *rows(ctx, query) {
        const where = recordConditions(ctx, query)
        for (let offset = 0; ; offset += portion) {
          const rows = await readPoints(ctx, where, { sort: query.sort, limit: portion, offset })
          yield* rows
          if (rows.length < portion) return
        }
      },
      count: (ctx, query) => countPointRows(ctx, recordConditions(ctx, query)),
    },
    { itemCode: (p) => p.itemName, result: (p) => p.resultName },
  )
}
/** Rows of one query: a file of 100,000 points is not held in memory. */
const portion = 5_000
