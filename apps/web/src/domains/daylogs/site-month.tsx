import { draftLog } from '@zhugong/contract/daylogs/moves'
import type { LogRow } from '@zhugong/contract/daylogs/shapes'
import { Card } from '#kit/feedback.tsx'
import { monthGrid } from '#kit/month-grid.ts'
import { markName } from './log-words.tsx'
import { MonthPicker } from './month-picker.tsx'

interface MonthProps {
  month: string
  onMonth: (month: string) => void
  loading: boolean
  /** One mark for each day of the month. */
  marks: string
  today: string
  logs: readonly LogRow[]
  onDay: (date: string, log: LogRow | undefined) => void
}

/** A month of one site: each day with its state, its weather and its problems. */
export function SiteMonth({ month, onMonth, loading, marks, today, logs, onDay }: MonthProps) {
  const byDay = new Map(logs.map((one) => [one.day, one]))
  return (
    <Card title="本月日历" actions={<MonthPicker month={month} onMonth={onMonth} />}>
      <table className="log-calendar" aria-busy={loading}>
        <thead>
          <tr>
            {['一', '二', '三', '四', '五', '六', '日'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {monthGrid(month).map((week) => (
            <tr key={week[0]}>
              {week.map((date) => {
                const inside = date.startsWith(month)
                const mark = inside ? (marks[Number(date.slice(8)) - 1] ?? '-') : '-'
                const log = byDay.get(date)
                return (
                  <td key={date} className={inside ? undefined : 'other'}>
                    {inside && (
                      <button
                        type="button"
                        className={`zg-bare mark-${mark === '-' ? 'none' : mark} ${date === today ? 'today' : ''}`}
                        disabled={!log && mark === '-'}
                        onClick={() => onDay(date, log)}
                      >
                        <b className="zg-num">{Number(date.slice(8))}</b>
                        <span>{log?.state === draftLog ? '草稿' : mark === '-' ? '' : markName(mark)}</span>
                        <small>{log?.weatherName ?? ''}</small>
                        <small className={log && log.problemCount > 0 ? 'tone-danger' : ''}>
                          {log && log.problemCount > 0 ? `问题 ${log.problemCount}` : ''}
                        </small>
                      </button>
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}
