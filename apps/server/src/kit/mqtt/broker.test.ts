import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import mqtt from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { type Broker, type Peer, startBroker } from './broker.ts'

let broker: Broker<Peer>
const received: string[] = []
/** While set, acknowledgements are kept here instead of being sent. */
let current: (() => void)[] | undefined
let hasRoom = (_isLittle: boolean) => true

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
      if (current) current.push(done)
      else done()
    },
    hasRoom: (isLittle) => hasRoom(isLittle),
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

test('a sender that does not wait for its answers is not read without end', async () => {
  received.length = 0
  current = []
  const { socket, heard } = await openSocket()
  socket.write(connectPacket)
  await expect.poll(heard, { timeout: 3_000 }).toBe('20020000')
  // Send each packet separately, so that each arrives alone; then send the rest at once.
  const packets = 10_000
  for (let n = 0; n < 200; n++) {
    socket.write(publishPacket)
    if (n % 10 === 0) await sleep(1)
  }
  socket.write(Buffer.concat(Array(packets - 200).fill(publishPacket)))
  await sleep(300)
  // A hundred, plus the packets in the last piece that was read.
  expect(received.length).toBeGreaterThanOrEqual(100)
  expect(received.length).toBeLessThan(100 + (16 * 1024) / publishPacket.length + 1)
  const kept = current
  current = undefined
  for (const done of kept) done()
  await expect.poll(() => received.length, { timeout: 5_000 }).toBe(packets)
  await expect.poll(() => heard().length, { timeout: 5_000 }).toBe(8 + packets * 8)
  socket.destroy()
})

test('without room nothing is read; whoever has little to say comes first', async () => {
  received.length = 0
  const few = await openSocket()
  const many = await openSocket()
  for (const { socket, heard } of [few, many]) {
    const packet = Buffer.from(connectPacket)
    packet[packet.indexOf('split')] = socket === few.socket ? 0x66 : 0x6d
    socket.write(packet)
    await expect.poll(heard, { timeout: 3_000 }).toBe('20020000')
  }
  hasRoom = () => false
  many.socket.write(Buffer.concat(Array(1_000).fill(publishPacket)))
  few.socket.write(publishPacket)
  await sleep(200)
  expect(received).toHaveLength(0)
  hasRoom = (isLittle) => isLittle
  broker.readOn()
  await expect.poll(few.heard, { timeout: 3_000 }).toBe('2002000040020007')
  expect(received).toHaveLength(1)
  hasRoom = () => true
  broker.readOn()
  await expect.poll(() => received.length, { timeout: 3_000 }).toBe(1_001)
  few.socket.destroy()
  many.socket.destroy()
})
