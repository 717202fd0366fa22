import { month as monthOf } from '#kit/format.ts'
import { MonthInput } from '#kit/inputs.tsx'

interface Day {
  day: string
  owed: number
  filed: number
}
interface Props {
  days: readonly Day[]
  month: string | undefined
  /** `from,to` of the list's filter. */
  chosen: string | undefined
  onMonth: (month: string | undefined) => void
  onDay: (day: string | undefined) => void
}

/** Each day's rate; a click shows what was due that day. */
export function DayStrip({ days, month, chosen, onMonth, onDay }: Props) {
  return (
    <section className="paper-days" aria-label="每日已归率">
      <span className="zg-w-132">
        <MonthInput
          value={month ?? null}
          max={monthOf(Date.now())}
          placeholder="近 31 日"
          onChange={(next) => onMonth(next ?? undefined)}
        />
      </span>
      <ol>
        {days.map((one) => {
          const isChosen = chosen === `${one.day},${one.day}`
          const percent = one.owed === 0 ? undefined : Math.floor((one.filed / one.owed) * 100)
          const words = percent === undefined ? '无应归' : `应归 ${one.owed}，已归 ${one.filed}，${percent}%`
          return (
            <li key={one.day}>
              <button
                type="button"
                className="zg-bare"
                data-stands={percent === undefined ? 'none' : percent === 100 ? 'full' : 'part'}
                aria-pressed={isChosen}
                aria-label={`${one.day}：${words}`}
                disabled={percent === undefined}
                onClick={() => onDay(isChosen ? undefined : one.day)}
              >
                {Number(one.day.slice(8))}
                <br />
                {percent === undefined ? '--' : percent}
              </button>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
