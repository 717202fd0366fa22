import { story } from './city-plan.ts'
import type { City, Device } from './city-types.ts'
import type { Encounter } from './crane-moves.ts'
import type { Episode } from './dust.ts'
import type { MachineOptions } from './machines.ts'
import { hashed, noiseKey } from './random.ts'

export const minute = 60_000

/** Families with occasional sensor faults, and the faulty metric. */
const faultMetrics: Partial<Record<Device['family'], string>> = {
  environment: 'pm10',
  electricMeter: 'residualCurrent',
  lifter: 'windSpeed',
  towerCrane: 'windSpeed',
}

/** Options of a device for its part in the story during this run. */
export function optionsFor(city: City, device: Device, startedAt: number, encounter: Encounter): MachineOptions {
  const project = city.projects.find((one) => one.projectCode === device.projectCode)
  const main = project?.shortName === story.main
  const options: MachineOptions = { purpose: `live ${startedAt}` }
  const every = (first: number, period: number) => Array.from({ length: 200 }, (_, i) => startedAt + first + i * period)
  if (device.family === 'towerCrane') {
    // Cranes of the main site work around the clock, so that a demonstration started in the evening is alive.
    options.always = main || (project?.shortName === story.busy && device.name.startsWith('1#'))
    if (main && device.name.startsWith('1#')) options.overloadsAt = every(0, 14 * minute)
    if (main && (device.name.startsWith('2#') || device.name.startsWith('3#'))) {
      options.encountersAt = every(4 * minute, 45 * minute)
      options.encounter = encounter
    }
    if (project?.shortName === story.busy && device.name.startsWith('1#')) options.overloadsAt = every(9 * minute, 40 * minute)
  }
  if (device.family === 'lifter') {
    options.always = main
    if (main && device.name.startsWith('2#')) options.overloadsAt = every(6 * minute, 60 * minute)
  }
  if (device.family === 'environment') {
    const spells = (first: number, period: number, length: number, pm10: number): Episode[] =>
      every(first, period).map((from) => ({ from, to: from + length, pm10 }))
    if (main && device.behaviour === 'normal') options.dust = spells(30_000, 110 * minute, 14 * minute, 92)
    if (project?.shortName === story.dusty && device.access.protocol === 'hj212')
      options.dust = spells(2 * minute, 150 * minute, 40 * minute, 130)
    options.intervalSeconds = device.access.protocol === 'hj212' ? 30 : 10
  }
  if (device.family === 'unloadingPlatform' && main && device.place.startsWith('住院楼 8')) options.overloadsAt = [startedAt + 12 * minute]
  return options
}

/** A stale station reports for 35 seconds every half hour: enough to be known, too seldom to be trusted. */
export function isSilent(device: Device, nowMs: number, startedAt: number): boolean {
  if (device.behaviour === 'offline' || device.behaviour === 'notActivated') return true
  return device.behaviour === 'stale' && (nowMs - startedAt) % (30 * minute) > 35_000
}

/** Metric with a sensor fault: in some quarter-hours one minute of a normal device. */
export function faultOf(city: City, device: Device, nowMs: number): string | undefined {
  const metric = faultMetrics[device.family]
  if (!metric || device.behaviour !== 'normal') return undefined
  const slot = Math.floor(nowMs / (15 * minute))
  const key = noiseKey(city.seed, 'fault', device.deviceSn)
  const inMinute = Math.floor((nowMs % (15 * minute)) / minute) === 7
  return inMinute && hashed(key, slot) < 0.06 ? metric : undefined
}
