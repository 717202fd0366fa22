import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/**
 * Taps the traffic between simulated devices and product and records the readings, decoded from the published protocols (MQTT 3.1.1
 * PUBLISH, HJ 212-2017 data segments, JT/T 808 location reports), independently of the product's decoders.
 */

/** One reading as sent by a device. */
export interface Said {
  /** Epoch milliseconds of the device's clock. */
  at: number
  values: Record<string, unknown>
  /** Metrics that the device marks as doubtful. */
  doubted: string[]
}

type Hear = (device: string, said: Said) => void

/** Readings kept per device; more than any test needs. */
const kept = 400

export interface WireTap {
  /** Simulator settings that redirect the devices to this tap. */
  env(ports: { MQTT_PORT: string; HJ212_PORT: string; JT808_PORT: string }): Promise<Record<string, string>>
  /** Answers `GET /?device=<serial number, MN or phone>` with its readings, oldest first. */
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

/** Forwards bytes in both directions and passes those of the device to the decoder. */
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

/** PUBLISH packets (type 3): variable-length remaining length, topic, packet id from QoS 1 on, then JSON. */
function mqttReader(hear: Hear) {
  let buffer = Buffer.alloc(0)
  return (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk])
    for (;;) {
      let length = 0
      let at = 1
      for (let shift = 0; ; shift += 7, at++) {
        const byte = buffer[at]
        if (byte === undefined) return
        length |= (byte & 0x7f) << shift
        if ((byte & 0x80) === 0) break
      }
      const start = at + 1
      if (buffer.length < start + length) return
      const packet = buffer.subarray(start, start + length)
      const head = buffer[0] ?? 0
      buffer = buffer.subarray(start + length)
      if (head >> 4 !== 3) continue
      const topicEnd = 2 + packet.readUInt16BE(0)
      const [, , , , device = '', kind] = packet.subarray(2, topicEnd).toString().split('/')
      if (kind !== 'telemetry') continue
      const { items } = JSON.parse(packet.subarray(topicEnd + (head & 0x06 ? 2 : 0)).toString()) as Published
      for (const { time, data, quality } of items) hear(device, { at: time, values: data ?? {}, doubted: Object.keys(quality ?? {}) })
    }
  }
}

/** Factor codes of HJ 212-2017 shown on pages. */
const factors: Readonly<Record<string, string>> = { a34004: 'pm25', a34002: 'pm10', a34001: 'tsp', LA: 'noise' }
const realTime = '2011'

function hj212Reader(hear: Hear) {
  let current = ''
  return (chunk: Buffer) => {
    current += chunk.toString('latin1')
    for (let end = current.indexOf('\r\n'); end >= 0; end = current.indexOf('\r\n')) {
      const frame = current.slice(0, end)
      current = current.slice(end + 2)
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

/** Parses `yyyyMMddHHmmss` in Beijing time. */
const beijing = (text: string): number => {
  const [, y, month, d, h, m, s] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text) ?? []
  return Date.parse(`${y}-${month}-${d}T${h}:${m}:${s}+08:00`)
}

const locationReport = 0x0200

/** Location reports between 7e delimiters with 7d 01 and 7d 02 unescaped; speed in 0.1 km/h, positions in 1e-6 degrees. */
function jt808Reader(hear: Hear) {
  let buffer = Buffer.alloc(0)
  return (chunk: Buffer) => {
    buffer = Buffer.concat([buffer, chunk])
    for (;;) {
      const start = buffer.indexOf(0x7e)
      const end = start < 0 ? -1 : buffer.indexOf(0x7e, start + 1)
      if (end < 0) return
      const frame = unescaped(buffer.subarray(start + 1, end))
      buffer = buffer.subarray(end)
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
