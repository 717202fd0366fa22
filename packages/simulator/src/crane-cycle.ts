import type { MachineRecord } from './machine.ts'
import { round } from './random.ts'

/** What a lift has been so far. */
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

/** How the crane stands at a moment of its lift. */
interface Held {
  load: number
  loadPercent: number
  moment: number
  momentPercent: number
  radius: number
  height: number
  angle: number
  windSpeed: number
}

export function follow(cycle: Cycle, held: Held): void {
  cycle.maxLoad = Math.max(cycle.maxLoad, held.load)
  cycle.maxLoadPercent = Math.max(cycle.maxLoadPercent, held.loadPercent)
  cycle.maxMoment = Math.max(cycle.maxMoment, held.moment)
  cycle.maxMomentPercent = Math.max(cycle.maxMomentPercent, held.momentPercent)
  cycle.maxRadius = Math.max(cycle.maxRadius, held.radius)
  cycle.minRadius = Math.min(cycle.minRadius, held.radius)
  cycle.maxHeight = Math.max(cycle.maxHeight, held.height)
  cycle.minHeight = Math.min(cycle.minHeight, held.height)
  cycle.maxWindSpeed = Math.max(cycle.maxWindSpeed, held.windSpeed)
  const over = held.momentPercent >= 100
  if (over && !cycle.wasOver) cycle.overMomentCount++
  cycle.wasOver = over
  cycle.unload = [held.radius, held.height, held.angle]
}

/** A lift that begins with the load off the ground. */
export function begun(nowMs: number, held: Held): Cycle {
  const here: [number, number, number] = [held.radius, held.height, held.angle]
  const cycle: Cycle = {
    startTime: nowMs,
    maxLoad: held.load,
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
  follow(cycle, held)
  return cycle
}

/** What the monitor tells of a lift that has ended. */
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

/** A continuous angle as a bearing. */
export const wrapped = (angle: number) => round(((angle % 360) + 360) % 360, 1) % 360
