import { weighType } from '@zhugong/contract/monitoring/weigh/weigh-codes'
import { findTickets } from '@zhugong/contract/monitoring/weigh/weigh-lists'
import { useCall } from '#kit/call.ts'
import { time } from '#kit/format.ts'
import { Choices } from '#kit/inputs.tsx'

interface TicketChoiceProps {
  projectCode: string
  direction: 'in' | 'out'
  id?: string
  value?: string[]
  onChange?: (tickets: string[]) => void
}

/** Tickets of the last week that belong to no batch (arrivals), or of vehicles that left. */
export function TicketChoice({ projectCode, direction, id, value, onChange }: TicketChoiceProps) {
  const wanted = direction === 'in' ? { unlinked: true } : { weighType: weighType.outward, status: '2' }
  const read = useCall(findTickets, { query: { projectCode, ...wanted, size: 100, page: 1, sort: '-time' } }, { quiet: true })
  const options = (read.data?.list ?? []).map((one) => ({
    value: one.id,
    label: `${one.billNo} ${one.plateNo} ${one.material} ${one.actualWeight?.toFixed(2) ?? '--'} t ${time(one.time).slice(5, 16)}`,
  }))
  return (
    <Choices
      {...(id ? { id } : {})}
      loading={!read.data}
      options={options}
      value={value ?? []}
      onChange={(next) => onChange?.(next ?? [])}
    />
  )
}
