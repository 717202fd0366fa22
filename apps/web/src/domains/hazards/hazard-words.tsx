import type { HazardRow } from '@zhugong/contract/hazards/calls'
import { closedPermit } from '@zhugong/contract/hazards/permit-moves'
import type { PermitRow } from '@zhugong/contract/hazards/permit-rows'
import { permitTypes } from '@zhugong/contract/hazards/permit-rules'
import { minuteMs } from '@zhugong/contract/kit/time'
import { Tag, type Tone } from '#kit/feedback.tsx'
import { span } from '#kit/format.ts'
import { useNow } from '#kit/live.ts'

export const paths = { list: '/safety/dangerous', form: '/safety/dangerous/create', detail: '/safety/dangerous/details' } as const

/** Calls about one record: its id says enough. */
export const anyProject = { projectCode: '*' }

const hazardTones: Readonly<Record<string, Tone>> = { 0: 'neutral', 1: 'warning', 2: 'fine', 3: 'neutral' }
export const HazardTag = ({ row }: { row: Pick<HazardRow, 'state' | 'stateName'> }) => (
  <Tag tone={hazardTones[row.state]}>{row.stateName}</Tag>
)

const permitTones: Readonly<Record<string, Tone>> = {
  0: 'neutral',
  1: 'warning',
  2: 'fine',
  3: 'fine',
  4: 'neutral',
  5: 'danger',
  6: 'danger',
}
export const PermitTag = ({ row }: { row: Pick<PermitRow, 'state' | 'stateName' | 'late'> }) => (
  <>
    <Tag tone={permitTones[row.state]}>{row.stateName}</Tag>
    {row.late && row.state === closedPermit && (
      <>
        {' '}
        <Tag tone="danger">曾超时</Tag>
      </>
    )}
  </>
)

const openStates = ['2', '3']
const soonMs = 60 * minuteMs

/** What is left until an open permit ends by itself; nothing for the others. */
export function Countdown({ row }: { row: Pick<PermitRow, 'state' | 'closesBy'> }) {
  const now = useNow(minuteMs / 2)
  if (!openStates.includes(row.state)) return null
  const left = row.closesBy - now
  if (left <= 0) return <span className="tone-danger">已到时</span>
  return <span className={left <= soonMs ? 'tone-danger' : 'zg-2'}>剩 {span(left)}</span>
}

export const typeOptions = Object.entries(permitTypes).map(([value, { name }]) => ({ value, label: name }))
