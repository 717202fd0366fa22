import { hourOfDay } from './calendar.ts'
import type { City, Device, SitePlan } from './city-types.ts'
import { bearing, inside, reach } from './geo.ts'
import { type Axis, arrived, axis, drive } from './motion.ts'
import { clamp, hashed, noiseKey, type Random, round, smoothNoise, stream } from './random.ts'
import { weatherAt, windAtHeight, windLevel } from './weather.ts'

export type Values = Record<string, number | string | boolean>

/** Something that lives on in time: `step` moves it, the rest reads what its monitor would send. */
export interface Machine {
  step(dtSeconds: number, nowMs: number): void
  telemetry(nowMs: number): Values | null
  /** What is more than one value a metric, such as a curve over depth. */
  extra?(nowMs: number): Record<string, unknown> | undefined
  /** Records that have come to an end since the last call. */
  takeRecords?(): MachineRecord[]
  /** How long until the next report. */
  intervalMs(nowMs: number): number
  /** Does what it is told; true when it reports the change at once. */
  obey?(cmd: string, params: Record<string, unknown>, nowMs: number): boolean
}

export interface MachineRecord {
  record: string
  time: number
  data: Record<string, string | number | boolean>
}

export interface CraneParams {
  jibLength: number
  minRadius: number
  maxRadius: number
  maxHeight: number
  maxLoad: number
  ratedMoment: number
  fall: number
  towerHeight: number
  x: number
  y: number
  /** Bearings between which the jib must not stand, clockwise. */
  forbidden: [number, number] | null
}

/** What a crane of this moment may lift at a radius: the moment's hyperbola, cut off at what the rope carries. */
export function ratedLoadAt(params: Pick<CraneParams, 'maxLoad' | 'ratedMoment' | 'fall'>, radius: number): number {
  const rope = params.fall >= 4 ? params.maxLoad : params.maxLoad / 2
  return Math.min(rope, params.ratedMoment / Math.max(radius, 1))
}

export function craneParams(device: Device): CraneParams {
  const number = (key: string, otherwise: number) => (typeof device.params[key] === 'number' ? (device.params[key] as number) : otherwise)
  const jibLength = number('jibLength', 50)
  const from = number('slewLimitFrom', -1)
  return {
    jibLength,
    minRadius: number('minRadius', 3),
    maxRadius: number('maxRadius', jibLength),
    maxHeight: number('maxHeight', 60),
    maxLoad: number('maxLoad', 6),
    ratedMoment: number('ratedMoment', 80),
    fall: number('fallDefault', 2),
    towerHeight: number('towerHeight', 66),
    x: device.x,
    y: device.y,
    forbidden: from < 0 ? null : [from, number('slewLimitTo', from)],
  }
}

/** What the machines can do: speeds per second, accelerations per second squared. Bounds of the tests. */
export const craneLimits = {
  slewSpeed: 3.4,
  slewAcceleration: 0.4,
  trolleySpeed: 0.8,
  trolleyAcceleration: 0.25,
  hoistSpeed: 1.1,
  hoistAcceleration: 0.35,
}

/** A step of the work: where to, and what to do there. */
interface Move {
  /** Continuous degrees, not wrapped: the jib never jumps. */
  angle?: number
  radius?: number
  hook?: number
  /** Load to have on the hook at the end of the stay. */
  load?: number
  stay?: number
  slewSpeed?: number
  note?: 'lifted' | 'unloaded'
  /** Waits here until this holds; after five minutes the driver gives up and sets the load down. */
  until?: () => boolean
  /** Said to the other driver when the move is done. */
  said?: () => void
}

/** Two drivers who work towards each other, by radio: 2# goes out only when 3# waits, 3# swings only when 2# holds. */
export class Encounter {
  two: 'away' | 'holding' | 'left' = 'away'
  three: 'away' | 'ready' | 'done' = 'away'
}

interface Cycle {
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

export interface CraneOptions {
  /** Distinguishes a past day from the present. */
  purpose: string
  /** Epoch ms of moments at or after which the next lift is one too heavy for its radius. */
  overloadsAt?: number[]
  /** Moments at which this crane works towards its neighbour, as in the story of 2# and 3#. */
  encountersAt?: number[]
  encounter?: Encounter
  /** Never near the limits: the crane of the site where all is well. */
  calm?: boolean
  /** Works whatever the hour. */
  always?: boolean
  /** The site stands still: the jib turns with the wind all day. */
  idle?: boolean
  driver?: { id: string; name: string }[]
}

export function isShift(nowMs: number): boolean {
  const hour = hourOfDay(nowMs)
  return (hour >= 6.6 && hour < 11.6) || (hour >= 12.6 && hour < 17.8) || (hour >= 18.8 && hour < 20.5)
}

/** From the first shift's bell to the end of the second: whoever eats at noon is on the site all the same. */
export function isOnSite(nowMs: number): boolean {
  const hour = hourOfDay(nowMs)
  return hour >= 6.6 && hour < 17.8
}

const rigging = 0.06 // hook block and slings, t

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
  /** The trolley comes in to here before the jib swings over a lower neighbour. */
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
    // Heavy loads are moved gently.
    const ease = 1 - 0.45 * Math.min(1, this.load / this.params.maxLoad)
    drive(
      this.slew,
      dt,
      Math.min(move.slewSpeed ?? craneLimits.slewSpeed, craneLimits.slewSpeed * ease),
      craneLimits.slewAcceleration * ease,
    )
    drive(this.trolley, dt, craneLimits.trolleySpeed * ease, craneLimits.trolleyAcceleration)
    drive(this.hook, dt, craneLimits.hoistSpeed * ease, craneLimits.hoistAcceleration)
    this.follow(nowMs)
    if (!arrived(this.slew, 0.3) || !arrived(this.trolley, 0.15) || !arrived(this.hook, 0.2)) return
    const stay = move.stay ?? 0
    if (this.stayed === 0) this.loadFrom = this.load
    this.stayed += dt
    // The rope tightens and slackens over the last four seconds of a stay.
    if (move.load !== undefined) this.load = this.loadFrom + (move.load - this.loadFrom) * clamp((this.stayed - (stay - 4)) / 4, 0, 1)
    if (this.stayed < stay) return
    if (move.until && !move.until()) {
      if (this.stayed > 300) this.giveUp()
      return
    }
    if (move.load !== undefined) this.load = move.load
    if (move.note === 'lifted') this.begin(nowMs)
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

  /** Out of service the jib turns free and comes round with the wind; while idle between lifts it stands. */
  private weathervane(dt: number, nowMs: number, freedom: number): void {
    if (freedom > 0 && this.safeRadius !== null) this.trolley.target = this.safeRadius
    if (freedom > 0 && arrived(this.trolley, 0.3)) {
      const wind = weatherAt(this.seed, nowMs)
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
      this.moves = this.overloadMoves()
      return
    }
    if (this.encounters[0] !== undefined && nowMs >= this.encounters[0]) {
      this.encounters.shift()
      this.moves = this.encounterMoves()
      return
    }
    if (this.options.idle || (!this.options.always && !isShift(nowMs))) return
    if (this.device.behaviour !== 'normal') return
    const wind = windAtHeight(weatherAt(this.seed, nowMs).windSpeed, this.params.towerHeight)
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
    // Half a per cent of all lifts come near the limit; the driver's habits are in the spread.
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
    const pick = this.nearest(from[0])
    const drop = this.along(pick, to[0])
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

  /** A bundle that may be lifted close in but not where it is wanted: the trolley runs out past the limit, stops, and comes back. */
  private overloadMoves(): Move[] {
    const far = this.params.maxRadius * 0.82
    const near = far * 0.7
    const load = (this.params.ratedMoment * 1.055) / far
    this.fall = load + rigging > this.params.maxLoad / 2 ? 4 : this.params.fall
    const angle = this.slew.position
    const hook = Math.min(this.params.maxHeight - 2, 12)
    return [
      { hook, radius: near, angle },
      { stay: 8, load },
      { hook: hook + 4, note: 'lifted' },
      { radius: far },
      { stay: 9 },
      { radius: near * 0.95, angle: this.along(angle, angle + 14) },
      { hook: 6 },
      { stay: 12, load: 0, note: 'unloaded' },
      { hook: 14 },
    ]
  }

  /** 2# holds its hook over the courtyard while 3# swings towards it, brakes in time and goes back: predicted closeness without contact. */
  private encounterMoves(): Move[] {
    const radio = this.options.encounter ?? new Encounter()
    if (this.device.name.startsWith('2#')) {
      const angle = this.nearest(140)
      radio.two = 'away'
      return [
        { hook: 56 },
        { radius: this.safeRadius ?? 12 },
        { until: () => radio.three === 'ready' },
        { angle },
        { radius: 38, load: 1.2, stay: 5 },
        {
          hook: 52,
          note: 'lifted',
          said: () => {
            radio.two = 'holding'
          },
        },
        { until: () => radio.three === 'done', stay: 20 },
        {
          radius: this.safeRadius ?? 12,
          said: () => {
            radio.two = 'left'
          },
        },
        { angle: this.along(angle, this.yard[0]) },
        { hook: 30 },
        { stay: 10, load: 0, note: 'unloaded' },
        { hook: 40 },
      ]
    }
    const angle = this.nearest(268)
    radio.three = 'away'
    radio.two = 'away'
    return [
      { hook: 36 },
      { angle, radius: 38.2, load: 3.61, stay: 18 },
      {
        hook: 36.4,
        note: 'lifted',
        said: () => {
          radio.three = 'ready'
        },
      },
      { until: () => radio.two === 'holding' },
      { angle: angle + 46, slewSpeed: 2 },
      { stay: 6 },
      {
        angle: angle + 8,
        slewSpeed: 2,
        said: () => {
          radio.three = 'done'
        },
      },
      { until: () => radio.two === 'left' },
      { hook: 20 },
      { stay: 10, load: 0, note: 'unloaded' },
      {
        hook: 30,
        said: () => {
          radio.three = 'away'
        },
      },
    ]
  }

  /** The bearing nearest to the present jib that avoids the forbidden sector. */
  private nearest(bearingDegrees: number): number {
    return this.along(this.slew.position, bearingDegrees)
  }

  /** A continuous angle for a bearing, reached from `from` by the shorter way unless that crosses the forbidden sector. */
  private along(from: number, bearingDegrees: number): number {
    const short = ((((bearingDegrees - from) % 360) + 540) % 360) - 180
    const limit = this.params.forbidden
    if (!limit) return clampTurns(from, from + short)
    const crosses = (turn: number) => {
      for (let i = 1; i <= 36; i++) {
        const at = (((from + (turn * i) / 36) % 360) + 360) % 360
        if (at > limit[0] && at < limit[1]) return true
      }
      return false
    }
    if (!crosses(short)) return from + short
    const long = short > 0 ? short - 360 : short + 360
    return from + (crosses(long) ? 0 : long)
  }

  private follow(nowMs: number): void {
    const cycle = this.cycle
    if (!cycle) return
    cycle.maxLoad = Math.max(cycle.maxLoad, this.load)
    cycle.maxLoadPercent = Math.max(cycle.maxLoadPercent, (this.load / this.ratedLoad) * 100)
    cycle.maxMoment = Math.max(cycle.maxMoment, this.moment)
    cycle.maxMomentPercent = Math.max(cycle.maxMomentPercent, this.momentPercent)
    cycle.maxRadius = Math.max(cycle.maxRadius, this.trolley.position)
    cycle.minRadius = Math.min(cycle.minRadius, this.trolley.position)
    cycle.maxHeight = Math.max(cycle.maxHeight, this.hook.position)
    cycle.minHeight = Math.min(cycle.minHeight, this.hook.position)
    cycle.maxWindSpeed = Math.max(cycle.maxWindSpeed, this.wind(nowMs))
    const over = this.momentPercent >= 100
    if (over && !cycle.wasOver) cycle.overMomentCount++
    cycle.wasOver = over
    cycle.unload = [this.trolley.position, this.hook.position, this.slew.position]
  }

  private begin(nowMs: number): void {
    const here: [number, number, number] = [this.trolley.position, this.hook.position, this.slew.position]
    this.cycle = {
      startTime: nowMs,
      maxLoad: this.load,
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
    this.follow(nowMs)
  }

  /** The face is checked before the first lift, at each change of driver and every two hours. */
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

  private finish(nowMs: number): void {
    const cycle = this.cycle
    this.cycle = null
    this.fall = this.params.fall
    if (!cycle) return
    const [liftRadius, liftHeight, liftAngle] = cycle.lift
    const [unloadRadius, unloadHeight, unloadAngle] = cycle.unload
    const driver = this.driver(nowMs)
    this.records.push({
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
        fall: this.fall,
        illegal: cycle.overMomentCount > 0,
        ...(driver ? { driverId: driver.id, driverName: driver.name } : {}),
      },
    })
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
    return windAtHeight(weatherAt(this.seed, nowMs).windSpeed, this.params.towerHeight) * (1 + 0.06 * smoothNoise(this.noise, nowMs, 4000))
  }

  telemetry(nowMs: number): Values {
    const p = this.params
    const load = Math.max(0, this.load + (this.load > 0.05 ? (hashed(this.noise, nowMs) - 0.5) * 0.02 : 0))
    const rated = this.ratedLoad
    const wind = this.wind(nowMs)
    const percent = ((load * this.trolley.position) / p.ratedMoment) * 100
    // The mast leans towards the load and sways a little in the wind.
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

const wrapped = (angle: number) => round(((angle % 360) + 360) % 360, 1) % 360

/** Cables would twist: a crane without a slewing ring contact makes at most a turn and a half either way. */
function clampTurns(from: number, to: number): number {
  if (to > 540) return to - 360 < from - 360 ? from : to - 360
  if (to < -540) return to + 360
  return to
}

/** The material yard and the places on the building this crane serves, as bearing and radius. */
function workPlaces(
  params: CraneParams,
  plan: SitePlan | undefined,
  random: Random,
  lower: Neighbour[],
): { yard: [number, number]; places: [number, number][] } {
  const here: [number, number] = [params.x, params.y]
  const allowed = ([x, y]: [number, number]) => {
    const distance = Math.hypot(x - here[0], y - here[1])
    if (distance < params.minRadius + 2 || distance > params.maxRadius - 1) return false
    const at = bearing(here, [x, y])
    if (params.forbidden && at > params.forbidden[0] - 6 && at < params.forbidden[1] + 6) return false
    if (lower.some((one) => Math.hypot(x - one.x, y - one.y) < one.jib + 4)) return false
    if (!plan) return true
    return inside(plan.fence, x, y) && !plan.zones.some((zone) => inside(zone.points, x, y))
  }
  const polar = (point: [number, number]): [number, number] => [bearing(here, point), Math.hypot(point[0] - here[0], point[1] - here[1])]
  const places: [number, number][] = []
  const outside: [number, number][] = []
  for (let tries = 0; tries < 600 && (places.length < 9 || outside.length < 4); tries++) {
    const point = reach(here, random.float(0, 360), random.float(params.minRadius + 3, params.maxRadius - 2))
    if (!allowed(point)) continue
    const built = plan?.buildings.some((building) => inside(building.points, point[0], point[1])) ?? true
    if (built && places.length < 9) places.push(polar(point))
    if (!built && outside.length < 4) outside.push(polar(point))
  }
  const fallback: [number, number] = [20, params.maxRadius * 0.6]
  return { yard: outside[0] ?? places[0] ?? fallback, places: places.length ? places : outside.length ? outside : [fallback] }
}

interface Neighbour {
  x: number
  y: number
  jib: number
  distance: number
}

/** Cranes whose jib may pass under this one's: its rope must keep out of their reach. */
function lowerNeighbours(city: City, device: Device, params: CraneParams): Neighbour[] {
  return city.devices
    .filter(
      (other) =>
        other.family === 'towerCrane' && other.projectCode === device.projectCode && other !== device && other.behaviour !== 'notActivated',
    )
    .map((other) => ({ other, own: craneParams(other), distance: Math.hypot(other.x - device.x, other.y - device.y) }))
    .filter(({ own, distance }) => own.towerHeight < params.towerHeight && distance < own.jibLength + params.jibLength)
    .map(({ other, own, distance }) => ({ x: other.x, y: other.y, jib: own.jibLength, distance }))
}

/** Names and numbers of those who drive a machine, for its recognition records. */
export function driversOf(city: City, device: Device): { id: string; name: string }[] {
  return device.operators.map((workerId) => {
    const name = city.workers.find((worker) => worker.workerId === workerId)?.name ?? ''
    const card = city.projectWorkers.find((row) => row.workerId === workerId)?.cardNumber ?? workerId.slice(0, 6)
    return { id: `D${card}`, name }
  })
}
