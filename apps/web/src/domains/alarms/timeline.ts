import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { noticeSteps } from '@zhugong/contract/notify/codes'
import type { listExecLog } from '@zhugong/contract/notify/endpoints'
import { epoch, shortTime, span } from '#kit/format.ts'

/** Timeline of an alarm: its events and notices in chronological order. */

type LogRow = OutputFor<typeof listExecLog>['list'][number]
type NoticeRow = Pick<
  LogRow,
  'id' | 'kind' | 'step' | 'stepName' | 'channel' | 'channelName' | 'receiverName' | 'state' | 'stateName' | 'result' | 'time' | 'sentTime'
>

export interface Moment {
  id: string
  time: number
  event: string
  title: string
  lines: { text: string; bad: boolean }[]
  /** Collapsed lines below. */
  folded?: { text: string; bad: boolean }[]
}

/** One moment per notice step: recipients by channel, failures last. Linkage commands are left out; they have their own entries. */
export function noticeMoments(rows: readonly NoticeRow[]): Moment[] {
  const notices = rows.filter((row) => row.kind !== 'linkage')
  return [...Map.groupBy(notices, (row) => `${row.step}|${row.time}`)].map(([key, own]) => {
    const [first] = own
    const people = new Set(own.map((row) => row.receiverName))
    const word = first?.stepName || noticeSteps[first?.step ?? ''] || '通知'
    const outcomes = [...Map.groupBy(own, (row) => `${row.channelName}|${row.state}|${row.state === 'sent' ? '' : row.result}`)]
    const lines = outcomes.map(([, same]) => {
      const [one] = same
      const names = [...new Set(same.map((row) => row.receiverName))].join('、')
      const took = one?.state === 'sent' && one.sentTime ? (epoch(one.sentTime) ?? 0) - (epoch(one.time) ?? 0) : 0
      const slow = took >= 5000 ? `，用时 ${span(took)}` : ''
      const why = one?.state !== 'sent' && one?.result ? `，${one.result}` : ''
      return { text: `${names} ${one?.channelName ?? ''}${one?.stateName ?? ''}${slow}${why}`, bad: one?.state === 'failed' }
    })
    return {
      id: key,
      // Times have whole seconds; +999 ms sorts a notice after the event it reports.
      time: (epoch(first?.time) ?? 0) + 999,
      event: first?.step === 'escalate' ? 'escalate' : 'notice',
      title: own.some((row) => row.kind === 'webhook') && people.size === 1 ? `${word}，推送` : `${word} ${people.size} 人`,
      lines: lines.sort((a, b) => Number(a.bad) - Number(b.bad)),
    }
  })
}

const isRepeat = (one: Moment): boolean => one.id.startsWith('repeat|')

/** Merges consecutive reminders into one moment at the time of the last, with their count and the earlier ones collapsed. */
export function foldRepeats(moments: readonly Moment[]): Moment[] {
  const out: Moment[] = []
  let run: Moment[] = []
  const end = () => {
    const last = run.at(-1)
    if (last && run.length > 1)
      out.push({
        ...last,
        title: `重复提醒 ${run.length} 次`,
        folded: run.slice(0, -1).flatMap((one) => one.lines.map((line) => ({ ...line, text: `${shortTime(one.time)} ${line.text}` }))),
      })
    else out.push(...run)
    run = []
  }
  for (const one of moments) {
    if (isRepeat(one)) run.push(one)
    else {
      end()
      out.push(one)
    }
  }
  end()
  return out
}

/** Next escalation, for example 项目经理，还有 3:05. */
export function escalationWords(
  next: { name: string; at: number } | null,
  now: number,
): { who: string; when: string; soon: boolean } | undefined {
  if (!next) return undefined
  const left = Math.ceil((next.at - now) / 1000)
  if (left <= 0) return { who: next.name, when: '正在升级', soon: true }
  const clock = left >= 3600 ? span(left * 1000) : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
  return { who: next.name, when: `还有 ${clock}`, soon: left <= 120 }
}
