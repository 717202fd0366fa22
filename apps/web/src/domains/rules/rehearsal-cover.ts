import { dayMs } from '@zhugong/contract/kit/time'
import { day, time } from '#kit/format.ts'

/**
 * Describes parts of the rehearsal period without readings, in which no rule could fire. The first element of each series entry is its
 * time in epoch milliseconds.
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
  // Only whole days after the first reading count as empty.
  let empty = 0
  for (let t = Math.max(from, first) + dayMs; t < to - dayMs; t += dayMs) if (!measured.has(day(t))) empty++
  return `${begins}${empty > 0 ? `；${begins ? '之后' : '其中'} ${empty} 天没有数据` : ''}`
}
