import { fireList } from '@zhugong/contract/fire/calls'
import { fireItemList, firePlaceList } from '@zhugong/contract/fire/settings'
import { exportOf } from '../exports/registry.ts'
import { readItems } from './catalogue.ts'
import { readPlaces } from './places.ts'
import { countCases, fireConditions, readCases } from './rows.ts'

export function registerFireExports(): void {
  exportOf(
    fireList,
    {
      title: '消防现场评定',
      widths: { code: 22, projectName: 30, applyCorp: 28, firePlaces: 40, acceptTime: 20 },
      async *rows(ctx, query) {
        yield* await readCases(ctx, await fireConditions(ctx, query), { sort: query.sort })
      },
      count: async (ctx, query) => countCases(ctx, await fireConditions(ctx, query)),
    },
    {
      kind: (r) => r.kindName,
      applyType: (r) => r.applyTypeName,
      firePlaces: (r) => r.firePlaceNames.join('、'),
      assessors: (r) => r.assessors.join('、'),
      state: (r) => r.stateName,
    },
  )
  exportOf(
    fireItemList,
    {
      title: '消防验收事项',
      widths: { name: 30, projectName: 24, subName: 24, method: 36 },
      async *rows(ctx, query) {
        yield* (await readItems(ctx, query)).rows
      },
      count: async (ctx, query) => (await readItems(ctx, query)).rows.length,
    },
    {
      needsValue: (r) => (r.needsValue ? '是' : ''),
      applicable: (r) => r.applicable.join('、') || '全部',
      fullCheck: (r) => (r.fullCheck ? '全数' : ''),
      enable: (r) => (r.enable ? '启用' : '停用'),
    },
  )
  exportOf(
    firePlaceList,
    {
      title: '消防验收场所',
      widths: { name: 44, condition: 50, projects: 44 },
      async *rows(ctx, query) {
        yield* await readPlaces(ctx, query)
      },
      count: async (ctx, query) => (await readPlaces(ctx, query)).length,
    },
    {
      special: (r) => (r.special ? '是' : '否'),
      projects: (r) => r.projects.join('、'),
      enable: (r) => (r.enable ? '启用' : '停用'),
    },
  )
}
