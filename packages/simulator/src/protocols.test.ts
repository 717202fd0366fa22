import { createHmac } from 'node:crypto'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { parseDemoFile } from './demo-file.ts'
import { Hj212Client } from './hj212-client.ts'
import { Hj212Reader, hj212Crc, hj212Frame, realtimeFrame } from './hj212-frame.ts'
import { openSignature, postData } from './http-open.ts'
import { publishers } from './load.ts'
import { gatewayPassword, MqttGateway, type UplinkItem } from './mqtt-gateway.ts'

const closers: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function until(condition: () => boolean, ms = 4000): Promise<void> {
  const end = Date.now() + ms
  while (!condition()) {
    if (Date.now() > end) throw new Error('waited in vain')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

async function listen(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

interface Received {
  topic: string
  items: UplinkItem[]
  msgId: string
}

/** The parts of an MQTT 3.1.1 broker that a publisher needs; acknowledges only while `acknowledge` is set. */
function miniBroker() {
  const sockets = new Set<Socket>()
  const published: Received[] = []
  const connects: { clientId: string; user: string; password: string; will: string }[] = []
  const state = { acknowledge: true }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    let buffer = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      buffer = Buffer.concat([buffer, Buffer.from(chunk)])
      for (;;) {
        let [length, shift, at] = [0, 0, 1]
        for (; at < buffer.length; at++) {
          length |= (buffer[at]! & 0x7f) << shift
          shift += 7
          if (!(buffer[at]! & 0x80)) break
        }
        if (at >= buffer.length || buffer.length < at + 1 + length) return
        const type = buffer[0]! >> 4
        const body = buffer.subarray(at + 1, at + 1 + length)
        buffer = buffer.subarray(at + 1 + length)
        if (type === 1) {
          let offset = 10
          const next = () => {
            const size = body.readUInt16BE(offset)
            const text = body.toString('utf8', offset + 2, offset + 2 + size)
            offset += 2 + size
            return text
          }
          const clientId = next()
          const will = body[7]! & 4 ? `${next()} ${next()}` : ''
          connects.push({ clientId, will, user: next(), password: next() })
          socket.write(Buffer.from([0x20, 2, 0, 0]))
        } else if (type === 3) {
          const size = body.readUInt16BE(0)
          const topic = body.toString('utf8', 2, 2 + size)
          const id = body.subarray(2 + size, 4 + size)
          if (!topic.endsWith('/state')) {
            if (!state.acknowledge) continue
            published.push({ topic, ...(JSON.parse(body.toString('utf8', 4 + size)) as { items: UplinkItem[]; msgId: string }) })
          }
          socket.write(Buffer.from([0x40, 2, id[0]!, id[1]!]))
        } else if (type === 8) {
          socket.write(Buffer.from([0x90, 3, body[0]!, body[1]!, 1]))
        } else if (type === 12) {
          socket.write(Buffer.from([0xd0, 0]))
        }
      }
    })
  })
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  closers.push(() => {
    drop()
    return new Promise((resolve) => server.close(resolve))
  })
  return { server, published, connects, state, drop }
}

test('HJ 212 frames carry the check value of the paper', () => {
  const segment = 'QN=20160801085857223;ST=32;CN=1062;PW=100000;MN=010000A8900016F000169DC0;Flag=5;CP=&&RtdInterval=30&&'
  expect(hj212Crc(Buffer.from(segment))).toBe(0x1c80)
  expect(hj212Frame(segment).toString()).toBe(`##0101${segment}1C80\r\n`)
})

test('a real-time frame names its metrics and survives a reader that gets it in pieces after noise', () => {
  const frame = realtimeFrame(
    { mn: '0'.repeat(24), password: '123456' },
    '20261120143207123',
    Date.UTC(2026, 10, 20, 6, 32, 7),
    { pm10: 126, noise: 66.2 },
    { pm10: 'D' },
  )
  expect(frame.toString()).toContain('DataTime=20261120143207;a34002-Rtd=126,a34002-Flag=D;LA-Rtd=66.2,LA-Flag=N')
  const reader = new Hj212Reader()
  const stream = Buffer.concat([Buffer.from('##00xx##0009garbage'), frame])
  const messages = [...stream].flatMap((byte) => reader.push(Buffer.from([byte])))
  expect(messages).toHaveLength(1)
  expect(messages[0]).toMatchObject({ qn: '20261120143207123', cn: '2011', flag: 5 })
})

test('a station repeats a frame until it is answered, three times at most', async () => {
  const frames: string[] = []
  let answer = false
  const server = createServer((socket) => {
    const reader = new Hj212Reader()
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      for (const message of reader.push(Buffer.from(chunk))) {
        frames.push(message.qn)
        if (answer) socket.write(hj212Frame(`QN=${message.qn};ST=91;CN=9014;PW=1;MN=1;Flag=4;CP=&&&&`))
      }
    })
  })
  const port = await listen(server)
  closers.push(() => new Promise((resolve) => server.close(resolve)))
  const station = { mn: 'A'.repeat(24), password: '123456' }
  const client = new Hj212Client({ host: '127.0.0.1', port, station, answerMs: 60 }).start()
  closers.push(() => client.stop())
  client.send('1', realtimeFrame(station, '1', Date.now(), { pm10: 1 }))
  await until(() => client.counts.lost === 1)
  expect(frames).toEqual(['1', '1', '1'])
  answer = true
  client.send('2', realtimeFrame(station, '2', Date.now(), { pm10: 1 }))
  await until(() => client.counts.answered === 1)
  expect(client.pending).toBe(0)
})

test('a gateway signs its password with the time, and keeps what was not acknowledged with its own time', async () => {
  const broker = miniBroker()
  const port = await listen(broker.server)
  const gateway = new MqttGateway({ url: `mqtt://127.0.0.1:${port}`, gatewayId: 'GW01A', secret: 's' }).start()
  closers.push(() => gateway.stop())
  gateway.telemetry('TC1', 1000, { load: 1 })
  await until(() => broker.published.length === 1 && gateway.counts.acknowledged === 1)
  const { clientId, user, password, will } = broker.connects[0]!
  expect(clientId).toBe('gw:GW01A')
  expect(user).toBe('GW01A')
  expect(will).toBe('site/v1/up/GW01A/-/state {"online":false}')
  const timestamp = Number(password.split('|')[1])
  expect(password).toBe(gatewayPassword('GW01A', 's', timestamp))
  expect(password.split('|')[0]).toBe(createHmac('sha256', 's').update(`gw:GW01A|${timestamp}`).digest('hex'))
  expect(broker.published[0]).toMatchObject({ topic: 'site/v1/up/GW01A/TC1/telemetry', items: [{ time: 1000, seq: 1, data: { load: 1 } }] })

  // Without a PUBACK the message is kept over a broken connection, and later ones wait behind it.
  broker.state.acknowledge = false
  gateway.telemetry('TC1', 2000, { load: 2 })
  await new Promise((resolve) => setTimeout(resolve, 100))
  broker.drop()
  await until(() => !gateway.connected)
  gateway.record('FG1', 'attendance', 2500, { workerId: 'w' })
  gateway.telemetry('TC1', 3000, { load: 3 })
  expect(gateway.pending).toBeGreaterThan(0)
  broker.state.acknowledge = true
  await until(() => gateway.pending === 0, 8000)
  const times = broker.published
    .filter((message) => message.topic.includes('TC1'))
    .flatMap((message) => message.items.map((item) => item.time))
  expect([...new Set(times)].sort((a, b) => a - b)).toEqual([1000, 2000, 3000])
  expect(broker.published.find((message) => message.topic.endsWith('FG1/record'))!.items[0]).toEqual({
    time: 2500,
    seq: 1,
    record: 'attendance',
    data: { workerId: 'w' },
  })
}, 12_000)

test('a gateway keeps a bounded buffer while there is no platform', async () => {
  const gateway = new MqttGateway({ url: 'mqtt://127.0.0.1:1', gatewayId: 'GW', secret: 's', keep: 100 }).start()
  closers.push(() => gateway.stop())
  gateway.record('FG1', 'attendance', 0, {})
  for (let i = 0; i < 500; i++) gateway.telemetry('TC1', i, {})
  expect(gateway.pending).toBe(100)
  expect(gateway.counts.dropped).toBe(401)
})

test('publishers report exactly what was acknowledged', async () => {
  const broker = miniBroker()
  const port = await listen(broker.server)
  const devices = [1, 2, 3].map((no) => ({ gatewayId: `G${no}`, secret: 's', deviceSn: `D${no}` }))
  const load = publishers({ url: `mqtt://127.0.0.1:${port}`, devices, rate: 0, inFlight: 4, firstTime: 1_000_000 })
  await load.ready
  await until(() => load.acknowledgedCount > 200)
  const result = await load.stop()
  expect(result.unacknowledged).toEqual([])
  expect(result.acknowledged.length).toBe(result.sent)
  const ids = new Set(result.acknowledged.map((message) => `${message.deviceSn}/${message.time}/${message.seq}`))
  expect(ids.size).toBe(result.sent)
  const received = new Set(
    broker.published.flatMap((message) => message.items.map((item) => `${message.topic.split('/')[4]}/${item.time}/${item.seq}`)),
  )
  for (const id of ids) expect(received.has(id)).toBe(true)
})

test('open calls are signed over method, path, sorted query, time, nonce and body', async () => {
  const requests: { headers: Record<string, unknown>; body: string; url: string }[] = []
  const server = createHttpServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      requests.push({ headers: request.headers, body, url: request.url ?? '' })
      response.end(JSON.stringify({ status: 0, message: 'ok', data: { accepted: 1, duplicated: 0, rejected: [] } }))
    })
  })
  const port = await listen(server)
  closers.push(() => new Promise((resolve) => server.close(resolve)))
  const app = { url: `http://127.0.0.1:${port}`, appId: 'a', appSecret: 'secret' }
  const result = await postData(app, 'WB1', [{ time: 1, seq: 1, data: { weight: 2 } }])
  expect(result).toMatchObject({ httpStatus: 200, status: 0, data: { accepted: 1 } })
  const { headers, body, url } = requests[0]!
  expect(url).toBe('/api/v1/open/device/data')
  expect(headers['x-sign']).toBe(openSignature('secret', 'POST', url, Number(headers['x-timestamp']), String(headers['x-nonce']), body))
  expect(openSignature('k', 'GET', '/p?b=2&a=1', 1, 'n', '')).toBe(openSignature('k', 'GET', '/p?a=1&b=2', 1, 'n', ''))
})

test('a demo file with missing parts is read as far as it goes', () => {
  const demo = parseDemoFile(
    '{"url":"http://127.0.0.1:8080","gateways":[{"gatewayId":"G","secret":"s","devices":[{"deviceSn":"X"}]}],"simulation":{"seed":7,"today":"2026-11-20"}}',
  )
  expect(demo.gateways[0]!.devices[0]!.deviceSn).toBe('X')
  expect(demo.simulation).toEqual({ seed: 7, today: '2026-11-20', gatesWait: false })
  expect(demo.hj212).toEqual([])
})
