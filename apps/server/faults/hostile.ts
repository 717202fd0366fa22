import { createHash, createHmac, randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gatewayClientId, gatewayPassword, uplinkTopic } from '@zhugong/simulator/mqtt-gateway'
import { Load } from '../bench/load.ts'
import { memoryMb, watchMemory } from '../bench/memory.ts'
import { Stand, until } from '../bench/stand.ts'
import { inWords, isWhole, takeAccount } from './account.ts'
import { report } from './report.ts'

const good = { boxes: 100, perSecond: 100, p99Ms: 2_000 }
const wrong = { connects: 10_000, atOnce: 200 }
const slow = { connections: 100, everyMs: 1_000, mostMs: 90_000 }
const garbageBytes = 64 * 1024
const garbageTimes = 50
const secret = 'an-application-secret-of-some-length'
/** A device that sends through an application (HTTP). */
const overHttp = 'HTTP-1'
/** Memory growth of the ingest that an attack may cause. */
const leftMb = 300

/** All attacks of a hostile network at once, while a hundred gateways send normally. */
export async function hostile(firstPort: number): Promise<boolean> {
  const stand = await Stand.open({ firstPort })
  try {
    const fleet = await stand.fleet('honest', good.boxes)
    const [thief, victim, glutton] = await stand.fleet('thief', 3)
    await stand.pool.query(
      `insert into open_app (id, name, project_code, secret, families) values ('hostile', 'hostile', 'MEASURED', $1, '{towerCrane}')`,
      [stand.secrets.seal(secret)],
    )
    await stand.pool.query(
      `insert into device (id, project_code, name, device_sn, family, access, protocol, access_key, interval_seconds, status)
       values (md5($1), 'MEASURED', $1, $1, 'towerCrane', '{"protocol":"http"}', 'http', $1, 10, '1')`,
      [overHttp],
    )
    await stand.start('ingest')
    await stand.start('api')
    const load = await Load.start({ ...stand.mqtt, gateways: fleet, rate: good.perSecond, inFlight: 10, bundle: 1, overloadOneIn: 10 })
    await load.connected(good.boxes)
    await sleep(10_000)
    const before = await load.state()
    const memoryBefore = memoryMb(stand.pidOf('ingest'))
    const memory = watchMemory(stand.pidOf('ingest'))
    const results: boolean[] = []
    if (!thief || !victim || !glutton) throw new Error('no gateways')
    const attacks: [string, () => Promise<[said: string, isGood: boolean]>][] = [
      ['wrong credentials', () => wrongCredentials(stand)],
      ['slow frames', () => slowFrames(stand)],
      ['garbage', () => garbage(stand)],
      ['topic of another', () => spoofedTopics(stand, thief, victim)],
      ['used nonce', () => usedNonces(stand)],
      ['oversized', () => oversized(stand, glutton)],
    ]
    await Promise.all(
      attacks.map(async ([name, attack]) => {
        const [said, isGood] = await attack().catch((error: Error): [string, boolean] => [error.message, false])
        results.push(report(name, said, isGood))
      }),
    )
    const during = await load.state()
    await sleep(5_000)
    memory.stop()
    const account = await takeAccount(stand, load)
    const now = memoryMb(stand.pidOf('ingest'))
    results.push(
      report(
        'honest boxes meanwhile',
        `${inWords(account)}; connections lost ${during.reconnects} (0), p99 ${during.p99} ms (${good.p99Ms}), before ${before.p99} ms; memory ${memoryBefore} -> ${now} MB (+${leftMb}), peak ${memory.peak}`,
        isWhole(account) && during.p99 < good.p99Ms && during.reconnects === 0 && now < memoryBefore + leftMb,
      ),
    )
    return results.every(Boolean)
  } finally {
    await stand.close()
  }
}

const text = (value: string) => {
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
}

function packet(kind: number, body: Buffer): Buffer {
  const head = [kind]
  let rest = body.length
  do {
    const digit = rest % 128
    rest = Math.floor(rest / 128)
    head.push(rest > 0 ? digit | 0x80 : digit)
  } while (rest > 0)
  return Buffer.concat([Buffer.from(head), body])
}

const hello = (gatewayId: string, password: string) =>
  packet(
    0x10,
    Buffer.concat([text('MQTT'), Buffer.from([4, 0xc2, 0, 0]), text(gatewayClientId(gatewayId)), text(gatewayId), text(password)]),
  )
const publish = (topic: string, payload: string, id = 1) =>
  packet(0x32, Buffer.concat([text(topic), Buffer.from([id >> 8, id & 255]), Buffer.from(payload)]))

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  return socket
}

/** Returns the first bytes received, or nothing when the connection is closed or silent. */
function answer(socket: Socket, ms = 15_000): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), ms)
    const end = (bytes?: Buffer) => {
      clearTimeout(timer)
      resolve(bytes)
    }
    socket.once('data', (bytes: Buffer) => end(bytes))
    socket.once('close', () => end())
  })
}

const refusals = (stand: Stand, label = '') => stand.metric('zhugong_ingest_refused_total', label)
const badFrames = (stand: Stand, label = '') => stand.metric('zhugong_ingest_bad_frames_total', label)

async function wrongCredentials(stand: Stand): Promise<[string, boolean]> {
  const counted = await refusals(stand, 'credentials')
  const begun = performance.now()
  let [refused, admitted, unanswered, next] = [0, 0, 0, 0]
  await Promise.all(
    Array.from({ length: wrong.atOnce }, async () => {
      while (next < wrong.connects) {
        const n = next++
        const socket = open(stand.mqtt.port)
        // Half of the connections use the name of an existing gateway.
        socket.write(hello(n % 2 ? `honest${String(n % good.boxes).padStart(5, '0')}` : `nobody${n}`, `${'0'.repeat(64)}|${Date.now()}`))
        const said = await answer(socket)
        if (said?.[0] !== 0x20) unanswered++
        else if (said[3] === 0) admitted++
        else refused++
        socket.destroy()
      }
    }),
  )
  const inMetrics = (await refusals(stand, 'credentials')) - counted
  return [
    `${wrong.connects} connects in ${((performance.now() - begun) / 1000).toFixed(1)} s, refused ${refused}, admitted ${admitted} (0), unanswered ${unanswered}, counted ${inMetrics}`,
    admitted === 0 && refused + unanswered === wrong.connects && inMetrics >= refused,
  ]
}

/** Frames that continue byte by byte and never end. */
async function slowFrames(stand: Stand): Promise<[string, boolean]> {
  const { ports } = stand
  const begin: [name: string, port: string, bytes: Buffer][] = [
    ['MQTT', ports.MQTT_PORT, Buffer.from([0x10, 0xff, 0x7f, 0, 4])],
    ['HJ 212', ports.HJ212_PORT, Buffer.from('##0999QN=2026')],
    ['JT/T 808', ports.JT808_PORT, Buffer.from([0x7e, 0x02, 0x00])],
    ['HTTP', ports.PORT, Buffer.from('POST /api/v1/open/device/data HTTP/1.1\r\nHost: x\r\n')],
  ]
  const said: string[] = []
  let isGood = true
  await Promise.all(
    begin.map(async ([name, port, bytes]) => {
      let closed = 0
      const begun = performance.now()
      const sockets = Array.from({ length: slow.connections }, () => {
        const socket = open(Number(port))
        socket.once('close', () => closed++)
        socket.on('data', () => undefined)
        socket.write(bytes)
        return socket
      })
      const timer = setInterval(() => {
        for (const socket of sockets) if (socket.writable) socket.write(name === 'HTTP' ? 'a' : '1')
      }, slow.everyMs)
      const isOver = await until(() => closed === slow.connections, slow.mostMs)
      clearInterval(timer)
      for (const socket of sockets) socket.destroy()
      isGood &&= isOver
      said.push(`${name} ${isOver ? `all closed after ${((performance.now() - begun) / 1000).toFixed(0)} s` : `ONLY ${closed} CLOSED`}`)
    }),
  )
  return [`${slow.connections} each, a byte a second: ${said.join(', ')} (${slow.mostMs / 1000})`, isGood]
}

async function garbage(stand: Stand): Promise<[string, boolean]> {
  const { ports } = stand
  const counted = await badFrames(stand)
  let closed = 0
  const tcp = [ports.MQTT_PORT, ports.MQTT_WS_PORT, ports.HJ212_PORT, ports.JT808_PORT, ports.PORT]
  const sockets: Socket[] = []
  for (let i = 0; i < garbageTimes; i++) {
    for (const port of tcp) {
      const socket = open(Number(port))
      socket.once('close', () => closed++)
      socket.on('data', () => undefined)
      socket.write(randomBytes(garbageBytes))
      sockets.push(socket)
    }
    const udp = createSocket('udp4')
    await new Promise<void>((resolve) => udp.send(randomBytes(60_000), Number(ports.JT808_PORT), '127.0.0.1', () => resolve()))
    udp.close()
    await sleep(50)
  }
  await sleep(5_000)
  const existing = sockets.filter((s) => !s.destroyed).length
  const cut = closed
  for (const socket of sockets) socket.destroy()
  const alive = (await stand.ask('/readyz')).status === 200 && (await fetch(`${stand.url}/healthz`)).ok
  const inMetrics = (await badFrames(stand)) - counted
  return [
    `${sockets.length} x ${garbageBytes / 1024} KiB on 5 ports and UDP: closed ${cut}, kept until their time is up ${existing}, counted ${inMetrics}, alive ${alive ? 'yes' : 'NO'}`,
    alive && inMetrics > 0,
  ]
}

type Gateway = Awaited<ReturnType<Stand['fleet']>>[number]

async function admitted(stand: Stand, gateway: Gateway): Promise<Socket> {
  const socket = open(stand.mqtt.port)
  socket.write(hello(gateway.gatewayId, gatewayPassword(gateway.gatewayId, gateway.secret, Date.now())))
  const said = await answer(socket)
  if (said?.[3] !== 0) throw new Error(`${gateway.gatewayId} was not admitted`)
  return socket
}

const reading = (seq: number) => ({ time: Date.now(), seq, data: { momentPercent: 50, radius: 20 } })

async function spoofedTopics(stand: Stand, thief: Gateway, victim: Gateway): Promise<[string, boolean]> {
  const counted = await refusals(stand, 'topic')
  let cut = 0
  for (let i = 1; i <= 50; i++) {
    const socket = await admitted(stand, thief)
    socket.write(
      publish(uplinkTopic(victim.gatewayId, victim.devices[0] ?? '', 'telemetry'), JSON.stringify({ v: 1, items: [reading(i)] })),
    )
    if ((await answer(socket)) === undefined) cut++
    socket.destroy()
  }
  const { rows } = await stand.pool.query<{ n: number }>('select count(*)::int as n from telemetry where device_id = md5($1)', [
    victim.devices[0],
  ])
  const inMetrics = (await refusals(stand, 'topic')) - counted
  return [
    `50 readings for another's device: cut off ${cut}, stored ${rows[0]?.n} (0), counted ${inMetrics}`,
    cut === 50 && rows[0]?.n === 0 && inMetrics === 50,
  ]
}

function signed(path: string, body: string, nonce = randomBytes(12).toString('hex')): RequestInit {
  const timestamp = Date.now()
  const hash = createHash('sha256').update(body).digest('hex')
  const sign = createHmac('sha256', secret).update(['POST', path, timestamp, nonce, hash].join('\n')).digest('hex')
  return {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-app-id': 'hostile',
      'x-timestamp': String(timestamp),
      'x-nonce': nonce,
      'x-sign': sign,
    },
    signal: AbortSignal.timeout(20_000),
  }
}

const dataPath = '/api/v1/open/device/data'

async function usedNonces(stand: Stand): Promise<[string, boolean]> {
  const counted = await refusals(stand, 'nonce')
  const statuses: number[] = []
  for (let i = 0; i < 50; i++) {
    const request = signed(dataPath, JSON.stringify({ deviceSn: 'nobody', items: [reading(i)] }))
    await fetch(`${stand.url}${dataPath}`, request)
    statuses.push((await fetch(`${stand.url}${dataPath}`, request)).status)
    await sleep(50)
  }
  const refused = statuses.filter((s) => s === 401).length
  const inMetrics = (await refusals(stand, 'nonce')) - counted
  return [`50 requests sent again: refused ${refused}, counted ${inMetrics}`, refused === 50 && inMetrics === 50]
}

async function oversized(stand: Stand, gateway: Gateway): Promise<[string, boolean]> {
  const { rows } = await stand.pool.query<{ n: number }>('select count(*)::int as n from telemetry where device_id = md5($1)', [
    gateway.devices[0],
  ])
  const counted = await badFrames(stand, 'tooManyItems')
  const sn = gateway.devices[0] ?? ''
  const topic = uplinkTopic(gateway.gatewayId, sn, 'telemetry')
  const socket = await admitted(stand, gateway)
  socket.write(publish(topic, JSON.stringify({ v: 1, items: Array.from({ length: 501 }, (_, i) => reading(i + 1)) })))
  const acknowledged = (await answer(socket))?.[0] === 0x40
  socket.write(publish(topic, `{"v":1,"items":[],"x":"${'x'.repeat(300_000)}"}`, 2))
  const cut = (await answer(socket)) === undefined
  socket.destroy()
  const many = await fetch(
    `${stand.url}${dataPath}`,
    signed(dataPath, JSON.stringify({ deviceSn: overHttp, items: Array.from({ length: 1_001 }, (_, i) => reading(i + 1)) })),
  )
  const large = await fetch(`${stand.url}${dataPath}`, signed(dataPath, `{"x":"${'x'.repeat(1_500_000)}"}`)).then(
    (r) => r.status,
    () => 413,
  )
  const after = await stand.pool.query<{ n: number }>('select count(*)::int as n from telemetry where device_id = md5($1)', [sn])
  const stored = (after.rows[0]?.n ?? 0) - (rows[0]?.n ?? 0)
  const inMetrics = (await badFrames(stand, 'tooManyItems')) - counted
  return [
    `501 readings: answered ${acknowledged ? 'yes' : 'NO'}, stored ${stored} (0), counted ${inMetrics}; 300 KB message: ${cut ? 'cut off' : 'TAKEN'}; HTTP 1,001 readings: ${many.status}; HTTP 1.5 MB: ${large}`,
    acknowledged && stored === 0 && inMetrics === 1 && cut && many.status === 413 && large === 413,
  ]
}
