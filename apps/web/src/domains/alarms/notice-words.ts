import { isChecked, noticeState, noticeStateWord, type SiteNotice } from '@zhugong/contract/alarms/notices'

type Standing = Pick<SiteNotice, 'kind' | 'state' | 'late' | 'readTime'>

/** 待答复 says as well whether it has been taken in; what is late says so. */
export function noticeWord({ kind, state, late, readTime }: Standing): string {
  const word = state === noticeState.waiting && readTime === null ? '待签收' : noticeStateWord({ kind, state })
  return late ? `${word} · 逾期` : word
}

export const noticeTone = ({ kind, state, late }: Omit<Standing, 'readTime'>) => {
  if (state === noticeState.withdrawn) return 'neutral'
  if (state === noticeState.accepted) return 'fine'
  if (late) return 'danger'
  return state === noticeState.answered && !isChecked(kind) ? 'fine' : 'warning'
}
