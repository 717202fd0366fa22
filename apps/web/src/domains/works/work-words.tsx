import type { WorkRow } from '@zhugong/contract/works/calls'
import { type MonitorState, monitorStates, type WorkGap, workGaps } from '@zhugong/contract/works/moves'
import { Tag, type Tone } from '#kit/feedback.tsx'

export const paths = { list: '/jgt/bigproject', detail: '/jgt/bigproject/details', edit: '/jgt/bigproject/edit' } as const

const tones: Readonly<Record<string, Tone>> = {
  0: 'neutral',
  1: 'neutral',
  2: 'warning',
  3: 'warning',
  4: 'danger',
  5: 'warning',
  6: 'running',
  7: 'warning',
  8: 'fine',
  9: 'neutral',
}
export const WorkStateTag = ({ row }: { row: Pick<WorkRow, 'state' | 'stateName'> }) => <Tag tone={tones[row.state]}>{row.stateName}</Tag>

const monitorTones: Readonly<Record<MonitorState, Tone>> = { normal: 'fine', alarm: 'danger', offline: 'warning', none: 'neutral' }
const isMonitorState = (state: string): state is MonitorState => Object.hasOwn(monitorStates, state)
export const MonitorTag = ({ state }: { state: string }) =>
  isMonitorState(state) ? <Tag tone={monitorTones[state]}>{monitorStates[state]}</Tag> : null

const gapName = (key: string): string => workGaps[key as WorkGap] ?? key
/** The papers that a work lacks, each by name. */
export const Gaps = ({ gaps }: { gaps: readonly string[] }) =>
  gaps.length === 0 ? (
    <span className="zg-2">齐全</span>
  ) : (
    <>
      {gaps.map((key) => (
        <Tag key={key} tone="danger">
          缺{gapName(key)}
        </Tag>
      ))}
    </>
  )
