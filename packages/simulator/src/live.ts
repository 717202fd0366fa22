import { addDays, dayMs, dayOf, dayStart } from './calendar.ts'
import { buildCity } from './city.ts'
import { story } from './city-plan.ts'
import type { City, Device } from './city-types.ts'
import { Crane } from './crane.ts'
import { Encounter } from './crane-moves.ts'
import type { DemoFile } from './demo-file.ts'
import { Dust, type Episode } from './dust.ts'
import { type FaultPlan, Faults, noFaults } from './faults.ts'
import { GatePusher, somebody } from './gate-push.ts'
import { type OpenApp, postData, postPicture, postRecord } from './http-open.ts'
import { Jt808Client } from './jt808-client.ts'
import type { Clip, Location } from './jt808-frame.ts'
import type { Machine } from './machine.ts'
import { type MachineOptions, machineFor } from './machines.ts'
import { MeterGateway } from './meter-gateway.ts'
import type { SlaveRegister } from './meter-wire.ts'
import { MqttGateway } from './mqtt-gateway.ts'
import { portrait } from './portrait.ts'
import { hashed, noiseKey, stream } from './random.ts'
import { attendanceRecord, dayEvents, type GateEvent, type StrangerEvent, strangerEvents } from './shifts.ts'
import { sitePhoto } from './site-photo.ts'
import { Hj212Station } from './station.ts'

export interface LiveOptions {
  demo: DemoFile
  mqttUrl: string
  hj212: { host: string; port: number }
  seed?: number
  /** How much faster machines move than the clock; time stamps stay true. */
  speed?: number
  log?: (line: string) => void
  /** Where trucks' terminals call; none = they stay silent. */
  jt808?: { host: string; port: number } | undefined
  /** What terminals keep in their flash between two lives of this program. */
  memory?: { load(phone: string): string | undefined; save(phone: string, code: string | undefined): void }
  faults?: FaultPlan
  /** While it answers true, gates keep what passes. */
  gatesWait?: () => boolean
}

export interface LiveCity {
  readonly city: City
  readonly gateways: MqttGateway[]
  readonly stations: Hj212Station[]
  readonly trucks: Jt808Client[]
  readonly meterLines: MeterGateway[]
  counts(): {
    gatewaysUp: number
    items: number
    acknowledged: number
    dropped: number
    passages: number
    hj212Answered: number
    hj212Lost: number
    httpAccepted: number
    trucksUp: number
    positions: number
    metersAsked: number
    pushed: number
  }
  stop(): Promise<void>
}

const minute = 60_000

/** Device families whose faults the platform should show now and then: [family, metric]. */
const faultMetrics: Partial<Record<Device['family'], string>> = {
  environment: 'pm10',
  electricMeter: 'residualCurrent',
  lifter: 'windSpeed',
  towerCrane: 'windSpeed',
}

interface Running {
  device: Device
  machine: Machine
  dueAt: number
  send: (time: number, data: Record<string, unknown>, quality?: Record<string, string>) => void
  sendRecord: (record: string, time: number, data: Record<string, unknown>) => void
  faults: Faults
}

/** What each device of the story is to do during this run. */
function optionsFor(city: City, device: Device, startedAt: number, encounter: Encounter): MachineOptions {
  const project = city.projects.find((one) => one.projectCode === device.projectCode)
  const main = project?.shortName === story.main
  const options: MachineOptions = { purpose: `live ${startedAt}` }
  const every = (first: number, period: number) => Array.from({ length: 200 }, (_, i) => startedAt + first + i * period)
  if (device.family === 'towerCrane') {
    // The main site's cranes work at any hour, so that a demonstration begun in the evening lives too.
    options.always = main || (project?.shortName === story.busy && device.name.startsWith('1#'))
    if (main && device.name.startsWith('1#')) options.overloadsAt = every(0, 14 * minute)
    if (main && (device.name.startsWith('2#') || device.name.startsWith('3#'))) {
      options.encountersAt = every(4 * minute, 45 * minute)
      options.encounter = encounter
    }
    if (project?.shortName === story.busy && device.name.startsWith('1#')) options.overloadsAt = every(9 * minute, 40 * minute)
  }
  if (device.family === 'lifter') {
    options.always = main
    if (main && device.name.startsWith('2#')) options.overloadsAt = every(6 * minute, 60 * minute)
  }
  if (device.family === 'environment') {
    const spells = (first: number, period: number, length: number, pm10: number): Episode[] =>
      every(first, period).map((from) => ({ from, to: from + length, pm10 }))
    if (main && device.behaviour === 'normal') options.dust = spells(30_000, 110 * minute, 14 * minute, 92)
    if (project?.shortName === story.dusty && device.access.protocol === 'hj212')
      options.dust = spells(2 * minute, 150 * minute, 40 * minute, 130)
    options.intervalSeconds = device.access.protocol === 'hj212' ? 30 : 10
  }
  if (device.family === 'unloadingPlatform' && main && device.place.startsWith('住院楼 8')) options.overloadsAt = [startedAt + 12 * minute]
  return options
}

/** A stale station speaks for a quarter of a minute each half hour: long enough to be known, too seldom to be trusted. */
function isSilent(device: Device, nowMs: number, startedAt: number): boolean {
  if (device.behaviour === 'offline' || device.behaviour === 'notActivated') return true
  return device.behaviour === 'stale' && (nowMs - startedAt) % (30 * minute) > 35_000
}

/** One minute in sixteen or so a sensor of a normal device is broken. */
function faultOf(city: City, device: Device, nowMs: number): string | undefined {
  const metric = faultMetrics[device.family]
  if (!metric || device.behaviour !== 'normal') return undefined
  const slot = Math.floor(nowMs / (15 * minute))
  const key = noiseKey(city.seed, 'fault', device.deviceSn)
  const inMinute = Math.floor((nowMs % (15 * minute)) / minute) === 7
  return inMinute && hashed(key, slot) < 0.06 ? metric : undefined
}

/** Registers of the Modbus meter of the demonstration; its maker's table, not a standard. */
export const meterRegisters: readonly SlaveRegister[] = [
  { metric: 'voltageA', address: 0, type: 'u16', scale: 0.1 },
  { metric: 'voltageB', address: 1, type: 'u16', scale: 0.1 },
  { metric: 'voltageC', address: 2, type: 'u16', scale: 0.1 },
  { metric: 'currentA', address: 3, type: 'u32abcd', scale: 0.001 },
  { metric: 'currentB', address: 5, type: 'u32abcd', scale: 0.001 },
  { metric: 'currentC', address: 7, type: 'u32abcd', scale: 0.001 },
  { metric: 'activePower', address: 9, type: 'f32', scale: 1 },
  { metric: 'powerFactor', address: 11, type: 'i16', scale: 0.001 },
  { metric: 'frequency', address: 12, type: 'u16', scale: 0.01 },
  { metric: 'totalEnergy', address: 13, type: 'u32cdab', scale: 0.01 },
  { metric: 'residualCurrent', address: 15, type: 'u16', scale: 1 },
  { metric: 'cableTemperature', address: 16, type: 'i16', scale: 0.1 },
]

const loads = { '0': 0, '1': 1, '3': 3 } as const

/** A truck's state as its terminal puts it. */
function toLocation(time: number, data: Record<string, unknown>): Location {
  const n = (key: string) => (typeof data[key] === 'number' ? (data[key] as number) : 0)
  return {
    time,
    lng: n('longitude'),
    lat: n('latitude'),
    altitude: n('altitude'),
    speed: n('speed'),
    direction: n('direction'),
    positioned: data.positioned !== false,
    accOn: data.accOn === true,
    load: loads[String(data.loadState) as keyof typeof loads] ?? 0,
    powerCut: data.powerCut === true,
    alarm: data.emergency === true ? 1 : 0,
    mileage: n('mileage'),
    signal: n('signal'),
    satellites: n('satellites'),
    ...(data.cover === undefined ? {} : { body: { covered: data.cover === '1', lifted: data.lift === '1' } }),
  }
}

/** Films a terminal holds of a period: a quarter of an hour each, on two channels. */
function clipsOf(seed: number, phone: string, from: number, to: number): Clip[] {
  const length = 15 * minute
  const clips: Clip[] = []
  for (let at = Math.floor(from / length) * length; at < Math.min(to, Date.now()) && clips.length < 200; at += length) {
    for (const channel of [1, 2]) {
      const random = stream(seed, 'clip', phone, at, channel)
      if (!random.chance(0.9)) continue
      clips.push({
        channel,
        startTime: at,
        endTime: at + length,
        size: random.int(40, 120) * 1_000_000,
        alarm: random.chance(0.05) ? 2 : 0,
      })
    }
  }
  return clips
}

/** Brings every device of the demonstration to life over real sockets. */
export function startLive(options: LiveOptions): LiveCity {
  const { demo } = options
  const startedAt = Date.now()
  const seed = options.seed ?? demo.simulation?.seed ?? 1
  const city = buildCity({ seed, today: demo.simulation?.today ?? dayOf(startedAt) })
  const speed = options.speed ?? 1
  const bySn = new Map(city.devices.map((device) => [device.deviceSn, device]))
  const running: Running[] = []
  const gateways: MqttGateway[] = []
  const gatewayFaults: Faults[] = []
  const stations: { station: Hj212Station; device: Device; dueAt: number; faults: Faults }[] = []
  const gatewayOfSn = new Map<string, MqttGateway>()
  let passages = 0
  let httpAccepted = 0
  const unknown: string[] = []
  const encounter = new Encounter()
  const plan = options.faults ?? noFaults
  const hasFaults = options.faults !== undefined
  const faultsOf = (line: string) => new Faults(plan, seed, line)
  const trucks: { client: Jt808Client; faults: Faults }[] = []
  const meterLines: MeterGateway[] = []
  const pushers = new Map<string, GatePusher>()

  const animate = (device: Device, send: Running['send'], sendRecord: Running['sendRecord']) => {
    // Devices of a gateway start a little apart, as boxes do that were not switched on together.
    const offset = hashed(noiseKey(seed, 'offset', device.deviceSn), 1) * 4000
    running.push({
      device,
      machine: machineFor(city, device, optionsFor(city, device, startedAt, encounter)),
      dueAt: startedAt + offset,
      send,
      sendRecord,
      faults: faultsOf(device.deviceSn),
    })
  }

  const apps = new Map(
    demo.openApps.map(({ appId, appSecret, projectCode }): [string, OpenApp] => [projectCode, { url: demo.url, appId, appSecret }]),
  )
  for (const listed of demo.gateways) {
    if (!listed.gatewayId || !listed.secret || demo.meterLines.some((line) => line.gatewayId === listed.gatewayId)) continue
    const faults = faultsOf(listed.gatewayId)
    gatewayFaults.push(faults)
    const repeating = stream(seed, 'repeat', listed.gatewayId)
    const gateway = new MqttGateway({
      url: options.mqttUrl,
      gatewayId: listed.gatewayId,
      secret: listed.secret,
      onCommand: ({ deviceSn, cmd, params }) => {
        const one = running.find(({ device }) => device.deviceSn === deviceSn)
        // What changed is told at once, as a real box does.
        if (one?.machine.obey?.(cmd, params, Date.now())) one.dueAt = Date.now()
        return obey(cmd)
      },
      repeats: plan.repeat > 0 ? () => repeating.chance(plan.repeat) : undefined,
    }).start()
    gateways.push(gateway)
    for (const { deviceSn } of listed.devices) {
      const device = bySn.get(deviceSn)
      if (!device) {
        unknown.push(deviceSn)
        continue
      }
      gatewayOfSn.set(deviceSn, gateway)
      animate(
        device,
        (time, data, quality) => gateway.telemetry(deviceSn, time, data, quality),
        (record, time, data) => {
          if (record !== 'snapshot') return gateway.record(deviceSn, record, time, data)
          // The picture goes up first, so that the record can name it; without a door for pictures the record goes alone.
          const app = apps.get(listed.projectCode)
          const sent = app
            ? postPicture(app, `${deviceSn}.png`, sitePhoto(deviceSn, time)).catch(() => undefined)
            : Promise.resolve(undefined)
          void sent.then((id) => gateway.record(deviceSn, record, time, id ? { ...data, url: id } : data))
        },
      )
    }
  }
  for (const listed of demo.hj212) {
    const device = city.devices.find((one) => one.access.protocol === 'hj212' && one.access.mn === listed.mn)
    if (!device) {
      unknown.push(listed.mn)
      continue
    }
    const dust = new Dust(city, device, { extra: optionsFor(city, device, startedAt, encounter).dust, intervalSeconds: 30 })
    const faults = faultsOf(listed.mn)
    const station = new Hj212Station(dust, {
      ...options.hj212,
      station: { mn: listed.mn, password: listed.password },
      faults: hasFaults ? faults : undefined,
    })
    station.client.start()
    stations.push({ station, device, faults, dueAt: startedAt + 1000 + hashed(noiseKey(seed, 'offset', device.deviceSn), 1) * 5000 })
  }
  for (const listed of demo.openApps) {
    const app: OpenApp = { url: demo.url, appId: listed.appId, appSecret: listed.appSecret }
    for (const device of city.devices) {
      if (device.projectCode !== listed.projectCode || device.access.protocol !== 'http') continue
      let seq = 0
      const settle = (promise: ReturnType<typeof postData>) => {
        promise.then(
          (result) => {
            httpAccepted += result.data?.accepted ?? 0
          },
          () => {
            // The platform is not up yet or restarting; the next report comes by itself.
          },
        )
      }
      animate(
        device,
        (time, data) => settle(postData(app, device.deviceSn, [{ time, seq: ++seq, data }])),
        (record, time, data) => settle(postRecord(app, device.deviceSn, record, [{ time, seq: ++seq, data }])),
      )
    }
  }
  const memory = options.memory ?? volatileMemory()
  for (const listed of options.jt808 ? demo.jt808 : []) {
    const device = city.devices.find((one) => one.access.protocol === 'jt808' && one.access.phone === listed.phone)
    if (!device || !options.jt808) {
      unknown.push(listed.phone)
      continue
    }
    if (device.behaviour === 'offline') continue
    const faults = faultsOf(listed.phone)
    const client = new Jt808Client({
      ...options.jt808,
      // Both editions are met in the field.
      identity: { phone: listed.phone, edition: Number(listed.phone.slice(-1)) % 2 === 0 ? '2019' : '2013' },
      vehicle: { plateNo: listed.plateNo, plateColor: 2, terminalId: listed.phone.slice(-7), maker: 'LUMIN', model: 'LM-808' },
      memory: { load: () => memory.load(listed.phone), save: (code) => memory.save(listed.phone, code) },
      clips: (from, to) => clipsOf(seed, listed.phone, from, to),
      faults: hasFaults ? faults : undefined,
    }).start()
    trucks.push({ client, faults })
    animate(
      device,
      (time, data) => client.report(toLocation(time, data)),
      () => {
        // A terminal of this protocol keeps no records of its own.
      },
    )
  }
  for (const line of demo.meterLines) {
    const slaves = line.devices.flatMap(({ deviceSn, address }) => {
      const device = bySn.get(deviceSn)
      if (!device) {
        unknown.push(deviceSn)
        return []
      }
      const machine = machineFor(city, device, { purpose: `live ${startedAt}` })
      return [{ address, read: () => machine.telemetry(Date.now()) ?? {}, registers: meterRegisters }]
    })
    const gateway = new MeterGateway({
      protocol: line.wire,
      port: line.port,
      slaves,
      faults: hasFaults ? faultsOf(line.gatewayId) : undefined,
      log: options.log || undefined,
    })
    meterLines.push(gateway)
    void gateway.start()
  }
  for (const gate of demo.gatePush) {
    if (!bySn.has(gate.deviceSn)) unknown.push(gate.deviceSn)
    else
      pushers.set(
        gate.deviceSn,
        new GatePusher({ url: demo.url, form: gate.form, key: gate.key, deviceSn: gate.deviceSn, pictureOf: seenBy(city) }),
      )
  }
  if (unknown.length) options.log?.(`simulator: ${unknown.length} devices are not part of seed ${seed}: ${unknown.slice(0, 5).join(', ')}`)

  // Passages: from now on, those of the night shift that began yesterday included.
  let passageDay = ''
  let waiting: (GateEvent | StrangerEvent)[] = []
  const loadPassages = (nowMs: number) => {
    const day = dayOf(nowMs)
    if (passageDay === day) return
    const after = passageDay === '' ? nowMs : dayStart(day) - 1
    passageDay = day
    waiting = city.projects
      .flatMap((project) => [
        ...dayEvents(city, project.projectCode, addDays(day, -1)),
        ...dayEvents(city, project.projectCode, day),
        ...strangerEvents(city, project.projectCode, day),
      ])
      .filter(
        (event) =>
          event.time > after && event.time < dayStart(day) + dayMs && (gatewayOfSn.has(event.deviceSn) || pushers.has(event.deviceSn)),
      )
      .sort((a, b) => a.time - b.time)
  }

  let last = startedAt
  const tick = () => {
    const now = Date.now()
    // After a pause of the machine (sleep, debugger) the world does not run to catch up.
    let elapsed = Math.min(2000, now - last) * speed
    last = now
    while (elapsed > 0) {
      const dt = Math.min(1000, elapsed)
      for (const { machine } of running) machine.step(dt / 1000, now)
      elapsed -= dt
    }
    for (const one of running) {
      const silent = isSilent(one.device, now, startedAt)
      const records = one.machine.takeRecords?.() ?? []
      if (silent) continue
      for (const record of records) one.sendRecord(record.record, record.time, record.data)
      const interval = one.machine.intervalMs(now)
      if (one.dueAt - now > interval) one.dueAt = now + interval
      if (now < one.dueAt) continue
      one.dueAt = Math.max(one.dueAt + interval, now + interval / 2)
      const fault = faultOf(city, one.device, now)
      const values = one.machine.telemetry(now)
      if (!values) continue
      const data = { ...values, ...one.machine.extra?.(now) }
      const time = one.faults.clock(Math.floor(now / 1000) * 1000)
      // A storm says the same again and again, each time a millisecond later.
      for (let again = 1; again < one.faults.times(now); again++) one.send(time - again, data)
      if (fault && one.machine instanceof Crane) one.send(time, { ...data, sensorStatus: '3' }, { [fault]: 'fault' })
      else one.send(time, data, fault ? { [fault]: 'fault' } : undefined)
    }
    for (const one of stations) {
      if (now < one.dueAt) continue
      one.dueAt = now + 30_000 / (one.device.behaviour === 'stale' ? 3 : 1)
      if (!isSilent(one.device, now, startedAt)) one.station.sample(one.faults.clock(now), faultOf(city, one.device, now) !== undefined)
    }
    if (plan.outage) {
      for (const [i, gateway] of gateways.entries()) gateway.cut(gatewayFaults[i]?.isCut(now) ?? false)
      for (const { station, faults } of stations) if (faults.isCut(now)) station.client.cut()
      for (const { client, faults } of trucks) if (faults.isCut(now)) client.cut()
    }
    loadPassages(now)
    while (waiting[0] && waiting[0].time <= now && !options.gatesWait?.()) {
      const event = waiting.shift()!
      const pusher = pushers.get(event.deviceSn)
      if (pusher) pusher.push(event)
      else gatewayOfSn.get(event.deviceSn)?.record(event.deviceSn, 'attendance', event.time, attendanceRecord(event))
      passages++
    }
  }
  const timer = setInterval(tick, 250)

  return {
    city,
    gateways,
    stations: stations.map(({ station }) => station),
    trucks: trucks.map(({ client }) => client),
    meterLines,
    counts: () => ({
      gatewaysUp: gateways.filter((gateway) => gateway.connected).length,
      items: gateways.reduce((sum, gateway) => sum + gateway.counts.items, 0),
      acknowledged: gateways.reduce((sum, gateway) => sum + gateway.counts.acknowledged, 0),
      dropped: gateways.reduce((sum, gateway) => sum + gateway.counts.dropped, 0),
      passages,
      hj212Answered: stations.reduce((sum, { station }) => sum + station.client.counts.answered, 0),
      hj212Lost: stations.reduce((sum, { station }) => sum + station.client.counts.lost, 0),
      httpAccepted,
      trucksUp: trucks.filter(({ client }) => client.online).length,
      positions: trucks.reduce((sum, { client }) => sum + client.counts.acknowledged, 0),
      metersAsked: meterLines.reduce((sum, line) => sum + line.counts.answered, 0),
      pushed: [...pushers.values()].reduce((sum, gate) => sum + gate.counts.accepted, 0),
    }),
    async stop() {
      clearInterval(timer)
      for (const pusher of pushers.values()) pusher.stop()
      await Promise.all([
        ...gateways.map((gateway) => gateway.stop()),
        ...stations.map(({ station }) => station.client.stop()),
        ...trucks.map(({ client }) => client.stop()),
        ...meterLines.map((line) => line.stop()),
      ])
    },
  }
}

/** A gate's camera sees whoever stands there. */
function seenBy(city: City): (event: GateEvent | StrangerEvent) => Buffer {
  const sitters = new Map(city.workers.map((w) => [w.workerId, w.headImage.sitter]))
  return (event) => {
    const sitter = 'workerId' in event ? sitters.get(event.workerId) : undefined
    return sitter ? portrait({ ...sitter, onSite: true }) : somebody(event)
  }
}

/** Codes kept as long as the program runs. */
function volatileMemory(): NonNullable<LiveOptions['memory']> {
  const codes = new Map<string, string>()
  return {
    load: (phone) => codes.get(phone),
    save: (phone, code) => {
      if (code === undefined) codes.delete(phone)
      else codes.set(phone, code)
    },
  }
}

/** What a box answers to a command: the known ones are done, others refused. */
function obey(cmd: string): { result: number; message: string } {
  const known = [
    'spray.start',
    'spray.stop',
    'device.reboot',
    'device.setInterval',
    'device.setParams',
    'device.syncTime',
    'lift.lock',
    'crane.warn',
    'gate.open',
    'gate.personUpsert',
    'gate.personRemove',
    'camera.snapshot',
    'helmet.call',
    'helmet.text',
    'meter.valve',
  ]
  return known.includes(cmd) ? { result: 0, message: '已执行' } : { result: 2, message: '设备不支持该指令' }
}
