import { addDays, dayMs, dayOf, dayStart } from './calendar.ts'
import { buildCity } from './city.ts'
import { story } from './city-plan.ts'
import type { City, Device } from './city-types.ts'
import { Crane, Encounter, type Machine } from './crane.ts'
import type { DemoFile } from './demo-file.ts'
import { Dust, type Episode } from './dust.ts'
import { type OpenApp, postData, postRecord } from './http-open.ts'
import { type MachineOptions, machineFor } from './machines.ts'
import { MqttGateway } from './mqtt-gateway.ts'
import { hashed, noiseKey } from './random.ts'
import { attendanceRecord, dayEvents, type GateEvent, type StrangerEvent, strangerEvents } from './shifts.ts'
import { Hj212Station } from './station.ts'

export interface LiveOptions {
  demo: DemoFile
  mqttUrl: string
  hj212: { host: string; port: number }
  seed?: number
  /** How much faster machines move than the clock; time stamps stay true. */
  speed?: number
  log?: (line: string) => void
}

export interface LiveCity {
  readonly city: City
  readonly gateways: MqttGateway[]
  readonly stations: Hj212Station[]
  counts(): {
    gatewaysUp: number
    items: number
    acknowledged: number
    dropped: number
    passages: number
    hj212Answered: number
    hj212Lost: number
    httpAccepted: number
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
  const stations: { station: Hj212Station; device: Device; dueAt: number }[] = []
  const gatewayOfSn = new Map<string, MqttGateway>()
  let passages = 0
  let httpAccepted = 0
  const unknown: string[] = []
  const encounter = new Encounter()

  const animate = (device: Device, send: Running['send'], sendRecord: Running['sendRecord']) => {
    // Devices of a gateway start a little apart, as boxes do that were not switched on together.
    const offset = hashed(noiseKey(seed, 'offset', device.deviceSn), 1) * 4000
    running.push({
      device,
      machine: machineFor(city, device, optionsFor(city, device, startedAt, encounter)),
      dueAt: startedAt + offset,
      send,
      sendRecord,
    })
  }

  for (const listed of demo.gateways) {
    if (!listed.gatewayId || !listed.secret) continue
    const gateway = new MqttGateway({
      url: options.mqttUrl,
      gatewayId: listed.gatewayId,
      secret: listed.secret,
      onCommand: (command) => obey(command.cmd),
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
        (record, time, data) => gateway.record(deviceSn, record, time, data),
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
    const station = new Hj212Station(dust, { ...options.hj212, station: { mn: listed.mn, password: listed.password } })
    station.client.start()
    stations.push({ station, device, dueAt: startedAt + 1000 + hashed(noiseKey(seed, 'offset', device.deviceSn), 1) * 5000 })
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
      .filter((event) => event.time > after && event.time < dayStart(day) + dayMs && gatewayOfSn.has(event.deviceSn))
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
      const time = Math.floor(now / 1000) * 1000
      if (fault && one.machine instanceof Crane) one.send(time, { ...data, sensorStatus: '3' }, { [fault]: 'fault' })
      else one.send(time, data, fault ? { [fault]: 'fault' } : undefined)
    }
    for (const one of stations) {
      if (now < one.dueAt) continue
      one.dueAt = now + 30_000 / (one.device.behaviour === 'stale' ? 3 : 1)
      if (!isSilent(one.device, now, startedAt)) one.station.sample(now, faultOf(city, one.device, now) !== undefined)
    }
    loadPassages(now)
    while (waiting[0] && waiting[0].time <= now) {
      const event = waiting.shift()!
      gatewayOfSn.get(event.deviceSn)?.record(event.deviceSn, 'attendance', event.time, attendanceRecord(event))
      passages++
    }
  }
  const timer = setInterval(tick, 250)

  return {
    city,
    gateways,
    stations: stations.map(({ station }) => station),
    counts: () => ({
      gatewaysUp: gateways.filter((gateway) => gateway.connected).length,
      items: gateways.reduce((sum, gateway) => sum + gateway.counts.items, 0),
      acknowledged: gateways.reduce((sum, gateway) => sum + gateway.counts.acknowledged, 0),
      dropped: gateways.reduce((sum, gateway) => sum + gateway.counts.dropped, 0),
      passages,
      hj212Answered: stations.reduce((sum, { station }) => sum + station.client.counts.answered, 0),
      hj212Lost: stations.reduce((sum, { station }) => sum + station.client.counts.lost, 0),
      httpAccepted,
    }),
    async stop() {
      clearInterval(timer)
      await Promise.all([...gateways.map((gateway) => gateway.stop()), ...stations.map(({ station }) => station.client.stop())])
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
