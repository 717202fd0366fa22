import type { DriverRow } from '@zhugong/contract/drivers/calls'
import { endingDays } from '@zhugong/contract/drivers/rules'
import { Tag, type Tone } from '#kit/feedback.tsx'

export const paths = { list: '/safety/driver', form: '/safety/driver/create', detail: '/safety/driver/details' } as const

const tones: Readonly<Record<string, Tone>> = { 0: 'warning', 1: 'fine', 2: 'danger' }
export const AuditTag = ({ row }: { row: Pick<DriverRow, 'auditStatus' | 'auditStatusName'> }) => (
  <Tag tone={tones[row.auditStatus]}>{row.auditStatusName}</Tag>
)

/** The last day of a licence, coloured by what is left. */
export function ValidEnd({ row: { certValidEnd, daysLeft } }: { row: Pick<DriverRow, 'certValidEnd' | 'daysLeft'> }) {
  if (certValidEnd.startsWith('9999')) return <span>长期</span>
  const tone = daysLeft < 0 ? 'tone-danger' : daysLeft <= endingDays ? 'tone-warning' : undefined
  return (
    <span className={tone}>
      <span className="zg-num">{certValidEnd}</span>
      {daysLeft < 0 ? ' 已到期' : daysLeft <= endingDays ? ` 剩 ${daysLeft} 天` : ''}
    </span>
  )
}

const sendTones: Readonly<Record<string, Tone>> = {
  none: 'neutral',
  waiting: 'warning',
  sent: 'fine',
  failed: 'danger',
  leaving: 'warning',
}
/** A machine with whether it knows the person. */
export const SendTag = ({ one }: { one: DriverRow['devices'][number] }) => (
  <Tag tone={sendTones[one.send]} icon={false}>
    {one.name} {one.sendText}
  </Tag>
)
