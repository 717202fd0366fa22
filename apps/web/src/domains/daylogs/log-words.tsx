import { logStates } from '@zhugong/contract/daylogs/moves'
import { type DayMark, dayMarks } from '@zhugong/contract/daylogs/rules'
import type { LogRow } from '@zhugong/contract/daylogs/shapes'
import { Tag, type Tone } from '#kit/feedback.tsx'

export const supervisePaths = { list: '/safety/log', form: '/safety/log/create', detail: '/safety/log/details' } as const
export const sitePaths = { list: '/safetyP/log/list', form: '/safetyP/log/create', detail: '/safetyP/log/details' } as const
export const buildPaths = {
  list: '/safetyP/construction/list',
  form: '/safetyP/construction/create',
  detail: '/safetyP/construction/details',
} as const

/** Calls about one record: its id says enough. */
export const anyProject = { projectCode: '*' }

const tones: Readonly<Record<string, Tone>> = { 0: 'neutral', 1: 'fine', 2: 'neutral', 3: 'warning' }
export const stateOptions = Object.entries(logStates).map(([value, label]) => ({ value, label }))

export const LogTag = ({ row }: { row: Pick<LogRow, 'state' | 'stateName' | 'late'> }) => (
  <>
    <Tag tone={tones[row.state]}>{row.stateName}</Tag>
    {row.late && <Tag tone="warning">补记</Tag>}
  </>
)

export const markOptions = (Object.entries(dayMarks) as [DayMark, string][]).filter(([, name]) => name !== '')
/** What a cell of a month says in one character. */
export const markSigns: Readonly<Record<string, string>> = { w: '√', l: '补', m: '缺', s: '停', t: '待', '-': '' }
export const markName = (mark: string): string => dayMarks[mark as DayMark] || '不要求'

/** 晴 8 至 16 ℃ 3 级风. */
export function weatherWords({
  weatherName,
  tempLow,
  tempHigh,
  wind,
}: Pick<LogRow, 'weatherName' | 'tempLow' | 'tempHigh' | 'wind'>): string {
  const degrees = tempLow === null && tempHigh === null ? '' : `${tempLow ?? '--'} 至 ${tempHigh ?? '--'} ℃`
  return [weatherName ?? '', degrees, wind === null ? '' : `${wind} 级风`].filter(Boolean).join(' ')
}
