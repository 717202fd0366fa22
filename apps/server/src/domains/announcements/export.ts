import { announcementList, receiptList } from '@zhugong/contract/announcements/calls'
import { exportOf } from '../exports/registry.ts'
import { registerNoticePrint } from './print.ts'
import { countReceipts, readReceipts } from './receipts.ts'
import { countNotices, readNotices } from './rows.ts'

export function registerAnnouncementExports(): void {
  exportOf(
    announcementList,
    {
      title: '通知公告',
      widths: { title: 48, sender: 28, scope: 40, publishTime: 20, deadline: 20 },
      async *rows(ctx, query) {
        yield* await readNotices(ctx, query)
      },
      count: (ctx, query) => countNotices(ctx, query),
    },
    {
      type: (n) => n.typeName,
      read: (n) => (n.all > 0 ? `${n.read}/${n.all}` : ''),
      receipts: (n) => (n.needReceipt && n.all > 0 ? `${n.receipts}/${n.all}` : ''),
      state: (n) => n.stateName,
      myState: (n) => n.myStateName,
    },
  )
  exportOf(
    receiptList,
    {
      title: '通知公告回执',
      widths: { name: 14, unit: 32, projectName: 32, role: 24, readTime: 20, receiptTime: 20 },
      async *rows(ctx, query) {
        yield* await readReceipts(ctx, query)
      },
      count: (ctx, query) => countReceipts(ctx, query),
    },
    { state: (r) => r.stateName },
  )
  registerNoticePrint()
}
