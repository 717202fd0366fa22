import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { craneData, message, openSite, type Site, uplink } from '../../src/domains/telemetry/ingest-for-test.ts'
import { inParallel, type Random, randomFrom, sizeOf } from './size.ts'

/** A gateway can publish and subscribe to its own topics only: `TOPIC_PROBES=10000` probes of the broker for the full size. */
const probes = sizeOf('TOPIC_PROBES', 240)
const atOnce = 4

type Gateway = Awaited<ReturnType<Site['given']['gateway']>>
interface Prober {
  gateway: Gateway
  client: MqttClient | undefined
}

let site: Site
let victim: Gateway
let crane: Awaited<ReturnType<Site['given']['device']>>
beforeAll(async () => {
  site = await openSite(inject('postgresUrl'))
  victim = await site.given.gateway('P2')
  crane = await site.given.device('P2', 'towerCrane', { protocol: 'mqtt', gatewayId: victim.id })
})
afterAll(() => site.close())

/** A topic outside of a gateway's own. */
function foreignTopic(random: Random, own: string): string {
  const kinds = ['telemetry', 'event', 'record', 'state', 'reply', 'command']
  const sn = random.pick([crane.sn, '+', '#', 'X'])
  const almost = [`${own}0`, own.slice(1), own.toUpperCase(), ` ${own}`, `${own}%`, `../${victim.id}`, '', '0']
  return random.pick([
    () => uplink(victim.id, sn, random.pick(kinds)),
    () => uplink(random.pick(almost), crane.sn, random.pick(kinds)),
    () => `site/v1/down/${victim.id}/${sn}/command`,
    () => `site/v1/down/${random.pick(almost)}/${crane.sn}/command`,
    () => `site/v${random.below(9) + 2}/up/${own}/${crane.sn}/telemetry`,
    () => `/site/v1/up/${own}/${crane.sn}/telemetry`,
    () => `site/v1/up/${own}/${crane.sn}/telemetry/${victim.id}`,
    () => `live/P2/${random.pick(['telemetry', 'alarm', 'gate', '#'])}`,
    () =>
      random.pick(['#', '+/+/+/+/+/+', 'site/#', 'site/v1/#', 'site/v1/up/#', 'site/v1/down/#', 'live/#', '$SYS/#', '$SYS/broker/clients']),
    () => `$share/x/site/v1/down/${victim.id}/#`,
  ])()
}

test(`${probes} topics of others: none is taken, none is heard`, async () => {
  const random = randomFrom(20261122)
  const passed: string[] = []
  const count = { published: 0, subscribed: 0 }
  const probers: Prober[] = []
  for (let i = 0; i < atOnce; i++) probers.push({ gateway: await site.given.gateway('P1'), client: undefined })
  const heard: string[] = []
  const connected = async (prober: Prober): Promise<MqttClient> => {
    if (prober.client?.connected) return prober.client
    prober.client = await site.gatewayClient(prober.gateway)
    prober.client.on('message', (topic) => heard.push(topic))
    return prober.client
  }
  const queues = probers.map((prober) => ({ prober, busy: Promise.resolve() }))
  await inParallel(probes, atOnce, async (turn) => {
    const queue = queues[turn % atOnce] as (typeof queues)[number]
    // Probes of a gateway are sequential: a refused one closes its connection.
    queue.busy = queue.busy.then(async () => {
      const client = await connected(queue.prober)
      const topic = foreignTopic(random, queue.prober.gateway.id)
      const isWild = /[+#]/.test(topic)
      if (isWild || random.below(2)) {
        count.subscribed++
        const granted = await client.subscribeAsync(topic, { qos: 1 }).catch(() => undefined)
        if (granted?.some((one) => one.qos !== 128)) passed.push(`heard: ${topic}`)
        return
      }
      count.published++
      const body = message([{ time: Date.now(), data: craneData({ load: 4.9 }) }])
      const closed = new Promise<boolean>((resolve) => client.once('close', () => resolve(false)))
      const answered = client.publishAsync(topic, body, { qos: 1 }).then(
        () => true,
        () => false,
      )
      if (await Promise.race([answered, closed])) passed.push(`sent: ${topic}`)
      client.end(true)
    })
    await queue.busy
  })
  console.log(`${probes} probes: ${count.published} published, ${count.subscribed} subscribed; ${passed.length} passed`)
  expect(passed.slice(0, 20)).toEqual([])
  expect(heard).toEqual([])
  expect(await site.count('telemetry where device_id = $1', [crane.id])).toBe(0)
  // The same message under its own topic is accepted, so the refusals were due to the topic.
  const own = await site.gatewayClient(victim)
  await own.publishAsync(uplink(victim.id, crane.sn, 'telemetry'), message([{ time: Date.now(), data: craneData() }]), { qos: 1 })
  expect(await site.count('telemetry where device_id = $1', [crane.id])).toBe(1)
  own.end(true)
}, 0)
