import { houseList, houseProblemList, houseSyncList } from '@zhugong/contract/houses/houses'
import { exportOf } from '../exports/registry.ts'
import {
  countHouses,
  countProblems,
  countSyncs,
  houseConditions,
  problemConditions,
  readHouses,
  readProblems,
  readSyncs,
  syncConditions,
} from './rows.ts'

export function registerHouseExports(): void {
  exportOf(
    houseList,
    {
      title: '分户验收',
      widths: { projectName: 28, externalNo: 24 },
      async *rows(ctx, query) {
        yield* await readHouses(ctx, houseConditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countHouses(ctx, houseConditions(ctx, query)),
    },
    { state: (h) => h.stateName },
  )
  exportOf(
    houseSyncList,
    {
      title: '房屋同步记录',
      widths: { projectName: 28 },
      async *rows(ctx, query) {
        yield* await readSyncs(ctx, syncConditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countSyncs(ctx, syncConditions(ctx, query)),
    },
    { source: (s) => s.sourceName },
  )
  exportOf(
    houseProblemList,
    {
      title: '分户验收未闭合问题',
      widths: { projectName: 28, houseName: 24, note: 40 },
      async *rows(ctx, query) {
        yield* await readProblems(ctx, problemConditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countProblems(ctx, problemConditions(ctx, query)),
    },
    { itemCode: (p) => p.itemName },
  )
}
