import { execList, ruleBaseList, triggerList } from '@zhugong/contract/rules/lists'
import { scopeKinds } from '@zhugong/contract/rules/model'
import { pageSlice } from '#kit/list'
import { byPages, exportOf, pagesOf } from '../exports/registry.ts'
import { ruleBaseOf } from './base.ts'
import { countExecs, findExecs } from './execs.ts'
import { triggersOf } from './trigger-list.ts'

const yesNo = (yes: boolean) => (yes ? '是' : '否')
const percent = (share: number | null) => (share === null ? null : `${share} %`)

export function registerRuleExports(): void {
  exportOf(
    ruleBaseList,
    {
      title: '告警目录',
      widths: { text: 40, source: 30 },
      rows: (ctx, query) => pagesOf(query, async (q) => (await ruleBaseOf(ctx, q, pageSlice(q))).list),
      count: async (ctx, query) => (await ruleBaseOf(ctx, query, { limit: 1, offset: 0 })).total,
    },
    {
      text: (row) => row.currentText ?? row.text,
      enabled: (row) => yesNo(row.enabled),
      locked: (row) => yesNo(row.locked),
      precision: (row) => percent(row.precision),
    },
  )
  exportOf(
    triggerList,
    {
      title: '触发规则',
      widths: { name: 24, summary: 50, updateTime: 20 },
      ...byPages(triggersOf),
    },
    {
      family: (row) => row.familyName,
      alarmKey: (row) => row.alarmLabel,
      level: (row) => row.levels.map((one) => one.level).join('、'),
      scope: (row) => row.projectName ?? scopeKinds[row.scope.kind],
      precision: (row) => percent(row.precision),
      enabled: (row) => yesNo(row.enabled && !row.off),
    },
  )
  exportOf(
    execList,
    {
      title: '执行动作',
      widths: { name: 24, lastRun: 20, updateTime: 20 },
      rows: (ctx, query) => pagesOf(query, (q) => findExecs(ctx, q)),
      count: async (ctx, query) => (await countExecs(ctx, query)).total,
    },
    {
      kind: (row) => row.kindName,
      enabled: (row) => yesNo(row.enabled),
    },
  )
}
