import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { type DayCheckRow, dayCheckWeek } from '@zhugong/contract/daychecks/calls'
import { dayMs } from '@zhugong/contract/kit/time'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Card, Empty, ErrorPanel, TableSkeleton } from '#kit/feedback.tsx'
import { day } from '#kit/format.ts'
import { hrefOf } from '#kit/page.tsx'
import { Sideways } from '../scoring/public.tsx'
import { DayStateTag } from './day-words.tsx'
import './daychecks.css'

const weekdays = ['周一', '周二', '周三', '周四', '周五', '周六', '周日']
const mondayOf = (at: number) => at - ((new Date(at).getDay() + 6) % 7) * dayMs

/** The checks of a week by officer. */
export function WeekView({ projectCode, onList }: { projectCode: string; onList: () => void }) {
  const [monday, setMonday] = useState(() => mondayOf(Date.now()))
  const days = weekdays.map((name, i) => ({ name, date: day(monday + i * dayMs) }))
  const { data, error, refetch } = useCall(dayCheckWeek, { query: { projectCode, monday: day(monday) } }, { quiet: true })
  const byOfficer = new Map<string, DayCheckRow[]>()
  for (const check of data?.checks ?? []) for (const name of check.checkers) byOfficer.set(name, [...(byOfficer.get(name) ?? []), check])
  return (
    <Card
      title={`${days[0]?.date} 至 ${days[6]?.date}`}
      actions={
        <>
          <Button icon={<LeftOutlined />} aria-label="上一周" onClick={() => setMonday(monday - 7 * dayMs)} />
          <Button onClick={() => setMonday(mondayOf(Date.now()))}>本周</Button>
          <Button icon={<RightOutlined />} aria-label="下一周" onClick={() => setMonday(monday + 7 * dayMs)} />
          <Button onClick={onList}>列表</Button>
        </>
      }
    >
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : !data ? (
        <TableSkeleton />
      ) : byOfficer.size === 0 ? (
        <Empty small text="本周没有安排检查" />
      ) : (
        <Sideways label="一周检查">
          <table className="day-week">
            <thead>
              <tr>
                <th scope="col">检查人员</th>
                {days.map(({ name, date }) => (
                  <th key={date} scope="col" aria-current={date === day(Date.now()) ? 'date' : undefined}>
                    {name} {date.slice(5)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {[...byOfficer].map(([name, checks]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  {days.map(({ date }) => (
                    <td key={date}>
                      {checks
                        .filter((one) => one.plannedDate === date)
                        .map((one) => (
                          <Link key={one.id} to={hrefOf('/jgt/daycheck/details', { id: one.id })}>
                            {one.projectName}
                            <DayStateTag row={one} />
                          </Link>
                        ))}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Sideways>
      )}
    </Card>
  )
}
