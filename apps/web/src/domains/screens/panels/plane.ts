export type XY = readonly [x: number, y: number]
export const pathOf = (points: readonly XY[]) => `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`

export interface Frame {
  left: number
  top: number
  k: number
  at: (x: number, y: number) => XY
}
/** Points of a plan brought into a picture, north up. */
export function frameOf(points: readonly XY[], width: number, height: number): Frame {
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const k = Math.min((width - 60) / Math.max(1, right - left), (height - 60) / Math.max(1, high - low))
  const dx = (width - (right - left) * k) / 2
  const dy = (height - (high - low) * k) / 2
  return { left, top: high, k, at: (x, y) => [dx + (x - left) * k, dy + (high - y) * k] }
}

/** Room around the fence in which machines may stand, as a share of its own size on each side. */
const margin = 0.1
function bounds(fence: readonly XY[]) {
  const xs = fence.map(([x]) => x)
  const ys = fence.map(([, y]) => y)
  const [left, right, low, high] =
    fence.length > 1 ? [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)] : [0, 200, 0, 140]
  return { left, high, wide: Math.max(1, right - left), tall: Math.max(1, high - low) }
}
const whole = 1 + 2 * margin
/** Where a machine was put, as shares of the plan from its upper left: the same place on every drawing of it. */
export function placeOf(fence: readonly XY[], { x, y }: { x: number; y: number }): XY {
  const { left, high, wide, tall } = bounds(fence)
  return [left + (x * whole - margin) * wide, high - (y * whole - margin) * tall]
}
export function shareOf(fence: readonly XY[], [x, y]: XY): { x: number; y: number } {
  const { left, high, wide, tall } = bounds(fence)
  const inside = (n: number) => Math.max(0, Math.min(1, n))
  return { x: inside(((x - left) / wide + margin) / whole), y: inside(((high - y) / tall + margin) / whole) }
}
