import { ticketStatus } from '@zhugong/contract/monitoring/weigh/weigh-codes'
import { ticket } from '@zhugong/contract/monitoring/weigh/weighing'
import { rowOf } from '#kit/row-of'
import { numberOr, textOr } from '../shared/family.ts'
import type { RecordRow } from '../shared/records.ts'
import type { PendingChange, TicketFields } from './tables.ts'

/** A weighing as sent by the device, with its corrections. */
export interface TicketRow extends RecordRow {
  key: string
  fields: TicketFields | null
  pending: PendingChange | null
  voidReason: string | null
  version: number | null
}

/** A second weighing missing for a day needs attention. */
const overdueMs = 24 * 3_600_000
/** Percent of deviation from the delivery note above which a load is short or over. */
const deviationPercent = 1

/** The platform's field names by the device's: changes from pages are stored under the latter. */
export const ticketFields = {
  plateNo: { device: 'plateNo', label: '车牌' },
  weighType: { device: 'direction', label: '类型' },
  material: { device: 'goodsName', label: '货物' },
  spec: { device: 'goodsSpec', label: '规格' },
  supplier: { device: 'supplier', label: '供应商' },
  receiver: { device: 'receiver', label: '收货单位' },
  billWeight: { device: 'plannedWeight', label: '面单重量' },
  deductWeight: { device: 'deduction', label: '扣重' },
  grossWeight: { device: 'grossWeight', label: '毛重' },
  tareWeight: { device: 'tareWeight', label: '皮重' },
} as const
export type TicketField = keyof typeof ticketFields
/** Changes of these fields affect payment and need approval by a second person. */
export const auditedFields: readonly TicketField[] = ['plateNo', 'grossWeight', 'tareWeight']

/** Three decimals, rounded half up despite binary representation. */
export const tonnes = (n: number): number => Math.round((n + Number.EPSILON) * 1000) / 1000

const instantOf = (value: unknown): number | null => {
  const at = typeof value === 'number' ? value : typeof value === 'string' && value ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? null : at
}

export const currentFields = (row: Pick<TicketRow, 'data' | 'fields'>): Record<string, unknown> => ({ ...row.data, ...(row.fields ?? {}) })

/** Weights of a ticket: net = gross - tare, actual = net - deduction. */
export function weights(data: Readonly<Record<string, unknown>>) {
  const gross = numberOr(data.grossWeight)
  const tare = numberOr(data.tareWeight)
  const deduction = numberOr(data.deduction) ?? 0
  const isWhole = gross !== null && tare !== null && gross > 0 && tare > 0
  const net = isWhole ? tonnes(gross - tare) : null
  const actual = net === null ? null : tonnes(net - deduction)
  const bill = numberOr(data.plannedWeight)
  const deviation = actual === null || bill === null ? null : tonnes(actual - bill)
  return {
    gross,
    tare,
    deduction,
    net,
    actual,
    bill,
    deviation,
    percent: deviation === null || !bill ? null : Math.round((deviation / bill) * 10_000) / 100,
  }
}

export function toTicket(row: TicketRow, now: number) {
  const data = currentFields(row)
  const w = weights(data)
  const time = row.ts.getTime()
  const status =
    row.voidReason !== null ? ticketStatus.void : String(data.status ?? (w.net === null ? ticketStatus.waiting : ticketStatus.done))
  const photos = Array.isArray(data.photos)
    ? data.photos.filter((p): p is string => typeof p === 'string')
    : (textOr(data.photos)?.split(',') ?? [])
  return rowOf(ticket, row, {
    id: row.key,
    time,
    receivedAt: row.receivedAt.getTime(),
    billNo: textOr(data.recordNo) ?? row.id,
    plateNo: textOr(data.plateNo) ?? '未识别',
    weighType: String(data.direction ?? ''),
    material: textOr(data.goodsName) ?? '',
    spec: textOr(data.goodsSpec) ?? '',
    supplier: textOr(data.supplier) ?? '',
    receiver: textOr(data.receiver) ?? '',
    grossWeight: w.gross,
    tareWeight: w.tare,
    netWeight: w.net,
    deductWeight: w.deduction,
    actualWeight: w.actual,
    billWeight: w.bill,
    deviation: w.deviation,
    deviationPercent: w.percent,
    deviationState:
      w.percent === null
        ? ('none' as const)
        : w.percent <= -deviationPercent
          ? ('short' as const)
          : w.percent >= deviationPercent
            ? ('over' as const)
            : ('normal' as const),
    grossTime: instantOf(data.grossTime),
    tareTime: instantOf(data.tareTime),
    weigher: textOr(data.operator) ?? '',
    isManual: data.source === 'manual',
    status,
    overdue: status === ticketStatus.waiting && row.pending === null && now - time > overdueMs,
    corrected: Object.keys(row.fields ?? {}).length > 0,
    awaitingAudit: row.pending !== null,
    photos,
    version: row.version ?? 0,
  })
}
