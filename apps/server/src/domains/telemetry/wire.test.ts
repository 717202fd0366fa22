import { createHmac } from 'node:crypto'
import { createServer, request as httpRequest, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { keyHash } from './gates/push.ts'
import { buildFrame, Hj212Decoder, type Hj212Frame } from './hj212/frame.ts'
import { encryptCp } from './hj212/sm4.ts'
import { formatDataTime } from './hj212/values.ts'
import { acknowledged, craneData, message, openSite, type Site, until, uplink } from './ingest-for-test.ts'
import { Jt808Decoder, type Jt808Frame, buildFrame as terminalFrame } from './jt808/frame.ts'
import type { CommandAnswer } from './local.ts'

let site: Site
let local: Server
let gateway: Awaited<ReturnType<Site['given']['gateway']>>
let crane: Awaited<ReturnType<Site['given']['device']>>
const gateRecords: Record<string, unknown>[] = []

beforeAll(async () => {
  site = await openSite(inject('postgresUrl'), {
    onGateRecords: async (_tx, records) => {
      gateRecords.push(...records.map((r) => ({ deviceId: r.deviceId, time: r.time, ...r.data })))
      return undefined
    },
  })
  local = createServer((request, response) => void site.ingest.handle(request, response))
  await new Promise<void>((resolve) => local.listen(site.config.ingestSocket, resolve))
  gateway = await site.given.gateway('P1')
  crane = await site.given.device('P1', 'towerCrane', { protocol: 'mqtt', gatewayId: gateway.id })
})
afterAll(async () => {
  local.closeAllConnections()
  local.close()
  await site.close()
})

function call(path: string, body: Buffer | string, headers: Record<string, string> = {}): Promise<{ http: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ socketPath: site.config.ingestSocket, path, method: 'POST', headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => resolve({ http: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(parts).toString('utf8')) }))
    })
    request.on('error', reject)
    request.end(body)
  })
}
const command = async (deviceId: string, cmd: string, params: object = {}, more: object = {}) => {
  const cmdId = newId()
  const { body } = await call('/command', JSON.stringify({ deviceId, cmdId, cmd, params, ...more }))
  return { cmdId, answer: body as CommandAnswer }
}
const kept = async (cmdId: string) =>
  (
    await site.pool.query<{ result: number | null; message: string; params: object; steps: { step: string }[] }>(
      'select * from device_command where id = $1',
      [cmdId],
    )
  ).rows[0]
const frames = async (deviceId: string) =>
  (
    await site.pool.query<{ direction: string; kind: string; result: string; body: Buffer }>(
      'select * from device_frame where device_id = $1 order by time',
      [deviceId],
    )
  ).rows

test('a command to a device behind a gateway, its reply, and its end in time', async () => {
  const client = await site.gatewayClient(gateway)
  await client.subscribeAsync(`site/v1/down/${gateway.id}/+/command`, { qos: 1 })
  client.on('message', (topic, body) => {
    const requested = JSON.parse(body.toString()) as { cmdId: string; cmd: string; params: object; expireAt: number }
    const sn = topic.split('/')[4]
    if (requested.cmd === 'crane.warn')
      void client.publishAsync(
        uplink(gateway.id, sn ?? '', 'reply'),
        JSON.stringify({ cmdId: requested.cmdId, result: 0, message: '已播报', data: { seconds: 3 } }),
        { qos: 1 },
      )
  })
  const { cmdId, answer } = await command(crane.id, 'crane.warn', { text: '注意' }, { by: '张工', expireAt: Date.now() + 60_000 })
  expect(answer).toMatchObject({ result: 0, message: '已播报', data: { seconds: 3 } })
  expect(await kept(cmdId)).toMatchObject({ result: 0, by_name: '张工', params: { text: '注意' } })
  expect((await command(crane.id, 'crane.warn', {}, { expireAt: Date.now() - 1 })).answer).toMatchObject({ result: -4 })
  client.end()
  await until(async () => (await frames(crane.id)).some((f) => f.direction === 'down'))
})

test('a gateway that is away is told at once', async () => {
  const other = await site.given.gateway('P1')
  const device = await site.given.device('P1', 'towerCrane', { protocol: 'mqtt', gatewayId: other.id })
  expect((await command(device.id, 'device.reboot')).answer).toMatchObject({ result: -1 })
})

test('frames are kept for a day with what became of them, and without secrets', async () => {
  const client = await site.gatewayClient(gateway)
  const device = await site.given.device('P1', 'towerCrane', { protocol: 'mqtt', gatewayId: gateway.id })
  const time = Date.now()
  const body = message([{ time, seq: 1, data: craneData() }], { password: 'hush hush' })
  await acknowledged(client, uplink(gateway.id, device.sn, 'telemetry'), body)
  await acknowledged(client, uplink(gateway.id, device.sn, 'telemetry'), body)
  await acknowledged(client, uplink(gateway.id, device.sn, 'telemetry'), 'no json')
  await until(async () => (await frames(device.id)).length === 3)
  const rows = await frames(device.id)
  expect(rows.map((r) => r.result).sort()).toEqual(['duplicate', 'json', 'stored'])
  expect(rows.map((r) => r.body.toString()).join()).not.toContain('hush')
  client.end()
})

test('the log of a gateway says why it was not let in, and where it published that it may not', async () => {
  const own = await site.given.gateway('P1')
  const said = async () =>
    (
      await site.pool.query<{ kind: string; result: string; hint: string | null; project_code: string }>(
        'select kind, result, hint, project_code from device_frame where gateway_id = $1 order by time, id',
        [own.id],
      )
    ).rows
  const refused = async (options: Parameters<Site['connect']>[0]) => {
    const client = site.connect({ username: own.id, clientId: `gw:${own.id}`, password: site.password(own), ...options })
    await new Promise<void>((resolve) => client.once('close', () => resolve()))
    client.end(true)
  }
  await refused({ clientId: 'sensor-7' })
  const stale = Date.now() - 7_200_000
  const sign = (secret: string, stamp: number) => `${createHmac('sha256', secret).update(`gw:${own.id}|${stamp}`).digest('hex')}|${stamp}`
  await refused({ password: sign(own.secret, stale) })
  // Without the secret the error reveals nothing about the clock.
  await refused({ password: sign('another secret', stale) })
  const client = await site.gatewayClient(own)
  client.publish('sensors/wind', '{"windSpeed":3}', { qos: 1 })
  await new Promise<void>((resolve) => client.once('close', () => resolve()))
  await until(async () => (await said()).length === 4)
  expect(await said()).toEqual([
    { kind: 'connect', result: 'wrongClientId', hint: `客户端标识应为 gw:${own.id}，收到 sensor-7`, project_code: 'P1' },
    { kind: 'connect', result: 'expired', hint: expect.stringMatching(/比平台慢 7\d{3} 秒/), project_code: 'P1' },
    { kind: 'connect', result: 'wrongPassword', hint: null, project_code: 'P1' },
    { kind: 'topic', result: 'topic', hint: expect.stringContaining('收到 sensors/wind'), project_code: 'P1' },
  ])
  client.end(true)
})

test('the log says what became of an unknown key, a value out of range, a clock that is ahead, and one that was refused', async () => {
  const client = await site.gatewayClient(gateway)
  const device = await site.given.device('P1', 'towerCrane', { protocol: 'mqtt', gatewayId: gateway.id })
  const say = async (data: Record<string, unknown>, time = Date.now()) => {
    const before = (await frames(device.id)).length
    await acknowledged(client, uplink(gateway.id, device.sn, 'telemetry'), message([{ time, data }]))
    await until(async () => (await frames(device.id)).length > before)
    const { rows } = await site.pool.query<{ result: string; hint: string | null; decoded: Record<string, unknown> }>(
      'select result, hint, decoded from device_frame where device_id = $1 order by time desc, id desc limit 1',
      [device.id],
    )
    return rows[0]
  }
  expect(await say({ windspeed: 3 })).toMatchObject({
    result: 'unknownKey',
    hint: expect.stringContaining('windspeed'),
    decoded: { windspeed: 3 },
  })
  expect(await say({ windSpeed: 999 })).toMatchObject({ result: 'outOfRange', hint: expect.stringMatching(/windSpeed 999（0～\d+ m\/s）/) })
  expect(await say({ load: 3 }, Date.now() + 86_400_000)).toMatchObject({ result: 'clockAhead' })
  expect(await say({ load: 'three', radius: 20 })).toMatchObject({
    result: 'oneRejected',
    hint: expect.stringContaining('load'),
    decoded: { rejected: [{ key: 'load', reason: 'type' }] },
  })
  expect(await say({ load: 3 })).toMatchObject({ result: 'stored', hint: null })
  client.end()
})

test('a device says that it goes: offline at once, and its firmware is kept', async () => {
  const client = await site.gatewayClient(gateway)
  const device = await site.given.device('P1', 'towerCrane', { protocol: 'mqtt', gatewayId: gateway.id })
  await acknowledged(client, uplink(gateway.id, device.sn, 'state'), JSON.stringify({ online: true, firmware: '2.1', signal: 22 }))
  expect(await site.count(`device_event where device_id = $1 and kind = 'state' and data ->> 'firmware' = '2.1'`, [device.id])).toBe(1)
  await acknowledged(client, uplink(gateway.id, device.sn, 'state'), JSON.stringify({ online: false }))
  await until(async () => (await site.count('device_latest where device_id = $1 and not online', [device.id])) === 1)
  client.end()
})

test('a message refused as a whole is answered where an answer was asked for', async () => {
  const client = await site.gatewayClient(gateway)
  await client.subscribeAsync(`site/v1/down/${gateway.id}/+/command`, { qos: 1 })
  const answers: { rejected: { reason: string }[] }[] = []
  client.on('message', (_topic, body) => answers.push(JSON.parse(body.toString())))
  const items = Array.from({ length: 501 }, () => ({ time: Date.now(), data: {} }))
  await acknowledged(client, uplink(gateway.id, crane.sn, 'telemetry'), message(items, { ack: true }))
  await acknowledged(client, uplink(gateway.id, 'NOBODY-9', 'telemetry'), message([], { ack: true }))
  await until(() => answers.length === 2)
  expect(answers.map((a) => a.rejected[0]?.reason)).toEqual(['tooManyItems', 'unregistered'])
  client.end()
})

// ---- HJ 212
async function station(more: { key?: string; first?: object; units?: object; is2005?: boolean } = {}) {
  const mn = `MN${newId().slice(-20).toUpperCase()}`
  const device = await site.given.device(
    'P1',
    'environment',
    { protocol: 'hj212', accessKey: mn, units: { pm10: 'ug' } },
    { secret: '123456', interval: 30 },
  )
  if (more.key || more.first) {
    await site.pool.query('insert into hj212_station (id, sm4_key, first_actions) values ($1, $2, $3)', [
      device.id,
      more.key ? site.secrets.seal(more.key) : null,
      JSON.stringify(more.first ?? {}),
    ])
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const socket: Socket = connect(site.ingest.ports.hj212, '127.0.0.1')
  const heard: Hj212Frame[] = []
  const decoder = new Hj212Decoder()
  socket.on('error', () => undefined)
  const send = (cn: string, cp: string, more: { qn?: string; flag?: number } = {}) =>
    socket.write(buildFrame({ qn: formatDataTime(Date.now(), true), st: '39', cn, pw: '123456', mn, flag: 9, cp, ...more }))
  /** Answers requests in three steps, like a station. */
  let obeys = true
  socket.on('data', (chunk: Buffer) => {
    for (const frame of decoder.push(chunk, 0)) {
      heard.push(frame)
      if (!obeys || /^90/.test(frame.cn)) continue
      const answer = (cn: string, cp: string) =>
        more.is2005 ? send(cn, `QN=${frame.qn};${cp}`, { qn: '', flag: 0 }) : send(cn, cp, { qn: frame.qn, flag: 8 })
      answer('9011', 'QnRtn=1')
      if (frame.cn === '1061') answer('1061', 'RtdInterval=30')
      answer('9012', 'ExeRtn=1')
    }
  })
  return {
    device,
    socket,
    heard,
    send,
    disobey: () => {
      obeys = false
    },
  }
}
const realtime = (pm10: number) => `DataTime=${formatDataTime(Date.now() - 1000)};a34002-Rtd=${pm10},a34002-Flag=N`

test('a request to a station in three steps, with data in between', async () => {
  const s = await station()
  s.send('2011', realtime(50))
  await until(() => s.heard.some((f) => f.cn === '9014'))
  const { cmdId, answer } = await command(s.device.id, 'hj212.getInterval')
  expect(answer).toMatchObject({ result: 0, message: '执行成功', data: { RtdInterval: '30' } })
  expect((await kept(cmdId))?.steps.map((x) => x.step)).toEqual(['sent', 'accepted', 'data', 'done'])
  expect(s.heard.find((f) => f.cn === '1061')).toMatchObject({ flag: 9, st: '39' })
  const changed = await command(s.device.id, 'hj212.setPassword', { password: 'abcdef9' })
  expect(changed.answer.result).toBe(0)
  expect((await kept(changed.cmdId))?.params).toEqual({ password: '***' })
  const { rows } = await site.pool.query<{ access_secret: Buffer }>('select access_secret from device where id = $1', [s.device.id])
  expect(site.secrets.open(rows[0]?.access_secret)).toBe('abcdef9')
  await until(async () => (await site.count('hj212_station where id = $1 and edition = 2025', [s.device.id])) === 1)
  s.socket.destroy()
})

test('a request to a station of 2005, which names it within CP', async () => {
  const s = await station({ is2005: true })
  s.send('2011', realtime(50), { flag: 1 })
  await until(() => s.heard.some((f) => f.cn === '9014'))
  const { answer } = await command(s.device.id, 'hj212.getInterval')
  expect(answer).toMatchObject({ result: 0, message: '执行成功', data: { RtdInterval: '30' } })
  await until(async () => (await site.count('hj212_station where id = $1 and edition = 2005', [s.device.id])) === 1)
  s.socket.destroy()
})

test('a station is told on its first connection what its administrator wants', async () => {
  const s = await station({ first: { time: true, intervalSeconds: 60, start: true } })
  s.send('9015', '')
  await until(() => s.heard.some((f) => f.cn === '2011'))
  expect(s.heard.filter((f) => !/^90/.test(f.cn)).map((f) => f.cn)).toEqual(['1012', '1062', '2011'])
  s.socket.destroy()
})

test('encrypted data is read with the key; without it nothing is answered and the station is listed', async () => {
  const key = '00112233445566778899aabbccddeeff'
  const s = await station({ key })
  s.send('2011', encryptCp(realtime(77), Buffer.from(key, 'hex')))
  await until(() => s.heard.some((f) => f.cn === '9014'))
  const { rows } = await site.pool.query('select v, quality from device_latest where device_id = $1', [s.device.id])
  expect(rows[0]).toMatchObject({ v: { pm10: 77 }, quality: null })
  s.socket.destroy()
  const keyless = await station()
  keyless.send('2011', encryptCp(realtime(78), Buffer.from(key, 'hex')))
  await until(async () => (await site.count(`unregistered_device where reason = 'encryptedNoKey'`)) === 1)
  expect(keyless.heard).toEqual([])
  keyless.socket.destroy()
})

test('a unit nobody confirmed: stored, not evaluated', async () => {
  const s = await station()
  s.send('2011', `DataTime=${formatDataTime(Date.now() - 1000)};a34002-Rtd=900;a34004-Rtd=900;LA-Rtd=60`)
  await until(() => s.heard.some((f) => f.cn === '9014'))
  const { rows } = await site.pool.query('select v, quality from device_latest where device_id = $1', [s.device.id])
  expect(rows[0]).toMatchObject({ v: { pm10: 900, pm25: 900, noise: 60 }, quality: { pm25: 'unitUnconfirmed' } })
  s.socket.destroy()
})

test('a period in packets is one record', async () => {
  const s = await station()
  const start = formatDataTime(Date.now() - 3_600_000)
  s.send('2061', `DataTime=${start};a34002-Avg=91`)
  s.send('2061', `DataTime=${start};LA-Avg=61`)
  await until(() => s.heard.length === 2)
  const { rows } = await site.pool.query(`select data -> 'values' as v from device_record where device_id = $1`, [s.device.id])
  expect(rows).toHaveLength(1)
  expect(rows[0].v).toMatchObject({ pm10: { avg: 91 }, noise: { avg: 61 } })
  s.socket.destroy()
})

// ---- JT/T 808
test('a text to a terminal, answered by its general answer; its parameters, without their passwords', async () => {
  const phone = '13777777777'
  const truck = await site.given.device('P1', 'truckMonitor', { protocol: 'jt808', accessKey: phone, phone })
  await site.pool.query('insert into jt808_terminal (device_id, phone, code_hash) values ($1, $2, $3)', [
    truck.id,
    phone,
    keyHash('a code of a terminal'),
  ])
  expect((await command(truck.id, 'device.text', { text: '停车' })).answer.result).toBe(-1)
  const socket = connect(site.ingest.ports.jt808, '127.0.0.1')
  const heard: Jt808Frame[] = []
  const decoder = new Jt808Decoder()
  const send = (id: number, body: Buffer) => socket.write(terminalFrame({ id, phone, serial: heard.length, body }))
  socket.on('data', (chunk: Buffer) => {
    for (const frame of decoder.push(chunk, 0)) {
      heard.push(frame)
      if (frame.id === 0x8104) {
        const serial = Buffer.alloc(2)
        serial.writeUInt16BE(frame.serial)
        // A byte, a text of two bytes, a password.
        send(0x0104, Buffer.concat([serial, Buffer.from('03000000840102000000480231320000001203736563', 'hex')]))
      }
      if (frame.id !== 0x8300 && frame.id !== 0x8103) continue
      const answer = Buffer.alloc(5)
      answer.writeUInt16BE(frame.serial, 0)
      answer.writeUInt16BE(frame.id, 2)
      send(0x0001, answer)
    }
  })
  send(0x0102, Buffer.from('a code of a terminal'))
  await until(() => heard.some((f) => f.id === 0x8001 && f.body[4] === 0))
  expect((await command(truck.id, 'device.text', { text: '停车' })).answer).toMatchObject({ result: 0, message: '终端已应答' })
  expect(heard.find((f) => f.id === 0x8300)?.body[0]).toBe(12)
  const { answer: response } = await command(truck.id, 'device.getParams')
  expect(response).toMatchObject({ result: 0, data: { params: { '0084': 2, '0048': '12', '0012': '***' } } })
  expect(response.data?.named).toContainEqual({ id: '0084', name: '车牌颜色', value: 2, unit: '' })
  expect((await command(truck.id, 'device.setParams', { params: { '0084': 1, '0012': 'sec' } })).answer.result).toBe(0)
  expect(heard.find((f) => f.id === 0x8103)?.body.toString('hex')).toBe('02' + '00000084' + '01' + '01' + '00000012' + '03' + '736563')
  expect((await command(truck.id, 'device.setParams', { params: { '1234': 1 } })).answer).toMatchObject({ result: -1 })
  // The password is neither in the frame log nor in the command table.
  await until(async () => (await site.count(`device_frame where device_id = $1 and kind in ('0x0104', '0x8103')`, [truck.id])) === 2)
  expect(
    await site.count(`device_frame where device_id = $1 and (position('sec'::bytea in body) > 0 or decoded::text like '%sec%')`, [
      truck.id,
    ]),
  ).toBe(0)
  expect(
    await site.count(`device_command where device_id = $1 and (params::text like '%"sec"%' or data::text like '%sec%')`, [truck.id]),
  ).toBe(0)
  socket.destroy()
})

// ---- gates
test('a gate pushes under its own key; the record enters with its direction and picture', async () => {
  await site.pool.query(`insert into tenant (id, type, code, name) values ('group-of-P1', 3, 'P1', '项目一') on conflict do nothing`)
  const gate = await site.given.device('P1', 'faceGate', { protocol: 'http' }, { params: { direction: '1' } })
  await site.pool.query('insert into gate_push (id, adapter, key_hash) values ($1, $2, $3)', [
    gate.id,
    'callback',
    keyHash('the-key-of-this-gate'),
  ])
  const time = Date.now() - 30_000
  const picture = Buffer.concat([Buffer.from('ffd8ffe000104a464946', 'hex'), Buffer.alloc(100, 7)]).toString('base64')
  const body = JSON.stringify({ deviceKey: 'D1', personId: 'W7', time, type: 'face_0', imgBase64: picture })
  const headers = { 'content-type': 'application/json' }
  const done = await call('/api/v1/open/gate/callback/the-key-of-this-gate', body, headers)
  expect(done).toMatchObject({ http: 200, body: { result: 1, success: true } })
  expect(gateRecords.at(-1)).toMatchObject({
    deviceId: gate.id,
    time,
    workerId: 'W7',
    direction: '1',
    pass: '1',
    pictureHash: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(await site.count('stored_file where id = $1', [gateRecords.at(-1)?.photoUrl])).toBe(1)
  expect((await call('/api/v1/open/gate/callback/another-key', body, headers)).http).toBe(401)
  expect((await call('/api/v1/open/gate/event/the-key-of-this-gate', body, headers)).http).toBe(401)
  expect((await call('/api/v1/open/gate/callback/the-key-of-this-gate', 'not a body', headers)).http).toBe(400)
})

test('a passage whose time cannot be read is lost to attendance, and said so in the log', async () => {
  const gate = await site.given.device('P1', 'faceGate', { protocol: 'http' })
  await site.pool.query('insert into gate_push (id, adapter, key_hash) values ($1, $2, $3)', [
    gate.id,
    'callback',
    keyHash('a-gate-of-odd-times'),
  ])
  const body = JSON.stringify({ deviceKey: 'D1', personId: 'W7', time: '21/11/2026 08:00', type: 'face_0' })
  // After a wrong key, keys are not looked up again for a moment.
  await until(
    async () => (await call('/api/v1/open/gate/callback/a-gate-of-odd-times', body, { 'content-type': 'application/json' })).http === 200,
  )
  await until(
    async () => (await site.count(`device_frame where device_id = $1 and result = 'time' and hint like '%21/11/2026%'`, [gate.id])) === 1,
  )
})
