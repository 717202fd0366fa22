import { connect as connectTcp } from 'node:net'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { findDeviceRows, latestOf } from '../monitoring/shared/devices.ts'
import { acknowledged, craneData, message, openSite, type Site, until, uplink } from './ingest-for-test.ts'

let site: Site
let gateway: Awaited<ReturnType<Site['given']['gateway']>>
let crane: Awaited<ReturnType<Site['given']['device']>>

beforeAll(async () => {
  site = await openSite(inject('postgresUrl'))
  gateway = await site.given.gateway('P1')
  crane = await site.given.device('P1', 'towerCrane', { protocol: 'mqtt', gatewayId: gateway.id })
})
afterAll(() => site.close())

const readings = (deviceId: string) => site.count('telemetry where device_id = $1', [deviceId])

/** A device's newest values as returned by calls. */
async function newest(family: string, deviceId: string) {
  const { rows } = await site.database.kysely.transaction().execute((tx) => findDeviceRows(tx, family, undefined, { deviceId }))
  return rows[0] && latestOf(rows[0])
}

test('a reading is stored before it is acknowledged, once however often it comes', async () => {
  const client = await site.gatewayClient(gateway)
  const time = Date.now() - 5_000
  const body = message([{ time, seq: 812, data: craneData({ vendorKey: 'x', fall: 'two' }), quality: { windSpeed: 'fault' } }])
  await acknowledged(client, uplink(gateway.id, crane.sn, 'telemetry'), body)
  expect(await readings(crane.id)).toBe(1)
  await acknowledged(client, uplink(gateway.id, crane.sn, 'telemetry'), body)
  await Promise.all(Array.from({ length: 5 }, () => acknowledged(client, uplink(gateway.id, crane.sn, 'telemetry'), body)))
  expect(await readings(crane.id)).toBe(1)
  const { rows } = await site.pool.query('select v, extra, quality, flag from telemetry where device_id = $1', [crane.id])
  expect(rows[0].extra).toMatchObject({ vendorKey: 'x', driverId: 'D1024' })
  expect(rows[0].extra).not.toHaveProperty('fall')
  expect(rows[0].quality).toEqual({ windSpeed: 'fault' })
  const latest = await site.pool.query('select v, online from device_latest where device_id = $1', [crane.id])
  expect(latest.rows[0]).toMatchObject({ online: true, v: { load: 3.2, tilt: 0.14, vendorKey: 'x' } })
  client.end()
})

test('a partial message keeps the last value of every other metric, with its own age', async () => {
  const device = await site.given.device('P1', 'towerCrane', { protocol: 'mqtt', gatewayId: gateway.id })
  const client = await site.gatewayClient(gateway)
  const at = Date.now() - 60_000
  const say = (...items: unknown[]) => acknowledged(client, uplink(gateway.id, device.sn, 'telemetry'), message(items))
  const now = () => newest('towerCrane', device.id)
  await say({ time: at, data: { load: 3.2, radius: 32.5, windSpeed: 4.6 }, quality: { radius: 'fault' } })
  await say({ time: at + 10_000, data: { windSpeed: 5.1 } })
  expect(await now()).toMatchObject({
    time: at + 10_000,
    values: { load: 3.2, radius: 32.5, windSpeed: 5.1 },
    quality: { radius: 'fault' },
    times: { load: at, radius: at },
  })
  // Several readings in one message, then a late one.
  await say({ time: at + 20_000, data: { load: 4 } }, { time: at + 30_000, data: { hookHeight: 20, unheardOf: 1 } })
  await say({ time: at + 5_000, data: { load: 9 } })
  const latest = await now()
  expect(latest?.values).toEqual({ load: 4, radius: 32.5, windSpeed: 5.1, hookHeight: 20, unheardOf: 1 })
  expect(latest?.times).toEqual({ load: at + 20_000, radius: at, windSpeed: at + 10_000 })
  // Unknown keys are not carried over: a device could send new ones for ever.
  await say({ time: at + 40_000, data: { load: 5 } })
  expect((await now())?.values).toEqual({ load: 5, radius: 32.5, windSpeed: 5.1, hookHeight: 20 })
  client.end()
})

test('a point says nothing of another point of the same device', async () => {
  const pit = await site.given.device('P1', 'foundationPit', { protocol: 'mqtt', gatewayId: gateway.id })
  const client = await site.gatewayClient(gateway)
  const at = Date.now() - 60_000
  const say = (item: unknown) => acknowledged(client, uplink(gateway.id, pit.sn, 'telemetry'), message([item]))
  await say({ time: at, data: { pointCode: 'A', waterLevel: 3 } })
  await say({ time: at + 1_000, data: { pointCode: 'B', topHorizontalDisplacement: 2 } })
  expect((await newest('foundationPit', pit.id))?.values).toEqual({ pointCode: 'B', topHorizontalDisplacement: 2 })
  client.end()
})

test('late, early and too old readings', async () => {
  const device = await site.given.device('P1', 'towerCrane', { protocol: 'mqtt', gatewayId: gateway.id })
  const client = await site.gatewayClient(gateway)
  const now = Date.now()
  const data = craneData({ momentPercent: 130 })
  await acknowledged(
    client,
    uplink(gateway.id, device.sn, 'telemetry'),
    message([
      { time: now - 31 * 86_400_000, seq: 1, data },
      { time: now - 3_600_000, seq: 2, data },
      { time: now + 3_600_000, seq: 3, data },
    ]),
  )
  const { rows } = await site.pool.query<{ number: number; flag: number }>(
    'select (seq >> 40)::int as number, flag from telemetry where device_id = $1 order by seq',
    [device.id],
  )
  expect(rows).toEqual([
    { number: 2, flag: 1 },
    { number: 3, flag: 2 },
  ])
  expect(await site.count('alarm where device_id = $1 and not historical', [device.id])).toBe(0)
  // The hour-old alarm is stored as historical and inactive.
  expect(await site.count(`alarm where device_id = $1 and historical and not active and alarm_key = 'momentOverload'`, [device.id])).toBe(1)
  client.end()
})

test('a topic of another gateway closes the connection and stores nothing', async () => {
  const other = await site.given.gateway('P2')
  const foreign = await site.given.device('P2', 'towerCrane', { protocol: 'mqtt', gatewayId: other.id })
  const client = await site.gatewayClient(gateway)
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
  client.publish(uplink(other.id, foreign.sn, 'telemetry'), message([{ time: Date.now(), data: craneData() }]), { qos: 1 })
  await closed
  expect(await readings(foreign.id)).toBe(0)
  const again = await site.gatewayClient(gateway)
  const granted = await again.subscribeAsync(`site/v1/down/${other.id}/+/command`).catch((error: Error) => error)
  expect(granted instanceof Error || granted[0]?.qos === 128).toBe(true)
  again.end()
})

test('a device that is not bound to the gateway is refused and listed', async () => {
  const client = await site.gatewayClient(gateway)
  await acknowledged(client, uplink(gateway.id, 'NOBODY-1', 'telemetry'), message([{ time: Date.now(), data: craneData() }]))
  await until(async () => (await site.count(`unregistered_device where identifier = 'NOBODY-1' and reason = 'unregistered'`)) === 1)
  client.end()
})

test('wrong credentials are refused', async () => {
  const attempts = [
    { clientId: `gw:${gateway.id}`, username: gateway.id, password: 'nonsense' },
    { clientId: `gw:${gateway.id}`, username: gateway.id, password: gateway.secret },
    { clientId: 'gw:other', username: gateway.id, password: site.password(gateway) },
    { clientId: 'gw:nobody', username: 'nobody', password: 'x' },
    { clientId: 'viewer', username: 'live', password: 'x.y' },
  ]
  for (const attempt of attempts) {
    const client = site.connect(attempt)
    const outcome = await new Promise<string>((resolve) => {
      client.once('connect', () => resolve('connected'))
      client.once('error', () => resolve('refused'))
      client.once('close', () => resolve('refused'))
    })
    expect(outcome).toBe('refused')
  }
})

test('a plain secret works where the connection type says so', async () => {
  const plain = await site.given.gateway('P1', 'mqttPlain')
  const client = await site.gatewayClient(plain, { password: plain.secret })
  expect(client.connected).toBe(true)
  client.end()
})

test('MQTT 5 is answered in its own words', async () => {
  const socket = connectTcp(site.ingest.ports.mqtt, '127.0.0.1')
  const answer = await new Promise<Buffer>((resolve) => {
    socket.once('data', resolve)
    socket.write(Buffer.from([0x10, 0x10, 0, 4, 0x4d, 0x51, 0x54, 0x54, 5, 2, 0, 60, 0, 0, 3, 0x61, 0x62, 0x63]))
  })
  expect([...answer]).toEqual([0x20, 3, 0, 0x84, 0])
  socket.destroy()
})

test('a payload of 1 MiB closes its connection and nobody else’s', async () => {
  const bystander = await site.gatewayClient(gateway)
  const otherGateway = await site.given.gateway('P1')
  const big = await site.gatewayClient(otherGateway)
  const closed = new Promise<void>((resolve) => big.once('close', () => resolve()))
  big.publish(uplink(otherGateway.id, 'X', 'telemetry'), Buffer.alloc(1024 * 1024, 0x20), { qos: 1 })
  await closed
  await acknowledged(bystander, uplink(gateway.id, crane.sn, 'telemetry'), message([{ time: Date.now(), seq: 1, data: craneData() }]))
  bystander.end()
})

test('a gateway switched off is gone and stays out', async () => {
  const off = await site.given.gateway('P1')
  const client = await site.gatewayClient(off)
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
  await site.pool.query(`update gateway set status = '0' where id = $1`, [off.id])
  await closed
  await expect(site.gatewayClient(off)).rejects.toThrow()
})

test('a burst beyond the limit is slowed down, not refused', async () => {
  const fast = await site.given.gateway('P1')
  const device = await site.given.device('P1', 'towerCrane', { protocol: 'mqtt', gatewayId: fast.id })
  const client = await site.gatewayClient(fast)
  const begun = Date.now()
  await Promise.all(
    Array.from({ length: 120 }, (_, i) =>
      acknowledged(client, uplink(fast.id, device.sn, 'telemetry'), message([{ time: begun - i * 1000, seq: i + 1, data: craneData() }])),
    ),
  )
  expect(Date.now() - begun).toBeGreaterThan(700)
  expect(await readings(device.id)).toBe(120)
  client.end()
})

test('the answer to a message that asked for one', async () => {
  const client = await site.gatewayClient(gateway)
  await client.subscribeAsync(`site/v1/down/${gateway.id}/+/command`, { qos: 1 })
  const answer = new Promise<{ cmd: string; accepted: number; rejected: unknown[] }>((resolve) =>
    client.once('message', (_topic, body) => resolve(JSON.parse(body.toString()))),
  )
  await acknowledged(
    client,
    uplink(gateway.id, crane.sn, 'telemetry'),
    message([{ time: Date.now(), seq: 90, data: { load: 'heavy', radius: 10 } }, { data: {} }], { ack: true }),
  )
  expect(await answer).toMatchObject({ cmd: 'ack', accepted: 1, rejected: [{ index: 0, key: 'load', reason: 'type' }, { index: 1 }] })
  client.end()
})

test('records and events of a device', async () => {
  const client = await site.gatewayClient(gateway)
  const time = Date.now() - 1000
  const cycle = message([{ time, seq: 5, record: 'workingCycle', data: { cycleNo: 'C-1', maxLoad: 3 } }])
  await acknowledged(client, uplink(gateway.id, crane.sn, 'record'), cycle)
  await acknowledged(client, uplink(gateway.id, crane.sn, 'record'), cycle)
  await acknowledged(client, uplink(gateway.id, crane.sn, 'event'), message([{ type: 'momentAlarm', state: 'start', value: 103, time }]))
  expect(await site.count(`device_record where device_id = $1 and record = 'workingCycle'`, [crane.id])).toBe(1)
  expect(await site.count(`device_event where device_id = $1 and kind = 'momentAlarm'`, [crane.id])).toBe(1)
  client.end()
})

test('alarms: hysteresis, one at a time, and a restart in between', async () => {
  const device = await site.given.device('P1', 'towerCrane', { protocol: 'mqtt', gatewayId: gateway.id })
  let client = await site.gatewayClient(gateway)
  const begun = Date.now() - 60_000
  const send = (after: number, momentPercent: number) =>
    acknowledged(
      client,
      uplink(gateway.id, device.sn, 'telemetry'),
      message([{ time: begun + after * 1000, seq: after, data: craneData({ momentPercent }) }]),
    )
  await send(0, 80)
  await send(5, 101)
  await send(10, 97)
  const open = () =>
    site.pool.query<{ alarm_key: string; level: number; start_time: Date; peak_value: number }>(
      `select * from alarm where device_id = $1 and active and alarm_key like 'moment%' order by alarm_key`,
      [device.id],
    )
  expect((await open()).rows.map((r) => r.alarm_key)).toEqual(['momentAlarm', 'momentWarning'])
  client.end()
  await site.restart()
  client = await site.gatewayClient(gateway)
  await send(15, 104)
  const rows = (await open()).rows
  expect(rows).toHaveLength(2)
  expect(rows[0]).toMatchObject({ alarm_key: 'momentAlarm', level: 2, peak_value: 104, start_time: new Date(begun + 5000) })
  await send(20, 94)
  expect((await open()).rows.map((r) => r.alarm_key)).toEqual(['momentWarning'])
  await send(25, 70)
  expect((await open()).rows).toEqual([])
  const log = await site.pool.query<{ event: string }>(
    'select l.event from alarm_log l join alarm a on a.id = l.alarm_id where a.device_id = $1 and a.alarm_key like $2 order by l.at, l.id',
    [device.id, 'moment%'],
  )
  expect(log.rows.map((r) => r.event)).toEqual(['open', 'open', 'clear', 'clear'])
  client.end()
})

test('newest values that a killed process had not written yet are taken from the readings', async () => {
  const device = await site.given.device('P1', 'towerCrane', { protocol: 'mqtt', gatewayId: gateway.id })
  const client = await site.gatewayClient(gateway)
  const time = Date.now() - 5_000
  await acknowledged(client, uplink(gateway.id, device.sn, 'telemetry'), message([{ time, seq: 1, data: craneData({ load: 1 }) }]))
  client.end()
  await site.restart(async () => {
    await site.pool.query(
      `insert into telemetry (device_id, ts, seq, received_at, schema_ver, v, w, extra, quality, flag)
       select device_id, ts + interval '1 second', 2, received_at, schema_ver, array_replace(v, 1, 4.5), w, extra, quality, flag
       from telemetry where device_id = $1`,
      [device.id],
    )
  })
  const { rows } = await site.pool.query('select ts, v, online from device_latest where device_id = $1', [device.id])
  expect(rows[0]).toMatchObject({ ts: new Date(time + 1_000), online: true, v: { load: 4.5, driverId: 'D1024' } })
})
