import { addDays, dayMs, dayOf, dayStart } from './calendar.ts'
import type { City } from './city-types.ts'
import { Crane } from './crane.ts'
import type { Jt808Client } from './jt808-client.ts'
import { joinApps, joinGates, joinGateways, joinMeters, joinStations, joinTrucks } from './live-lines.ts'
import { faultOf, isSilent } from './live-story.ts'
import { type LiveOptions, worldOf } from './live-world.ts'
import type { MeterGateway } from './meter-gateway.ts'
import type { MqttGateway } from './mqtt-gateway.ts'
import { attendanceRecord, dayEvents, type GateEvent, type StrangerEvent, strangerEvents } from './shifts.ts'
import type { Hj212Station } from './station.ts'

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

/** Starts all devices of the demonstration over real sockets. */
export function startLive(options: LiveOptions): LiveCity {
  const world = worldOf(options)
  const { city, seed, startedAt, plan, running, unknown } = world
  const speed = options.speed ?? 1
  const { gateways, gatewayOfSn } = joinGateways(world)
  const stations = joinStations(world)
  const httpAccepted = joinApps(world)
  const trucks = joinTrucks(world)
  const meterLines = joinMeters(world)
  const pushers = joinGates(world)
  if (unknown.length) options.log?.(`simulator: ${unknown.length} devices are not part of seed ${seed}: ${unknown.slice(0, 5).join(', ')}`)

  // Passages from now on, including those of the night shift that began yesterday.
  let passages = 0
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
    // After the computer was suspended or stopped in a debugger, do not simulate the missed time.
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
      // A burst repeats the report, each time a millisecond later.
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
      for (const { gateway, faults } of gateways) gateway.cut(faults.isCut(now))
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
    gateways: gateways.map(({ gateway }) => gateway),
    stations: stations.map(({ station }) => station),
    trucks: trucks.map(({ client }) => client),
    meterLines,
    counts: () => ({
      gatewaysUp: gateways.filter(({ gateway }) => gateway.connected).length,
      items: gateways.reduce((sum, { gateway }) => sum + gateway.counts.items, 0),
      acknowledged: gateways.reduce((sum, { gateway }) => sum + gateway.counts.acknowledged, 0),
      dropped: gateways.reduce((sum, { gateway }) => sum + gateway.counts.dropped, 0),
      passages,
      hj212Answered: stations.reduce((sum, { station }) => sum + station.client.counts.answered, 0),
      hj212Lost: stations.reduce((sum, { station }) => sum + station.client.counts.lost, 0),
      httpAccepted: httpAccepted(),
      trucksUp: trucks.filter(({ client }) => client.online).length,
      positions: trucks.reduce((sum, { client }) => sum + client.counts.acknowledged, 0),
      metersAsked: meterLines.reduce((sum, line) => sum + line.counts.answered, 0),
      pushed: [...pushers.values()].reduce((sum, gate) => sum + gate.counts.accepted, 0),
    }),
    async stop() {
      clearInterval(timer)
      for (const pusher of pushers.values()) pusher.stop()
      await Promise.all([
        ...gateways.map(({ gateway }) => gateway.stop()),
        ...stations.map(({ station }) => station.client.stop()),
        ...trucks.map(({ client }) => client.stop()),
        ...meterLines.map((line) => line.stop()),
      ])
    },
  }
}
