import { binList } from '@zhugong/contract/documents/bin'
import { documentList } from '@zhugong/contract/documents/calls'
import { goodsList } from '@zhugong/contract/documents/goods'
import { supervisionList } from '@zhugong/contract/documents/supervision'
import { travelList } from '@zhugong/contract/documents/travel'
import { exportOf } from '../exports/registry.ts'
import { countBin, readBin } from './bin.ts'
import { countGoods, goodsConditions, readGoods } from './goods.ts'
import { countRows, listed, readRows } from './rows.ts'
import { countPapers, paperConditions, readPapers } from './supervision.ts'
import { countTravels, readTravels, travelConditions } from './travel-rows.ts'

const megabyte = 1024 ** 2
const inMb = (bytes: number) => `${(bytes / megabyte).toFixed(2)} MB`

export function registerDocumentExports(): void {
  exportOf(
    documentList,
    {
      title: '文档资料',
      widths: { name: 36, path: 40, updateTime: 20, shareTo: 30 },
      async *rows(ctx, query) {
        yield* await readRows(ctx, listed(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countRows(ctx, listed(ctx, query)),
    },
    {
      security: (d) => d.securityName,
      category: (d) => d.categoryName,
      size: (d) => (d.isDir ? '' : inMb(d.size)),
      owner: (d) => d.ownerName,
      shareTo: (d) => d.shareTo.join('、'),
      dataState: (d) => d.dataStateName,
    },
  )
  exportOf(
    binList,
    {
      title: '回收站',
      widths: { name: 36, path: 40, deletedTime: 20 },
      async *rows(ctx, query) {
        yield* await readBin(ctx, query)
      },
      count: async (ctx, query) => (await countBin(ctx, query)).entries,
    },
    { category: (d) => d.categoryName, size: (d) => inMb(d.size) },
  )
  exportOf(
    travelList,
    {
      title: '分级资料',
      widths: { title: 40, fromName: 28, issueTime: 20, progress: 30 },
      async *rows(ctx, query) {
        yield* await readTravels(ctx, travelConditions(ctx, query), query)
      },
      count: (ctx, query) => countTravels(ctx, travelConditions(ctx, query)),
    },
    {
      requirement: (t) => t.requirementName,
      progress: (t) => t.progress.map((one) => `${one.name} ${one.done}/${one.all}`).join('，'),
      state: (t) => t.stateName,
    },
  )
  exportOf(
    supervisionList,
    {
      title: '监督资料',
      widths: { code: 34, name: 30, projectName: 28 },
      async *rows(ctx, query) {
        yield* await readPapers(ctx, paperConditions(ctx, query), query.sort)
      },
      count: (ctx, query) => countPapers(ctx, paperConditions(ctx, query)),
    },
    {
      signed: (p) => (p.signed ? '已签字或送达' : '待签'),
      source: (p) => p.sourceName,
      filed: (p) => (p.filed ? '已归档' : '办理中'),
    },
  )
  exportOf(
    goodsList,
    {
      title: '生产物资资料',
      widths: { name: 24, spec: 20, projectName: 28, batchNo: 24, supplier: 28, arriveTime: 20, retest: 24, usePart: 28, evidence: 28 },
      async *rows(ctx, query) {
        yield* await readGoods(ctx, goodsConditions(ctx, query), query.sort)
      },
      count: (ctx, query) => countGoods(ctx, goodsConditions(ctx, query)),
    },
    {
      category: (g) => g.categoryName,
      quantity: (g) => `${g.quantity} ${g.unitName}`,
      retest: (g) =>
        !g.needRetest ? '不需复验' : g.retestPassed === null ? '未出报告' : `${g.retestPassed ? '合格' : '不合格'} ${g.reportNo ?? ''}`,
      evidence: (g) => [g.evidenceName, g.lacks].filter(Boolean).join('：'),
    },
  )
}
