import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { isRestDate, type RestDays } from '@zhugong/contract/kit/rest-days'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import type { Control } from '#kit/control.ts'
import { day } from '#kit/format.ts'
import { restDaysInMonth, toggled } from './rest-days.ts'
import { dayWords, shiftDate, weekdayOf } from './sheet-mark.ts'

/** ISO weekdays, 1 = Monday. */
const weekdays = ([1, 2, 3, 4, 5, 6, 7] as const).map((value) => ({ value, label: `周${'一二三四五六日'[value - 1]}` }))
const none: RestDays = { restDates: [], restWeekdays: [], workDates: [] }

/** Rest weekdays and the dates that differ; a click toggles a date. */
export function RestCalendar({ value, onChange, id }: Control<RestDays> & { id?: string }) {
  const rest = value ?? none
  const [month, setMonth] = useState(day(Date.now()).slice(0, 7))
  const first = `${month}-01`
  const lead = (new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7
  const dates: string[] = []
  for (let date = first; date.startsWith(month); date = shiftDate(date, 1)) dates.push(date)
  const turn = (by: number) => setMonth(shiftDate(`${month}-15`, by * 30).slice(0, 7))
  return (
    <div id={id} className="att-rest">
      <Checkbox.Group
        options={weekdays}
        value={[...rest.restWeekdays]}
        onChange={(chosen) => onChange?.({ ...rest, restWeekdays: weekdays.map((w) => w.value).filter((w) => chosen.includes(w)) })}
      />
      <div className="att-rest-month">
        <Button size="small" aria-label="上个月" icon={<LeftOutlined />} onClick={() => turn(-1)} />
        <b>{month.replace('-', ' 年 ')} 月</b>
        <Button size="small" aria-label="下个月" icon={<RightOutlined />} onClick={() => turn(1)} />
        <span className="zg-2">休息 {restDaysInMonth(rest, month)} 天，点日期改为休息或上班</span>
      </div>
      <div className="att-calendar">
        {Array.from({ length: lead }, (_, i) => (
          <span key={`lead${i}`} />
        ))}
        {dates.map((date) => {
          const rests = isRestDate(rest, date)
          const made = rest.workDates.includes(date)
          return (
            <button
              type="button"
              key={date}
              className={rests ? 'rest' : ''}
              aria-pressed={rests}
              title={`${dayWords(date)}，${rests ? '休息' : made ? '调班上班' : '上班'}`}
              onClick={() => onChange?.(toggled(rest, date))}
            >
              <span>{Number(date.slice(8))}</span>
              <span className="zg-2">{weekdayOf(date)}</span>
              <span className="hours">{rests ? '休息' : made ? '调班上班' : ''}</span>
            </button>
          )
        })}
      </div>
    </div>
  )
}
