import * as contract from '@zhugong/contract/reports/endpoints'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import type { Serve } from '#kit/serve'
import { exportOf, pagesOf } from '../exports/registry.ts'
import type { Senders } from '../notify/public.ts'
import { periodWords } from './paper.ts'
import { countPushes, findPushes, listPushes, previewPush, pushChoices, removePush, savePush, switchPush, testPush } from './pushes.ts'
import {
  countDeliveries,
  findDeliveries,
  leavePush,
  listDeliveries,
  myReport,
  myReportFile,
  myReports,
  resendDelivery,
} from './sendings.ts'

export function reportRoutes(serve: Serve, senders: Pick<Senders, 'sms' | 'mail'>): void {
  serve(contract.listPushes, listPushes)
  serve(contract.savePush, savePush)
  serve(contract.switchPush, switchPush)
  serve(contract.removePush, removePush)
  serve(contract.pushChoices, pushChoices(senders))
  serve(contract.previewPush, previewPush)
  serve(contract.testPush, testPush)
  serve(contract.listDeliveries, listDeliveries)
  serve(contract.resendDelivery, resendDelivery)
  serve(contract.myReports, myReports)
  serve(contract.myReport, myReport)
  serve(contract.myReportFile, myReportFile)
  serve(contract.leavePush, leavePush)
}

const channelName = (channel: string): string => (channel === 'webhook' ? '回调' : (dictName('pushChannel', channel) ?? channel))

export function registerReportExports(): void {
  exportOf(
    contract.pushList,
    {
      title: '报表推送',
      widths: { name: 28, content: 30, scope: 30, receivers: 36, next: 20, lastTime: 20 },
      rows: (ctx, query) => pagesOf(query, (q) => findPushes(ctx, q)),
      count: countPushes,
    },
    {
      reportType: (r) => dictName('reportType', r.reportType),
      content: (r) => r.content.map((key) => contract.reportContents[key].name).join('、'),
      scope: (r) => r.projects.map((p) => p.name).join('、') || '各接收人可见的全部项目',
      receivers: (r) => [...r.roles, ...r.users].map((one) => one.name).join('、'),
      channels: (r) => [...r.channels, ...(r.webhookUrl ? ['webhook'] : [])].map(channelName).join('、'),
      lastResult: (r) => r.lastResult && contract.pushResults[r.lastResult],
      enable: (r) => (r.enable === '1' ? '启用' : '暂停'),
    },
  )
  exportOf(
    contract.deliveryList,
    {
      title: '报表发送记录',
      widths: { pushName: 28, period: 26, reason: 30, createTime: 20, sentTime: 20 },
      rows: (ctx, query) => pagesOf(query, (q) => findDeliveries(ctx, q)),
      count: countDeliveries,
    },
    {
      pushName: (r) => (r.test ? `${r.pushName}（测试）` : r.pushName),
      period: (r) => periodWords(r),
      channel: (r) => channelName(r.channel),
      state: (r) => contract.deliveryStates[r.state],
    },
  )
}
