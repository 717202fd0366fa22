import { inPlaceStats } from '@zhugong/contract/attendance/stats'
import { useMemo } from 'react'
import { useCall } from '#kit/call.ts'
import { Card } from '#kit/feedback.tsx'
import { HeatBoard } from './heat-board.tsx'
import type { OpenPeople } from './people-drawer.tsx'
import { shiftDate, weekdayOf } from './sheet-mark.ts'

/** The last seven days by hour: arrivals, departures and people staying overnight. */
export function HoursOfWeek({ projectCode, endDate, onOpen }: { projectCode: string; endDate: string; onOpen: OpenPeople }) {
  const dates = useMemo(() => Array.from({ length: 7 }, (_, i) => shiftDate(endDate, i - 6)), [endDate])
  // One request per day: the endpoint answers a single work day.
  const a = useHours(projectCode, dates[0]!)
  const b = useHours(projectCode, dates[1]!)
  const c = useHours(projectCode, dates[2]!)
  const d = useHours(projectCode, dates[3]!)
  const e = useHours(projectCode, dates[4]!)
  const f = useHours(projectCode, dates[5]!)
  const g = useHours(projectCode, dates[6]!)
  const week = [a, b, c, d, e, f, g]
  const peak = Math.max(1, ...week.flatMap((one) => one.map((h) => h.onDuty)))
  return (
    <Card title="时段" remark="近 7 天每小时末场内人数">
      <HeatBoard
        label="近 7 天每小时末场内人数"
        heads={(g.length ? g : a).map((h) => h.hour)}
        rows={dates.map((date, i) => ({
          key: date,
          title: `${date.slice(5)} ${weekdayOf(date)}`,
          cells: (week[i] ?? []).map((h) => ({
            text: h.onDuty ? String(h.onDuty) : '',
            share: h.onDuty / peak,
            words: `${date} ${h.hour} 时末场内 ${h.onDuty} 人`,
          })),
        }))}
        onCell={(date, i) => {
          const hour = week[dates.indexOf(date)]?.[i]?.hour
          if (hour)
            onOpen({
              scope: 'inPlace',
              projectCode,
              title: `${date} ${hour} 时末在场`,
              state: 'inPlace',
              hour,
              date,
              startDate: date,
              endDate: date,
            })
        }}
      />
    </Card>
  )
}

const noHours: readonly { hour: string; onDuty: number }[] = []

const useHours = (projectCode: string, date: string) =>
  useCall(inPlaceStats.byHour, { query: { projectCode, date } }, { quiet: true, staleMs: 600_000 }).data?.list[0]?.hours ?? noHours
