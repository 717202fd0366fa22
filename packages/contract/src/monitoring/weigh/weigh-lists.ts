import { z } from 'zod'
import { viewOf } from '../../kit/endpoint.ts'
import { paged } from '../../kit/fields.ts'
import { listOf } from '../../kit/list.ts'
import { periodQuery } from '../../telemetry/model.ts'
import { listTickets, ticket, ticketFilters, ticketGroup, ticketSums } from './weighing.ts'

/** Single tickets. */
export const findTickets = viewOf(listTickets, {
  query: periodQuery.extend(ticketFilters),
  response: paged(ticket).extend({ sums: ticketSums }),
})
export const ticketList = listOf(findTickets, {
  feature: 'weighTicket',
  columns: {
    billNo: '磅单号',
    projectName: '项目',
    deviceName: '地磅',
    plateNo: '车牌',
    weighType: '类型',
    material: '货物',
    spec: '规格',
    supplier: '供应商',
    grossWeight: '毛重（t）',
    tareWeight: '皮重（t）',
    netWeight: '净重（t）',
    deductWeight: '扣重（t）',
    actualWeight: '实重（t）',
    billWeight: '面单（t）',
    deviationPercent: '偏差率（%）',
    deviationState: '偏差',
    grossTime: '毛重时间',
    tareTime: '皮重时间',
    weigher: '司磅员',
    isManual: '手工',
    corrected: '改动',
    status: '状态',
  },
})

/** Totals by supplier and material. */
export const findTicketGroups = viewOf(listTickets, {
  query: periodQuery.extend({ ...ticketFilters, groupBy: z.literal('supplier,material') }),
  response: paged(ticketGroup).extend({ sums: ticketSums }),
})
export const ticketGroupList = listOf(findTicketGroups, {
  feature: 'weighGroup',
  columns: {
    supplier: '供应商',
    material: '货物',
    trucks: '车次',
    manual: '其中手工',
    actualWeight: '实重（t）',
    billWeight: '面单（t）',
    deviation: '偏差（t）',
    meanDeviationPercent: '平均偏差率（%）',
    worstPercent: '最差一车（%）',
  },
})
