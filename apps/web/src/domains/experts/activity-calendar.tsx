import { type ActivityRow, listActivities } from '@zhugong/contract/experts/activities'
import { halves } from '@zhugong/contract/experts/draws'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Card, Known } from '#kit/feedback.tsx'
import { month } from '#kit/format.ts'
import { useProjectScope } from '#kit/me.ts'
import { ActivityStateTag } from './expert-words.tsx'

const most = 200
const shifted = (yearMonth: string, by: number): string => {
  const [year = 0, of = 1] = yearMonth.split('-').map(Number)
  return new Date(Date.UTC(year, of - 1 + by, 1)).toISOString().slice(0, 7)
}
const daysOf = (yearMonth: string): number => {
  const [year = 0, of = 1] = yearMonth.split('-').map(Number)
  return new Date(Date.UTC(year, of, 0)).getUTCDate()
}
/** Monday is the first day. */
const lead = (yearMonth: string): number => (new Date(`${yearMonth}-01T00:00:00Z`).getUTCDay() + 6) % 7

/** The activities of a month, by day. */
export function ActivityCalendar({ toolbar, onOpen }: { toolbar: ReactNode; onOpen: (id: string) => void }) {
  const scope = useProjectScope()
  const [shown, setShown] = useState(() => month(Date.now()))
  const days = daysOf(shown)
  const range = `${shown}-01,${shown}-${String(days).padStart(2, '0')}`
  const read = useCall(listActivities, { query: { ...scope, date: range, size: most } }, { quiet: true, keepPrevious: true })
  const on = (day: string) => (read.data?.list ?? []).filter((one) => one.date === day)
  return (
    <Card
      title={toolbar}
      actions={
        <span className="zg-row zg-gap-6 zg-middle">
          <Button size="small" onClick={() => setShown(shifted(shown, -1))}>
            上月
          </Button>
          <b className="zg-num">{shown}</b>
          <Button size="small" onClick={() => setShown(shifted(shown, 1))}>
            下月
          </Button>
        </span>
      }
    >
      <Known of={read} rows={8}>
        <ol className="expert-month">
          {['一', '二', '三', '四', '五', '六', '日'].map((name) => (
            <li key={name} className="head">
              {name}
            </li>
          ))}
          {Array.from({ length: lead(shown) }, (_, i) => (
            <li key={`before ${i + 1}`} className="empty" />
          ))}
          {Array.from({ length: days }, (_, i) => {
            const day = `${shown}-${String(i + 1).padStart(2, '0')}`
            return <Day key={day} day={day} rows={on(day)} onOpen={onOpen} />
          })}
        </ol>
      </Known>
    </Card>
  )
}

function Day({ day, rows, onOpen }: { day: string; rows: readonly ActivityRow[]; onOpen: (id: string) => void }) {
  return (
    <li>
      <span className="zg-num zg-2">{Number(day.slice(8))}</span>
      {rows.map((one) => (
        <button key={one.id} type="button" className="zg-bare" onClick={() => onOpen(one.id)} title={one.title}>
          {halves[one.half]} {one.title} <ActivityStateTag row={one} />
        </button>
      ))}
    </li>
  )
}
