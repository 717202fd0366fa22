import { isChecked, noticeState, noticeStateWord, type SiteNotice } from '@zhugong/contract/alarms/notices'

type NoticeState = Pick<SiteNotice, 'kind' | 'state' | 'late' | 'readTime'>

/** State of a notice in words; 待签收 until receipt is confirmed, with 逾期 when overdue. */
export function noticeWord({ kind, state, late, readTime }: NoticeState): string {
  const word = state === noticeState.waiting && readTime === null ? '待签收' : noticeStateWord({ kind, state })
  return late ? `${word} · 逾期` : word
}

export const noticeTone = ({ kind, state, late }: Omit<NoticeState, 'readTime'>) => {
  if (state === noticeState.withdrawn) return 'neutral'
  if (state === noticeState.accepted) return 'fine'
  if (late) return 'danger'
  return state === noticeState.answered && !isChecked(kind) ? 'fine' : 'warning'
}
