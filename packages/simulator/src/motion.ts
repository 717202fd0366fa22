import { clamp } from './random.ts'

/** One driven axis with inertia: neither position nor speed can jump. Units are the caller's, per second. */
export interface Axis {
  position: number
  velocity: number
  target: number
}

export const axis = (position: number): Axis => ({ position, velocity: 0, target: position })

/** Moves towards the target with limited speed and acceleration, braking in time. */
export function drive(moved: Axis, dt: number, maxSpeed: number, maxAcceleration: number): void {
  const distance = moved.target - moved.position
  // Maximum speed from which the axis can still stop at the target, less half a step so that coarse steps do not overshoot.
  const stopping = Math.sqrt(2 * maxAcceleration * Math.abs(distance) + (maxAcceleration * dt * 0.5) ** 2) - maxAcceleration * dt * 0.5
  const wanted = Math.sign(distance) * Math.min(maxSpeed, stopping)
  const before = moved.velocity
  moved.velocity += clamp(wanted - moved.velocity, -maxAcceleration * dt, maxAcceleration * dt)
  moved.position += ((before + moved.velocity) / 2) * dt
}

export const arrived = (moved: Axis, tolerance: number) =>
  Math.abs(moved.target - moved.position) < tolerance && Math.abs(moved.velocity) < tolerance
