import { aiEvents } from './ai-events.ts'
import { addDays, dayOf, dayStart, weekday } from './calendar.ts'
import type { City, Device, SitePlan } from './city-types.ts'
import { inside, toWgs84 } from './geo.ts'
import { isOnSite, isShift, type Machine, type MachineRecord, type Values } from './machine.ts'
import { clamp, noiseKey, type Random, round, smoothNoise, stream } from './random.ts'

/** Vehicles that come and go: what they carry, and how heavy they are empty and full. */
const vehicles = [
  {
    plateNo: '鄂B32817',
    color: '2',
    type: '1',
    goods: '渣土',
    spec: '',
    supplier: '云泽渣土运输公司',
    tare: 14.9,
    net: 24,
    direction: '3',
  },
  {
    plateNo: '鄂B56093',
    color: '2',
    type: '1',
    goods: '渣土',
    spec: '',
    supplier: '云泽渣土运输公司',
    tare: 15.2,
    net: 23,
    direction: '3',
  },
  {
    plateNo: '鄂B61208',
    color: '2',
    type: '1',
    goods: '渣土',
    spec: '',
    supplier: '滨江土石方公司',
    tare: 14.7,
    net: 24.5,
    direction: '3',
  },
  {
    plateNo: '鄂B2C661',
    color: '2',
    type: '2',
    goods: '商品混凝土',
    spec: 'C35',
    supplier: '云泽商砼公司',
    tare: 13.8,
    net: 26.4,
    direction: '1',
  },
  {
    plateNo: '鄂B5F092',
    color: '2',
    type: '2',
    goods: '商品混凝土',
    spec: 'C40',
    supplier: '云泽商砼公司',
    tare: 13.6,
    net: 26.1,
    direction: '1',
  },
  {
    plateNo: '鄂B7H318',
    color: '2',
    type: '3',
    goods: '螺纹钢',
    spec: 'HRB400E Φ22',
    supplier: '江北钢材公司',
    tare: 12.1,
    net: 31.5,
    direction: '1',
  },
  {
    plateNo: '鄂B9K027',
    color: '2',
    type: '3',
    goods: '加气混凝土砌块',
    spec: '600×240×200',
    supplier: '青石建材公司',
    tare: 11.4,
    net: 18.2,
    direction: '1',
  },
  {
    plateNo: '鄂AD51208',
    color: '5',
    type: '3',
    goods: '水泥',
    spec: 'P·O 42.5',
    supplier: '江北水泥公司',
    tare: 12.6,
    net: 28,
    direction: '1',
  },
] as const

export interface WeighEvent {
  deviceSn: string
  projectCode: string
  /** When the second weighing ended, epoch ms. */
  time: number
  firstTime: number
  data: Record<string, string | number>
}

/** The day's weighings of one bridge: gross and tare half an hour apart, now and then short or over. */
export function weighEvents(city: City, device: Device, day: string): WeighEvent[] {
  const random = stream(city.seed, 'weigh', device.deviceSn, day)
  const project = city.projects.find((one) => one.projectCode === device.projectCode)
  if (!project || project.prjStatus === '005' || day < device.installTime) return []
  const count = weekday(day) === 0 ? random.int(2, 6) : random.int(16, 30)
  const starts = Array.from({ length: count }, () => dayStart(day) + random.int(6 * 3600, 21 * 3600) * 1000).sort((a, b) => a - b)
  return starts.map((firstTime, i) => {
    const vehicle = random.pick(vehicles)
    const incoming = vehicle.direction === '1'
    const time = firstTime + random.int(11, 38) * 60_000
    const tareWeight = Math.round((vehicle.tare + random.normal(0, 0.06)) / 0.02) * 0.02
    const wanted = vehicle.net * random.float(0.93, 1.02)
    const short = incoming && random.chance(0.03) ? random.float(0.035, 0.06) : Math.abs(random.normal(0, 0.008))
    const overloaded = !incoming && random.chance(0.02)
    const net = overloaded ? 49.6 - tareWeight : wanted * (1 - short)
    const grossWeight = Math.round((tareWeight + net) / 0.02) * 0.02
    const deduction = vehicle.goods === '商品混凝土' ? 0.2 : 0
    const netWeight = grossWeight - tareWeight - deduction
    const data: WeighEvent['data'] = {
      recordNo: `${day.replaceAll('-', '')}-${String(i + 1).padStart(4, '0')}`,
      plateNo: vehicle.plateNo,
      direction: vehicle.direction,
      goodsName: vehicle.goods,
      goodsSpec: vehicle.spec,
      supplier: vehicle.supplier,
      receiver: project.shortName,
      grossWeight: round(grossWeight, 3),
      tareWeight: round(tareWeight, 3),
      deduction,
      netWeight: round(netWeight, 3),
      grossTime: new Date(incoming ? firstTime : time).toISOString(),
      tareTime: new Date(incoming ? time : firstTime).toISOString(),
      operator: '司磅员',
      source: 'device',
      status: '2',
    }
    if (incoming) {
      data.plannedWeight = round(wanted, 3)
      data.deviation = round(netWeight - wanted, 3)
      data.deviationPercent = round(((netWeight - wanted) / wanted) * 100, 2)
    }
    return { deviceSn: device.deviceSn, projectCode: device.projectCode, time, firstTime, data }
  })
}

/** What a camera takes for what when it rains or the plate is muddy. */
const lookAlike: Readonly<Record<string, string>> = {
  0: 'D',
  1: '7',
  2: 'Z',
  3: '8',
  5: 'S',
  6: '8',
  7: '1',
  8: 'B',
  9: '3',
  B: '8',
  D: '0',
}
/** A plate with its last readable sign taken for another. */
function misread(plateNo: string): string {
  const at = plateNo.split('').findLastIndex((sign, i) => i > 1 && sign in lookAlike)
  return at < 0 ? plateNo : `${plateNo.slice(0, at)}${lookAlike[plateNo[at] ?? '']}${plateNo.slice(at + 1)}`
}

/** Truck passages at the gate's lane; a weighed site sees the weighed trucks, others their own. */
export function truckEvents(city: City, device: Device, day: string): MachineRecord[] {
  const random = stream(city.seed, 'lane', device.deviceSn, day)
  const eye = stream(city.seed, 'eye', device.deviceSn, day)
  const project = city.projects.find((one) => one.projectCode === device.projectCode)
  if (!project || project.prjStatus === '005' || day < device.installTime) return []
  const passages: MachineRecord[] = []
  const count = weekday(day) === 0 ? random.int(4, 10) : random.int(24, 42)
  for (let i = 0; i < count; i++) {
    const vehicle = random.pick(vehicles)
    const enters = dayStart(day) + random.int(6 * 3600, 21 * 3600) * 1000
    const leaves = enters + random.int(15, 70) * 60_000
    const washed =
      vehicle.type === '1'
        ? random.weighted([
            ['1', 92],
            ['2', 6],
            ['0', 2],
          ] as const)
        : '1'
    const common = {
      plateNo: vehicle.plateNo,
      plateColor: vehicle.color,
      registered: true,
      vehicleType: vehicle.type,
      confidence: round(random.float(0.9, 0.99), 2),
    }
    passages.push({
      record: 'accessRecord',
      time: enters,
      data: { ...common, direction: '0', time: new Date(enters).toISOString(), covered: vehicle.type === '1' ? '0' : '1' },
    })
    passages.push({
      record: 'accessRecord',
      time: leaves,
      data: {
        ...common,
        ...(eye.chance(0.03) ? { plateNo: misread(vehicle.plateNo), confidence: round(eye.float(0.35, 0.78), 2) } : {}),
        direction: '1',
        time: new Date(leaves).toISOString(),
        washed,
        washSeconds: washed === '0' ? 0 : random.int(washed === '2' ? 8 : 40, washed === '2' ? 25 : 110),
        covered: random.chance(0.97) ? '1' : '0',
      },
    })
  }
  return passages.sort((a, b) => a.time - b.time)
}

/** Plays a day's prepared records at their times. */
class Agenda {
  private readonly of: (day: string) => MachineRecord[]
  private day = ''
  private waiting: MachineRecord[] = []
  private last = 0

  constructor(of: (day: string) => MachineRecord[]) {
    this.of = of
  }

  due(nowMs: number): MachineRecord[] {
    const day = dayOf(nowMs)
    if (this.day !== day) {
      // The first call only sets the clock: what lies before the start is history's.
      if (this.day === '') this.last = nowMs
      this.day = day
      this.waiting = [...this.of(addDays(day, -1)), ...this.of(day)].filter((record) => record.time > this.last)
    }
    const due = this.waiting.filter((record) => record.time <= nowMs)
    if (due.length) this.waiting = this.waiting.filter((record) => record.time > nowMs)
    this.last = nowMs
    return due
  }

  next(nowMs: number): MachineRecord | undefined {
    return this.waiting.find((record) => record.time > nowMs)
  }
}

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
    // The truck rolls on half a minute before its ticket is printed.
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

/** A helmet walks about the site in its wearer's hours and lies on charge outside them. */
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

  /** One in five leaves the helmet off now and then; one presses the button each hour, by drill. */
  private isWorn(nowMs: number): boolean {
    return this.no % 5 !== 0 || Math.floor(nowMs / 1_200_000) % 4 !== 0
  }
  private isCalling(nowMs: number): boolean {
    return this.no === 7 && (nowMs + 900_000) % 3_600_000 < 70_000
  }
  private hasFallen(nowMs: number): boolean {
    return this.no === 12 && (nowMs + 2_400_000) % 10_800_000 < 40_000
  }

  /** Who works on one spot moves all the same; one man of the site sits still too long now and then. */
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

  /** Somebody far away asks for a picture. */
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

/** A gate's own state; passages are sent by whoever knows the day's events. */
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
    // Nobody has looked at it yet.
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
