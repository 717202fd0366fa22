import { deviationNames, ticketStatusNames, weighTypeNames } from '@zhugong/contract/monitoring/weigh/weigh-codes'
import { ticketGroupList, ticketList } from '@zhugong/contract/monitoring/weigh/weigh-lists'
import { formatInstant } from '#kit/clock'
import { byPages, exportOf } from '../../exports/registry.ts'
import { ticketGroupPage, ticketPage } from './ticket-store.ts'
import { registerWeighPrint } from './weigh-print.ts'

const instant = (at: number | null) => (at === null ? null : formatInstant(at))

/** Exports of weighing tickets, with the rows of their pages. */
export function registerWeighExports(): void {
  registerWeighPrint()
  exportOf(
    ticketList,
    {
      title: '过磅记录',
      widths: { projectName: 28, supplier: 24, grossTime: 20, tareTime: 20 },
      ...byPages(ticketPage),
    },
    {
      weighType: (r) => weighTypeNames[r.weighType] ?? r.weighType,
      deviationState: (r) => deviationNames[r.deviationState],
      grossTime: (r) => instant(r.grossTime),
      tareTime: (r) => instant(r.tareTime),
      isManual: (r) => (r.isManual ? '手工补录' : null),
      corrected: (r) => (r.corrected ? '已改动' : null),
      status: (r) => ticketStatusNames[r.status] ?? r.status,
    },
  )
  exportOf(
    ticketGroupList,
    {
      title: '过磅按供应商汇总',
      widths: { supplier: 28 },
      ...byPages(ticketGroupPage),
    },
    {},
  )
}
