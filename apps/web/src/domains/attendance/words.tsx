import type { DailyRow } from '@zhugong/contract/attendance/days'
import { type DayResult, dayResults } from '@zhugong/contract/attendance/facts'
import { colors } from '#kit/colors.ts'
import { Tag, type Tone } from '#kit/feedback.tsx'
import { type BareDay, bareDayWords } from './day-words.ts'

const tones: Partial<Record<DayResult, Tone>> = {
  2: 'warning',
  3: 'warning',
  4: 'danger',
  5: 'danger',
  6: 'running',
  7: 'fine',
  11: 'running',
}

/** Results of a day in words; only unusual results are tags. */
export function ResultWords({ results, day }: { results: readonly number[]; day?: BareDay }) {
  if (results.length === 0) return <span className="zg-2">{day ? bareDayWords(day) : '不考核'}</span>
  return (
    <span className="att-results">
      {results.map((r) => {
        const tone = tones[r as DayResult]
        const text = dayResults[r as DayResult]
        return tone ? (
          <Tag key={r} tone={tone} icon={false}>
            {text}
          </Tag>
        ) : (
          <span key={r} className={r === 1 ? 'zg-2' : ''}>
            {text}
          </span>
        )
      })}
    </span>
  )
}

/** Results of a day in a list; `rest`: nobody is expected on that day. */
export function DayWords({ row, rest }: { row: DailyRow; rest?: boolean | undefined }) {
  const day = { open: !row.settled, came: row.recordCount > 0, expected: row.expected, inside: row.inside, rest }
  return (
    <>
      <ResultWords results={row.results} day={day} />
      {row.fixing && (
        <Tag tone="running" icon={false}>
          更正审批中
        </Tag>
      )}
    </>
  )
}

/** Periods inside the site over the 24 hours from the day cut. `spans` are minutes since midnight of the work day. */
export function DayBar({ spans, cutHour = 4 }: { spans: readonly (readonly [number, number])[] | undefined; cutHour?: number }) {
  if (!spans) return null
  const width = 144
  const x = (minutes: number) => Math.max(0, Math.min(width, ((minutes - cutHour * 60) / 1440) * width))
  const text = (m: number) => `${String(Math.floor(m / 60) % 24).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`
  const words = spans.map(([from, to]) => `${text(from)} 至 ${text(to)}`).join('，') || '没有在场时段'
  return (
    <svg className="att-bar" width={width} height={12} role="img" aria-label={words}>
      <title>{words}</title>
      <rect x={0} y={4} width={width} height={4} rx={2} fill={colors.sunken} />
      {[7, 12, 18].map((h) => (
        <line key={h} x1={x(h * 60)} x2={x(h * 60)} y1={1} y2={11} stroke={colors.border} />
      ))}
      {spans.map(([from, to]) => (
        <rect key={from} x={x(from)} y={3} width={Math.max(1.5, x(to) - x(from))} height={6} rx={1} fill={colors.primary} />
      ))}
    </svg>
  )
}
