export type XY = readonly [x: number, y: number]
export const pathOf = (points: readonly XY[]) => `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`

export interface Frame {
  left: number
  top: number
  k: number
  at: (x: number, y: number) => XY
}
/** Transformation of plan coordinates to a drawing, north up. */
export function frameOf(points: readonly XY[], width: number, height: number): Frame {
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const k = Math.min((width - 60) / Math.max(1, right - left), (height - 60) / Math.max(1, high - low))
  const dx = (width - (right - left) * k) / 2
  const dy = (height - (high - low) * k) / 2
  return { left, top: high, k, at: (x, y) => [dx + (x - left) * k, dy + (high - y) * k] }
}

/** Moves marks apart along the line between them until no two are closer than `least`. */
export function apart<T extends { at: XY }>(marks: readonly T[], least: number): T[] {
  const places = marks.map(({ at }): [number, number] => [...at])
  for (let round = 0; round < 20; round++) {
    let isMoved = false
    for (const [i, a] of places.entries())
      for (const b of places.slice(i + 1)) {
        const [dx, dy] = [b[0] - a[0], b[1] - a[1]]
        const distance = Math.hypot(dx, dy)
        if (distance >= least - 0.1) continue
        // Two marks at the same position move apart horizontally.
        const [ux, uy] = distance === 0 ? [1, 0] : [dx / distance, dy / distance]
        const by = (least - distance) / 2
        a[0] -= ux * by
        a[1] -= uy * by
        b[0] += ux * by
        b[1] += uy * by
        isMoved = true
      }
    if (!isMoved) break
  }
  return marks.map((mark, i) => ({ ...mark, at: places[i] ?? mark.at }))
}

/** Margin around the fence in which devices may stand, as a fraction of its size. */
const margin = 0.1
function bounds(fence: readonly XY[]) {
  const xs = fence.map(([x]) => x)
  const ys = fence.map(([, y]) => y)
  const [left, right, low, high] =
    fence.length > 1 ? [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)] : [0, 200, 0, 140]
  return { left, high, wide: Math.max(1, right - left), tall: Math.max(1, high - low) }
}
const whole = 1 + 2 * margin
/** Converts a device position (fractions of the plan from the upper left) to plan coordinates, the same in every drawing. */
export function placeOf(fence: readonly XY[], { x, y }: { x: number; y: number }): XY {
  const { left, high, wide, tall } = bounds(fence)
  return [left + (x * whole - margin) * wide, high - (y * whole - margin) * tall]
}
export function shareOf(fence: readonly XY[], [x, y]: XY): { x: number; y: number } {
  const { left, high, wide, tall } = bounds(fence)
  const inside = (n: number) => Math.max(0, Math.min(1, n))
  return { x: inside(((x - left) / wide + margin) / whole), y: inside(((high - y) / tall + margin) / whole) }
}
