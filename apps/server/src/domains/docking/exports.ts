import * as below from '@zhugong/contract/docking/below'
import { asyncStates, operations, uploadStates } from '@zhugong/contract/docking/codes'
import * as queue from '@zhugong/contract/docking/queue'
import { objectOf } from '@zhugong/contract/docking/standard'
import { exportOf, pagesOf } from '../exports/registry.ts'
import { countRejected, findRejected } from './keys.ts'
import { countRecords, findRecords } from './records.ts'

export function registerDockingExports(): void {
  exportOf(
    queue.recordList,
    {
      title: '上报数据',
      widths: { bizName: 28, projectName: 30, errorText: 40, queuedTime: 20, receiptTime: 20, receiptNo: 22, waitFor: 22 },
      rows: (ctx, query) => pagesOf(query, (q) => findRecords(ctx, q)),
      count: countRecords,
    },
    {
      objectType: (r) => objectOf(r.objectType).name,
      op: (r) => operations[r.op],
      uploadStatus: (r) => uploadStates[r.uploadStatus],
      asyncStatus: (r) => r.asyncStatus && asyncStates[r.asyncStatus],
    },
  )
  exportOf(
    below.rejectedList,
    {
      title: '下级数据拒收清单',
      widths: { platformName: 28, businessId: 34, errorText: 40, at: 20 },
      rows: (ctx, query) => pagesOf(query, (q) => findRejected(ctx, q)),
      count: countRejected,
    },
    {
      objectType: (r) => r.objectName,
    },
  )
}
