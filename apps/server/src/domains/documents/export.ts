import { binList, documentList } from '@zhugong/contract/documents/calls'
import { exportOf } from '../exports/registry.ts'
import { countBin, readBin } from './bin.ts'
import { countRows, listed, readRows } from './rows.ts'

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
}
