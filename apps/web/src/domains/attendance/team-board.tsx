import { Card, Empty } from '#kit/feedback.tsx'
import { HeatBoard } from './heat-board.tsx'
import { weekdayOf } from './sheet-mark.ts'
import type { Period } from './stats-period.tsx'
import { isRest, type UnitDays } from './stats-words.ts'

/** A team is short if more than this percentage of its expected people are missing. */
export const shortPercent = 20

/** The board has one column per day; of a longer period it shows the last days. */
const boardDays = 30

export function Board({
  units,
  isWaiting,
  period,
  onCell,
}: {
  units: readonly UnitDays[]
  isWaiting: boolean
  period: Period
  onCell: (unit: UnitDays, date: string) => void
}) {
  const dates = [...new Set(units.flatMap((u) => u.days.map((d) => d.date)))].sort().slice(-boardDays)
  return (
    <Card title="班组出勤板" remark="格内为到场人数，颜色为到场比例，斜纹为休息或停工；点格看人" flush>
      {isWaiting ? (
        <div className="zg-bone att-wait" />
      ) : units.length === 0 ? (
        <Empty text="没有班组在场" hint={`${period.startDate} 至 ${period.endDate}`} />
      ) : (
        <HeatBoard
          label="班组每日到场人数"
          heads={dates.map((d) => (
            <span key={d}>
              {Number(d.slice(8))}
              <br />
              {weekdayOf(d)}
            </span>
          ))}
          rows={units.map((u) => {
            const byDate = new Map(u.days.map((d) => [d.date, d]))
            return {
              key: u.key,
              title: u.name,
              cells: dates.map((date) => {
                const d = byDate.get(date)
                if (!d || d.inPlace === 0) return undefined
                const share = d.expected ? d.arrived / d.expected : 0
                return {
                  text: isRest(d) && d.arrived === 0 ? '' : String(d.arrived),
                  share,
                  rest: isRest(d),
                  bad: !isRest(d) && d.expected > 0 && share < 1 - shortPercent / 100 - 0.2,
                  words: `${u.name} ${date}：应到 ${d.expected}，实到 ${d.arrived}，工时 ${d.workHours.toFixed(1)}`,
                }
              }),
            }
          })}
          onCell={(key, i) => {
            const unit = units.find((u) => u.key === key)
            const date = dates[i]
            if (unit && date) onCell(unit, date)
          }}
        />
      )}
    </Card>
  )
}
