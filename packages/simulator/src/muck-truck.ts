import { dayStart } from './calendar.ts'
import type { City, Device } from './city-types.ts'
import { toWgs84 } from './geo.ts'
import type { Machine, Values } from './machine.ts'
import { clamp, noiseKey, round, smoothNoise, stream } from './random.ts'

/** Where a site's muck goes: the road there, from the site to the tip, and the place where tipping is allowed. */
export interface MuckRoad {
  line: { lng: number; lat: number }[]
  dump: { lng: number; lat: number }
}

/** Stations along a road, in metres east and north of the site's origin. */
const roadStations = 24

function roadFrom(city: City, projectCode: string): [number, number][] {
  const turn = stream(city.seed, 'muck road', projectCode).float(-0.4, 0.4)
  return Array.from({ length: roadStations }, (_, i) => [i * 300 * Math.cos(turn + i * 0.04), -i * 220 + 90 * Math.sin(i * 0.9)])
}

/** The road of a site's lorries; all of them take it. */
export function muckRoad(city: City, projectCode: string): MuckRoad {
  const { origin } = city.sitePlans.find((one) => one.projectCode === projectCode)!
  const line = roadFrom(city, projectCode).map(([x, y]) => toWgs84(origin, x, y))
  return { line, dump: line.at(-1)! }
}

/** A round of an hour and a half, as shares of it: loading until the first, there, tipping, back, waiting. */
const round90 = { ms: 5_400_000, leaves: 0.2, arrives: 0.4, returns: 0.55, isBack: 0.75 } as const
/** The body is up for the middle of the stay at the tip. */
const lifting = { from: 0.45, to: 0.49 } as const
/** One round in so many of one lorry of a site ends on a field that is nobody's tip. */
const illegalEvery = 14
/** How far beside the tip that field lies, metres. */
const beside = 1_400

/**
 * A lorry's round between the site and the tip, by day and by night: muck is carried when roads are empty. Speed and position agree, as
 * they do in a terminal.
 */
export class Truck implements Machine {
  readonly device: Device
  private readonly origin: { lng: number; lat: number }
  private readonly route: [number, number][]
  /** Lorries of a site do not leave together. */
  private readonly lateMs: number
  private readonly since: number
  private readonly isCareless: boolean
  private readonly key: number

  constructor(city: City, device: Device) {
    this.device = device
    this.origin = city.sitePlans.find((one) => one.projectCode === device.projectCode)!.origin
    this.key = noiseKey(city.seed, 'truck', device.deviceSn)
    this.route = roadFrom(city, device.projectCode)
    const own = city.devices.filter((one) => one.family === 'truckMonitor' && one.projectCode === device.projectCode)
    const no = own.findIndex((one) => one.deviceSn === device.deviceSn)
    this.lateMs = (no / Math.max(1, own.length)) * round90.ms
    this.since = dayStart(device.installTime)
    this.isCareless = no === 1
  }

  step(): void {}

  intervalMs(): number {
    return 30_000
  }

  /** Which round it is, and how much of it is over. */
  private at(nowMs: number): { no: number; phase: number } {
    const ran = (nowMs + this.lateMs) / round90.ms
    return { no: Math.floor(ran), phase: ran - Math.floor(ran) }
  }

  /** The road of this round: a careless driver leaves it before the end. */
  private roadOf(no: number): [number, number][] {
    if (!this.isCareless || no % illegalEvery !== 3) return this.route
    const away = 4
    return this.route.map(([x, y], i) => {
      const share = Math.max(0, i - (this.route.length - 1 - away)) / away
      return [x + beside * share, y]
    })
  }

  /** Metres east and north, the direction of travel and its speed in m/s. */
  private place(nowMs: number): { x: number; y: number; heading: number; speed: number } {
    const { no, phase } = this.at(nowMs)
    const { leaves, arrives, returns, isBack } = round90
    const share = (from: number, to: number) => clamp((phase - from) / (to - from), 0, 1)
    const isOut = phase < returns
    const along = isOut ? share(leaves, arrives) : 1 - share(returns, isBack)
    const moves = (phase > leaves && phase < arrives) || (phase > returns && phase < isBack)
    const road = this.roadOf(no)
    const at = along * (road.length - 1)
    const i = Math.min(Math.floor(at), road.length - 2)
    const [a, b] = [road[i]!, road[i + 1]!]
    const sectionMs = (round90.ms * (arrives - leaves)) / (road.length - 1)
    const sign = isOut ? 1 : -1
    return {
      x: a[0] + (b[0] - a[0]) * (at - i),
      y: a[1] + (b[1] - a[1]) * (at - i),
      heading: (Math.atan2(sign * (b[0] - a[0]), sign * (b[1] - a[1])) * 180) / Math.PI,
      speed: moves ? Math.hypot(b[0] - a[0], b[1] - a[1]) / (sectionMs / 1000) : 0,
    }
  }

  telemetry(nowMs: number): Values {
    const { phase } = this.at(nowMs)
    const { x, y, heading, speed } = this.place(nowMs)
    const point = toWgs84(this.origin, x, y)
    const kmPerHour = 11.5
    return {
      longitude: point.lng,
      latitude: point.lat,
      altitude: 26,
      speed: round(speed * 3.6, 1),
      direction: Math.round(((heading % 360) + 360) % 360) % 360,
      positioned: true,
      satellites: 16,
      signal: 22 + Math.round(3 * smoothNoise(this.key, nowMs, 60_000)),
      accOn: phase > 0.04 && phase < 0.96,
      mileage: round(18_000 + Math.max(0, (nowMs - this.since) / 3.6e6) * kmPerHour, 1),
      loadState: phase > round90.leaves / 2 && phase < lifting.to ? '3' : '0',
      cover: '1',
      lift: phase > lifting.from && phase < lifting.to ? '1' : '0',
      emergency: false,
      powerCut: false,
    }
  }
}
