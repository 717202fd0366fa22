import { dayMs } from '@zhugong/contract/kit/time'
import { day, minuteOfDay } from '#kit/format.ts'

const marks = 5

/** Axis ticks under time bands, evenly spaced: hours for one day, dates for longer periods. */
export function bandTicks(from: number, to: number): string[] {
  const isLong = to - from > 1.5 * dayMs
  return Array.from({ length: marks }, (_, i) => {
    const at = from + ((to - from) * i) / (marks - 1)
    return isLong ? `${day(at).slice(5)} ${minuteOfDay(at)}` : minuteOfDay(at)
  })
}

/** Time axis under the bands of a period; `wide` when the names beside the bands are wide. */
export function BandAxis({ from, to, wide = false }: { from: number; to: number; wide?: boolean }) {
  return (
    <div className="fam-band" aria-hidden="true">
      <span className={wide ? 'name' : 'label'} />
      <span className="axis zg-2">
        {bandTicks(from, to).map((text, i) => (
          <span key={`${i}${text}`}>{text}</span>
        ))}
      </span>
    </div>
  )
}
