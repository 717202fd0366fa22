import type { FireRow } from '@zhugong/contract/fire/calls'
import { nearDays } from '@zhugong/contract/fire/deadline'
import type { FireEntry } from '@zhugong/contract/fire/points'
import { type Verdict, verdicts } from '@zhugong/contract/fire/rule'
import { Tag, type Tone } from '#kit/feedback.tsx'

export const paths = {
  list: '/fireProtection/assessment',
  detail: '/fireProtection/assessmentDetail',
  items: '/fireProtection/items',
  place: '/fireProtection/place',
  wall: '/fireProtection/dashboard',
} as const
/** Calls about one record: its id says enough. */
export const anyProject = { projectCode: '*' }

/** A point's entry, or one that was written here and waits for the network. */
export type Shown = FireEntry & { waits: boolean }

const stateTones: Readonly<Record<string, Tone>> = {
  1: 'warning',
  2: 'danger',
  3: 'running',
  4: 'running',
  5: 'warning',
  6: 'fine',
  7: 'danger',
}
export const FireTag = ({ row }: { row: Pick<FireRow, 'state' | 'stateName'> }) => <Tag tone={stateTones[row.state]}>{row.stateName}</Tag>

const verdictTones: Readonly<Record<Verdict, Tone>> = { pass: 'fine', fail: 'danger', open: 'warning', absent: 'neutral' }
export const VerdictTag = ({ verdict }: { verdict: string }) => {
  const key = verdict as Verdict
  return <Tag tone={verdictTones[key]}>{verdicts[key]}</Tag>
}

/** The deadline with the working days that are left. */
export function Deadline({ row }: { row: Pick<FireRow, 'dueDate' | 'daysLeft' | 'paused' | 'pausedDays'> }) {
  if (row.dueDate === null) return null
  const { daysLeft } = row
  const tone = daysLeft === null || row.paused ? 'zg-2' : daysLeft < 0 ? 'tone-danger' : daysLeft <= nearDays ? 'tone-warning' : 'zg-2'
  const words = daysLeft === null ? '' : daysLeft < 0 ? `超期 ${-daysLeft} 个工作日` : `剩 ${daysLeft} 个工作日`
  return (
    <span>
      <span className="zg-num">{row.dueDate}</span> <span className={tone}>{row.paused ? `补正中停计（${words}）` : words}</span>
      {row.pausedDays > 0 && !row.paused && <span className="zg-2">（已停计 {row.pausedDays}）</span>}
    </span>
  )
}

export const levelNames: Readonly<Record<string, string>> = { A: 'A 关键', B: 'B 主要', C: 'C 一般' }
const levelTones: Readonly<Record<string, Tone>> = { A: 'danger', B: 'warning', C: 'neutral' }
export const LevelTag = ({ level }: { level: string | null }) =>
  level && (
    <Tag tone={levelTones[level]} icon={false}>
      {levelNames[level]}
    </Tag>
  )
