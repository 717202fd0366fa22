import { Agenda } from './agenda.ts'
import { aiEvents } from './ai-events.ts'
import type { City, Device } from './city-types.ts'
import type { Machine, MachineRecord, Values } from './machine.ts'
import { clamp, noiseKey, round, smoothNoise } from './random.ts'
import { truckEvents, weighEvents } from './vehicle-events.ts'

export class Weighbridge implements Machine {
  readonly device: Device
  private readonly agenda: Agenda
  private records: MachineRecord[] = []
  private readonly key: number
  private current: { plateNo: string; weight: number; until: number } | null = null

  constructor(city: City, device: Device) {
    this.device = device
    this.key = noiseKey(city.seed, 'bridge', device.deviceSn)
    this.agenda = new Agenda((day) =>
      weighEvents(city, device, day).map((event) => ({ record: 'weighRecord', time: event.time, data: event.data })),
    )
  }

  step(_dt: number, nowMs: number): void {
    this.records.push(...this.agenda.due(nowMs))
    if (this.current && nowMs > this.current.until) this.current = null
    const next = this.agenda.next(nowMs)
    // The truck is on the bridge for half a minute before its ticket is printed.
    if (!this.current && next && next.time - nowMs < 30_000) {
      this.current = {
        plateNo: String(next.data.plateNo),
        weight: Number(next.data.direction === '1' ? next.data.tareWeight : next.data.grossWeight),
        until: next.time,
      }
    }
  }

  takeRecords(): MachineRecord[] {
    const taken = this.records
    this.records = []
    return taken
  }

  telemetry(nowMs: number): Values {
    const current = this.current
    const rolling = current ? clamp((30_000 - (current.until - nowMs)) / 8000, 0, 1) : 0
    const weight = current ? current.weight * rolling : 0.004 * smoothNoise(this.key, nowMs, 20_000)
    return { weight: round(weight, 3), stable: !current || rolling === 1, zero: !current, ...(current ? { plateNo: current.plateNo } : {}) }
  }

  intervalMs(): number {
    return this.current ? 2000 : 60_000
  }
}

export class TruckLane implements Machine {
  readonly device: Device
  private readonly agenda: Agenda
  private records: MachineRecord[] = []
  private up = 0

  constructor(city: City, device: Device) {
    this.device = device
    this.agenda = new Agenda((day) => truckEvents(city, device, day))
  }

  step(_dt: number, nowMs: number): void {
    const due = this.agenda.due(nowMs)
    if (due.length) this.up = nowMs + 12_000
    this.records.push(...due)
  }

  takeRecords(): MachineRecord[] {
    const taken = this.records
    this.records = []
    return taken
  }

  telemetry(nowMs: number): Values {
    return { barrierUp: nowMs < this.up }
  }

  intervalMs(): number {
    return 30_000
  }
}

/** State of a gate; its passages are sent elsewhere. */
export class GateState implements Machine {
  readonly device: Device
  private readonly people: number

  constructor(city: City, device: Device) {
    this.device = device
    this.people = city.projectWorkers.filter((row) => row.projectCode === device.projectCode && row.attendEnabled).length
  }

  step(): void {}

  intervalMs(): number {
    return 30_000
  }

  telemetry(): Values {
    return { personCount: this.people, faceCount: this.people, firmware: 'F7-2.4.1', doorOpen: false }
  }
}

export class Camera implements Machine {
  readonly device: Device
  private readonly key: number
  private readonly agenda: Agenda
  private records: MachineRecord[] = []
  constructor(city: City, device: Device) {
    this.device = device
    this.key = noiseKey(city.seed, 'camera', device.deviceSn)
    this.agenda = new Agenda((day) => aiEvents(city, device, day))
  }

  step(_dt: number, nowMs: number): void {
    // Live events have not been reviewed yet.
    for (const seen of this.agenda.due(nowMs)) this.records.push({ ...seen, data: { ...seen.data, review: '0' } })
  }

  takeRecords(): MachineRecord[] {
    const taken = this.records
    this.records = []
    return taken
  }

  intervalMs(): number {
    return 60_000
  }

  telemetry(nowMs: number): Values {
    return { online: '1', stream: '1', storageUsed: round(62 + 18 * smoothNoise(this.key, nowMs, 20 * 86_400_000), 1) }
  }
}
