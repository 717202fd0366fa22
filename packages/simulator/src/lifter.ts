import { dayOf, hourOfDay } from './calendar.ts'
import type { City, Device } from './city-types.ts'
import { isShift, type Machine, type MachineRecord, type Values } from './machine.ts'
import { arrived, axis, drive } from './motion.ts'
import { clamp, hashed, noiseKey, type Random, round, smoothNoise, stream } from './random.ts'
import { windAt, windAtHeight } from './weather.ts'

const floorHeight = 3.9
const acceleration = 0.3

interface Trip {
  startTime: number
  startFloor: number
  startHeight: number
  maxLoad: number
  maxPersons: number
  maxSpeed: number
  maxTilt: number
  /** Started with a door open, its interlock bridged. */
  open: boolean
}

/** Share of carelessly operated lifts; each starts once in an afternoon with its door open. */
const carelessShare = 0.45
const carelessHour = 15
/** Probability of one person too many in the morning rush. */
const squeezeShare = 0.04

/** One cage: waits with its gate open, loads people and goods, runs to a floor, levels, unloads. */
export class Lifter implements Machine {
  readonly device: Device
  private readonly city: City
  private readonly random: Random
  private readonly key: number
  private readonly cage = axis(0)
  private readonly floors: number
  private readonly ratedLoad: number
  private readonly speed: number
  private readonly ratedPersons: number
  private readonly always: boolean
  private readonly idle: boolean
  private readonly driver: { id: string; name: string } | undefined
  private readonly overloads: number[]
  private persons = 0
  private goods = 0
  private doorUntil = 0
  private doorOpen = true
  private trip: Trip | null = null
  private recognisedAt = 0
  private records: MachineRecord[] = []
  private readonly careless: boolean
  private openedOn = ''

  constructor(
    city: City,
    device: Device,
    options: { purpose: string; always?: boolean; idle?: boolean; overloadsAt?: number[]; driver?: { id: string; name: string }[] },
  ) {
    this.city = city
    this.device = device
    this.random = stream(city.seed, 'lifter', device.deviceSn, options.purpose)
    this.key = noiseKey(city.seed, 'lifter', device.deviceSn)
    this.floors = Number(device.params.maxFloor ?? 12)
    this.ratedLoad = Number(device.params.ratedLoad ?? 2)
    this.speed = Number(device.params.ratedSpeed ?? 0.6)
    this.ratedPersons = Number(device.params.ratedPersons ?? 9)
    this.always = options.always ?? false
    this.idle = options.idle ?? false
    this.overloads = [...(options.overloadsAt ?? [])]
    this.driver = options.driver?.[0]
    this.careless = hashed(this.key, 3) < carelessShare
  }

  get load(): number {
    return this.persons * 0.075 + this.goods
  }

  get moving(): boolean {
    return this.trip !== null
  }

  step(dt: number, nowMs: number): void {
    const trip = this.trip
    if (trip) {
      drive(this.cage, dt, this.speed, acceleration)
      trip.maxSpeed = Math.max(trip.maxSpeed, Math.abs(this.cage.velocity))
      trip.maxTilt = Math.max(trip.maxTilt, Math.hypot(...this.tilt(nowMs)))
      if (arrived(this.cage, 0.03)) this.stop(nowMs, trip)
      return
    }
    if (nowMs < this.doorUntil) return
    if (this.idle || (!this.always && !isShift(nowMs))) {
      this.persons = 0
      this.goods = 0
      this.doorOpen = false
      return
    }
    if (this.load / this.ratedLoad >= 1) {
      // The gate does not close on overload, so some people step out.
      this.persons = Math.max(1, this.persons - 3)
      this.goods = Math.min(this.goods, this.ratedLoad * 0.5)
      this.doorUntil = nowMs + this.random.int(6, 14) * 1000
      return
    }
    this.start(nowMs)
  }

  private get floor(): number {
    return Math.round(this.cage.position / floorHeight) + 1
  }

  private start(nowMs: number): void {
    const here = this.floor
    const hour = hourOfDay(nowMs)
    // Mostly up in the morning, down at noon and in the evening, mixed in between.
    const down = here > 1 && this.random.chance(hour > 17 || (hour > 11.2 && hour < 12) ? 0.85 : 0.5)
    const target = down ? 1 : clamp(this.random.int(2, this.floors), 1, this.floors)
    if (target === here) {
      this.doorUntil = nowMs + 20_000
      return
    }
    // Starting requires a recognised operator; checked at the first run and every two hours.
    if (this.driver && nowMs - this.recognisedAt > 7_200_000) {
      this.recognisedAt = nowMs
      this.records.push({
        record: 'driverRecognition',
        time: nowMs,
        data: {
          driverId: this.driver.id,
          driverName: this.driver.name,
          time: new Date(nowMs).toISOString(),
          result: '1',
          score: round(this.random.float(90, 98.5), 1),
        },
      })
    }
    const today = dayOf(nowMs)
    const open = this.careless && this.openedOn !== today && hour >= carelessHour && hour < carelessHour + 1
    if (open) this.openedOn = today
    this.doorOpen = false
    this.cage.target = (target - 1) * floorHeight
    this.trip = {
      startTime: nowMs,
      startFloor: here,
      startHeight: this.cage.position,
      maxLoad: this.load,
      maxPersons: this.persons,
      maxSpeed: 0,
      maxTilt: 0,
      open,
    }
  }

  private stop(nowMs: number, trip: Trip): void {
    this.cage.position = this.cage.target
    this.cage.velocity = 0
    this.trip = null
    const duration = Math.max(1, Math.round((nowMs - trip.startTime) / 1000))
    const endHeight = this.cage.position
    this.records.push({
      record: 'workingCycle',
      time: nowMs,
      data: {
        cycleNo: `${new Date(trip.startTime + 28_800_000).toISOString().slice(0, 10).replaceAll('-', '')}-${String(Math.floor(trip.startTime / 1000) % 86_400).padStart(5, '0')}`,
        cage: String(this.device.params.cage ?? '0'),
        startTime: new Date(trip.startTime).toISOString(),
        endTime: new Date(nowMs).toISOString(),
        durationSeconds: duration,
        startFloor: trip.startFloor,
        endFloor: this.floor,
        startHeight: round(trip.startHeight, 2),
        endHeight: round(endHeight, 2),
        maxLoad: round(trip.maxLoad, 2),
        maxLoadPercent: round((trip.maxLoad / this.ratedLoad) * 100, 1),
        maxPersonCount: trip.maxPersons,
        averageSpeed: round(Math.abs(endHeight - trip.startHeight) / duration, 2),
        maxSpeed: round(trip.maxSpeed, 2),
        maxTilt: round(trip.maxTilt, 2),
        direction: endHeight > trip.startHeight ? '1' : '2',
        illegal: trip.open || trip.maxPersons > this.ratedPersons,
        ...(this.driver ? { driverId: this.driver.id, driverName: this.driver.name } : {}),
      },
    })
    this.doorOpen = true
    const overload = this.overloads[0] !== undefined && nowMs >= this.overloads[0]
    if (overload) this.overloads.shift()
    const rush = hourOfDay(nowMs) < 7.5 && this.floor === 1
    this.persons = overload ? 9 : rush && this.random.chance(squeezeShare) ? this.ratedPersons + 1 : this.random.int(1, rush ? 9 : 6)
    this.goods = overload ? this.ratedLoad * 1.04 - 9 * 0.075 : this.random.chance(0.4) ? this.random.float(0.1, this.ratedLoad * 0.6) : 0
    if (!overload && this.load > this.ratedLoad * 0.97) this.goods = Math.max(0, this.ratedLoad * 0.9 - this.persons * 0.075)
    this.doorUntil = nowMs + this.random.int(overload ? 14 : 12, 45) * 1000
  }

  takeRecords(): MachineRecord[] {
    const taken = this.records
    this.records = []
    return taken
  }

  private tilt(nowMs: number): [number, number] {
    return [0.05 + 0.03 * smoothNoise(this.key, nowMs, 3000), -0.03 + 0.03 * smoothNoise(this.key + 1, nowMs, 3000)]
  }

  telemetry(nowMs: number): Values {
    const [tiltX, tiltY] = this.tilt(nowMs)
    const wind = windAtHeight(windAt(this.city.seed, nowMs).windSpeed, this.floors * floorHeight)
    const moving = this.trip !== null
    return {
      cage: String(this.device.params.cage ?? '0'),
      load: round(this.load, 2),
      loadPercent: round((this.load / this.ratedLoad) * 100, 1),
      personCount: this.persons,
      height: round(this.cage.position, 2),
      floor: this.floor,
      speed: round(Math.abs(this.cage.velocity), 2),
      direction: !moving || Math.abs(this.cage.velocity) < 0.02 ? '0' : this.cage.velocity > 0 ? '1' : '2',
      tiltX: round(tiltX, 2),
      tiltY: round(tiltY, 2),
      windSpeed: round(wind, 1),
      frontDoorOpen: (this.doorOpen && this.floor === 1) || this.trip?.open === true,
      rearDoorOpen: this.doorOpen && this.floor !== 1,
      doorLocked: !this.doorOpen,
      upperLimit: false,
      lowerLimit: false,
      safetyDeviceTriggered: false,
      ...(this.driver ? { driverId: this.driver.id, driverName: this.driver.name } : {}),
    }
  }

  intervalMs(): number {
    return this.moving ? 2000 : 10_000
  }
}
