import type { TaskRow } from '@zhugong/contract/schedule/calls'
import { lateDays, scheduleStates, severeDays } from '@zhugong/contract/schedule/plan'
import { colors } from '#kit/colors.ts'
import { Tag, type Tone } from '#kit/feedback.tsx'

export const paths = { management: '/schedule/management', detail: '/schedule/detail' } as const

const tones: Readonly<Record<string, Tone>> = {
  [scheduleStates.notStarted]: 'neutral',
  [scheduleStates.normal]: 'running',
  [scheduleStates.late]: 'warning',
  [scheduleStates.severe]: 'danger',
  [scheduleStates.ahead]: 'fine',
  [scheduleStates.done]: 'fine',
  [scheduleStates.stopped]: 'maintenance',
}
export const ScheduleTag = ({ row }: { row: Pick<TaskRow, 'state' | 'stateName'> }) => <Tag tone={tones[row.state]}>{row.stateName}</Tag>

/** Colour of the actual bar. */
export const barColors: Readonly<Record<string, string>> = {
  [scheduleStates.notStarted]: colors.border,
  [scheduleStates.normal]: colors.primary,
  [scheduleStates.late]: colors.orange,
  [scheduleStates.severe]: colors.danger,
  [scheduleStates.ahead]: colors.purple,
  [scheduleStates.done]: colors.fine,
  [scheduleStates.stopped]: colors.text3,
}

const delayTone = (days: number) => (days > severeDays ? 'tone-danger' : days > lateDays ? 'tone-warning' : undefined)
export const delayWords = (days: number): string => (days > 0 ? `滞后 ${days} 天` : days < 0 ? `提前 ${-days} 天` : '按计划')
export const Delay = ({ days }: { days: number }) => <span className={delayTone(days)}>{delayWords(days)}</span>
export const toneOfDelay = (days: number | undefined): 'danger' | 'warning' | undefined =>
  days === undefined ? undefined : days > severeDays ? 'danger' : days > lateDays ? 'warning' : undefined
