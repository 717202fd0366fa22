import type { Segment } from './segments.ts'

/** Geometry of a tower crane: metres in the site's plane, heights above the site's datum. */
export interface CraneShape {
  id: string
  x: number
  y: number
  /** Heights of the mast's foot, the jib and the head's top. */
  baseZ: number
  jibZ: number
  headZ: number
  jibLength: number
  counterJibLength: number
  luffing: boolean
  minRadius: number
  maxRadius: number
}

/** Position and movement at a moment. Angles in degrees clockwise from north, speeds per second. */
export interface CranePose {
  angle: number
  radius: number
  /** Height of the hook above the datum. */
  hookZ: number
  loaded: boolean
  slew: number
  trolley: number
  hoist: number
}

/** Length below a loaded hook: sling and load of ordinary size (design). */
const loadLengthM = 3
const rad = Math.PI / 180

/** Jib, counter-jib, rope and mast, in this order. */
export const mastPart = 3

/** The parts of a crane after some seconds at current speeds. The trolley stays on the jib. */
export function partsAfter(shape: CraneShape, pose: CranePose, seconds: number): readonly [Segment, Segment, Segment, Segment] {
  const angle = (pose.angle + pose.slew * seconds) * rad
  const radius = clampRadius(shape, pose.radius + pose.trolley * seconds)
  const ux = Math.sin(angle)
  const uy = Math.cos(angle)
  const { x, y, jibZ } = shape
  // A luffing jib's horizontal reach equals the hook's radius; its elevation follows from that.
  const reach = shape.luffing ? Math.min(radius, shape.jibLength) : shape.jibLength
  const tipZ = shape.luffing ? jibZ + Math.sqrt(Math.max(0, shape.jibLength ** 2 - reach ** 2)) : jibZ
  const ropeTop = shape.luffing ? tipZ : jibZ
  const hook = Math.min(ropeTop, pose.hookZ + pose.hoist * seconds) - (pose.loaded ? loadLengthM : 0)
  const rx = x + radius * ux
  const ry = y + radius * uy
  return [
    { ax: x, ay: y, az: jibZ, bx: x + reach * ux, by: y + reach * uy, bz: tipZ },
    { ax: x, ay: y, az: jibZ, bx: x - shape.counterJibLength * ux, by: y - shape.counterJibLength * uy, bz: jibZ },
    { ax: rx, ay: ry, az: ropeTop, bx: rx, by: ry, bz: Math.max(shape.baseZ, hook) },
    { ax: x, ay: y, az: shape.baseZ, bx: x, by: y, bz: shape.headZ },
  ]
}

const clampRadius = (shape: CraneShape, radius: number) =>
  Math.min(Math.max(radius, shape.minRadius), Math.max(shape.maxRadius, shape.minRadius))

/** Upper bound of the speed of all points of the crane, in m/s; infinite while a luffing jib moves up or down. */
export function fastest(shape: CraneShape, pose: CranePose): number {
  if (shape.luffing && pose.trolley !== 0) return Number.POSITIVE_INFINITY
  const arm = Math.max(shape.jibLength, shape.counterJibLength, shape.maxRadius)
  return Math.abs(pose.slew) * rad * arm + Math.abs(pose.trolley) + Math.abs(pose.hoist)
}

/** The hook's position in the plane. */
export function hookAfter(shape: CraneShape, pose: CranePose, seconds: number): [number, number] {
  const [, , rope] = partsAfter(shape, pose, seconds)
  return [rope.ax, rope.ay]
}
