import { dayOf } from './calendar.ts'
import { buildCity } from './city.ts'
import type { City, Device } from './city-types.ts'
import { Encounter } from './crane-moves.ts'
import type { DemoFile } from './demo-file.ts'
import { type FaultPlan, Faults, noFaults } from './faults.ts'
import { optionsFor } from './live-story.ts'
import type { Machine } from './machine.ts'
import { machineFor } from './machines.ts'
import { hashed, noiseKey } from './random.ts'
export interface LiveOptions {
  demo: DemoFile
  mqttUrl: string
  hj212: { host: string; port: number }
  seed?: number
  /** How much faster machines move than the clock; time stamps stay true. */
  speed?: number
  log?: (line: string) => void
  /** Where trucks' terminals call; none = they stay silent. */
  jt808?: { host: string; port: number } | undefined
  /** What terminals keep in their flash between two lives of this program. */
  memory?: { load(phone: string): string | undefined; save(phone: string, code: string | undefined): void }
  faults?: FaultPlan
  /** While it answers true, gates keep what passes. */
  gatesWait?: () => boolean
}

export interface Running {
  device: Device
  machine: Machine
  dueAt: number
  send: (time: number, data: Record<string, unknown>, quality?: Record<string, string>) => void
  sendRecord: (record: string, time: number, data: Record<string, unknown>) => void
  faults: Faults
}

/** What all lines into the platform share while the city lives. */
export interface LiveWorld {
  options: LiveOptions
  city: City
  seed: number
  startedAt: number
  plan: FaultPlan
  encounter: Encounter
  bySn: ReadonlyMap<string, Device>
  running: Running[]
  /** What the platform listed and this seed does not have. */
  unknown: string[]
  faultsOf(line: string): Faults
  /** Joins a device to those that move, with the ways its readings and records take. */
  animate(device: Device, send: Running['send'], sendRecord: Running['sendRecord']): void
}

export function worldOf(options: LiveOptions): LiveWorld {
  const { demo } = options
  const startedAt = Date.now()
  const seed = options.seed ?? demo.simulation?.seed ?? 1
  const city = buildCity({ seed, today: demo.simulation?.today ?? dayOf(startedAt) })
  const plan = options.faults ?? noFaults
  const encounter = new Encounter()
  const running: Running[] = []
  const faultsOf = (line: string) => new Faults(plan, seed, line)
  return {
    options,
    city,
    seed,
    startedAt,
    plan,
    encounter,
    bySn: new Map(city.devices.map((device) => [device.deviceSn, device])),
    running,
    unknown: [],
    faultsOf,
    animate(device, send, sendRecord) {
      // Devices of a gateway start a little apart, as boxes do that were not switched on together.
      const offset = hashed(noiseKey(seed, 'offset', device.deviceSn), 1) * 4000
      running.push({
        device,
        machine: machineFor(city, device, optionsFor(city, device, startedAt, encounter)),
        dueAt: startedAt + offset,
        send,
        sendRecord,
        faults: faultsOf(device.deviceSn),
      })
    },
  }
}
