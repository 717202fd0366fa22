import { dayMs } from './calendar.ts'
import type { City, Device } from './city-types.ts'
import { isShift, type Machine, type MachineRecord, type Values } from './machine.ts'
import { clamp, hashed, noiseKey, round, smoothNoise, stream } from './random.ts'
import { weatherAt } from './weather.ts'

/** Metric of a pit point by its type. */
const pitMetrics: Record<string, string> = {
  topHorizontal: 'topHorizontalDisplacement',
  topVertical: 'topVerticalDisplacement',
  deepHorizontal: 'deepHorizontalDisplacement',
  column: 'columnSettlement',
  surface: 'surfaceSettlement',
  building: 'buildingSettlement',
  pipeline: 'pipelineSettlement',
}

/** A pit wall that moves during excavation and settles afterwards; cumulative values approach a final value. */
export class PitPoint implements Machine {
  readonly device: Device
  private readonly key: number
  private readonly begun: number
  private readonly end: number
  private readonly days: number
  private readonly type: string

  constructor(city: City, device: Device) {
    this.device = device
    this.key = noiseKey(city.seed, 'pit', device.deviceSn)
    this.type = String(device.params.pointType)
    const random = stream(city.seed, 'pit', device.deviceSn)
    this.begun = Date.parse(`${device.installTime}T00:00:00Z`)
    // CX-07 is the point of the story, close to exceeding the warning limit.
    const control = Number(device.params.controlValue ?? 30)
    this.end = device.params.pointCode === 'CX-07' ? control * 0.78 : control * random.float(0.25, 0.55)
    this.days = random.float(60, 140)
  }

  step(): void {}

  intervalMs(): number {
    return 60_000
  }

  /** Fraction of the final movement. */
  private grown(nowMs: number): number {
    return 1 - Math.exp(-Math.max(0, nowMs - this.begun) / dayMs / this.days)
  }

  telemetry(nowMs: number): Values {
    const value =
      this.end * this.grown(nowMs) +
      Math.abs(this.end) * 0.012 * smoothNoise(this.key, nowMs, 5 * 3600_000) +
      0.05 * smoothNoise(this.key + 1, nowMs, 600_000)
    const base: Values = { pointCode: String(this.device.params.pointCode), pointType: this.type, temperature: 18.5 }
    if (this.type === 'strutForce')
      return {
        ...base,
        strutForce: round(Math.abs(value), 1),
        strutForcePercent: round((Math.abs(value) / Number(this.device.params.controlValue)) * 100, 1),
        strainFrequency: round(1820 - Math.abs(value) / 12, 1),
      }
    if (this.type === 'waterLevel')
      return { ...base, waterLevel: round(-6.2 - Math.abs(value) / 1000, 3), waterLevelChange: round(-Math.abs(value), 1) }
    const metric = pitMetrics[this.type] ?? 'surfaceSettlement'
    const sinks = metric.includes('Settlement') || metric.includes('Vertical')
    return { ...base, [metric]: round(sinks ? -value : value, 2) }
  }

  extra(nowMs: number): Record<string, unknown> | undefined {
    return this.type === 'deepHorizontal' ? { points: this.profile(nowMs) } : undefined
  }

  /** Inclinometer profile: one value per half metre, with its maximum at two thirds of the depth. */
  private profile(nowMs: number): { depth: number; deepHorizontalDisplacement: number }[] {
    const depth = Number(this.device.params.depth ?? 10) * 1.5
    const peak = this.end * this.grown(nowMs)
    return Array.from({ length: Math.floor(depth / 0.5) }, (_, i) => {
      const at = (i + 1) * 0.5
      const bulge = Math.exp(-(((at - depth * 0.45) / (depth * 0.28)) ** 2))
      return { depth: at, deepHorizontalDisplacement: round(peak * bulge + 0.1 * smoothNoise(this.key + i, nowMs, 3600_000), 2) }
    })
  }
}

/** A pour of 2.5 hours starts every 4 hours, so that one is always running or just finished. */
const pourPeriodMs = 4 * 3_600_000
const pourMs = 2.5 * 3_600_000

/** A prop below a slab; its load increases while concrete is poured. */
export class Formwork implements Machine {
  readonly device: Device
  private readonly key: number
  private readonly design: number
  private records: MachineRecord[] = []
  private pouringSince = 0
  constructor(city: City, device: Device) {
    this.device = device
    this.key = noiseKey(city.seed, 'formwork', device.deviceSn)
    this.design = Number(device.params.designForce ?? 20)
  }

  step(_dt: number, nowMs: number): void {
    if (this.isPouring(nowMs)) this.pouringSince ||= nowMs
    else if (this.pouringSince) {
      // Do not report a pour that was already running at the start.
      if (nowMs - this.pouringSince > 3_600_000) this.close(nowMs)
      this.pouringSince = 0
    }
  }

  /** Fraction of the concrete poured. */
  private pour(nowMs: number): number {
    return clamp((nowMs % pourPeriodMs) / pourMs, 0, 1)
  }

  intervalMs(nowMs: number): number {
    return this.isPouring(nowMs) ? 5_000 : 60_000
  }

  private isPouring(nowMs: number): boolean {
    return this.pour(nowMs) > 0 && this.pour(nowMs) < 1
  }

  /** After the pour, the monitoring company's device sends its record. */
  private close(nowMs: number): void {
    const end = this.telemetry(nowMs)
    this.records.push({
      record: 'pourRecord',
      time: nowMs,
      data: {
        pointCode: String(this.device.params.pointCode),
        pourName: `${this.device.place} 第 ${1 + (Math.floor(nowMs / pourPeriodMs) % 90)} 次浇筑`,
        startTime: new Date(this.pouringSince).toISOString(),
        endTime: new Date(nowMs).toISOString(),
        maxAxialForce: Number(end.axialForce),
        maxDisplacement: Math.abs(Number(end.horizontalDisplacement)),
        maxSettlement: Math.abs(Number(end.settlement)),
        maxTilt: round(Math.hypot(Number(end.tiltX), Number(end.tiltY)), 2),
        alarmCount: 0,
      },
    })
  }

  takeRecords(): MachineRecord[] {
    const taken = this.records
    this.records = []
    return taken
  }

  telemetry(nowMs: number): Values {
    const poured = this.pour(nowMs)
    const force =
      2.1 +
      (this.design * 0.66 - 2.1) * poured * (0.9 + 0.2 * hashed(this.key, 1)) +
      0.12 * smoothNoise(this.key, nowMs, 8000) * (0.3 + poured)
    return {
      pointCode: String(this.device.params.pointCode),
      axialForce: round(force, 2),
      axialForcePercent: round((force / this.design) * 100, 1),
      horizontalDisplacement: round(0.3 + 1.6 * poured + 0.2 * smoothNoise(this.key + 1, nowMs, 60_000), 2),
      settlement: round(-0.4 - 2.8 * poured + 0.1 * smoothNoise(this.key + 2, nowMs, 60_000), 2),
      tiltX: round(0.05 + 0.08 * poured + 0.01 * smoothNoise(this.key + 3, nowMs, 30_000), 3),
      tiltY: round(-0.03 + 0.05 * poured + 0.01 * smoothNoise(this.key + 4, nowMs, 30_000), 3),
      batteryPercent: 60 + Math.floor(40 * hashed(this.key, 2)),
    }
  }
}

/** Loaded in steps, emptied by the crane: a sawtooth of about forty minutes. */
export class Platform implements Machine {
  readonly device: Device
  private readonly key: number
  private readonly rated: number
  private readonly overloadAt: number

  constructor(city: City, device: Device, options: { overloadAt?: number } = {}) {
    this.device = device
    this.key = noiseKey(city.seed, 'platform', device.deviceSn)
    this.rated = Number(device.params.ratedLoad ?? 1.2)
    this.overloadAt = options.overloadAt ?? Number.POSITIVE_INFINITY
  }

  step(): void {}

  intervalMs(): number {
    return 30_000
  }

  telemetry(nowMs: number): Values {
    const period = 2_400_000
    const index = Math.floor(nowMs / period)
    const phase = (nowMs % period) / period
    const full = this.rated * (0.35 + 0.42 * hashed(this.key, index))
    const steps = Math.floor(clamp(phase / 0.7, 0, 1) * 5) / 5
    let weight = isShift(nowMs) ? full * (phase > 0.86 ? 0 : steps) : 0
    if (nowMs >= this.overloadAt && nowMs < this.overloadAt + 90_000) weight = this.rated * 1.07
    weight = Math.max(0, weight + 0.004 * smoothNoise(this.key, nowMs, 3000))
    const tiltX = 0.18 + 0.35 * (weight / this.rated) + 0.03 * smoothNoise(this.key + 1, nowMs, 5000)
    const tiltY = -0.1 + 0.04 * smoothNoise(this.key + 2, nowMs, 5000)
    const percent = (weight / this.rated) * 100
    return {
      weight: round(weight, 2),
      weightPercent: round(percent, 1),
      tiltX: round(tiltX, 2),
      tiltY: round(tiltY, 2),
      tilt: round(Math.hypot(tiltX, tiltY), 2),
      batteryPercent: 70 + Math.floor(29 * hashed(this.key, 7)),
      weightStatus: percent >= 100 ? '2' : percent >= 80 ? '1' : '0',
      tiltStatus: '0',
      batteryStatus: '0',
    }
  }
}

/** Piling method of a rig; codes are those of the catalogue. */
export type PileMaking = 'bored' | 'mixing' | 'static'
interface Making {
  /** Time from one pile to the next. */
  periodMs: number
  /** Fraction of that time in which the tool goes down. */
  down: number
  /** Prefix of pile numbers. */
  letters: string
  /** Pile numbers repeat after this many. */
  numbers: number
}
const makings: Readonly<Record<PileMaking, Making>> = {
  bored: { periodMs: 3 * 3600_000, down: 0.6, letters: 'ZH', numbers: 300 },
  mixing: { periodMs: 3600_000, down: 0.75, letters: 'JB', numbers: 3_000 },
  static: { periodMs: 1.5 * 3600_000, down: 0.6, letters: 'JY', numbers: 3_000 },
}

export function makingOf(device: Device): PileMaking {
  const { pileType } = device.params
  return pileType === 'mixing' || pileType === 'static' ? pileType : 'bored'
}
export const pilePeriodMs = (device: Device): number => makings[makingOf(device)].periodMs

/** Pile number, from rig and index. */
function pileNoOf(device: Device, index: number): string {
  const { letters, numbers } = makings[makingOf(device)]
  return `${letters}${/\d+/.exec(device.name)?.[0] ?? ''}-${100 + (index % numbers)}`
}

const numberOf = (value: unknown, usual: number) => (typeof value === 'number' ? value : usual)
const depthOf = (device: Device) => numberOf(device.params.designDepth, 22)

/** Every fourth pile of a mixing rig has a weak metre, from 11 to 12 m, where the pump faltered. */
const weakMetre = 11
const weakShare = 0.72
/** Grout factor of one in thirty piles, which gets too little over its whole length and is reported. */
const thinShare = 0.9

/** Grout in a mixed pile down to a depth, L. */
function groutDownTo(device: Device, key: number, index: number, depth: number): number {
  const design = numberOf(device.params.designGrout, 60)
  const thin = hashed(key + 3, index) > 29 / 30 ? thinShare : 1
  let volume = 0
  for (let metre = 0; metre < depth; metre++) {
    const share = metre === weakMetre && index % 4 === 2 ? weakShare : 0.99 + 0.09 * hashed(key + 5 + metre, index)
    volume += design * share * thin * Math.min(1, depth - metre)
  }
  return volume
}

/** Pressing force at a depth, kN: low in the fill, increasing in the bearing sand. */
function pressureAt(device: Device, key: number, index: number, depth: number): number {
  const last = numberOf(device.params.designPressure, 2_400) * (0.995 + 0.06 * hashed(key + 2, index))
  return 260 + (last - 260) * (depth / depthOf(device)) ** 1.7
}

/** Record of one pile: one in ten is short and waits for a decision, one in forty is tilted too much. */
export function pileRecordOf(city: City, device: Device, index: number): MachineRecord {
  const key = noiseKey(city.seed, 'pile', device.deviceSn)
  const making = makingOf(device)
  const periodMs = pilePeriodMs(device)
  const design = depthOf(device)
  const depth = round(design * (0.998 + 0.02 * hashed(key, index)), 2)
  const leans = hashed(key + 1, index) > 0.975
  const grout = making === 'bored' ? 2_100 + 300 * hashed(key + 2, index) : groutDownTo(device, key, index, depth)
  const pressure = pressureAt(device, key, index, design)
  const isWeak =
    (making === 'mixing' && grout < numberOf(device.params.designGrout, 60) * depth * 0.95) ||
    (making === 'static' && pressure < numberOf(device.params.designPressure, 2_400))
  return {
    record: 'pileRecord',
    time: (index + 1) * periodMs,
    data: {
      pileNo: pileNoOf(device, index),
      startTime: new Date(index * periodMs).toISOString(),
      endTime: new Date((index + 1) * periodMs).toISOString(),
      finalDepth: depth,
      maxVerticality: leans ? 1.24 : round(0.3 + 0.4 * hashed(key + 1, index), 2),
      ...(making === 'static' ? { finalPressure: Math.round(pressure) } : { groutTotal: Math.round(grout) }),
      result: leans ? '0' : depth >= design && !isWeak ? '1' : '2',
    },
  }
}

/** Piling rig. Bored: down at 1 m per 4 min, grout, move on. Mixed: grouted on the way down. Pressed: held at the end. */
export class PileRig implements Machine {
  readonly device: Device
  private readonly city: City
  private readonly key: number
  private readonly depth: number
  private readonly periodMs: number
  private readonly making: PileMaking

  constructor(city: City, device: Device) {
    this.device = device
    this.city = city
    this.key = noiseKey(city.seed, 'pile', device.deviceSn)
    this.depth = depthOf(device)
    this.periodMs = pilePeriodMs(device)
    this.making = makingOf(device)
  }

  private records: MachineRecord[] = []
  private index = -1

  step(_dt: number, nowMs: number): void {
    const index = Math.floor(nowMs / this.periodMs)
    if (this.index >= 0 && index !== this.index) this.records.push({ ...pileRecordOf(this.city, this.device, this.index), time: nowMs })
    this.index = index
  }

  takeRecords(): MachineRecord[] {
    const taken = this.records
    this.records = []
    return taken
  }

  intervalMs(): number {
    return 10_000
  }

  telemetry(nowMs: number): Values {
    const index = Math.floor(nowMs / this.periodMs)
    const phase = (nowMs % this.periodMs) / this.periodMs
    const { down } = makings[this.making]
    const goesDown = phase < down
    const depth = goesDown ? this.depth * (phase / down) : this.depth
    return {
      pileNo: pileNoOf(this.device, index),
      depth: round(depth, 2),
      verticalityX: round(0.2 + 0.15 * smoothNoise(this.key, nowMs, 90_000), 2),
      verticalityY: round(-0.15 + 0.15 * smoothNoise(this.key + 1, nowMs, 90_000), 2),
      ...this.own(nowMs, index, phase, depth),
    }
  }

  /** Metrics specific to the rig's method. */
  private own(nowMs: number, index: number, phase: number, depth: number): Values {
    const { down, periodMs } = makings[this.making]
    const goesDown = phase < down
    const speed = goesDown ? round(this.depth / ((down * periodMs) / 60_000), 2) : 0
    if (this.making === 'static') {
      // The final pressure is held for some minutes, then the rig moves on.
      const current = phase < down + 0.15
      const pressure = pressureAt(this.device, this.key, index, depth) * (1 + 0.004 * smoothNoise(this.key + 2, nowMs, 6000))
      return { feedSpeed: speed, pressure: current ? Math.round(pressure) : 0 }
    }
    if (this.making === 'mixing') {
      const into = (at: number) => groutDownTo(this.device, this.key, index, at)
      return {
        feedSpeed: speed,
        current: Math.round(goesDown ? 72 + depth * 2.6 + 9 * smoothNoise(this.key + 2, nowMs, 6000) : 18),
        groutFlow: goesDown ? round(into(depth) - into(Math.max(0, depth - speed)), 1) : 0,
        groutVolume: round(into(depth), 1),
        groutDensity: round(1.72 + 0.03 * smoothNoise(this.key + 4, nowMs, 60_000), 2),
      }
    }
    const grouting = phase > 0.68 && phase < 0.9
    return {
      current: Math.round(goesDown ? 118 + depth * 2.2 + 14 * smoothNoise(this.key + 2, nowMs, 6000) : 22),
      torque: round(goesDown ? 86 + depth * 3.1 + 12 * smoothNoise(this.key + 4, nowMs, 6000) : 0, 1),
      groutFlow: grouting ? round(58 + 6 * smoothNoise(this.key + 3, nowMs, 10_000), 1) : 0,
    }
  }
}

/** Runs ten minutes per hour by timer while it is dry and warm, and on command. */
export class Spray implements Machine {
  readonly device: Device
  private readonly city: City
  private readonly key: number

  constructor(city: City, device: Device) {
    this.city = city
    this.device = device
    this.key = noiseKey(city.seed, 'spray', device.deviceSn)
  }

  private records: MachineRecord[] = []
  private since = 0
  /** End of a commanded run, or of a commanded stop until the timer's next turn. */
  private reported: { runs: boolean; until: number } | undefined
  private trigger = 'timer'

  obey(cmd: string, params: Record<string, unknown>, nowMs: number): boolean {
    if (cmd !== 'spray.start' && cmd !== 'spray.stop') return false
    const seconds = Number(params.durationSeconds) || 600
    // After a manual stop the timer resumes with its next hour.
    this.reported = cmd === 'spray.start' ? { runs: true, until: nowMs + seconds * 1000 } : { runs: false, until: nowMs + 600_000 }
    return true
  }

  step(_dt: number, nowMs: number): void {
    if (this.reported && nowMs >= this.reported.until) this.reported = undefined
    if (this.runs(nowMs)) {
      if (!this.since) this.trigger = this.reported ? 'manual' : 'timer'
      this.since ||= nowMs
    } else if (this.since) {
      const seconds = Math.round((nowMs - this.since) / 1000)
      const before = 96 + 38 * hashed(this.key + 5, Math.floor(nowMs / 3_600_000))
      if (seconds > 30)
        this.records.push({
          record: 'sprayRecord',
          time: nowMs,
          data: {
            startTime: new Date(this.since).toISOString(),
            endTime: new Date(nowMs).toISOString(),
            durationSeconds: seconds,
            trigger: this.trigger,
            waterVolume: round((12 * seconds) / 3600, 2),
            pm10Before: round(before, 1),
            pm10After: round(before * (0.7 + 0.15 * hashed(this.key + 6, Math.floor(nowMs / 3_600_000))), 1),
          },
        })
      this.since = 0
    }
  }

  takeRecords(): MachineRecord[] {
    const taken = this.records
    this.records = []
    return taken
  }

  intervalMs(): number {
    return 30_000
  }

  // Story: the west line has had no water since the morning.
  private isDry(): boolean {
    return this.device.name === '西线'
  }

  private runs(nowMs: number): boolean {
    return !this.isDry() && (this.reported?.runs ?? this.running(nowMs))
  }

  running(nowMs: number): boolean {
    const minute = Math.floor(nowMs / 60_000) % 60
    const weather = weatherAt(this.city.seed, nowMs)
    const start = Math.floor(hashed(this.key, 3) * 40)
    return (
      isShift(nowMs) && weather.rain === 0 && weather.temperature > 2 && weather.windSpeed < 12 && minute >= start && minute < start + 10
    )
  }

  telemetry(nowMs: number): Values {
    const dry = this.isDry()
    const running = this.runs(nowMs)
    return {
      running: running ? '1' : '0',
      waterPressure: round(dry ? 0.02 : running ? 0.42 + 0.02 * smoothNoise(this.key, nowMs, 5000) : 0.55, 2),
      flowRate: running ? round(12 + 0.6 * smoothNoise(this.key + 1, nowMs, 5000), 2) : 0,
      mode: this.reported ? 'manual' : 'timer',
    }
  }
}
