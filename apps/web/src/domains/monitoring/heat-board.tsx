import { Fragment } from 'react'
import { colors } from '#kit/colors.ts'

export interface HeatCell {
  /** 0 Sunday. */
  weekday: number
  hour: number
  value: number | null
  title: string
  /** One-character signs of events in that hour; `title` has them in words. */
  marks?: readonly string[]
}

const weekdays = [1, 2, 3, 4, 5, 6, 0]
const names = ['日', '一', '二', '三', '四', '五', '六']
const hours = Array.from({ length: 24 }, (_, hour) => hour)
/** Opacity: the palest cell differs from an empty one, the darkest keeps its number legible. */
const [palest, darkest] = [0.08, 0.45]

/** A week by hour: darker means more; hatched means no data; marked from `limit` on. */
export function HeatBoard({
  cells,
  unit,
  limit,
  decimals = 0,
}: {
  cells: readonly HeatCell[]
  unit: string
  limit?: number
  decimals?: number
}) {
  const most = Math.max(1, ...cells.map((one) => one.value ?? 0))
  const at = (weekday: number, hour: number) => cells.find((one) => one.weekday === weekday && one.hour === hour)
  return (
    <div className={cells.some((one) => one.marks) ? 'fam-heat marked' : 'fam-heat'}>
      <span />
      {hours.map((hour) => (
        <span key={hour} className="zg-2 zg-centre">
          {hour}
        </span>
      ))}
      {weekdays.map((weekday) => (
        <Fragment key={weekday}>
          <span className="zg-2">周{names[weekday]}</span>
          {hours.map((hour) => {
            const cell = at(weekday, hour)
            const value = cell?.value ?? null
            const words = `周${names[weekday]} ${hour} 时 ${cell && value !== null ? cell.title : '没有数据'}`
            if (value === null || value === 0) return <span key={hour} className="cell none" role="img" title={words} aria-label={words} />
            const over = limit !== undefined && value > limit
            const share = palest + (darkest - palest) * (value / most)
            return (
              <span
                key={hour}
                className="cell"
                role="img"
                title={words}
                aria-label={`${words} ${unit}`}
                style={{
                  background: `color-mix(in srgb, ${over ? colors.danger : colors.primary} ${(share * 100).toFixed(0)}%, ${colors.white})`,
                  color: colors.text,
                }}
              >
                {value.toFixed(decimals)}
                {cell?.marks && cell.marks.length > 0 && <i className="marks">{cell.marks.join('')}</i>}
              </span>
            )
          })}
        </Fragment>
      ))}
    </div>
  )
}
