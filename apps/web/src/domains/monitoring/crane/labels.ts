import type { Point } from '../crane-geometry.ts'

/** Places chips with names so that they cover neither jibs nor other chips. Pure, in pixels. */

export interface Chip {
  id: string
  at: Point
  width: number
}
export interface Placed {
  id: string
  x: number
  y: number
}
const height = 20
const gap = 12

type Segment = readonly [Point, Point]

function cutBy([a, b]: Segment, x: number, y: number, width: number): number {
  // Number of sampled points of a segment inside the chip; exact enough to choose a side.
  let inside = 0
  for (let i = 0; i <= 24; i++) {
    const px = a[0] + ((b[0] - a[0]) * i) / 24
    const py = a[1] + ((b[1] - a[1]) * i) / 24
    if (px > x - 3 && px < x + width + 3 && py > y - 3 && py < y + height + 3) inside++
  }
  return inside
}

/** @param taken chips that stay where they are */
export function placeChips(
  chips: readonly Chip[],
  lines: readonly Segment[],
  box: { width: number; height: number },
  taken: readonly (Placed & { width: number })[] = [],
): Placed[] {
  const placed: (Placed & { width: number })[] = [...taken]
  for (const { id, at, width } of chips) {
    const candidates: Point[] = [
      [at[0] + gap, at[1] + 4],
      [at[0] - gap - width, at[1] - height - 4],
      [at[0] + gap, at[1] - height - 4],
      [at[0] - gap - width, at[1] + 4],
      [at[0] - width / 2, at[1] + gap + 2],
      [at[0] - width / 2, at[1] - gap - 2 - height],
    ]
    const cost = ([x, y]: Point, order: number) => {
      const outside = x < 2 || y < 2 || x + width > box.width - 2 || y + height > box.height - 2 ? 200 : 0
      const over = placed.filter((one) => x < one.x + one.width && x + width > one.x && y < one.y + height && y + height > one.y).length
      return order + outside + over * 100 + lines.reduce((sum, line) => sum + cutBy(line, x, y, width), 0) * 4
    }
    const best = candidates.map((one, i) => [cost(one, i), one] as const).reduce((a, b) => (b[0] < a[0] ? b : a))[1]
    placed.push({ id, x: best[0], y: best[1], width })
  }
  return placed.slice(taken.length).map(({ id, x, y }) => ({ id, x, y }))
}
