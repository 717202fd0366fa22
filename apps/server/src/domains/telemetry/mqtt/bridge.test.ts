import mqtt, { type MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { acknowledged, craneData, message, openSite, type Site, until, uplink } from '../ingest-for-test.ts'
import { openMosquitto } from '../mosquitto-for-test.ts'

let broker: Awaited<ReturnType<typeof openMosquitto>>
let site: Site
let client: MqttClient
let gateway: Awaited<ReturnType<Site['given']['gateway']>>
let crane: Awaited<ReturnType<Site['given']['device']>>

beforeAll(async () => {
  broker = await openMosquitto()
  site = await openSite(inject('postgresUrl'), {}, { MQTT_URL: broker.url })
  gateway = await site.given.gateway('P1')
  crane = await site.given.device('P1', 'towerCrane', { protocol: 'mqtt', gatewayId: gateway.id })
  client = await mqtt.connectAsync(broker.url, { protocolVersion: 5, clientId: `gw:${gateway.id}` })
})
afterAll(async () => {
  await client.endAsync(true)
  await site.close()
  await broker.stop()
})

const readings = (id: string) => site.count('telemetry where device_id = $1', [id])
const send = (seq: number, time = Date.now() - 60_000 + seq * 100) =>
  acknowledged(client, uplink(gateway.id, crane.sn, 'telemetry'), message([{ time, seq, data: craneData({ load: 1 + (seq % 9) }) }]))

test('the own broker has no listener for devices, and admits none over the browsers’ WebSocket', async () => {
  expect(site.ingest.ports.mqtt).toBe(0)
  const { mqttWs } = site.ingest.ports
  const requested = mqtt.connectAsync(`ws://127.0.0.1:${mqttWs}`, {
    protocolVersion: 4,
    reconnectPeriod: 0,
    clientId: `gw:${gateway.id}`,
    username: gateway.id,
    password: site.password(gateway),
  })
  await expect(requested).rejects.toThrow(/Not authorized/)
})

test('readings come in by an external broker, each once', async () => {
  await send(1, Date.now() - 120_000)
  await until(async () => (await readings(crane.id)) === 1)
  await Promise.all(Array.from({ length: 60 }, (_, i) => send(i + 2)))
  await until(async () => (await readings(crane.id)) === 61)
  await until(async () => (await site.count('gateway where id = $1 and online', [gateway.id])) === 1)
})

test('while the database is away nothing is confirmed; what was on its way is stored when it is back', async () => {
  const before = await readings(crane.id)
  await site.line.cut()
  for (let i = 0; i < 20; i++) await send(200 + i)
  await new Promise((resolve) => setTimeout(resolve, 500))
  await site.line.open()
  await until(async () => (await readings(crane.id)) === before + 20, 20_000)
})

test('what a process had not stored when it ended goes to the next', async () => {
  const before = await readings(crane.id)
  await site.line.cut()
  for (let i = 0; i < 15; i++) await send(400 + i)
  await new Promise((resolve) => setTimeout(resolve, 300))
  await site.restart(() => site.line.open())
  await until(async () => (await readings(crane.id)) === before + 15, 20_000)
})

test('a stranger, and a gateway switched off, store nothing and hold nothing up', async () => {
  const before = await readings(crane.id)
  await acknowledged(client, uplink('nobody-here', crane.sn, 'telemetry'), message([{ time: Date.now(), seq: 1, data: craneData() }]))
  await acknowledged(client, `site/v1/up/${gateway.id}/too/many/parts`, 'x')
  const off = await site.given.gateway('P1')
  await site.pool.query(`update gateway set status = '0' where id = $1`, [off.id])
  await acknowledged(client, uplink(off.id, crane.sn, 'telemetry'), message([{ time: Date.now(), seq: 2, data: craneData() }]))
  await send(600)
  await until(async () => (await readings(crane.id)) === before + 1)
  await until(async () => (await site.count(`unregistered_device where identifier = 'nobody-here'`)) === 1)
})

test('commands go down by the external broker; a last will takes the gateway off', async () => {
  const heard: { cmd: string }[] = []
  await client.subscribeAsync(`site/v1/down/${gateway.id}/+/command`, { qos: 1 })
  client.on('message', (_topic, body) => heard.push(JSON.parse(body.toString())))
  await acknowledged(
    client,
    uplink(gateway.id, crane.sn, 'telemetry'),
    message([{ time: Date.now(), seq: 700, data: craneData() }], { ack: true }),
  )
  await until(() => heard.some((h) => h.cmd === 'ack'))
  await acknowledged(client, `site/v1/up/${gateway.id}/-/state`, JSON.stringify({ online: false }))
  await until(async () => (await site.count('gateway where id = $1 and not online', [gateway.id])) === 1)
})

test('the broker goes and comes back', async () => {
  const before = await readings(crane.id)
  await broker.stop()
  await broker.start()
  await until(() => client.connected, 10_000)
  // Messages a broker accepts before its subscribers are back: mosquitto keeps them for sessions, not for shared subscriptions.
  let seq = 800
  await until(async () => {
    await send(seq++)
    return (await readings(crane.id)) > before
  }, 20_000)
})
