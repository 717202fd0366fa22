import { addDays, dayMs, dayOf, dayStart, hourOfDay, weekday } from './calendar.ts'
import { story } from './city-plan.ts'
import type { City, Device } from './city-types.ts'
import type { Machine, Values } from './machine.ts'
import { clamp, hashed, noiseKey, round, smoothNoise, stream } from './random.ts'
import { weatherAt } from './weather.ts'

/** Distribution of a day's consumption over its hours; sums to 1. */
const electricHours = [1.4, 1.3, 1.2, 1.2, 1.3, 1.8, 3.4, 6.2, 6.8, 7, 6.9, 6, 4.2, 5.6, 6.8, 7, 6.9, 6.4, 5, 4.4, 3.6, 2.6, 1.8, 1.6].map(
  (share, _, all) => share / all.reduce((a, b) => a + b, 0),
)
const waterHours = [0.1, 0.03, 0.02, 0.02, 0.03, 1.5, 5, 7, 8, 8.5, 8, 9, 7, 6, 7.5, 8, 7.5, 6.5, 4, 2.5, 1.6, 0.8, 0.5, 0.3].map(
  (share, _, all) => share / all.reduce((a, b) => a + b, 0),
)

/** Reading of a meter at any moment. */
interface Register {
  used(nowMs: number): number
  reading(nowMs: number): number
  /** Consumption per hour at this moment. */
  rate(nowMs: number): number
  monthUse(nowMs: number): number
}

/** A counter whose reading depends only on time, so that past and live readings agree and it never runs backwards. */
class Counter implements Register {
  private readonly key: number
  private readonly hours: number[]
  private readonly daily: number
  private readonly epoch: number
  private readonly base: number
  private readonly sums = new Map<string, number>()

  constructor(key: number, hours: number[], daily: number, installed: string, base: number) {
    this.key = key
    this.hours = hours
    this.daily = daily
    this.epoch = dayStart(installed)
    this.base = base
  }

  dayUse(day: string): number {
    const index = Math.round(dayStart(day) / dayMs)
    return this.daily * (weekday(day) === 0 ? 0.55 : 1) * (0.85 + 0.3 * hashed(this.key, index))
  }

  /** Reading at midnight, cached. */
  private atMidnight(day: string): number {
    const known = this.sums.get(day)
    if (known !== undefined) return known
    let sum = this.base
    for (let at = dayOf(this.epoch); at < day; at = addDays(at, 1)) {
      this.sums.set(at, sum)
      sum += this.dayUse(at)
    }
    this.sums.set(day, sum)
    return sum
  }

  used(nowMs: number): number {
    const hour = hourOfDay(nowMs)
    const whole = Math.floor(hour)
    let share = (hour - whole) * this.hours[whole]!
    for (let i = 0; i < whole; i++) share += this.hours[i]!
    return this.dayUse(dayOf(nowMs)) * share
  }

  reading(nowMs: number): number {
    const day = dayOf(nowMs)
    return this.atMidnight(day) + this.used(nowMs)
  }

  /** Consumption per hour at this moment. */
  rate(nowMs: number): number {
    return this.dayUse(dayOf(nowMs)) * this.hours[Math.floor(hourOfDay(nowMs))]!
  }

  monthUse(nowMs: number): number {
    const first = `${dayOf(nowMs).slice(0, 7)}-01`
    return this.reading(nowMs) - this.atMidnight(first < dayOf(this.epoch) ? dayOf(this.epoch) : first)
  }
}

/** Loss between a main meter and the boxes behind it. */
const lineLoss = 0.034

/** A main meter: the sum of the meters behind it, plus the line loss. */
class MainCounter implements Register {
  private readonly behind: Register[]
  private readonly base: number

  constructor(behind: Register[], base: number) {
    this.behind = behind
    this.base = base
  }

  private through(of: (one: Register) => number): number {
    return this.behind.reduce((sum, one) => sum + of(one), 0) / (1 - lineLoss)
  }

  used(nowMs: number): number {
    return this.through((one) => one.used(nowMs))
  }
  reading(nowMs: number): number {
    return this.base + this.through((one) => one.reading(nowMs))
  }
  rate(nowMs: number): number {
    return this.through((one) => one.rate(nowMs))
  }
  monthUse(nowMs: number): number {
    return this.through((one) => one.monthUse(nowMs))
  }
}

function registerOf(city: City, device: Device): Register {
  const random = stream(city.seed, 'electric', device.deviceSn)
  const stopped = city.projects.find((one) => one.projectCode === device.projectCode)?.prjStatus === '005'
  const isMain = Number(device.params.ratedCurrent ?? 250) > 400
  const daily = (isMain ? random.float(2400, 3600) : random.float(500, 1050)) * (stopped ? 0.12 : 1)
  const base = random.float(0, 4000)
  const behind = city.devices.filter((one) => one.family === 'electricMeter' && one.params.parentId === device.id)
  if (behind.length > 0)
    return new MainCounter(
      behind.map((one) => registerOf(city, one)),
      base,
    )
  return new Counter(noiseKey(city.seed, 'electric', device.deviceSn), electricHours, daily, device.installTime, base)
}

export class ElectricMeter implements Machine {
  readonly device: Device
  private readonly city: City
  private readonly key: number
  private readonly counter: Register
  private readonly residual: number
  private readonly ratio: number

  constructor(city: City, device: Device) {
    this.city = city
    this.device = device
    this.key = noiseKey(city.seed, 'electric', device.deviceSn)
    const random = stream(city.seed, 'electric', device.deviceSn)
    // Two unused draws, as many as `registerOf` takes, so that the following random numbers stay the same.
    random.float(0, 1)
    random.float(0, 1)
    this.ratio = Number(device.params.ratio ?? 1) || 1
    this.counter = registerOf(city, device)
    // One box of the story has a residual current without tripping.
    this.residual = device.place === '住院楼分箱' ? 212 : random.float(12, 48)
  }

  step(): void {}

  intervalMs(): number {
    return 60_000
  }

  telemetry(nowMs: number): Values {
    const wobble = 1 + 0.08 * smoothNoise(this.key, nowMs, 40_000)
    const power = this.counter.rate(nowMs) * wobble
    const factor = clamp(0.9 + 0.03 * smoothNoise(this.key + 1, nowMs, 300_000), 0.8, 0.98)
    const sag = power * 0.012
    const voltage = (phase: number) => 229.5 - sag * (0.9 + 0.1 * phase) + 1.6 * smoothNoise(this.key + 2 + phase, nowMs, 120_000)
    const current = (phase: number) =>
      ((power * 1000) / 3 / 228 / factor) * (1 + 0.05 * (phase - 1) + 0.03 * smoothNoise(this.key + 6 + phase, nowMs, 20_000))
    const currents = [current(0), current(1), current(2)]
    // Behind current transformers the register shows a fraction of the real energy.
    const total = this.counter.reading(nowMs) / this.ratio
    return {
      totalEnergy: round(total, 2),
      peakEnergy: round(total * 0.36, 2),
      flatEnergy: round(total * 0.42, 2),
      valleyEnergy: round(total * 0.22, 2),
      voltageA: round(voltage(0), 1),
      voltageB: round(voltage(1), 1),
      voltageC: round(voltage(2), 1),
      currentA: round(currents[0]!, 3),
      currentB: round(currents[1]!, 3),
      currentC: round(currents[2]!, 3),
      activePower: round(power, 4),
      reactivePower: round(power * Math.tan(Math.acos(factor)), 4),
      powerFactor: round(factor, 3),
      frequency: round(50 + 0.03 * smoothNoise(this.key + 10, nowMs, 15_000), 2),
      residualCurrent: Math.round(this.residual + 6 * smoothNoise(this.key + 11, nowMs, 60_000)),
      cableTemperature: round(weatherAt(this.city.seed, nowMs).temperature + 8 + power / 12, 1),
      ambientTemperature: round(weatherAt(this.city.seed, nowMs).temperature + 5, 1),
      switchStatus: '1',
      maxCurrent: round(Math.max(...currents), 3),
      dayUsage: round(this.counter.used(nowMs), 2),
      monthUsage: round(this.counter.monthUse(nowMs), 2),
    }
  }
}

/** Constant leak in m³/h: a pipe of the busy site leaks, visible on its meter at night. */
export const leakOf = (city: City, device: Device): number =>
  device.family === 'waterMeter' && city.projects.find((one) => one.projectCode === device.projectCode)?.shortName === story.busy ? 0.2 : 0

interface Episode {
  kind: 'leak' | 'burst'
  from: number
  to: number
  /** Flow in m³/h in addition to normal consumption. */
  flow: number
  /** Intended use of water, for curing concrete. */
  isCuring: boolean
}
const hourMs = 3_600_000
const reported: readonly {
  meter: string
  kind: Episode['kind']
  daysAgo: number
  hour: number
  hours: number
  flow: number
  isCuring?: true
}[] = [
  { meter: '生活区水表', kind: 'leak', daysAgo: 19, hour: 1, hours: 4.5, flow: 0.22 },
  { meter: '施工区水表', kind: 'burst', daysAgo: 12, hour: 14.2, hours: 0.4, flow: 26 },
  { meter: '养护用水表', kind: 'leak', daysAgo: 9, hour: 0.5, hours: 4.5, flow: 0.41, isCuring: true },
  { meter: '施工区水表', kind: 'leak', daysAgo: 6, hour: 1, hours: 5, flow: 0.34 },
  { meter: '生活区水表', kind: 'leak', daysAgo: 2, hour: 1.2, hours: 4.2, flow: 0.28 },
]

/** Leaks and bursts at a zone meter of the story in the weeks before the city's first day. */
export const waterEpisodes = (city: City, device: Device): Episode[] =>
  device.family !== 'waterMeter' || city.projects.find((one) => one.projectCode === device.projectCode)?.shortName !== story.main
    ? []
    : reported
        .filter((one) => one.meter === device.name)
        .map(({ kind, daysAgo, hour, hours, flow, isCuring = false }) => {
          const from = dayStart(addDays(city.today, -daysAgo)) + hour * hourMs
          return { kind, from, to: from + hours * hourMs, flow, isCuring }
        })

/** A counter with additional flow during episodes. */
class Leaking implements Register {
  private readonly drawn: Register
  private readonly episodes: readonly Episode[]

  constructor(drawn: Register, episodes: readonly Episode[]) {
    this.drawn = drawn
    this.episodes = episodes
  }

  private ran(from: number, to: number): number {
    return this.episodes.reduce((sum, one) => sum + (one.flow * Math.max(0, Math.min(to, one.to) - Math.max(from, one.from))) / hourMs, 0)
  }

  used(nowMs: number): number {
    return this.drawn.used(nowMs) + this.ran(dayStart(dayOf(nowMs)), nowMs)
  }
  reading(nowMs: number): number {
    return this.drawn.reading(nowMs) + this.ran(Number.NEGATIVE_INFINITY, nowMs)
  }
  rate(nowMs: number): number {
    return this.drawn.rate(nowMs) + this.episodes.reduce((sum, one) => sum + (nowMs >= one.from && nowMs < one.to ? one.flow : 0), 0)
  }
  monthUse(nowMs: number): number {
    return this.drawn.monthUse(nowMs) + this.ran(dayStart(`${dayOf(nowMs).slice(0, 7)}-01`), nowMs)
  }
}

/** Consumption of a zone relative to that of a site with one meter. */
const zoneShare = 0.45

function waterRegisterOf(city: City, device: Device): Register {
  const random = stream(city.seed, 'water', device.deviceSn)
  const daily = random.float(46, 92) * (device.params.parentId ? zoneShare : 1)
  const base = random.float(0, 300)
  const behind = city.devices.filter((one) => one.family === 'waterMeter' && one.params.parentId === device.id)
  if (behind.length > 0)
    return new MainCounter(
      behind.map((one) => waterRegisterOf(city, one)),
      base,
    )
  return new Leaking(
    new Counter(noiseKey(city.seed, 'water', device.deviceSn), waterHours, daily, device.installTime, base),
    waterEpisodes(city, device),
  )
}

/** A meter with a nearly empty battery. */
const weakBattery = { meter: '养护用水表', volts: 3.14 }
export const weakBatteryOf = (device: Device): number | undefined =>
  device.family === 'waterMeter' && device.name === weakBattery.meter ? weakBattery.volts : undefined

export class WaterMeter implements Machine {
  readonly device: Device
  private readonly key: number
  private readonly counter: Register
  private readonly city: City
  private readonly leak: number
  private readonly since: number

  constructor(city: City, device: Device) {
    this.city = city
    this.device = device
    this.key = noiseKey(city.seed, 'water', device.deviceSn)
    this.leak = leakOf(city, device)
    this.since = dayStart(device.installTime)
    this.counter = waterRegisterOf(city, device)
  }

  step(): void {}

  intervalMs(): number {
    return 120_000
  }

  telemetry(nowMs: number): Values {
    const lost = (this.leak * (nowMs - this.since)) / 3_600_000
    return {
      totalVolume: round(this.counter.reading(nowMs) + lost, 4),
      flowRate: round(this.leak + this.counter.rate(nowMs) * (1 + 0.2 * smoothNoise(this.key, nowMs, 60_000)), 4),
      pressure: round(0.29 + 0.03 * smoothNoise(this.key + 1, nowMs, 300_000), 3),
      temperature: round(clamp(weatherAt(this.city.seed, nowMs).temperature * 0.6 + 6, 4, 30), 1),
      valve: '0',
      batteryVoltage: weakBatteryOf(this.device) ?? 3.58,
      dayUsage: round(this.counter.used(nowMs) + this.leak * hourOfDay(nowMs), 4),
    }
  }
}
