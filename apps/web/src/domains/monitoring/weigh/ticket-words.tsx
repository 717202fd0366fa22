import { type DeviationState, deviationNames, ticketStatus, ticketStatusNames } from '@zhugong/contract/monitoring/weigh/weigh-codes'
import { Tag, type Tone } from '#kit/feedback.tsx'

const tones: Record<DeviationState, Tone> = { short: 'danger', over: 'warning', normal: 'fine', none: 'neutral' }

export const DeviationTag = ({ state }: { state: DeviationState }) => <Tag tone={tones[state]}>{deviationNames[state]}</Tag>

/** A deviation with colour and sign; nothing without a delivery note. */
export function Deviation({ state, percent }: { state: DeviationState; percent: number | null }) {
  if (percent === null) return <span className="zg-2">--</span>
  const tone = state === 'short' ? 'tone-danger' : state === 'over' ? 'tone-warning' : ''
  return <span className={tone}>{`${percent > 0 ? '+' : ''}${percent.toFixed(2)}`}</span>
}

interface TicketState {
  status: string
  overdue: boolean
  awaitingAudit: boolean
}
export function StatusTag({ status, overdue, awaitingAudit }: TicketState) {
  if (status === ticketStatus.void) return <Tag>已作废</Tag>
  if (awaitingAudit) return <Tag tone="warning">待审核</Tag>
  if (status === ticketStatus.waiting)
    return <Tag tone={overdue ? 'danger' : 'running'}>{overdue ? '超 24 小时未二次过磅' : '待二次过磅'}</Tag>
  return (
    <Tag tone="fine" icon={false}>
      {ticketStatusNames[status] ?? status}
    </Tag>
  )
}

/** Three decimals, as printed by the bridge; empty if not weighed. */
export const tonnes = (n: number | null): string | null => (n === null || n === 0 ? null : n.toFixed(3))
