import { hourOfDay } from './calendar.ts'
import type { City, Device } from './city-types.ts'
import { begun, type Cycle, follow, recordOf, wrapped } from './crane-cycle.ts'
import { Encounter, encounterMoves, type Move, overloadMoves, overloadOf, rigging, turned } from './crane-moves.ts'
import { type CraneParams, craneLimits, craneParams, ratedLoadAt } from './crane-params.ts'
import { lowerNeighbours, workPlaces } from './crane-places.ts'
import { isShift, type Machine, type MachineRecord, type Values } from './machine.ts'
import { type Axis, arrived, axis, drive } from './motion.ts'
import { clamp, hashed, noiseKey, type Random, round, smoothNoise, stream } from './random.ts'
import { windAt, windAtHeight, windLevel } from './weather.ts'

export interface CraneOptions {
  /** Distinguishes a past day from live operation. */
  purpose: string
  /** Epoch ms; the first lift after each is an overload. */
  overloadsAt?: number[]
  /** Epoch ms of collision scenes with the neighbour (2# and 3# of the story). */
  encountersAt?: number[]
  encounter?: Encounter
  /** Never near its limits; for the site without problems. */
  calm?: boolean
  /** Works around the clock. */
  always?: boolean
  /** The site is stopped: the jib turns with the wind all day. */
  idle?: boolean
  driver?: { id: string; name: string }[]
}

export class Crane implements Machine {
  readonly device: Device
  readonly params: CraneParams
  readonly slew: Axis
  readonly trolley: Axis
  readonly hook: Axis
  load = 0
  fall: number
  private moves: Move[] = []
  private stayed = 0
  private idleUntil = 0
  private loadFrom = 0
  private cycle: Cycle | null = null
  private records: MachineRecord[] = []
  private readonly random: Random
  private readonly options: CraneOptions
  private readonly overloads: number[]
  private readonly encounters: number[]
  private readonly seed: number
  private readonly noise: number
  private readonly yard: [number, number]
  private readonly places: [number, number][]
  private lastRecognised = ''
  private recognisedAt = 0
  /** The trolley moves in to this radius before the jib swings over a lower neighbour. */
  private readonly safeRadius: number | null

  constructor(city: City, device: Device, options: CraneOptions) {
    this.device = device
    this.params = craneParams(device)
    this.options = options
    this.seed = city.seed
    this.random = stream(city.seed, 'crane', device.deviceSn, options.purpose)
    this.noise = noiseKey(city.seed, 'crane', device.deviceSn)
    this.overloads = [...(options.overloadsAt ?? [])]
    this.encounters = [...(options.encountersAt ?? [])]
    this.fall = this.params.fall
    const plan = city.sitePlans.find((one) => one.projectCode === device.projectCode)
    const lower = lowerNeighbours(city, device, this.params)
    const geometry = workPlaces(this.params, plan, stream(city.seed, 'workplaces', device.deviceSn), lower)
    this.safeRadius = lower.length ? Math.max(this.params.minRadius + 1, Math.min(...lower.map((one) => one.distance - one.jib - 7))) : null
    this.yard = geometry.yard
    this.places = geometry.places
    this.slew = axis(this.yard[0])
    this.trolley = axis(this.safeRadius ?? this.yard[1])
    this.hook = axis(Math.min(30, this.params.maxHeight))
  }

  get ratedLoad(): number {
    return ratedLoadAt({ ...this.params, fall: this.fall }, this.trolley.position)
  }

  get moment(): number {
    return this.load * this.trolley.position
  }

  get momentPercent(): number {
    return (this.moment / this.params.ratedMoment) * 100
  }

  private get driven() {
    return { name: this.device.name, params: this.params, angle: this.slew.position, safeRadius: this.safeRadius, yard: this.yard }
  }

  get moving(): boolean {
    return this.moves.length > 0
  }

  step(dt: number, nowMs: number): void {
    const jacking = this.device.behaviour === 'maintenance'
    const pausing = nowMs < this.idleUntil
    if (!this.moves.length && !jacking && !pausing) this.plan(nowMs)
    if (!this.moves.length) {
      this.weathervane(dt, nowMs, jacking ? 0.2 : pausing ? 0 : 1)
      return
    }
    const move = this.moves[0]!
    if (move.angle !== undefined) this.slew.target = move.angle
    if (move.radius !== undefined) this.trolley.target = clamp(move.radius, this.params.minRadius, this.params.maxRadius)
    if (move.hook !== undefined) this.hook.target = clamp(move.hook, 0.5, this.params.maxHeight)
    // Heavy loads are moved slowly.
    const ease = 1 - 0.45 * Math.min(1, this.load / this.params.maxLoad)
    drive(
      this.slew,
      dt,
      Math.min(move.slewSpeed ?? craneLimits.slewSpeed, craneLimits.slewSpeed * ease),
      craneLimits.slewAcceleration * ease,
    )
    drive(this.trolley, dt, craneLimits.trolleySpeed * ease, craneLimits.trolleyAcceleration)
    drive(this.hook, dt, craneLimits.hoistSpeed * ease, craneLimits.hoistAcceleration)
    if (this.cycle) follow(this.cycle, this.reading(nowMs))
    if (!arrived(this.slew, 0.3) || !arrived(this.trolley, 0.15) || !arrived(this.hook, 0.2)) return
    const stay = move.stay ?? 0
    if (this.stayed === 0) this.loadFrom = this.load
    this.stayed += dt
    // The load on the rope changes during the last four seconds of a stay.
    if (move.load !== undefined) this.load = this.loadFrom + (move.load - this.loadFrom) * clamp((this.stayed - (stay - 4)) / 4, 0, 1)
    if (this.stayed < stay) return
    if (move.until && !move.until()) {
      if (this.stayed > 300) this.giveUp()
      return
    }
    if (move.load !== undefined) this.load = move.load
    if (move.note === 'lifted') this.cycle = begun(nowMs, this.reading(nowMs))
    if (move.note === 'unloaded') this.finish(nowMs)
    move.said?.()
    this.stayed = 0
    this.moves.shift()
    if (!this.moves.length)
      this.idleUntil =
        nowMs +
        this.random.weighted([
          [this.random.int(10, 60), 6],
          [this.random.int(60, 300), 3],
          [this.random.int(400, 1500), 1],
        ]) *
          1000
  }

  /** Out of service the jib follows the wind; while idle between lifts it stands still. */
  private weathervane(dt: number, nowMs: number, freedom: number): void {
    if (freedom > 0 && this.safeRadius !== null) this.trolley.target = this.safeRadius
    if (freedom > 0 && arrived(this.trolley, 0.3)) {
      const wind = windAt(this.seed, nowMs)
      const lee = (wind.windDirection + 180) % 360
      const off = ((((lee - this.slew.position) % 360) + 540) % 360) - 180
      this.slew.target = this.slew.position + off * freedom
      drive(this.slew, dt, 0.25 * freedom, 0.02)
    } else {
      this.slew.target = this.slew.position
      drive(this.slew, dt, craneLimits.slewSpeed, craneLimits.slewAcceleration)
    }
    drive(this.trolley, dt, craneLimits.trolleySpeed, craneLimits.trolleyAcceleration)
    drive(this.hook, dt, craneLimits.hoistSpeed, craneLimits.hoistAcceleration)
  }

  private giveUp(): void {
    this.stayed = 0
    this.moves = [{ hook: 4 }, { stay: 8, load: 0, note: 'unloaded' }, { hook: 20 }]
  }

  private plan(nowMs: number): void {
    this.choose(nowMs)
    if (this.moves.length) this.recognise(nowMs)
  }

  private choose(nowMs: number): void {
    const overload = this.overloads[0] !== undefined && nowMs >= this.overloads[0]
    if (overload) {
      this.overloads.shift()
      const load = overloadOf(this.params, this.random.float(1.02, 1.075))
      this.fall = load + rigging > this.params.maxLoad / 2 ? 4 : this.params.fall
      this.moves = overloadMoves(this.driven, load)
      return
    }
    if (this.encounters[0] !== undefined && nowMs >= this.encounters[0]) {
      this.encounters.shift()
      this.moves = encounterMoves(this.driven, this.options.encounter ?? new Encounter())
      return
    }
    if (this.options.idle || (!this.options.always && !isShift(nowMs))) return
    if (this.device.behaviour !== 'normal') return
    const wind = windAtHeight(windAt(this.seed, nowMs).windSpeed, this.params.towerHeight)
    if (wind >= 12) return
    this.moves = this.ordinaryMoves()
  }

  private ordinaryMoves(): Move[] {
    const { random } = this
    const place = random.pick(this.places)
    const from: [number, number] = random.chance(0.8) ? this.yard : random.pick(this.places)
    const angle = place[0] + random.float(-6, 6)
    const radius = clamp(place[1] + random.float(-3, 3), this.params.minRadius + 1, this.params.maxRadius - 0.5)
    const far = Math.max(radius, from[1])
    // Two per cent of the lifts come near the limit, except on calm sites.
    const share = random.weighted([
      [random.float(0.12, 0.5), 55],
      [random.float(0.5, 0.82), 41],
      [random.float(0.9, 0.96), this.options.calm ? 0 : 2],
    ])
    const load = clamp(share * ratedLoadAt({ ...this.params, fall: this.fall }, far), 0.25, this.params.maxLoad)
    const floor = Math.min(this.params.maxHeight - 6, random.float(4, Math.max(6, this.params.maxHeight - 10)))
    const travel = Math.min(this.params.maxHeight - 1, floor + random.float(6, 10))
    return this.lift(from, [angle, radius], load, floor, travel)
  }

  private lift(from: [number, number], to: [number, number], load: number, floor: number, travel: number): Move[] {
    const { random } = this
    const pick = turned(this.slew.position, from[0], this.params.forbidden)
    const drop = turned(pick, to[0], this.params.forbidden)
    return [
      { hook: Math.max(8, Math.min(travel, this.hook.position + 2)) },
      ...this.swing(pick, from[1]),
      { hook: 1.5 },
      { stay: random.int(14, 40), load: load + rigging },
      { hook: travel, note: 'lifted' },
      ...this.swing(drop, to[1]),
      { hook: floor },
      { stay: random.int(10, 32), load: 0, note: 'unloaded' },
      { hook: Math.min(this.params.maxHeight - 1, floor + 4) },
    ]
  }

  private swing(angle: number, radius: number): Move[] {
    return this.safeRadius === null ? [{ angle, radius }] : [{ radius: Math.min(this.safeRadius, radius) }, { angle }, { radius }]
  }

  /** Face recognition: before the first lift, at each change of driver, and every two hours. */
  private recognise(nowMs: number): void {
    const driver = this.driver(nowMs)
    if (driver && (this.lastRecognised !== driver.id || nowMs - this.recognisedAt > 7_200_000)) {
      this.lastRecognised = driver.id
      this.recognisedAt = nowMs
      this.records.push({
        record: 'driverRecognition',
        time: nowMs,
        data: {
          driverId: driver.id,
          driverName: driver.name,
          time: new Date(nowMs).toISOString(),
          mode: '1',
          result: '1',
          score: round(this.random.float(90, 98.5), 1),
        },
      })
    }
  }

  private reading(nowMs: number) {
    return {
      load: this.load,
      loadPercent: (this.load / this.ratedLoad) * 100,
      moment: this.moment,
      momentPercent: this.momentPercent,
      radius: this.trolley.position,
      height: this.hook.position,
      angle: this.slew.position,
      windSpeed: this.wind(nowMs),
    }
  }

  private finish(nowMs: number): void {
    const { cycle } = this
    this.cycle = null
    this.fall = this.params.fall
    if (cycle) this.records.push(recordOf(cycle, nowMs, this.fall, this.driver(nowMs)))
  }

  takeRecords(): MachineRecord[] {
    const taken = this.records
    this.records = []
    return taken
  }

  private driver(nowMs: number): { id: string; name: string } | undefined {
    const drivers = this.options.driver ?? []
    const hour = hourOfDay(nowMs)
    return drivers[hour >= 6 && hour < 18.5 ? 0 : drivers.length - 1]
  }

  private wind(nowMs: number): number {
    return windAtHeight(windAt(this.seed, nowMs).windSpeed, this.params.towerHeight) * (1 + 0.06 * smoothNoise(this.noise, nowMs, 4000))
  }

  telemetry(nowMs: number): Values {
    const p = this.params
    const load = Math.max(0, this.load + (this.load > 0.05 ? (hashed(this.noise, nowMs) - 0.5) * 0.02 : 0))
    const rated = this.ratedLoad
    const wind = this.wind(nowMs)
    const percent = ((load * this.trolley.position) / p.ratedMoment) * 100
    // The mast tilts towards the load and sways slightly in the wind.
    const lean = (this.slew.position * Math.PI) / 180
    const bend = 0.06 + 0.16 * (percent / 100) + 0.004 * wind
    const tiltX = bend * Math.sin(lean) + 0.02 * smoothNoise(this.noise, nowMs, 2600)
    const tiltY = bend * Math.cos(lean) + 0.02 * smoothNoise(this.noise + 1, nowMs, 2600)
    const limitUpper = this.hook.position >= p.maxHeight - 0.6
    const limitOuter = this.trolley.position >= p.maxRadius - 0.3
    const limitInner = this.trolley.position <= p.minRadius + 0.2
    const at = wrapped(this.slew.position)
    const limitLeft = p.forbidden !== null && Math.abs(at - p.forbidden[1]) < 1.5
    const limitRight = p.forbidden !== null && Math.abs(at - p.forbidden[0]) < 1.5
    const loadPercent = (load / rated) * 100
    const tilt = Math.hypot(tiltX, tiltY)
    const bits = [
      wind >= 12,
      loadPercent >= 100,
      false,
      percent >= 100,
      tilt >= 2,
      false,
      false,
      false,
      false,
      false,
      false,
      false,
      false,
      limitUpper,
      false,
      limitOuter,
      limitInner,
      limitLeft,
      limitRight,
      false,
      false,
      false,
    ]
    const driver = this.driver(nowMs)
    return {
      load: round(load, 2),
      ratedLoad: round(rated, 2),
      loadPercent: round(loadPercent, 1),
      moment: round(load * this.trolley.position, 1),
      momentPercent: round(percent, 1),
      radius: round(this.trolley.position, 2),
      hookHeight: round(this.hook.position, 2),
      slewAngle: at,
      slewSpeed: round(this.slew.velocity / 6, 2),
      trolleySpeed: round(this.trolley.velocity * 60, 1),
      hoistSpeed: round(this.hook.velocity * 60, 1),
      windSpeed: round(wind, 1),
      windLevel: windLevel(wind),
      tiltX: round(tiltX, 2),
      tiltY: round(tiltY, 2),
      tilt: round(tilt, 2),
      fall: this.fall,
      sensorStatus: this.device.behaviour === 'maintenance' ? '2' : '1',
      alarmBits: [...bits, ...Array<boolean>(10).fill(false)]
        .reverse()
        .map((bit) => (bit ? '1' : '0'))
        .join(''),
      limitUpper,
      limitLower: false,
      limitOuter,
      limitInner,
      limitLeft,
      limitRight,
      ...(driver && this.device.behaviour === 'normal' ? { driverId: driver.id, driverName: driver.name } : {}),
    }
  }

  intervalMs(): number {
    return this.moving || Math.abs(this.slew.velocity) > 0.3 ? 1000 : 10_000
  }
}

/** Operators of a device, for its recognition records. */
export function driversOf(city: City, device: Device): { id: string; name: string }[] {
  return device.operators.map((workerId) => {
    const name = city.workers.find((worker) => worker.workerId === workerId)?.name ?? ''
    const card = city.projectWorkers.find((row) => row.workerId === workerId)?.cardNumber ?? workerId.slice(0, 6)
    return { id: `D${card}`, name }
  })
}
