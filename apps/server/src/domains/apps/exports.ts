import { appList } from '@zhugong/contract/apps/app-endpoints'
import { appTypeNames, grantSources, grantStates, holderName } from '@zhugong/contract/apps/codes'
import { grantHolders, grantLedger } from '@zhugong/contract/apps/grant-endpoints'
import { isOn } from '@zhugong/contract/kit/enable'
import { exportOf } from '../exports/registry.ts'
import { countApps, findApps } from './apps.ts'
import { countGrants, countGroups, findGrants, findGroups } from './grant-rows.ts'

export function registerAppExports(): void {
  exportOf(
    appList,
    {
      title: '应用',
      widths: { name: 20, code: 20, category: 16, groupTypes: 24 },
      count: countApps,
      async *rows(ctx, query) {
        yield* await findApps(ctx, query)
      },
    },
    {
      appType: (a) => appTypeNames[a.appType],
      category: (a) => a.categoryName,
      groupTypes: (a) => a.groupTypes.map(holderName).join('、'),
      enable: (a) => (isOn(a.enable) ? '上架' : '下架'),
    },
  )
  exportOf(
    grantLedger,
    {
      title: '应用授权',
      widths: { groupName: 32, contact: 20, source: 20 },
      count: countGroups,
      async *rows(ctx, query) {
        yield* await findGroups(ctx, query)
      },
    },
    {
      groupType: (g) => holderName(g.groupType),
      areaCode: (g) => g.areaName,
      nearestDeadline: (g) => g.nearestDeadline ?? '长期',
      state: (g) => grantStates[g.state],
      source: (g) => g.sources.map((source) => grantSources[source]).join('、'),
    },
  )
  exportOf(
    grantHolders,
    {
      title: '应用授权对象',
      widths: { groupName: 32, grantBy: 24 },
      count: countGrants,
      async *rows(ctx, query) {
        yield* await findGrants(ctx, query)
      },
    },
    {
      groupType: (g) => holderName(g.groupType),
      areaCode: (g) => g.areaName,
      deadline: (g) => g.deadline ?? '长期',
      state: (g) => grantStates[g.state],
    },
  )
}
