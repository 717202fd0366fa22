import { day, minuteOfDay } from '#kit/format.ts'

const dayMs = 86_400_000
const marks = 5

/** Moments that stand under bands at equal distances: of one day its hours, of more their days. */
export function bandTicks(from: number, to: number): string[] {
  const isLong = to - from > 1.5 * dayMs
  return Array.from({ length: marks }, (_, i) => {
    const at = from + ((to - from) * i) / (marks - 1)
    return isLong ? `${day(at).slice(5)} ${minuteOfDay(at)}` : minuteOfDay(at)
  })
}

/** The time under bands of a period; `wide` where the names beside them are. */
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
