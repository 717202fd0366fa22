import type { City, Device } from './city-types.ts'
import { Dust } from './dust.ts'
import type { Faults } from './faults.ts'
import { GatePusher, somebody } from './gate-push.ts'
import { type OpenApp, postData, postPicture, postRecord } from './http-open.ts'
import { Jt808Client } from './jt808-client.ts'
import type { Clip, Location } from './jt808-frame.ts'
import { minute, optionsFor } from './live-story.ts'
import type { LiveOptions, LiveWorld } from './live-world.ts'
import { machineFor } from './machines.ts'
import { MeterGateway } from './meter-gateway.ts'
import type { SlaveRegister } from './meter-wire.ts'
import { MqttGateway } from './mqtt-gateway.ts'
import { portrait } from './portrait.ts'
import { hashed, noiseKey, stream } from './random.ts'
import type { GateEvent, StrangerEvent } from './shifts.ts'
import { sitePhoto } from './site-photo.ts'
import { Hj212Station } from './station.ts'
/** Registers of the demonstration's Modbus meter; vendor-specific, not standardised. */
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

/** A truck's state as a JT/T 808 location. */
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

/** Videos a terminal has stored of a period: 15 minutes each, on two channels. */
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

/** Starts the MQTT gateways; returns the gateway of each device. */
export function joinGateways({ options, seed, plan, bySn, running, unknown, faultsOf, animate }: LiveWorld) {
  const { demo } = options
  const gateways: { gateway: MqttGateway; faults: Faults }[] = []
  const gatewayOfSn = new Map<string, MqttGateway>()
  const apps = new Map(
    demo.openApps.map(({ appId, appSecret, projectCode }): [string, OpenApp] => [projectCode, { url: demo.url, appId, appSecret }]),
  )
  for (const listed of demo.gateways) {
    if (!listed.gatewayId || !listed.secret || demo.meterLines.some((line) => line.gatewayId === listed.gatewayId)) continue
    const faults = faultsOf(listed.gatewayId)
    const repeating = stream(seed, 'repeat', listed.gatewayId)
    const gateway = new MqttGateway({
      url: options.mqttUrl,
      gatewayId: listed.gatewayId,
      secret: listed.secret,
      onCommand: ({ deviceSn, cmd, params }) => {
        const one = running.find(({ device }) => device.deviceSn === deviceSn)
        // Report a change at once, as a real device does.
        if (one?.machine.obey?.(cmd, params, Date.now())) one.dueAt = Date.now()
        return obey(cmd)
      },
      repeats: plan.repeat > 0 ? () => repeating.chance(plan.repeat) : undefined,
    }).start()
    gateways.push({ gateway, faults })
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
          // Upload the picture first, so that the record can refer to it; without an open API application send the record alone.
          const app = apps.get(listed.projectCode)
          const sent = app
            ? postPicture(app, `${deviceSn}.png`, sitePhoto(deviceSn, time)).catch(() => undefined)
            : Promise.resolve(undefined)
          void sent.then((id) => gateway.record(deviceSn, record, time, id ? { ...data, url: id } : data))
        },
      )
    }
  }
  return { gateways, gatewayOfSn }
}

/** Starts dust stations with their own connection (HJ 212). */
export function joinStations({ options, city, seed, startedAt, encounter, unknown, faultsOf }: LiveWorld) {
  const { demo } = options
  const stations: { station: Hj212Station; device: Device; dueAt: number; faults: Faults }[] = []
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
      faults: options.faults ? faults : undefined,
    })
    station.client.start()
    stations.push({ station, device, faults, dueAt: startedAt + 1000 + hashed(noiseKey(seed, 'offset', device.deviceSn), 1) * 5000 })
  }
  return stations
}

/** Starts devices that report over HTTP through an application; returns a function with the number of accepted items. */
export function joinApps({ options, city, animate }: LiveWorld): () => number {
  const { demo } = options
  let httpAccepted = 0
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
            // The platform is not up yet or restarting; the next report is sent regardless.
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
  return () => httpAccepted
}

/** Starts the truck terminals (JT/T 808). */
export function joinTrucks({ options, city, seed, unknown, faultsOf, animate }: LiveWorld) {
  const { demo } = options
  const trucks: { client: Jt808Client; faults: Faults }[] = []
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
      // Both editions are in use in the field.
      identity: { phone: listed.phone, edition: Number(listed.phone.slice(-1)) % 2 === 0 ? '2019' : '2013' },
      vehicle: { plateNo: listed.plateNo, plateColor: 2, terminalId: listed.phone.slice(-7), maker: 'LUMIN', model: 'LM-808' },
      memory: { load: () => memory.load(listed.phone), save: (code) => memory.save(listed.phone, code) },
      clips: (from, to) => clipsOf(seed, listed.phone, from, to),
      faults: options.faults ? faults : undefined,
    }).start()
    trucks.push({ client, faults })
    animate(
      device,
      (time, data) => client.report(toLocation(time, data)),
      () => {
        // Terminals of this protocol keep no records.
      },
    )
  }
  return trucks
}

/** Starts the meters that are polled. */
export function joinMeters({ options, city, startedAt, bySn, unknown, faultsOf }: LiveWorld) {
  const { demo } = options
  const meterLines: MeterGateway[] = []
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
      faults: options.faults ? faultsOf(line.gatewayId) : undefined,
      log: options.log || undefined,
    })
    meterLines.push(gateway)
    void gateway.start()
  }
  return meterLines
}

/** Starts the gates that push passages. */
export function joinGates({ options, city, bySn, unknown }: LiveWorld) {
  const { demo } = options
  const pushers = new Map<string, GatePusher>()
  for (const gate of demo.gatePush) {
    if (!bySn.has(gate.deviceSn)) unknown.push(gate.deviceSn)
    else
      pushers.set(
        gate.deviceSn,
        new GatePusher({ url: demo.url, form: gate.form, key: gate.key, deviceSn: gate.deviceSn, pictureOf: seenBy(city) }),
      )
  }
  return pushers
}

/** Draws the person at a gate's camera. */
function seenBy(city: City): (event: GateEvent | StrangerEvent) => Buffer {
  const sitters = new Map(city.workers.map((w) => [w.workerId, w.headImage.sitter]))
  return (event) => {
    const sitter = 'workerId' in event ? sitters.get(event.workerId) : undefined
    return sitter ? portrait({ ...sitter, onSite: true }) : somebody(event)
  }
}

/** Registration codes kept only in memory. */
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

/** A device's answer to a command: known ones succeed, others are refused. */
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
