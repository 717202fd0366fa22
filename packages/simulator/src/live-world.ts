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
  /** Speed of device movements relative to the clock; timestamps stay real. */
  speed?: number
  log?: (line: string) => void
  /** Address for truck terminals; undefined = none connect. */
  jt808?: { host: string; port: number } | undefined
  /** Registration codes of terminals, kept between runs. */
  memory?: { load(phone: string): string | undefined; save(phone: string, code: string | undefined): void }
  faults?: FaultPlan
  /** While it returns true, gates keep passages back. */
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

/** State shared by all connections to the platform. */
export interface LiveWorld {
  options: LiveOptions
  city: City
  seed: number
  startedAt: number
  plan: FaultPlan
  encounter: Encounter
  bySn: ReadonlyMap<string, Device>
  running: Running[]
  /** Serial numbers listed by the platform that do not exist with this seed. */
  unknown: string[]
  faultsOf(line: string): Faults
  /** Starts the simulation of a device, with functions that send its readings and records. */
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
      // Devices of a gateway start at different times, as real ones do.
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
