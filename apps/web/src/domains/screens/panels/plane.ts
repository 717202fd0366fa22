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
