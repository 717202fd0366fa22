import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/**
 * Listens on the wire between the simulated devices and the product and keeps what they said, read plainly from the published protocols
 * (MQTT 3.1.1 PUBLISH, HJ 212-2017 data segments, JT/T 808 location reports). Knows nothing of the product's own decoders.
 */

/** One reading as it went over the wire. */
export interface Said {
  /** Epoch milliseconds of the device's clock. */
  at: number
  values: Record<string, unknown>
  /** Metrics the device itself doubts. */
  doubted: string[]
}

type Hear = (device: string, said: Said) => void

/** Kept of each device: more than any test looks back on. */
const kept = 400

export interface WireTap {
  /** Settings that make the simulator call here. */
  env(ports: { MQTT_PORT: string; HJ212_PORT: string; JT808_PORT: string }): Promise<Record<string, string>>
  /** Answers `GET /?device=<serial number, MN or telephone>` with what it said, oldest first. */
  url: string
  close(): void
}

export async function tapTheWire(): Promise<WireTap> {
  const heard = new Map<string, Said[]>()
  const hear: Hear = (device, said) => {
    const list = heard.get(device) ?? []
    heard.set(device, list)
    list.push(said)
    if (list.length > kept) list.shift()
  }
  const servers: Server[] = []
  const door = createHttpServer((request, response) => {
    const device = new URL(request.url ?? '/', 'http://tap').searchParams.get('device') ?? ''
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(heard.get(device) ?? []))
  })
  servers.push(door)
  const url = `http://127.0.0.1:${await listening(door)}`
  const tap = async (port: string, read: (hear: Hear) => (chunk: Buffer) => void) => {
    const server = createServer((device) => pipe(device, Number(port), read(hear)))
    servers.push(server)
    return listening(server)
  }
  return {
    url,
    env: async ({ MQTT_PORT, HJ212_PORT, JT808_PORT }) => ({
      SIMULATOR_MQTT: `mqtt://127.0.0.1:${await tap(MQTT_PORT, mqttReader)}`,
      SIMULATOR_HJ212: `127.0.0.1:${await tap(HJ212_PORT, hj212Reader)}`,
      SIMULATOR_JT808: `127.0.0.1:${await tap(JT808_PORT, jt808Reader)}`,
    }),
    close() {
      for (const server of servers) server.close()
    },
  }
}

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))

/** Passes bytes on in both directions; what the device says is read on the way. */
function pipe(device: Socket, port: number, read: (chunk: Buffer) => void): void {
  const product = connect(port, '127.0.0.1')
  device.on('data', read)
  device.pipe(product)
  product.pipe(device)
  for (const [one, other] of [
    [device, product],
    [product, device],
  ] as const) {
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
}

interface Published {
  items: { time: number; data?: Record<string, unknown>; quality?: Record<string, string>; record?: string }[]
}

/** PUBLISH packets (type 3): remaining length of seven bits a byte, topic, packet id from QoS 1 on, then JSON. */
function mqttReader(hear: Hear) {
  let held = Buffer.alloc(0)
  return (chunk: Buffer) => {
    held = Buffer.concat([held, chunk])
    for (;;) {
      let length = 0
      let at = 1
      for (let shift = 0; ; shift += 7, at++) {
        const byte = held[at]
        if (byte === undefined) return
        length |= (byte & 0x7f) << shift
        if ((byte & 0x80) === 0) break
      }
      const start = at + 1
      if (held.length < start + length) return
      const packet = held.subarray(start, start + length)
      const head = held[0] ?? 0
      held = held.subarray(start + length)
      if (head >> 4 !== 3) continue
      const topicEnd = 2 + packet.readUInt16BE(0)
      const [, , , , device = '', kind] = packet.subarray(2, topicEnd).toString().split('/')
      if (kind !== 'telemetry') continue
      const { items } = JSON.parse(packet.subarray(topicEnd + (head & 0x06 ? 2 : 0)).toString()) as Published
      for (const { time, data, quality } of items) hear(device, { at: time, values: data ?? {}, doubted: Object.keys(quality ?? {}) })
    }
  }
}

/** Factors of HJ 212-2017 that the pages show. */
const factors: Readonly<Record<string, string>> = { a34004: 'pm25', a34002: 'pm10', a34001: 'tsp', LA: 'noise' }
const realTime = '2011'

function hj212Reader(hear: Hear) {
  let held = ''
  return (chunk: Buffer) => {
    held += chunk.toString('latin1')
    for (let end = held.indexOf('\r\n'); end >= 0; end = held.indexOf('\r\n')) {
      const frame = held.slice(0, end)
      held = held.slice(end + 2)
      const [, mn] = /MN=([^;]+);/.exec(frame) ?? []
      const [, stamp] = /DataTime=(\d{14})/.exec(frame) ?? []
      if (!mn || !stamp || !frame.includes(`CN=${realTime};`)) continue
      const values: Said['values'] = {}
      const doubted: string[] = []
      for (const [, code = '', value] of frame.matchAll(/(\w+)-Rtd=([-\d.]+)/g)) {
        const name = factors[code]
        if (!name) continue
        values[name] = Number(value)
        if (!frame.includes(`${code}-Flag=N`)) doubted.push(name)
      }
      hear(mn, { at: beijing(stamp), values, doubted })
    }
  }
}

/** `yyyyMMddHHmmss` of Beijing. */
const beijing = (text: string): number => {
  const [, y, month, d, h, m, s] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text) ?? []
  return Date.parse(`${y}-${month}-${d}T${h}:${m}:${s}+08:00`)
}

const locationReport = 0x0200

/** Location reports between 7e marks, 7d 01 and 7d 02 undone; speed is in tenths of km/h, places in millionths of a degree. */
function jt808Reader(hear: Hear) {
  let held = Buffer.alloc(0)
  return (chunk: Buffer) => {
    held = Buffer.concat([held, chunk])
    for (;;) {
      const start = held.indexOf(0x7e)
      const end = start < 0 ? -1 : held.indexOf(0x7e, start + 1)
      if (end < 0) return
      const frame = unescaped(held.subarray(start + 1, end))
      held = held.subarray(end)
      if (frame.length < 40 || frame.readUInt16BE(0) !== locationReport) continue
      const isLong = (frame.readUInt16BE(2) & (1 << 14)) !== 0
      const [phoneAt, phoneBytes] = isLong ? [5, 10] : [4, 6]
      const phone = frame.toString('hex', phoneAt, phoneAt + phoneBytes).replace(/^0+/, '')
      const body = frame.subarray(phoneAt + phoneBytes + 2)
      hear(phone, {
        at: beijing(`20${body.toString('hex', 22, 28)}`),
        values: {
          latitude: body.readUInt32BE(8) / 1e6,
          longitude: body.readUInt32BE(12) / 1e6,
          speed: body.readUInt16BE(18) / 10,
        },
        doubted: [],
      })
    }
  }
}

function unescaped(bytes: Buffer): Buffer {
  const out: number[] = []
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === 0x7d) out.push(bytes[++i] === 0x02 ? 0x7e : 0x7d)
    else out.push(bytes[i] ?? 0)
  }
  return Buffer.from(out)
}
