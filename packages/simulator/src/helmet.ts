import type { City, Device, SitePlan } from './city-types.ts'
import { inside, toWgs84 } from './geo.ts'
import { isOnSite, isShift, type Machine, type MachineRecord, type Values } from './machine.ts'
import { clamp, noiseKey, type Random, round, smoothNoise, stream } from './random.ts'
/** A helmet moves about the site during its wearer's working hours and is on its charger otherwise. */
export class Helmet implements Machine {
  readonly device: Device
  private readonly plan: SitePlan
  private readonly random: Random
  private readonly key: number
  private x: number
  private y: number
  private goal: [number, number]
  private speed = 0
  private heading = 0
  private restUntil = 0
  private records: MachineRecord[] = []
  private readonly no: number

  constructor(city: City, device: Device, purpose: string) {
    this.device = device
    this.no = Number(device.deviceSn.slice(-4))
    this.plan = city.sitePlans.find((one) => one.projectCode === device.projectCode)!
    this.random = stream(city.seed, 'helmet', device.deviceSn, purpose)
    this.key = noiseKey(city.seed, 'helmet', device.deviceSn)
    const start = this.place()
    this.x = start[0]
    this.y = start[1]
    this.goal = this.place()
  }

  private place(): [number, number] {
    const xs = this.plan.fence.map(([x]) => x)
    const ys = this.plan.fence.map(([, y]) => y)
    for (let i = 0; i < 200; i++) {
      const point: [number, number] = [
        this.random.float(Math.min(...xs), Math.max(...xs)),
        this.random.float(Math.min(...ys), Math.max(...ys)),
      ]
      if (inside(this.plan.fence, ...point) && !this.plan.zones.some((zone) => inside(zone.points, ...point))) return point
    }
    return this.plan.fence[0]!
  }

  takeRecords(): MachineRecord[] {
    const taken = this.records
    this.records = []
    return taken
  }

  /** One helmet in five is taken off now and then; one triggers an SOS each hour, as a drill. */
  private isWorn(nowMs: number): boolean {
    return this.no % 5 !== 0 || Math.floor(nowMs / 1_200_000) % 4 !== 0
  }
  private isCalling(nowMs: number): boolean {
    return this.no === 7 && (nowMs + 900_000) % 3_600_000 < 70_000
  }
  private hasFallen(nowMs: number): boolean {
    return this.no === 12 && (nowMs + 2_400_000) % 10_800_000 < 40_000
  }

  /** Normal work on one spot still moves; one person of the site sits still too long now and then. */
  private isStill(nowMs: number): boolean {
    return this.no === 15 && (nowMs + 1_800_000) % 10_800_000 < 420_000
  }

  step(dt: number, nowMs: number): void {
    this.speed = 0
    if (!isShift(nowMs) || nowMs < this.restUntil) return
    if (this.device.params.camera === '1' && this.random.chance(dt / 2_400)) this.snap(nowMs)
    const [dx, dy] = [this.goal[0] - this.x, this.goal[1] - this.y]
    const left = Math.hypot(dx, dy)
    if (left < 1) {
      this.restUntil = nowMs + this.random.int(60, 900) * 1000
      this.goal = this.place()
      return
    }
    const pace = Math.min(0.9, left / dt)
    this.x += (dx / left) * pace * dt
    this.y += (dy / left) * pace * dt
    this.speed = pace * 3.6
    this.heading = (Math.round((Math.atan2(dx, dy) * 180) / Math.PI) + 360) % 360
  }

  /** Takes a picture on command. */
  obey(cmd: string, _params: Record<string, unknown>, nowMs: number): boolean {
    if (cmd !== 'camera.snapshot' || this.device.params.camera !== '1') return false
    this.snap(nowMs, 'remote')
    return true
  }

  private snap(nowMs: number, trigger: 'manual' | 'remote' = 'manual'): void {
    const at = toWgs84(this.plan.origin, this.x, this.y)
    const film = trigger === 'manual' && this.random.chance(0.2)
    const seconds = this.random.int(20, 90)
    this.records.push({
      record: film ? 'video' : 'snapshot',
      time: nowMs,
      data: film
        ? {
            startTime: new Date(nowMs - seconds * 1000).toISOString(),
            endTime: new Date(nowMs).toISOString(),
            size: seconds * 210_000,
            trigger: 'manual',
          }
        : { time: new Date(nowMs).toISOString(), longitude: at.lng, latitude: at.lat, trigger },
    })
  }

  telemetry(nowMs: number): Values {
    const working = isShift(nowMs)
    const about = working || isOnSite(nowMs)
    const at = toWgs84(
      this.plan.origin,
      this.x + 1.2 * smoothNoise(this.key, nowMs, 20_000),
      this.y + 1.2 * smoothNoise(this.key + 1, nowMs, 20_000),
    )
    return {
      longitude: at.lng,
      latitude: at.lat,
      altitude: 24,
      speed: round(this.speed, 1),
      direction: this.heading,
      positioned: true,
      satellites: 14 + Math.round(4 * smoothNoise(this.key + 2, nowMs, 60_000)),
      signal: 22,
      batteryPercent: Math.round(clamp((this.no % 9 === 0 ? 40 : 98) - ((nowMs / 60_000) % 720) * 0.07, this.no % 9 === 0 ? 8 : 24, 100)),
      wearing: about && this.isWorn(nowMs),
      ...(this.isCalling(nowMs) ? { sos: true } : {}),
      ...(this.hasFallen(nowMs) ? { fall: true } : {}),
      motion: about && !this.isStill(nowMs) ? '1' : '0',
      ...(working ? { heartRate: Math.round(84 + this.speed * 5 + 8 * smoothNoise(this.key + 3, nowMs, 30_000)) } : {}),
      accuracy: 4,
    }
  }

  intervalMs(nowMs: number): number {
    return isShift(nowMs) ? 30_000 : 120_000
  }
}
