import mqtt, { type MqttClient } from 'mqtt'
import { type FaultPlan, Faults, noFaults } from './faults.ts'
import { gatewayClientId, gatewayPassword, uplinkTopic } from './mqtt-gateway.ts'
import { round, stream } from './random.ts'

export interface LoadDevice {
  gatewayId: string
  secret: string
  deviceSn: string
}

export interface LoadOptions {
  /** Broker address, mqtt://host:port */
  url: string
  devices: LoadDevice[]
  /** Messages per second in total; 0 = limited by `inFlight` only. */
  rate: number
  /** Maximum unacknowledged messages per connection. */
  inFlight: number
  /** Device time of each device's first message; one second is added per message. Default: one hour ago. */
  firstTime?: number
  /** Called for every PUBACK. */
  onAcknowledged?: (message: LoadMessage) => void
  /** Values to send; default: a small crane sample. */
  sample?: (deviceSn: string, seq: number) => Record<string, unknown>
  /** Faults (repeated frames, disconnections with a backlog, wrong clocks, bursts), reproducible by seed. */
  faults?: FaultPlan
  seed?: number
  /** Fraction of messages with the time of the message before but different values. Then only the data has a number (`told`). */
  pairs?: number
}

/** Identity of a stored sample. */
export interface LoadMessage {
  deviceSn: string
  time: number
  seq: number
}

export interface LoadResult {
  sent: number
  /** Frames sent twice, and number of disconnections. */
  repeated: number
  cuts: number
  acknowledged: LoadMessage[]
  /** Sent but not acknowledged: may or may not be stored. */
  unacknowledged: LoadMessage[]
  seconds: number
  /** Milliseconds from sending to PUBACK: percentiles and maximum. */
  latency: { p50: number; p95: number; p99: number; max: number }
}

export interface Publishers {
  readonly sent: number
  readonly acknowledgedCount: number
  /** Resolves when every connection has been established once. */
  readonly ready: Promise<void>
  /** Stops sending, waits up to `waitMs` for pending messages, disconnects, and returns what was acknowledged. */
  stop(waitMs?: number): Promise<LoadResult>
}

const defaultSample = (_deviceSn: string, seq: number) => ({
  load: round(2 + (seq % 17) / 10, 2),
  momentPercent: round(40 + (seq % 31), 1),
  radius: round(20 + (seq % 23), 2),
  hookHeight: round(10 + (seq % 37), 2),
  slewAngle: (seq * 3) % 360,
  windSpeed: round((seq % 70) / 10, 1),
  fall: 2,
})

/** Data field with the message number, in a load with pairs. */
export const toldAs = 'told'

/**
 * Publishers for benchmarks and crash tests. Every message has its own (device, time, seq), so that a test can query the database for
 * exactly the acknowledged ones; with pairs the number is only in the data, as `told`. A message in flight when the connection breaks is
 * repeated by the client and counted once.
 */
export function publishers(options: LoadOptions): Publishers {
  const byGateway = new Map<string, LoadDevice[]>()
  for (const device of options.devices) byGateway.set(device.gatewayId, [...(byGateway.get(device.gatewayId) ?? []), device])
  const firstTime = options.firstTime ?? Math.floor(Date.now() / 1000) * 1000 - 3_600_000
  const sample = options.sample ?? defaultSample
  const acknowledged: LoadMessage[] = []
  const pending = new Set<LoadMessage>()
  const latencies: number[] = []
  const startedAt = performance.now()
  const connections: { client: MqttClient; pump: () => void }[] = []
  let running = true
  let sent = 0
  let repeated = 0
  let cuts = 0
  const plan = options.faults ?? noFaults
  const seed = options.seed ?? 1
  // One token bucket for all connections, with a capacity of 0.1 s, which keeps the rate steady.
  let credit = 0
  let creditedAt = startedAt
  const take = () => {
    if (options.rate <= 0) return true
    const now = performance.now()
    credit = Math.min(Math.max(1, options.rate / 10), credit + ((now - creditedAt) / 1000) * options.rate)
    creditedAt = now
    if (credit < 1) return false
    credit--
    return true
  }
  const ready: Promise<void>[] = []
  for (const [gatewayId, devices] of byGateway) {
    const secret = devices[0]!.secret
    const client = mqtt.connect(options.url, {
      clientId: gatewayClientId(gatewayId),
      username: gatewayId,
      password: gatewayPassword(gatewayId, secret, Date.now()),
      protocolVersion: 4,
      clean: true,
      keepalive: 60,
      reconnectPeriod: 500,
      queueQoSZero: false,
    })
    client.on('reconnect', () => {
      client.options.password = gatewayPassword(gatewayId, secret, Date.now())
    })
    client.on('error', () => {
      // The client reconnects by itself.
    })
    const faults = new Faults(plan, seed, gatewayId)
    const random = stream(seed, 'load', gatewayId)
    const seqs = devices.map(() => 0)
    const times = devices.map(() => 0)
    const pairs = options.pairs ?? 0
    let flying = 0
    let turn = 0
    const pump = () => {
      if (plan.outage && client.connected && faults.isCut(Date.now())) {
        cuts++
        client.stream.destroy()
        return
      }
      // A burst ignores the usual limit of messages in flight.
      const most = options.inFlight * (plan.storm ? Math.min(10, faults.times(Date.now())) : 1)
      while (running && client.connected && flying < most && take()) {
        const index = turn++ % devices.length
        const { deviceSn } = devices[index]!
        const seq = ++seqs[index]!
        const isSecond = pairs > 0 && seq > 1 && random.chance(pairs)
        const time = isSecond ? (times[index] as number) : faults.clock(firstTime + seq * 1000)
        times[index] = time
        const message: LoadMessage = { deviceSn, time, seq }
        const at = performance.now()
        flying++
        sent++
        pending.add(message)
        const topic = uplinkTopic(gatewayId, deviceSn, 'telemetry')
        const payload = JSON.stringify({
          v: 1,
          msgId: `${deviceSn}-${time}-${seq}`,
          items: [pairs > 0 ? { time, data: { ...sample(deviceSn, seq), [toldAs]: seq } } : { time, seq, data: sample(deviceSn, seq) }],
        })
        if (plan.repeat > 0 && random.chance(plan.repeat)) {
          repeated++
          client.publish(topic, payload, { qos: 1 }, () => {})
        }
        client.publish(topic, payload, { qos: 1 }, (error) => {
          flying--
          if (!error) {
            latencies.push(performance.now() - at)
            pending.delete(message)
            acknowledged.push(message)
            options.onAcknowledged?.(message)
          }
          pump()
        })
      }
    }
    connections.push({ client, pump })
    ready.push(new Promise((resolve) => client.once('connect', () => resolve())))
    client.on('connect', pump)
  }
  const timer = setInterval(() => {
    for (const { pump } of connections) pump()
  }, 5)
  return {
    get sent() {
      return sent
    },
    get acknowledgedCount() {
      return acknowledged.length
    },
    ready: Promise.all(ready).then(() => undefined),
    async stop(waitMs = 5000) {
      running = false
      clearInterval(timer)
      const until = performance.now() + waitMs
      while (pending.size && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 10))
      const seconds = (performance.now() - startedAt) / 1000
      for (const { client } of connections) client.end(true)
      latencies.sort((a, b) => a - b)
      const part = (share: number) =>
        Math.round((latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0) * 10) / 10
      return {
        sent,
        repeated,
        cuts,
        acknowledged,
        unacknowledged: [...pending],
        seconds,
        latency: { p50: part(0.5), p95: part(0.95), p99: part(0.99), max: part(1) },
      }
    },
  }
}
