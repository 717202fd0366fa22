import type { DayCheckPresence, DayCheckRow } from '@zhugong/contract/daychecks/calls'
import { Tag, type Tone } from '#kit/feedback.tsx'

const tones: Readonly<Record<string, Tone>> = {
  0: 'neutral',
  1: 'running',
  2: 'fine',
  3: 'warning',
  4: 'running',
  5: 'fine',
  6: 'neutral',
}
export function DayStateTag({ row }: { row: Pick<DayCheckRow, 'state' | 'stateName' | 'overdue' | 'stale'> }) {
  return (
    <>
      <Tag tone={tones[row.state]}>{row.stateName}</Tag>
      {row.overdue && <Tag tone="danger">已过计划日</Tag>}
      {row.stale && <Tag tone="danger">检查超 12 小时</Tag>}
    </>
  )
}

const presenceWords: Readonly<Record<DayCheckPresence['state'], { text: string; tone: Tone }>> = {
  in: { text: '在场', tone: 'fine' },
  out: { text: '已离场', tone: 'warning' },
  never: { text: '今日未到', tone: 'danger' },
  vacant: { text: '未配备', tone: 'danger' },
}

/** Key posts at the minute of the check-in, by the gates. */
export function PresenceTable({ rows }: { rows: readonly DayCheckPresence[] }) {
  return (
    <ul className="day-presence">
      {rows.map(({ post, postName, name, state, at }) => (
        <li key={`${post}${name ?? ''}`}>
          <span>
            {postName} <b>{name ?? '--'}</b>
          </span>
          <span className="zg-2">{at?.slice(11, 16)}</span>
          <Tag tone={presenceWords[state].tone}>{presenceWords[state].text}</Tag>
        </li>
      ))}
    </ul>
  )
}
