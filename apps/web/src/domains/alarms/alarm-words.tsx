import { type AlarmState, alarmStates, clearReasonNames } from '@zhugong/contract/alarms/codes'
import type { AlarmRow, EpisodeMember } from '@zhugong/contract/alarms/endpoints'
import type { Place } from '@zhugong/contract/kit/project-rights'
import { Tag, type Tone } from '#kit/feedback.tsx'
import { measure, shortTime, span } from '#kit/format.ts'

const stateTones: Record<AlarmState, Tone> = {
  open: 'warning',
  acknowledged: 'running',
  handled: 'fine',
  closed: 'neutral',
  false: 'neutral',
  ignored: 'neutral',
}

/** Whether the condition still holds, regardless of handling. */
export function ActiveTag({ row }: { row: Pick<AlarmRow, 'active' | 'stale' | 'clearReason'> }) {
  if (row.stale && row.active) return <Tag tone="warning">数据已停，未恢复</Tag>
  return row.active ? (
    <Tag tone="danger">告警中</Tag>
  ) : (
    <Tag tone="fine">
      {row.clearReason === 'recovered' || !row.clearReason ? '已恢复' : (clearReasonNames[row.clearReason] ?? '已恢复')}
    </Tag>
  )
}

/** State of the handling, regardless of the condition. */
export function StateTag({ state }: { state: string }) {
  const known = state in alarmStates ? (state as AlarmState) : undefined
  return (
    <Tag tone={known ? stateTones[known] : 'neutral'} icon={false}>
      {known ? alarmStates[known] : state}
    </Tag>
  )
}

export function MarkTags({ row }: { row: Pick<AlarmRow, 'flapping' | 'historical' | 'simulated' | 'stale' | 'silenced'> }) {
  const marks = [
    row.silenced && `临时停用至 ${shortTime(row.silenced.until)}`,
    row.flapping && '抖动',
    row.historical && '补报',
    row.simulated && '演练',
  ].filter((one) => one !== false && one !== null)
  if (marks.length === 0) return null
  return (
    <span className="zg-inline zg-gap-4">
      {marks.map((one) => (
        <Tag key={one} tone={one === '演练' ? 'maintenance' : 'neutral'} icon={false}>
          {one}
        </Tag>
      ))}
    </span>
  )
}

export const peakWords = (row: Pick<AlarmRow, 'peakValue' | 'unit'>): string =>
  row.peakValue === null ? '' : `${measure(row.peakValue, Number.isInteger(row.peakValue) ? 0 : 1)}${row.unit ? ` ${row.unit}` : ''}`

/** Duration to the end of the alarm, or to now. */
export const lasted = (row: Pick<AlarmRow, 'active' | 'startTime' | 'clearTime'>, now: number): string =>
  span((row.clearTime ?? now) - row.startTime)

/** Other alarms of the same episode; `own` is the device name to leave out. */
export const besideWords = (beside: readonly EpisodeMember[], own: string): string =>
  beside
    .map(
      (one) =>
        `${one.deviceName === own ? '' : `${one.deviceName} `}${one.level} 级 ${one.alarmLabel}（${one.active ? '告警中' : '已恢复'}）`,
    )
    .join('、')

export const stateOptions = Object.entries(alarmStates).map(([value, label]) => ({ value, label }))
export const levelOptions = [
  { value: '1', label: '1 级 重大' },
  { value: '2', label: '2 级 较大' },
  { value: '3', label: '3 级 一般' },
  { value: '4', label: '4 级 低' },
]

/** Project and owner company of the alarm's device. */
export const placeOf = (row: AlarmRow): Place => ({ projectCode: row.projectCode, corpCode: row.ownerCorp })
