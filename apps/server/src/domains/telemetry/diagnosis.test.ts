import { connect } from 'node:net'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readTelemetry } from '../readings/public.ts'
import { verdictOf } from './frame-verdict.ts'
import { buildFrame } from './hj212/frame.ts'
import { formatDataTime } from './hj212/values.ts'
import { acknowledged, message, openSite, type Site, until, uplink } from './ingest-for-test.ts'

/** Anyone connecting a device sees what happened to its messages, in terms of its protocol. */
let site: Site
beforeAll(async () => {
  site = await openSite(inject('postgresUrl'))
})
afterAll(() => site.close())

const mn = '010000A8900016F000169DC2'
const frames = async (where: string, values: unknown[]) =>
  (
    await site.pool.query<{ result: string; hint: string | null }>(
      `select result, hint from device_frame where ${where} order by time, id`,
      values,
    )
  ).rows

test('a station is told of unknown codes, values out of range and its own marks as a gateway is', async () => {
  const access = { protocol: 'hj212', accessKey: mn, units: { pm10: 'ug' } }
  const station = await site.given.device('P1', 'environment', access, { secret: '123456', interval: 30 })
  const at = Math.floor(Date.now() / 1000) * 1000 - 5_000
  const frame = (n: number, cp: string) =>
    buildFrame({ qn: '', st: '22', cn: '2011', pw: '123456', mn, flag: 5, cp: `DataTime=${formatDataTime(at + n * 1000)};${cp}` })
  const socket = connect(site.ingest.ports.hj212, '127.0.0.1')
  socket.write(frame(0, 'x99-Rtd=1;LA-Rtd=50'))
  socket.write(frame(1, 'a34002-Rtd=99999'))
  socket.write(frame(2, 'LA-Rtd=50,LA-Flag=D'))
  // The last frame lacks its line end, and the connection is closed.
  socket.end(frame(3, 'LA-Rtd=51').subarray(0, -2))
  await until(async () => (await site.count('device_frame where device_id = $1', [station.id])) === 4)
  expect((await frames('device_id = $1', [station.id])).map((one) => [one.result, one.hint])).toEqual([
    ['unknownKey', expect.stringContaining('x99-Rtd')],
    ['outOfRange', expect.stringContaining('99999')],
    ['flagged', expect.stringContaining('noise 故障')],
    ['stored', null],
  ])
  expect(await site.count('telemetry where device_id = $1', [station.id])).toBe(4)
})

test('each kind of refusal of a gateway is kept with its own count; a wrong user name is no device', async () => {
  const gateway = await site.given.gateway('P1')
  const client = await site.gatewayClient(gateway)
  const refused = () =>
    site.pool
      .query<{ reason: string; n: number }>(
        'select reason, count::int as n from unregistered_device where gateway_id = $1 order by reason',
        [gateway.id],
      )
      .then(({ rows }) => rows.map((row) => [row.reason, row.n]))
  client.publish('site/v1/up/another/X/telemetry', 'x', { qos: 1 })
  await until(async () => (await refused()).length === 1)
  for (const [clientId, password] of [
    ['another', 'x'],
    [`gw:${gateway.id}`, 'x'],
  ])
    await new Promise<void>((resolve) => {
      site.connect({ clientId: clientId ?? '', username: gateway.id, password: password ?? '' }).once('close', () => resolve())
    })
  await until(async () => (await refused()).length === 3)
  const big = await site.gatewayClient(gateway)
  const closed = new Promise<void>((resolve) => big.once('close', () => resolve()))
  big.publish(uplink(gateway.id, 'X', 'telemetry'), Buffer.alloc(300 * 1024, 0x20), { qos: 1 })
  await closed
  await until(async () => (await refused()).length === 4)
  expect(await refused()).toEqual([
    ['tooLarge', 1],
    ['topic', 1],
    ['wrongClientId', 1],
    ['wrongPassword', 1],
  ])
  const [line] = await frames(`gateway_id = $1 and result = 'tooLarge'`, [gateway.id])
  expect(line?.hint).toMatch(/消息 3\d{5} 字节，上限 262144 字节/)
  await new Promise<void>((resolve) => {
    site.connect({ clientId: 'gw:admin', username: 'admin', password: 'x' }).once('close', () => resolve())
  })
  await until(async () => (await site.count(`unregistered_device where identifier = 'admin' and reason = 'unknownGateway'`)) === 1)
})

test('a body of another maker’s form is told what to change', async () => {
  const gateway = await site.given.gateway('P1')
  const crane = await site.given.device('P1', 'towerCrane', { protocol: 'mqtt', gatewayId: gateway.id })
  const client = await site.gatewayClient(gateway)
  await acknowledged(client, uplink(gateway.id, crane.sn, 'telemetry'), message([{ ts: Date.now(), values: { load: 1 } }]))
  await until(async () => (await site.count('device_frame where device_id = $1', [crane.id])) === 1)
  expect((await frames('device_id = $1', [crane.id]))[0]?.hint).toContain('ThingsBoard')
  client.end()
})

const reported = (key: string, data: Record<string, unknown>) => {
  const family = familyOf(key)
  if (!family) throw new Error(key)
  const now = Date.now()
  const { accepted, rejected } = readTelemetry(family, { time: now, data }, 0, now)
  return {
    values: accepted?.values,
    quality: accepted?.quality,
    ...verdictOf(family, { readings: accepted ? [accepted] : [] }, rejected, false),
  }
}

test('what a device may well say is not held against it', () => {
  expect(reported('foundationPit', { pointCode: 'CX-01', pointType: 'deepHorizontal', columnSettlement: 1 }).result).toBe('stored')
  expect(reported('lifter', { speed: -0.6 })).toMatchObject({ values: { speed: 0.6, direction: '2' }, result: 'stored' })
  expect(reported('towerCrane', { load: -0.04 })).toMatchObject({ quality: null, result: 'stored' })
})

test('a place that cannot be', () => {
  expect(reported('smartHelmet', { longitude: 0, latitude: 0, batteryPercent: 80 }).values).not.toHaveProperty('longitude')
  const swapped = reported('smartHelmet', { longitude: 43.8, latitude: 87.6 })
  expect(swapped).toMatchObject({ quality: { longitude: 'swapped' }, result: 'flagged', hint: expect.stringContaining('经纬度可能填反') })
  expect(reported('smartHelmet', { longitude: 114.3, latitude: 30.6 }).quality).toBeNull()
})
