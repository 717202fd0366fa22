import type { City, Device } from './city-types.ts'
import { isShift, type Machine, type Values } from './machine.ts'
import { clamp, hashed, noiseKey, round, smoothNoise } from './random.ts'

/** Underground base station; reports that it is alive. */
export class BaseStation implements Machine {
  readonly device: Device
  private readonly key: number

  constructor(city: City, device: Device) {
    this.device = device
    this.key = noiseKey(city.seed, 'station', device.deviceSn)
  }

  step(): void {}

  intervalMs(): number {
    return 30_000
  }

  telemetry(nowMs: number): Values {
    return {
      stationId: String(this.device.params.stationId),
      rssi: -40,
      batteryPercent: Math.round(92 + 6 * smoothNoise(this.key, nowMs, 3_600_000)),
    }
  }
}

/** Helmet located by stations: moves from area to area and stays a while in each. */
export class TagHelmet implements Machine {
  readonly device: Device
  private readonly stations: Device[]
  private readonly key: number
  private readonly tag: string

  constructor(city: City, device: Device) {
    this.device = device
    this.key = noiseKey(city.seed, 'tag', device.deviceSn)
    this.tag = `T${device.deviceSn.slice(-4)}`
    this.stations = city.devices.filter(
      (d) => d.family === 'baseStationHelmet' && d.projectCode === device.projectCode && d.params.stationId && d.behaviour === 'normal',
    )
  }

  step(): void {}

  intervalMs(nowMs: number): number {
    return isShift(nowMs) ? 10_000 : 120_000
  }

  telemetry(nowMs: number): Values | null {
    if (!isShift(nowMs) || this.stations.length === 0) return null
    // About ten minutes in one area, then in a neighbouring one.
    const period = 600_000
    const index = Math.floor(nowMs / period)
    const at = Math.floor(hashed(this.key, index) * this.stations.length)
    const station = this.stations[at]!
    const meters = 2 + 14 * Math.abs(smoothNoise(this.key + 1, nowMs, 40_000))
    return {
      tagId: this.tag,
      stationId: String(station.params.stationId),
      rssi: Math.round(clamp(-48 - 22 * Math.log10(meters) + 3 * smoothNoise(this.key + 2, nowMs, 9_000), -100, -40)),
      distance: round(meters, 1),
      x: round(station.x + 6 * smoothNoise(this.key + 3, nowMs, 60_000), 1),
      y: round(station.y + 6 * smoothNoise(this.key + 4, nowMs, 60_000), 1),
      batteryPercent: Math.round(clamp(96 - ((nowMs / 60_000) % 720) * 0.06 - 20 * hashed(this.key, 7), 8, 100)),
    }
  }
}
