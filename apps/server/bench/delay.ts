import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gatewayClientId, gatewayPassword } from '@zhugong/simulator/mqtt-gateway'
import mqtt from 'mqtt'
import { line, quantile, startProcess, stopProcess } from './measure.ts'

const here = dirname(fileURLToPath(import.meta.url))
const rounds = 40

interface DelayBench {
  url: string
  mqttUrl: string
  token: string
  gateways: { gatewayId: string; secret: string; devices: { deviceId: string; deviceSn: string; family: string }[] }[]
}

/**
 * Measures the delay from a device's publish to the message in a browser: over the product (which stores first), and over a broker that
 * only forwards.
 */
export async function benchDelay(b: DelayBench): Promise<void> {
  const bare = await startProcess(join(here, 'pass-broker.ts'), ['27185'])
  const limit = await bareDelay()
  await stopProcess(bare)
  const product = await productDelay(b)
  const show = (values: number[]) => `p50 ${quantile(values, 0.5).toFixed(1)}, p99 ${quantile(values, 0.99).toFixed(1)} ms`
  line(
    'publish to browser',
    show(product),
    `bare broker ${show(limit)}`,
    `+${(quantile(product, 0.5) - quantile(limit, 0.5)).toFixed(1)} ms`,
  )
}

async function bareDelay(): Promise<number[]> {
  const viewer = await mqtt.connectAsync('mqtt://127.0.0.1:27185')
  const device = await mqtt.connectAsync('mqtt://127.0.0.1:27185')
  const took: number[] = []
  const sent = new Map<number, number>()
  viewer.on('message', (_topic, payload) => {
    const { n } = JSON.parse(payload.toString()) as { n: number }
    took.push(performance.now() - (sent.get(n) ?? Number.NaN))
  })
  await viewer.subscribeAsync('x/#')
  for (let n = 0; n < rounds * 5; n++) {
    sent.set(n, performance.now())
    device.publish('x/y', JSON.stringify({ n }), { qos: 1 })
    await sleep(10)
  }
  await sleep(300)
  viewer.end(true)
  device.end(true)
  return took
}

async function productDelay(b: DelayBench): Promise<number[]> {
  const { data } = (await fetch(`${b.url}/api/v1/iot/live/token`, { headers: { token: b.token, group: '*' } }).then((r) => r.json())) as {
    data: { url: string; clientId: string; username: string; password: string }
  }
  const wsUrl = /^wss?:/.test(data.url) ? data.url : `ws://127.0.0.1${data.url}`
  const viewer = await mqtt.connectAsync(wsUrl, {
    clientId: data.clientId,
    username: data.username,
    password: data.password,
    protocolVersion: 4,
  })
  const took: number[] = []
  const sent = new Map<string, number>()
  viewer.on('message', (_topic, payload) => {
    const { d, t } = JSON.parse(payload.toString()) as { d: string; t: number }
    const at = sent.get(`${d}/${t}`)
    if (at !== undefined) took.push(performance.now() - at)
  })
  const gateway = b.gateways.find((g) => g.devices.some((d) => d.family === 'towerCrane'))
  const cranes = gateway?.devices.filter((d) => d.family === 'towerCrane') ?? []
  const projectTopics = new Set<string>()
  const { data: devices } = (await fetch(`${b.url}/api/v1/iot/device/list?size=1000`, { headers: { token: b.token, group: '*' } }).then(
    (r) => r.json(),
  )) as { data: { list: { id: string; projectCode: string; family: string }[] } }
  for (const d of devices.list) if (d.family === 'towerCrane') projectTopics.add(`live/${d.projectCode}/towerCrane/+/telemetry`)
  for (const topic of projectTopics) await viewer.subscribeAsync(topic)
  if (!gateway) throw new Error('no gateway with cranes')
  const device = await mqtt.connectAsync(b.mqttUrl, {
    clientId: gatewayClientId(gateway.gatewayId),
    username: gateway.gatewayId,
    password: gatewayPassword(gateway.gatewayId, gateway.secret, Date.now()),
    protocolVersion: 4,
  })
  for (let n = 0; n < rounds; n++) {
    for (const crane of cranes) {
      const time = Date.now()
      sent.set(`${crane.deviceId}/${time}`, performance.now())
      device.publish(
        `site/v1/up/${gateway.gatewayId}/${crane.deviceSn}/telemetry`,
        JSON.stringify({
          v: 1,
          msgId: `${crane.deviceSn}-${n}`,
          items: [{ time, seq: n, data: { momentPercent: 40, radius: 20, hookHeight: 10, slewAngle: n, load: 1, windSpeed: 2 } }],
        }),
        { qos: 1 },
      )
      await sleep(1_100 / Math.max(1, cranes.length))
    }
  }
  await sleep(1_500)
  viewer.end(true)
  device.end(true)
  return took
}
