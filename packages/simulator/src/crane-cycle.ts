import type { MachineRecord } from './machine.ts'
import { round } from './random.ts'

/** A lift in progress: its maxima so far. */
export interface Cycle {
  startTime: number
  maxLoad: number
  maxLoadPercent: number
  maxMoment: number
  maxMomentPercent: number
  lift: [number, number, number]
  unload: [number, number, number]
  maxRadius: number
  minRadius: number
  maxHeight: number
  minHeight: number
  maxWindSpeed: number
  overMomentCount: number
  wasOver: boolean
}

/** State of the crane at a moment of its lift. */
interface LiftState {
  load: number
  loadPercent: number
  moment: number
  momentPercent: number
  radius: number
  height: number
  angle: number
  windSpeed: number
}

export function follow(cycle: Cycle, current: LiftState): void {
  cycle.maxLoad = Math.max(cycle.maxLoad, current.load)
  cycle.maxLoadPercent = Math.max(cycle.maxLoadPercent, current.loadPercent)
  cycle.maxMoment = Math.max(cycle.maxMoment, current.moment)
  cycle.maxMomentPercent = Math.max(cycle.maxMomentPercent, current.momentPercent)
  cycle.maxRadius = Math.max(cycle.maxRadius, current.radius)
  cycle.minRadius = Math.min(cycle.minRadius, current.radius)
  cycle.maxHeight = Math.max(cycle.maxHeight, current.height)
  cycle.minHeight = Math.min(cycle.minHeight, current.height)
  cycle.maxWindSpeed = Math.max(cycle.maxWindSpeed, current.windSpeed)
  const over = current.momentPercent >= 100
  if (over && !cycle.wasOver) cycle.overMomentCount++
  cycle.wasOver = over
  cycle.unload = [current.radius, current.height, current.angle]
}

/** Starts a lift with the load off the ground. */
export function begun(nowMs: number, current: LiftState): Cycle {
  const here: [number, number, number] = [current.radius, current.height, current.angle]
  const cycle: Cycle = {
    startTime: nowMs,
    maxLoad: current.load,
    maxLoadPercent: 0,
    maxMoment: 0,
    maxMomentPercent: 0,
    lift: [here[0], 1.5, here[2]],
    unload: here,
    maxRadius: here[0],
    minRadius: here[0],
    maxHeight: here[1],
    minHeight: Math.min(1.5, here[1]),
    maxWindSpeed: 0,
    overMomentCount: 0,
    wasOver: false,
  }
  follow(cycle, current)
  return cycle
}

/** The record that the monitor sends after a lift. */
export function recordOf(cycle: Cycle, nowMs: number, fall: number, driver: { id: string; name: string } | undefined): MachineRecord {
  const [liftRadius, liftHeight, liftAngle] = cycle.lift
  const [unloadRadius, unloadHeight, unloadAngle] = cycle.unload
  return {
    record: 'workingCycle',
    time: nowMs,
    data: {
      cycleNo: `${new Date(cycle.startTime + 28_800_000).toISOString().slice(0, 10).replaceAll('-', '')}-${String(Math.floor(cycle.startTime / 1000) % 86_400).padStart(5, '0')}`,
      startTime: new Date(cycle.startTime).toISOString(),
      endTime: new Date(nowMs).toISOString(),
      durationSeconds: Math.round((nowMs - cycle.startTime) / 1000),
      maxLoad: round(cycle.maxLoad, 2),
      maxLoadPercent: round(cycle.maxLoadPercent, 1),
      maxMoment: round(cycle.maxMoment, 1),
      maxMomentPercent: round(cycle.maxMomentPercent, 1),
      liftRadius: round(liftRadius, 2),
      liftHeight: round(liftHeight, 2),
      liftAngle: wrapped(liftAngle),
      unloadRadius: round(unloadRadius, 2),
      unloadHeight: round(unloadHeight, 2),
      unloadAngle: wrapped(unloadAngle),
      maxRadius: round(cycle.maxRadius, 2),
      minRadius: round(cycle.minRadius, 2),
      maxHeight: round(cycle.maxHeight, 2),
      minHeight: round(cycle.minHeight, 2),
      maxWindSpeed: round(cycle.maxWindSpeed, 1),
      overMomentCount: cycle.overMomentCount,
      overWind: cycle.maxWindSpeed >= 12,
      fall,
      illegal: cycle.overMomentCount > 0,
      ...(driver ? { driverId: driver.id, driverName: driver.name } : {}),
    },
  }
}

/** Converts a continuous angle to a bearing. */
export const wrapped = (angle: number) => round(((angle % 360) + 360) % 360, 1) % 360
