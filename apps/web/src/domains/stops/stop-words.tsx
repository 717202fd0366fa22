import type { StopRow } from '@zhugong/contract/stops/calls'
import { stopTypes } from '@zhugong/contract/stops/moves'
import { Tag, type Tone } from '#kit/feedback.tsx'

const tones: Readonly<Record<string, Tone>> = {
  0: 'neutral',
  1: 'warning',
  2: 'warning',
  3: 'running',
  4: 'fine',
  5: 'danger',
  6: 'neutral',
}

type Shown = Pick<StopRow, 'kind' | 'state' | 'stateName' | 'stopping' | 'overdueDays' | 'resumedDay' | 'type'>

/** The state of an application, and whether the stop that it brought about still holds. */
export function StopStateTag({ row }: { row: Shown }) {
  if (row.kind === 'order') return <Tag tone={row.stopping ? 'danger' : 'neutral'}>{row.stateName}</Tag>
  return (
    <>
      <Tag tone={tones[row.state]}>{row.stateName}</Tag>
      {row.stopping && <Tag tone="danger">停工中</Tag>}
      {row.type === stopTypes.stop && row.resumedDay && <Tag tone="neutral">已复工</Tag>}
    </>
  )
}

/** What each kind of application is called for short. */
const shortNames: Readonly<Record<string, string>> = { 1: '中止（停工）', 2: '恢复（复工）', 3: '终止（竣工）' }
export const shortType = (row: Pick<StopRow, 'kind' | 'type' | 'typeName'>): string =>
  row.kind === 'order' ? row.typeName : (shortNames[row.type] ?? row.typeName)
