import { noticeState, noticeStates, type SiteNotice } from '@zhugong/contract/alarms/notices'

type Standing = Pick<SiteNotice, 'state' | 'late' | 'readTime'>

/** 待答复 says as well whether it has been taken in; what is late says so. */
export function noticeWord({ state, late, readTime }: Standing): string {
  const word = state === noticeState.waiting && readTime === null ? '待签收' : noticeStates[state]
  return late ? `${word} · 逾期` : word
}

export const noticeTone = ({ state, late }: Standing) =>
  state === noticeState.withdrawn ? 'neutral' : late ? 'danger' : state === noticeState.answered ? 'fine' : 'warning'
