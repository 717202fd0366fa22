import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import mqtt from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { type Broker, type Peer, startBroker } from './broker.ts'

let broker: Broker<Peer>
const received: string[] = []

beforeAll(async () => {
  broker = await startBroker<Peer>({
    host: '127.0.0.1',
    port: 0,
    wsPort: 0,
    log: createLog('broker-test', 'silent'),
    maxPacketBytes: 64 * 1024,
    authenticate: async ({ username }) => ({ kind: username === 'live' ? 'viewer' : 'device' }),
    onPublish: (_from, topic, payload, done) => {
      received.push(`${topic} ${payload.toString()}`)
      done()
    },
    maySubscribe: () => true,
  })
})
afterAll(() => broker.close())

const packetOf = (type: number, body: Buffer) => Buffer.concat([Buffer.from([type, body.length]), body])
const textOf = (text: string) => Buffer.concat([Buffer.from([0, Buffer.byteLength(text)]), Buffer.from(text)])
const connectPacket = packetOf(
  0x10,
  Buffer.concat([textOf('MQTT'), Buffer.from([4, 0xc2, 0, 60]), textOf('split'), textOf('gw'), textOf('secret')]),
)
const publishPacket = packetOf(0x32, Buffer.concat([textOf('a/b'), Buffer.from([0, 7]), Buffer.from('hello')]))

async function openSocket(): Promise<{ socket: Socket; heard: () => string }> {
  const socket = connect(broker.port, '127.0.0.1')
  let bytes = ''
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.toString('hex')
  })
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.setNoDelay(true)
  return { socket, heard: () => bytes }
}

test('a viewer in Node, whose packets come in many small frames, is answered', async () => {
  const viewer = await mqtt.connectAsync(`ws://127.0.0.1:${broker.wsPort}`, {
    protocolVersion: 4,
    username: 'live',
    password: 'p'.repeat(260),
    connectTimeout: 3_000,
    reconnectPeriod: 0,
  })
  expect(await viewer.subscribeAsync('live/1/towerCrane/+/telemetry')).toMatchObject([{ qos: 0 }])
  viewer.end(true)
})

test('packets sent byte by byte, and several at once, are all heard', async () => {
  const { socket, heard } = await openSocket()
  for (const byte of Buffer.concat([connectPacket, publishPacket])) {
    socket.write(Buffer.from([byte]))
    if (byte % 3 === 0) await sleep(1)
  }
  await expect.poll(heard, { timeout: 3_000 }).toBe('2002000040020007')
  socket.write(Buffer.concat([publishPacket, publishPacket, publishPacket]))
  await expect.poll(heard, { timeout: 3_000 }).toBe(`20020000${'40020007'.repeat(4)}`)
  expect(received).toEqual(Array(4).fill('a/b hello'))
  socket.destroy()
})
