import { day, time } from '#kit/format.ts'

const dayMs = 86_400_000

/**
 * How much of the time had no readings of any machine: nothing can fire where nothing was measured. Readings are told by their time, the
 * first of each entry.
 */
export function coverWords(
  { from, to }: { from: number; to: number },
  devices: readonly { series: readonly (readonly [number, ...unknown[]])[] }[],
): string {
  const times = devices.flatMap(({ series }) => series.map(([t]) => t))
  if (times.length === 0) return ''
  const first = times.reduce((least, t) => Math.min(least, t), Number.POSITIVE_INFINITY)
  const begins = first - from > dayMs / 2 ? `；读数从 ${time(first).slice(0, 16)} 起，此前没有数据，不能说明问题` : ''
  const measured = new Set(times.map((t) => day(t)))
  // Days that lie in the period as a whole, behind the first reading.
  let empty = 0
  for (let t = Math.max(from, first) + dayMs; t < to - dayMs; t += dayMs) if (!measured.has(day(t))) empty++
  return `${begins}${empty > 0 ? `；${begins ? '之后' : '其中'} ${empty} 天没有数据` : ''}`
}
