import { createHmac, randomBytes } from 'node:crypto'
import { createServer, request as httpRequest, type Server } from 'node:http'
import { connect } from 'node:net'
import { type Family, families } from '@zhugong/contract/telemetry/families'
import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { crcText, standardCrc } from './hj212/crc.ts'
import { Hj212Decoder, type Hj212Frame } from './hj212/frame.ts'
import { formatDataTime } from './hj212/values.ts'
import { acknowledged, openSite, type Site, until, uplink } from './ingest-for-test.ts'
import { bcdTime } from './jt808/bodies.ts'
import { positionsIn } from './jt808/items.ts'
import { signedText } from './open-api/refusal.ts'

/**
 * A repeated message is stored once, and different ones of the same second are all stored, for every protocol and kind. All of them are acknowledged,
 * so senders never repeat them.
 */
let site: Site
let local: Server
let gateway: Awaited<ReturnType<Site['given']['gateway']>>
let client: MqttClient
const appId = 'app-same-second'
const secret = 'a secret of the application'

beforeAll(async () => {
  site = await openSite(inject('postgresUrl'))
  local = createServer((request, response) => void site.ingest.handle(request, response))
  await new Promise<void>((resolve) => local.listen(site.config.ingestSocket, resolve))
  gateway = await site.given.gateway('P1')
  client = await site.gatewayClient(gateway)
  await site.pool.query(`insert into open_app (id, name, project_code, secret, families) values ($1, '对接', 'P1', $2, $3)`, [
    appId,
    site.secrets.seal(secret),
    families.map((one) => one.key),
  ])
})
afterAll(async () => {
  local.closeAllConnections()
  local.close()
  await site.close()
})

function callOpen(kind: string, content: object): Promise<number> {
  const path = `/api/v1/open/device/${kind}`
  const body = Buffer.from(JSON.stringify(content))
  const stamp = String(Date.now())
  const nonce = randomBytes(12).toString('hex')
  const sign = createHmac('sha256', secret)
    .update(signedText({ method: 'POST', url: path, body }, stamp, nonce))
    .digest('hex')
  const headers = { 'content-type': 'application/json', 'x-app-id': appId, 'x-timestamp': stamp, 'x-nonce': nonce, 'x-sign': sign }
  return new Promise((resolve, reject) => {
    const request = httpRequest({ socketPath: site.config.ingestSocket, path, method: 'POST', headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    request.on('error', reject)
    request.end(body)
  })
}

type Kind = 'telemetry' | 'record' | 'event'
interface Door {
  name: string
  access(): { protocol: string; gatewayId?: string; appId?: string }
  tell(sn: string, kind: Kind, item: Record<string, unknown>, record?: string): Promise<void>
}
const doors: Door[] = [
  {
    name: 'MQTT',
    access: () => ({ protocol: 'mqtt', gatewayId: gateway.id }),
    async tell(sn, kind, item, record) {
      const { msgId = `m${randomBytes(6).toString('hex')}`, ...rest } = item
      const body = JSON.stringify({ v: 1, msgId, record, items: [rest] })
      await acknowledged(client, uplink(gateway.id, sn, kind), body)
    },
  },
  {
    name: 'open API',
    access: () => ({ protocol: 'http', appId }),
    async tell(sn, kind, item, record) {
      const { msgId: _own, ...rest } = item
      const path = { telemetry: 'data', record: 'record', event: 'event' }[kind]
      const content = kind === 'event' ? { deviceSn: sn, ...rest } : { deviceSn: sn, record, items: [rest] }
      expect(await callOpen(path, content)).toBe(200)
    },
  },
]

/** Two numeric metrics of a family, with a value each. */
function numbersOf(family: Family): [string, number][] {
  const fit = family.metrics.filter((metric) => metric.type === 'number' || metric.type === 'integer')
  return fit.slice(0, 2).map((metric) => [metric.key, metric.min ?? 1])
}
const spoken = families.filter((family) => numbersOf(family).length === 2)
const cases = doors.flatMap((door) => spoken.map((family) => [door.name, family.key, door, family] as const))

test('the families of the table are nearly all there are', () => {
  expect(families.filter((family) => !spoken.includes(family)).map((family) => family.key)).toEqual([
    'weighbridge',
    'truckAccess',
    'videoAi',
  ])
})

test.each(cases)('%s, %s: one row for each thing that was told of a second', async (_door, key, door, family) => {
  const device = await site.given.device('P1', key, door.access())
  const time = Math.floor((Date.now() - 5_000) / 1000) * 1000
  const [[one, low], [two, other]] = numbersOf(family) as [[string, number], [string, number]]
  const shown: [what: string, item: Record<string, unknown>, isNew: boolean][] = [
    ['a reading', { time, data: { [one]: low, [two]: other } }, true],
    ['the same again', { time, data: { [one]: low, [two]: other } }, false],
    ['the same, put together anew', { data: { [two]: other, [one]: low }, time }, false],
    ['the same under another message id', { time, msgId: 'another', data: { [one]: low, [two]: other } }, false],
    ['another value', { time, data: { [one]: low + 1, [two]: other } }, true],
    ['another metric', { time, data: { [two]: other } }, true],
    ['another point', { time, data: { pointCode: 'CX-02', [one]: low, [two]: other } }, true],
    ['another number', { time, seq: 7, data: { [one]: low, [two]: other } }, true],
    ['the same number again', { time, seq: 7, data: { [one]: low, [two]: other } }, false],
    ['the same number with another value', { time, seq: 7, data: { [one]: low + 1 } }, true],
    ['what its maker added', { time, data: { [one]: low, [two]: other, 备注: '甲' } }, true],
  ]
  let rows = 0
  for (const [what, item, isNew] of shown) {
    await door.tell(device.sn, 'telemetry', item)
    if (isNew) rows++
    expect([what, await site.count('telemetry where device_id = $1', [device.id])]).toEqual([what, rows])
  }
})

test.each(doors.map((door) => [door.name, door] as const))('%s: after a restart the same is still the same', async (_name, door) => {
  const device = await site.given.device('P1', 'environment', door.access())
  const time = Math.floor((Date.now() - 5_000) / 1000) * 1000
  const items = [
    { time, data: { pm10: 51 } },
    { time, data: { temperature: 9.5 } },
    { time, seq: 3, data: { noise: 60 } },
  ]
  for (const item of items) await door.tell(device.sn, 'telemetry', item)
  const newest = async () =>
    (await site.pool.query('select v, held from device_latest where device_id = $1', [device.id])).rows[0] as { v: object; held: object }
  const { v, held } = await newest()
  expect(v).toEqual({ noise: 60 })
  expect(held).toMatchObject({ pm10: [time, 51, null], temperature: [time, 9.5, null] })
  client.end()
  await site.restart()
  client = await site.gatewayClient(gateway)
  for (const item of items.toReversed()) await door.tell(device.sn, 'telemetry', item)
  expect(await site.count('telemetry where device_id = $1', [device.id])).toBe(3)
})

test('of two values told of one second both are judged', async () => {
  const crane = await site.given.device('P1', 'towerCrane', { protocol: 'mqtt', gatewayId: gateway.id })
  const time = Math.floor((Date.now() - 5_000) / 1000) * 1000
  const tell = (item: Record<string, unknown>) => (doors[0] as Door).tell(crane.sn, 'telemetry', item)
  await tell({ time, data: { load: 1, tiltX: 0.1, tiltY: 0 } })
  await tell({ time, data: { upperLimit: true, limitUpper: true, momentPercent: 150 } })
  await until(async () => (await site.count(`alarm where device_id = $1 and alarm_key like 'moment%'`, [crane.id])) > 0)
})

test.each(doors.map((door) => [door.name, door] as const))(
  '%s: two points over their limit in one second are two alarms',
  async (_name, door) => {
    const pit = await site.given.device('P1', 'foundationPit', door.access())
    const time = Math.floor((Date.now() - 5_000) / 1000) * 1000
    const say = (pointCode: string, state: string, more: object = {}) =>
      door.tell(pit.sn, 'event', { type: 'crackAlarm', state, time, pointCode, ...more })
    await say('CX-01', 'start', { value: 3 })
    await say('CX-02', 'start', { value: 3 })
    await say('CX-01', 'start', { value: 3 })
    expect(await site.count('device_event where device_id = $1 and kind = $2', [pit.id, 'crackAlarm'])).toBe(2)
    const open = () =>
      site.pool
        .query<{ point: string }>('select point from alarm where device_id = $1 and active order by point', [pit.id])
        .then(({ rows }) => rows.map((r) => r.point))
    expect(await open()).toEqual(['CX-01', 'CX-02'])
    await say('CX-01', 'start', { value: 5 })
    expect(await site.count('device_event where device_id = $1 and kind = $2', [pit.id, 'crackAlarm'])).toBe(3)
    expect(await open()).toEqual(['CX-01', 'CX-02'])
    await say('CX-01', 'end', { value: 1 })
    expect(await open()).toEqual(['CX-02'])
    // Without a point it ends all events of the device.
    await door.tell(pit.sn, 'event', { type: 'crackAlarm', state: 'end', time })
    expect(await open()).toEqual([])
  },
)

test.each(doors.map((door) => [door.name, door] as const))('%s: records of one second', async (_name, door) => {
  const lift = await site.given.device('P1', 'lifter', door.access())
  const time = Math.floor((Date.now() - 5_000) / 1000) * 1000
  const shown: [what: string, item: Record<string, unknown>, isNew: boolean][] = [
    ['a cycle', { time, data: { cage: '1', peakLoad: 1 } }, true],
    ['the same again', { time, data: { cage: '1', peakLoad: 1 } }, false],
    ['of the other cage', { time, data: { cage: '2', peakLoad: 1 } }, true],
    ['another load', { time, data: { cage: '1', peakLoad: 1.2 } }, true],
    ['numbered', { time, data: { cage: '1', cycleNo: 'C5', peakLoad: 1 } }, true],
    ['its number again', { time, data: { cage: '1', cycleNo: 'C5', peakLoad: 1 } }, false],
    // Each cage counts separately.
    ['the number of the other cage', { time, data: { cage: '2', cycleNo: 'C5', peakLoad: 1 } }, true],
    ['by the message', { time, seq: 4, data: { cage: '1', peakLoad: 1 } }, true],
    ['by the message, another load', { time, seq: 4, data: { cage: '1', peakLoad: 2 } }, true],
  ]
  let rows = 0
  for (const [what, item, isNew] of shown) {
    await door.tell(lift.sn, 'record', item, 'workingCycle')
    if (isNew) rows++
    expect([what, await site.count('device_record where device_id = $1', [lift.id])]).toEqual([what, rows])
  }
})

test('HJ 212: an air station and a noise meter of one number', async () => {
  const mn = '010000A8900016F000169DC1'
  const units = { pm10: 'ug' }
  const station = await site.given.device(
    'P1',
    'environment',
    { protocol: 'hj212', accessKey: mn, units },
    { secret: '123456', interval: 30 },
  )
  const socket = connect(site.ingest.ports.hj212, '127.0.0.1')
  const frames: Hj212Frame[] = []
  const decoder = new Hj212Decoder()
  socket.on('data', (chunk: Buffer) => frames.push(...decoder.push(chunk, 0)))
  const at = Math.floor(Date.now() / 1000) * 1000 - 2_000
  let answers = 0
  const say = async (st: string, cn: string, cp: string, qn: string, pnum?: [number, number]) => {
    const packets = pnum ? `PNUM=${pnum[0]};PNO=${pnum[1]};` : ''
    const head = `QN=${qn};ST=${st};CN=${cn};PW=123456;MN=${mn};Flag=${pnum ? 7 : 5};${packets}`
    socket.write(framed(`${head}CP=&&DataTime=${formatDataTime(at)};${cp}&&`))
    answers++
    await until(() => frames.length === answers)
    expect(frames.at(-1)).toMatchObject({ cn: '9014', qn })
  }
  const rows = () => site.count('telemetry where device_id = $1', [station.id])
  await say('22', '2011', 'a34002-Rtd=61.1', '20261121120000001')
  await say('23', '2011', 'LA-Rtd=58.8', '20261121120000002')
  expect(await rows()).toBe(2)
  // Repeated with the same QN and with another.
  await say('22', '2011', 'a34002-Rtd=61.1', '20261121120000001')
  await say('23', '2011', 'LA-Rtd=58.8', '20261121120000009')
  expect(await rows()).toBe(2)
  await say('22', '2011', 'a34002-Rtd=61.2', '20261121120000001')
  expect(await rows()).toBe(3)
  // Packets of one report, the first of them repeated after the others.
  await say('22', '2011', 'a01001-Rtd=9.5', '20261121120000003', [2, 1])
  await say('22', '2011', 'a01002-Rtd=60', '20261121120000004', [2, 2])
  await say('22', '2011', 'a01001-Rtd=9.5', '20261121120000003', [2, 1])
  expect(await rows()).toBe(5)
  await say('22', '2061', 'a34002-Avg=61', '20261121120000005')
  await say('23', '2061', 'LA-Avg=59', '20261121120000006')
  const { rows: kept } = await site.pool.query(`select data -> 'values' as values from device_record where device_id = $1`, [station.id])
  expect(kept).toEqual([{ values: { pm10: { avg: 61 }, noise: { avg: 59 } } }])
  await say('22', '3020', 'PolId=w01018,i11001-Info=1', '20261121120000007')
  await say('22', '3020', 'PolId=w01018,i11001-Info=1', '20261121120000007')
  await say('22', '3020', 'PolId=w01018,i11001-Info=2', '20261121120000007')
  expect(await site.count(`device_event where device_id = $1 and kind = 'hj212-3020'`, [station.id])).toBe(2)
  socket.destroy()
})

function framed(segment: string): Buffer {
  const length = String(Buffer.byteLength(segment)).padStart(4, '0')
  return Buffer.from(`##${length}${segment}${crcText(standardCrc(Buffer.from(segment)))}\r\n`)
}

test('JT/T 808: positions and alarm bits of one second', () => {
  const family = families.find((one) => one.key === 'truckMonitor') as Family
  const at = Math.floor(Date.now() / 1000) * 1000
  const body = (alarm: number, speed: number) => {
    const bytes = Buffer.alloc(22)
    bytes.writeUInt32BE(alarm, 0)
    bytes.writeUInt32BE(3, 4)
    bytes.writeUInt32BE(30_592_812, 8)
    bytes.writeUInt32BE(114_305_392, 12)
    bytes.writeUInt16BE(speed, 18)
    return Buffer.concat([bytes, bcdTime(at)])
  }
  const state = { alarm: 0, alarmTime: 0, point: undefined }
  const { readings, events } = positionsIn({ family, params: {} }, [body(0, 1), body(2, 1), body(0, 1), body(2, 2)], at, state)
  expect(new Set(readings.map((one) => one.mark)).size).toBe(3)
  expect(events.map((one) => `${one.type} ${one.state}`)).toEqual(['overspeed start', 'overspeed end', 'overspeed start'])
  expect(new Set(events.map((one) => one.id)).size).toBe(3)
})
