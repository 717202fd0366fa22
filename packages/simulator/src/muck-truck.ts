import { dayStart } from './calendar.ts'
import type { City, Device } from './city-types.ts'
import { toWgs84 } from './geo.ts'
import type { Machine, Values } from './machine.ts'
import { clamp, noiseKey, round, smoothNoise, stream } from './random.ts'

/** Route for a site's muck (excavated soil), and the permitted dump site. */
export interface MuckRoad {
  line: { lng: number; lat: number }[]
  dump: { lng: number; lat: number }
}

/** Number of points of a route, in metres east and north of the site's origin. */
const roadStations = 24

function roadFrom(city: City, projectCode: string): [number, number][] {
  const turn = stream(city.seed, 'muck road', projectCode).float(-0.4, 0.4)
  return Array.from({ length: roadStations }, (_, i) => [i * 300 * Math.cos(turn + i * 0.04), -i * 220 + 90 * Math.sin(i * 0.9)])
}

/** Route of a site, shared by its trucks. */
export function muckRoad(city: City, projectCode: string): MuckRoad {
  const { origin } = city.sitePlans.find((one) => one.projectCode === projectCode)!
  const line = roadFrom(city, projectCode).map(([x, y]) => toWgs84(origin, x, y))
  return { line, dump: line.at(-1)! }
}

/** A round trip of 90 minutes in fractions: loading until `leaves`, trip to the dump, dumping, return, waiting. */
const round90 = { ms: 5_400_000, leaves: 0.2, arrives: 0.4, returns: 0.55, isBack: 0.75 } as const
/** The body is raised in the middle of the stay at the dump. */
const lifting = { from: 0.45, to: 0.49 } as const
/** One in this many trips of one truck per site ends at an illegal dump. */
const illegalEvery = 14
/** Distance of the illegal dump from the permitted one in metres. */
const beside = 1_400

/**
 * A truck travelling between site and dump, day and night, as muck is often carried on empty roads at night. Speed and position agree,
 * as with a real terminal.
 */
export class Truck implements Machine {
  readonly device: Device
  private readonly origin: { lng: number; lat: number }
  private readonly route: [number, number][]
  /** Delay of this truck, so that the trucks of a site do not leave together. */
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

  /** Number of the current trip, and the elapsed fraction of it. */
  private at(nowMs: number): { no: number; phase: number } {
    const ran = (nowMs + this.lateMs) / round90.ms
    return { no: Math.floor(ran), phase: ran - Math.floor(ran) }
  }

  /** Route of a trip; a careless driver leaves it before the end. */
  private roadOf(no: number): [number, number][] {
    if (!this.isCareless || no % illegalEvery !== 3) return this.route
    const away = 4
    return this.route.map(([x, y], i) => {
      const share = Math.max(0, i - (this.route.length - 1 - away)) / away
      return [x + beside * share, y]
    })
  }

  /** Position in metres east and north, heading, and speed in m/s. */
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
