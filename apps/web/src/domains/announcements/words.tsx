import type { NoticeRow } from '@zhugong/contract/announcements/calls'
import { noticeStates, readerStates, receiptStates, stateOf } from '@zhugong/contract/announcements/model'
import { Tag, type Tone } from '#kit/feedback.tsx'

export const paths = { list: '/notice', edit: '/createNotice', detail: '/infoNotice' } as const
export const anyProject = { projectCode: '*' }
export const optionsOf = (words: Readonly<Record<string, string>>) => Object.entries(words).map(([value, label]) => ({ value, label }))
export const stateOptions = optionsOf(noticeStates)
export const readerOptions = optionsOf(readerStates)
export const receiptOptions = optionsOf(receiptStates)

const stateTones: Readonly<Record<string, Tone>> = {
  [stateOf.submitted]: 'warning',
  [stateOf.timed]: 'running',
  [stateOf.published]: 'fine',
  [stateOf.recalled]: 'danger',
}
export const StateTag = ({ row }: { row: Pick<NoticeRow, 'state' | 'stateName'> }) => (
  <Tag tone={stateTones[row.state] ?? 'neutral'}>{row.stateName}</Tag>
)

const readerTones: Readonly<Record<string, Tone>> = {
  unread: 'running',
  unsigned: 'warning',
  overdue: 'danger',
  signed: 'fine',
  read: 'neutral',
}
export const ReaderTag = ({ state, name }: { state: string; name: string }) => <Tag tone={readerTones[state] ?? 'neutral'}>{name}</Tag>

/** To the minute. */
export const minute = (at: string | null): string => at?.slice(0, 16) ?? '--'
