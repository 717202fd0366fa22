/**
 * Positions and clearances of cranes in the site's plane (metres east and north). Pure. Angles are degrees from north, clockwise. Speeds are per
 * second. For supervision only; protection is on the machines.
 */

export type Point = readonly [x: number, y: number]

export interface CraneShape {
  id: string
  /** Short name: 1#, 2# ... */
  label: string
  x: number
  y: number
  luffing: boolean
  jibLength: number
  counterJibLength: number
  /** Height of the jib's foot above the site's datum. */
  jibHeight: number
  minRadius: number
  maxRadius: number
  maxHeight: number
  /** Reference level of the hook's height. */
  base: number
  slewLimit: readonly [from: number, to: number] | undefined
}

export interface Pose {
  /** Degrees; not wrapped while animating. */
  angle: number
  radius: number
  hook: number
}

export interface Motion {
  /** Degrees per second, clockwise positive. */
  slew: number
  trolley: number
  hoist: number
}

const rad = Math.PI / 180
export const wrap = (angle: number): number => ((angle % 360) + 360) % 360
/** Shortest rotation between two bearings: 359 to 1 is two degrees. */
export const turn = (from: number, to: number): number => wrap(to - from + 180) - 180

export const reach = (from: { x: number; y: number }, angle: number, distance: number): Point => [
  from.x + distance * Math.sin(angle * rad),
  from.y + distance * Math.cos(angle * rad),
]

/** Horizontal reach: a luffing jib reaches as far as its hook's radius, a level jib its full length. */
export const reachOnPlan = (crane: CraneShape, pose: Pose): number => (crane.luffing ? pose.radius : crane.jibLength)
/** Elevation in degrees: acos(radius / length), since luffing cranes do not send it. */
export const jibElevation = (crane: CraneShape, pose: Pose): number =>
  crane.luffing ? Math.acos(Math.min(1, Math.max(0, pose.radius / crane.jibLength))) / rad : 0

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))

/** The pose after some seconds at the present speeds, within the machine's limits. */
export function carried(crane: CraneShape, pose: Pose, motion: Motion, seconds: number): Pose {
  return {
    angle: pose.angle + motion.slew * seconds,
    radius: clamp(pose.radius + motion.trolley * seconds, Math.min(crane.minRadius, pose.radius), Math.max(crane.maxRadius, pose.radius)),
    hook: clamp(pose.hook + motion.hoist * seconds, Math.min(0, pose.hook), Math.max(crane.maxHeight, pose.hook)),
  }
}

/** Interpolates between two poses; the jib turns the shorter way. */
export const between = (from: Pose, to: Pose, share: number): Pose => ({
  angle: from.angle + turn(from.angle, to.angle) * share,
  radius: from.radius + (to.radius - from.radius) * share,
  hook: from.hook + (to.hook - from.hook) * share,
})

function pointToSegment([px, py]: Point, [ax, ay]: Point, [bx, by]: Point): { distance: number; at: Point } {
  const dx = bx - ax
  const dy = by - ay
  const length2 = dx * dx + dy * dy
  const t = length2 === 0 ? 0 : clamp(((px - ax) * dx + (py - ay) * dy) / length2, 0, 1)
  const at: Point = [ax + t * dx, ay + t * dy]
  return { distance: Math.hypot(px - at[0], py - at[1]), at }
}

function crosses(a: Point, b: Point, c: Point, d: Point): boolean {
  const side = (p: Point, q: Point, r: Point) => (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
}

function segments(a: Point, b: Point, c: Point, d: Point): { distance: number; at: Point } {
  if (crosses(a, b, c, d)) return { distance: 0, at: pointToSegment(a, c, d).at }
  const all = [
    pointToSegment(a, c, d),
    pointToSegment(b, c, d),
    { ...pointToSegment(c, a, b), at: c },
    { ...pointToSegment(d, a, b), at: d },
  ]
  return all.reduce((best, one) => (one.distance < best.distance ? one : best))
}

export interface Clearance {
  distance: number
  at: Point
  /** The parts that come close, as text. */
  words: string
}

const verticalSafeM = 2

/** Clearance of two cranes: the higher one's rope to the lower one's jib, or jib to jib at equal height. */
export function clearance(a: CraneShape, poseA: Pose, b: CraneShape, poseB: Pose): Clearance | undefined {
  const [high, highPose, low, lowPose] = a.jibHeight >= b.jibHeight ? [a, poseA, b, poseB] : [b, poseB, a, poseA]
  const tail = reach(low, lowPose.angle + 180, low.counterJibLength)
  const tip = reach(low, lowPose.angle, reachOnPlan(low, lowPose))
  const found: Clearance[] = []
  const rope = reach(high, highPose.angle, highPose.radius)
  if (high.base + highPose.hook < low.jibHeight + verticalSafeM) {
    const { distance, at } = pointToSegment(rope, tail, tip)
    found.push({ distance, at, words: `${high.label} 吊绳 与 ${low.label} 起重臂` })
  }
  if (high.jibHeight - low.jibHeight < verticalSafeM) {
    const highTail = reach(high, highPose.angle + 180, high.counterJibLength)
    const highTip = reach(high, highPose.angle, reachOnPlan(high, highPose))
    const { distance, at } = segments(highTail, highTip, tail, tip)
    found.push({ distance, at, words: `${high.label} 与 ${low.label} 起重臂` })
  }
  const mast = pointToSegment([high.x, high.y], tail, tip)
  found.push({ distance: mast.distance, at: mast.at, words: `${low.label} 臂端 与 ${high.label} 塔身` })
  return found.reduce((best, one) => (one.distance < best.distance ? one : best))
}

export const overlap = (a: CraneShape, b: CraneShape): boolean => Math.hypot(a.x - b.x, a.y - b.y) < a.jibLength + b.jibLength

export interface Encounter extends Clearance {
  a: string
  b: string
  /** Seconds ahead of the closest approach; 0 = now. */
  inSeconds: number
}

export interface Moving {
  shape: CraneShape
  pose: Pose
  motion: Motion
}

/** The closest pair within the next seconds, extrapolated from the present poses. */
export function closest(cranes: readonly Moving[], horizonSeconds = 10): Encounter | undefined {
  let best: Encounter | undefined
  for (const [i, a] of cranes.entries()) {
    for (const b of cranes.slice(i + 1)) {
      if (!overlap(a.shape, b.shape)) continue
      for (let s = 0; s <= horizonSeconds; s++) {
        const found = clearance(a.shape, carried(a.shape, a.pose, a.motion, s), b.shape, carried(b.shape, b.pose, b.motion, s))
        if (found && (!best || found.distance < best.distance - 0.05)) {
          best = { ...found, a: a.shape.id, b: b.shape.id, inSeconds: s }
        }
      }
    }
  }
  return best
}

/** Pairs whose lower jib can reach the other's mast, or whose jibs are less than 2 m apart in height: must be resolved before work starts. */
export function staticConflicts(cranes: readonly CraneShape[]): { a: CraneShape; b: CraneShape; words: string }[] {
  const found: { a: CraneShape; b: CraneShape; words: string }[] = []
  for (const [i, a] of cranes.entries()) {
    for (const b of cranes.slice(i + 1)) {
      if (!overlap(a, b)) continue
      const gap = Math.abs(a.jibHeight - b.jibHeight)
      if (gap < verticalSafeM) found.push({ a, b, words: `臂架高差 ${gap.toFixed(1)} m，少于 2 m` })
      const low = a.jibHeight < b.jibHeight ? a : b
      const high = low === a ? b : a
      const free = Math.hypot(a.x - b.x, a.y - b.y) - low.jibLength
      if (free < verticalSafeM)
        found.push({ a: low, b: high, words: `${low.label} 臂端距 ${high.label} 塔身 ${Math.max(0, free).toFixed(1)} m` })
    }
  }
  return found
}

/** A ring enlarged by a margin, with mitred corners; for the band around a no-lift zone. */
export function grown(ring: readonly Point[], margin: number): Point[] {
  const area = ring.reduce((sum, [x, y], i) => {
    const [nx, ny] = ring[(i + 1) % ring.length] ?? [x, y]
    return sum + x * ny - nx * y
  }, 0)
  const out = area > 0 ? 1 : -1
  return ring.map((corner, i) => {
    const before = ring[(i + ring.length - 1) % ring.length] ?? corner
    const after = ring[(i + 1) % ring.length] ?? corner
    const normal = (p: Point, q: Point): Point => {
      const length = Math.hypot(q[0] - p[0], q[1] - p[1]) || 1
      return [(out * (q[1] - p[1])) / length, (-out * (q[0] - p[0])) / length]
    }
    const [ax, ay] = normal(before, corner)
    const [bx, by] = normal(corner, after)
    const k = margin / Math.max(0.3, 1 + ax * bx + ay * by)
    return [corner[0] + (ax + bx) * k, corner[1] + (ay + by) * k] as const
  })
}

export const compass = (degrees: number): string =>
  ['北', '东北', '东', '东南', '南', '西南', '西', '西北'][Math.round(wrap(degrees) / 45) % 8] ?? '北'
