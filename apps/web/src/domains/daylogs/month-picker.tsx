import { Button } from 'antd'
import { month as monthOf } from '#kit/format.ts'

/** The month after or before one. */
function shifted(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7)
}
export const thisMonth = (): string => monthOf(Date.now())

/** The month that is shown, with the ones beside it. */
export function MonthPicker({ month, onMonth }: { month: string; onMonth: (month: string) => void }) {
  return (
    <span className="log-month">
      <Button size="small" aria-label="上个月" onClick={() => onMonth(shifted(month, -1))}>
        ‹
      </Button>
      <b className="zg-num">{month}</b>
      <Button size="small" aria-label="下个月" disabled={month >= thisMonth()} onClick={() => onMonth(shifted(month, 1))}>
        ›
      </Button>
    </span>
  )
}
