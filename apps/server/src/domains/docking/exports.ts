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
      bizName: (r) => r.bizName,
      projectName: (r) => r.projectName,
      op: (r) => operations[r.op],
      uploadStatus: (r) => uploadStates[r.uploadStatus],
      asyncStatus: (r) => r.asyncStatus && asyncStates[r.asyncStatus],
      attempts: (r) => r.attempts,
      errorText: (r) => r.errorText,
      waitFor: (r) => r.waitFor,
      queuedTime: (r) => r.queuedTime,
      receiptTime: (r) => r.receiptTime,
      receiptNo: (r) => r.receiptNo,
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
      platformName: (r) => r.platformName,
      objectType: (r) => r.objectName,
      businessId: (r) => r.businessId,
      errorText: (r) => r.errorText,
      errorCode: (r) => r.errorCode,
      at: (r) => r.at,
    },
  )
}
