import { Button } from 'antd'
import { useMemo } from 'react'
import { Card } from './feedback.tsx'
import { day } from './format.ts'
import { monthGrid } from './month-grid.ts'

export interface DayCalendarProps {
  /** yyyy-MM. */
  month: string
  onMonth: (month: string) => void
  /** Number of due items by day, yyyy-MM-dd. */
  counts: ReadonlyMap<string, number>
  chosen: string | undefined
  onDay: (day: string | undefined) => void
  remark: string
}

export const thisMonth = (): string => day(Date.now()).slice(0, 7)

/** A month calendar beside a list, with the number of items due on each day. Choosing a day filters the list by it. */
export function DayCalendar({ month, onMonth, counts, chosen, onDay, remark }: DayCalendarProps) {
  const grid = useMemo(() => monthGrid(month), [month])
  const today = day(Date.now())
  const shift = (by: number) => {
    const [y = 0, m = 1] = month.split('-').map(Number)
    onMonth(new Date(Date.UTC(y, m - 1 + by, 1)).toISOString().slice(0, 7))
  }
  return (
    <Card
      title={month}
      actions={
        <>
          <Button size="small" type="text" aria-label="上个月" onClick={() => shift(-1)}>
            ‹
          </Button>
          <Button size="small" type="text" aria-label="下个月" onClick={() => shift(1)}>
            ›
          </Button>
        </>
      }
    >
      <table className="zg-calendar">
        <thead>
          <tr>
            {['一', '二', '三', '四', '五', '六', '日'].map((name) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {grid.map((week) => (
            <tr key={week[0]}>
              {week.map((date) => {
                const count = counts.get(date) ?? 0
                return (
                  <td key={date}>
                    <button
                      type="button"
                      className={`zg-bare ${date === today ? 'today' : ''} ${date === chosen ? 'chosen' : ''} ${date.startsWith(month) ? '' : 'other'}`}
                      aria-pressed={date === chosen}
                      disabled={count === 0 && date !== chosen}
                      onClick={() => onDay(date === chosen ? undefined : date)}
                    >
                      <span className="zg-heard">{date.slice(0, 8)}</span>
                      {Number(date.slice(8))}
                      {count > 0 && <em className={date < today ? 'late' : ''}>{count}</em>}
                      <span className="zg-heard"> 项到期</span>
                    </button>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="zg-2 zg-above">{remark}</p>
    </Card>
  )
}
