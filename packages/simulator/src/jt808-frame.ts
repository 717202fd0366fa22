import { gbk } from './gbk.ts'

/** JT/T 808 encoder for the vehicle, written from the standard; shares no code with the server's decoder. */
export type Edition = '2013' | '2019'

export interface Jt808Identity {
  /** Digits: 12, or 20 in the 2019 edition. */
  phone: string
  edition: Edition
}

export interface Jt808Message {
  id: number
  phone: string
  serial: number
  body: Buffer
}

const bcd = (digits: string, bytes: number): Buffer => Buffer.from(digits.padStart(bytes * 2, '0').slice(-bytes * 2), 'hex')

function escaped(bytes: Buffer): Buffer {
  const out: number[] = [0x7e]
  for (const byte of bytes) {
    if (byte === 0x7e) out.push(0x7d, 0x02)
    else if (byte === 0x7d) out.push(0x7d, 0x01)
    else out.push(byte)
  }
  out.push(0x7e)
  return Buffer.from(out)
}

function unescaped(bytes: Buffer): Buffer {
  const out: number[] = []
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === 0x7d && (bytes[i + 1] === 0x01 || bytes[i + 1] === 0x02)) {
      out.push(bytes[i + 1] === 0x01 ? 0x7d : 0x7e)
      i++
    } else out.push(bytes[i]!)
  }
  return Buffer.from(out)
}

const xor = (bytes: Uint8Array) => bytes.reduce((sum, byte) => sum ^ byte, 0)

export interface FramePart {
  total: number
  index: number
}

/** One complete frame. */
export function jt808Frame(who: Jt808Identity, id: number, serial: number, body: Buffer, part?: FramePart): Buffer {
  const is2019 = who.edition === '2019'
  const attributes = (body.length & 0x3ff) | (part ? 1 << 13 : 0) | (is2019 ? 1 << 14 : 0)
  const head = Buffer.alloc(4)
  head.writeUInt16BE(id, 0)
  head.writeUInt16BE(attributes, 2)
  const tail = Buffer.alloc(part ? 6 : 2)
  tail.writeUInt16BE(serial & 0xffff, 0)
  if (part) {
    tail.writeUInt16BE(part.total, 2)
    tail.writeUInt16BE(part.index, 4)
  }
  const whole = Buffer.concat([head, ...(is2019 ? [Buffer.from([1])] : []), bcd(who.phone, is2019 ? 10 : 6), tail, body])
  return escaped(Buffer.concat([whole, Buffer.from([xor(whole)])]))
}

/** Splits a long body into packages of at most a thousand bytes, each with its own serial. */
export function jt808Packages(who: Jt808Identity, id: number, nextSerial: () => number, body: Buffer, most = 1000): Buffer[] {
  if (body.length <= most) return [jt808Frame(who, id, nextSerial(), body)]
  const total = Math.ceil(body.length / most)
  return Array.from({ length: total }, (_, i) =>
    jt808Frame(who, id, nextSerial(), body.subarray(i * most, (i + 1) * most), { total, index: i + 1 }),
  )
}

/** Splits the platform's byte stream into messages. */
export class Jt808Reader {
  private buffer = Buffer.alloc(0)

  push(chunk: Buffer): Jt808Message[] {
    this.buffer = Buffer.concat([this.buffer, chunk])
    const messages: Jt808Message[] = []
    for (;;) {
      const start = this.buffer.indexOf(0x7e)
      if (start < 0) {
        this.buffer = Buffer.alloc(0)
        return messages
      }
      const end = this.buffer.indexOf(0x7e, start + 1)
      if (end < 0) {
        this.buffer = this.buffer.subarray(start)
        return messages
      }
      const inner = this.buffer.subarray(start + 1, end)
      // Two frames may share one delimiter, so the closing one is kept to open the next.
      this.buffer = this.buffer.subarray(end)
      const message = inner.length ? read(unescaped(inner)) : undefined
      if (message) messages.push(message)
    }
  }
}

function read(frame: Buffer): Jt808Message | undefined {
  if (frame.length < 13 || xor(frame) !== 0) return undefined
  const attributes = frame.readUInt16BE(2)
  const is2019 = (attributes & (1 << 14)) !== 0
  const phoneAt = is2019 ? 5 : 4
  const phoneBytes = is2019 ? 10 : 6
  const phone = frame
    .subarray(phoneAt, phoneAt + phoneBytes)
    .toString('hex')
    .replace(/^0+/, '')
  const serial = frame.readUInt16BE(phoneAt + phoneBytes)
  const bodyAt = phoneAt + phoneBytes + 2 + (attributes & (1 << 13) ? 4 : 0)
  const body = frame.subarray(bodyAt, -1)
  return body.length === (attributes & 0x3ff) ? { id: frame.readUInt16BE(0), phone, serial, body: Buffer.from(body) } : undefined
}

const fixed = (text: string, bytes: number): Buffer => Buffer.concat([gbk(text), Buffer.alloc(bytes)]).subarray(0, bytes)

export interface Vehicle {
  plateNo: string
  /** 1 blue, 2 yellow, 9 other. */
  plateColor: number
  terminalId: string
  maker: string
  model: string
}

export function registerBody(edition: Edition, vehicle: Vehicle): Buffer {
  const is2019 = edition === '2019'
  const place = Buffer.alloc(4)
  place.writeUInt16BE(42, 0)
  place.writeUInt16BE(202, 2)
  return Buffer.concat([
    place,
    fixed(vehicle.maker, is2019 ? 11 : 5),
    fixed(vehicle.model, is2019 ? 30 : 20),
    fixed(vehicle.terminalId, is2019 ? 30 : 7),
    Buffer.from([vehicle.plateColor]),
    gbk(vehicle.plateNo),
  ])
}

export function authenticationBody(edition: Edition, code: string): Buffer {
  const text = gbk(code)
  if (edition === '2013') return text
  return Buffer.concat([Buffer.from([text.length]), text, fixed('861234567890123', 15), fixed('LM-808 V2.1', 20)])
}

export interface Location {
  time: number
  lng: number
  lat: number
  altitude: number
  /** km/h */
  speed: number
  direction: number
  positioned: boolean
  accOn: boolean
  /** 0 empty, 1 half, 3 full. */
  load: 0 | 1 | 3
  powerCut?: boolean
  /** Bits of the alarm word. */
  alarm?: number
  /** km */
  mileage?: number
  /** L */
  fuel?: number
  signal?: number
  satellites?: number
  /** State of the truck body, in a vendor-specific item. */
  body?: { covered: boolean; lifted: boolean }
}

/** BCD yyMMddHHmmss in GMT+8, regardless of the computer's time zone. */
function clock(at: number): Buffer {
  const local = new Date(at + 8 * 3_600_000).toISOString()
  return Buffer.from(local.slice(2, 19).replace(/[-T:]/g, ''), 'hex')
}

const item = (id: number, bytes: Buffer): Buffer => Buffer.concat([Buffer.from([id, bytes.length]), bytes])
const u8 = (n: number): Buffer => Buffer.from([n & 0xff])
function u16(n: number): Buffer {
  const out = Buffer.alloc(2)
  out.writeUInt16BE(Math.max(0, Math.min(0xffff, Math.round(n))))
  return out
}
function u32(n: number): Buffer {
  const out = Buffer.alloc(4)
  out.writeUInt32BE(Math.max(0, Math.round(n)) >>> 0)
  return out
}

/** In the range reserved for vendors. */
const bodyItemId = 0xe1

export function locationBody(at: Location): Buffer {
  const status =
    (at.accOn ? 1 : 0) |
    (at.positioned ? 1 << 1 : 0) |
    (at.lat < 0 ? 1 << 2 : 0) |
    (at.lng < 0 ? 1 << 3 : 0) |
    (at.load << 8) |
    (at.powerCut ? 1 << 11 : 0) |
    (1 << 18) |
    (1 << 19)
  const base = Buffer.concat([
    u32(at.alarm ?? 0),
    u32(status),
    u32(Math.abs(at.lat) * 1e6),
    u32(Math.abs(at.lng) * 1e6),
    u16(at.altitude),
    u16(at.speed * 10),
    u16(at.direction),
    clock(at.time),
  ])
  const items = [
    ...(at.mileage === undefined ? [] : [item(0x01, u32(at.mileage * 10))]),
    ...(at.fuel === undefined ? [] : [item(0x02, u16(at.fuel * 10))]),
    item(0x03, u16(at.speed * 10)),
    ...(at.signal === undefined ? [] : [item(0x30, u8(at.signal))]),
    ...(at.satellites === undefined ? [] : [item(0x31, u8(at.satellites))]),
    ...(at.body === undefined ? [] : [item(bodyItemId, u8((at.body.covered ? 1 : 0) | (at.body.lifted ? 2 : 0)))]),
  ]
  return Buffer.concat([base, ...items])
}

/** Batch of stored positions; type 1 marks them as sent late. */
export function batchBody(locations: readonly Location[], isRefill: boolean): Buffer {
  return Buffer.concat([
    u16(locations.length),
    u8(isRefill ? 1 : 0),
    ...locations.map((at) => {
      const body = locationBody(at)
      return Buffer.concat([u16(body.length), body])
    }),
  ])
}

export const answerBody = (serial: number, id: number, result: number): Buffer => Buffer.concat([u16(serial), u16(id), u8(result)])

export interface Clip {
  channel: number
  startTime: number
  endTime: number
  /** Bytes. */
  size: number
  alarm: number
}

/** List of stored videos (JT/T 1078). */
export function clipListBody(serial: number, clips: readonly Clip[]): Buffer {
  return Buffer.concat([
    u16(serial),
    u32(clips.length),
    ...clips.map((c) =>
      Buffer.concat([u8(c.channel), clock(c.startTime), clock(c.endTime), u32(0), u32(c.alarm), u8(0), u8(2), u8(1), u32(c.size)]),
    ),
  ])
}
