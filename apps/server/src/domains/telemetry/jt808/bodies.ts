import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import {
  bytesOf,
  type ParameterValue,
  parameterKey,
  type TerminalParameter,
  terminalParameter,
} from '@zhugong/contract/telemetry/terminal-parameters'
import { toGbk, trimmedGbk } from './gbk.ts'

/** Bodies of JT/T 808 messages. Parsers return undefined for an invalid body and never throw. */

export const ids = {
  terminalAnswer: 0x0001,
  heartbeat: 0x0002,
  signOff: 0x0003,
  register: 0x0100,
  authenticate: 0x0102,
  parameters: 0x0104,
  attributes: 0x0107,
  location: 0x0200,
  locationAsked: 0x0201,
  batch: 0x0704,
  mediaEvent: 0x0800,
  media: 0x0801,
  videoList: 0x1205,
  answer: 0x8001,
  resend: 0x8003,
  registerAnswer: 0x8100,
  setParameters: 0x8103,
  getParameters: 0x8104,
  control: 0x8105,
  getAttributes: 0x8107,
  askPosition: 0x8201,
  follow: 0x8202,
  text: 0x8300,
  mediaAnswer: 0x8800,
  photo: 0x8801,
  liveVideo: 0x9101,
  liveVideoControl: 0x9102,
  playback: 0x9201,
  playbackControl: 0x9202,
  askVideoList: 0x9205,
} as const

export const results = { ok: 0, failed: 1, wrong: 2, unsupported: 3 } as const

// ---- up

export interface GeneralAnswer {
  serial: number
  id: number
  result: number
}
export function readGeneralAnswer(body: Buffer): GeneralAnswer | undefined {
  if (body.length !== 5) return undefined
  return { serial: body.readUInt16BE(0), id: body.readUInt16BE(2), result: body[4] ?? 0 }
}

export interface Registration {
  edition: '2011' | '2013' | '2019'
  province: number
  city: number
  maker: string
  model: string
  terminalId: string
  color: number
  plate: string
}
/** Without the 2019 header, a body shorter than 37 bytes has the 2011 format, whose model has 8 bytes. */
export function readRegistration(body: Buffer, is2019: boolean): Registration | undefined {
  const edition = is2019 ? '2019' : body.length < 37 ? '2011' : '2013'
  const [maker, model, terminal] = { '2011': [5, 8, 7], '2013': [5, 20, 7], '2019': [11, 30, 30] }[edition] as [number, number, number]
  const colorAt = 4 + maker + model + terminal
  if (body.length < colorAt + 1) return undefined
  const text = (from: number, length: number) => trimmedGbk(body.subarray(from, from + length))
  return {
    edition,
    province: body.readUInt16BE(0),
    city: body.readUInt16BE(2),
    maker: text(4, maker),
    model: text(4 + maker, model),
    terminalId: text(4 + maker + model, terminal),
    color: body[colorAt] ?? 0,
    plate: trimmedGbk(body.subarray(colorAt + 1)),
  }
}

export interface Authentication {
  code: string
  imei?: string
  software?: string
}
export function readAuthentication(body: Buffer, is2019: boolean): Authentication | undefined {
  if (!is2019) return body.length > 0 && body.length <= 256 ? { code: trimmedGbk(body) } : undefined
  const length = body[0]
  if (length === undefined || body.length < 1 + length) return undefined
  return {
    code: trimmedGbk(body.subarray(1, 1 + length)),
    imei: trimmedGbk(body.subarray(1 + length, 16 + length)),
    software: trimmedGbk(body.subarray(16 + length, 36 + length)),
  }
}

export interface Location {
  alarm: number
  status: number
  positioned: boolean
  latitude: number
  longitude: number
  altitude: number
  speed: number
  direction: number
  /** Undefined for an impossible date. */
  time: number | undefined
  /** Additional items in order; repeated ids are kept. */
  items: { id: number; value: Buffer }[]
  /** The last item exceeded the body, so the list ends before it. */
  cut: boolean
}

const bit = (word: number, n: number): boolean => ((word >>> n) & 1) === 1

export function readLocation(body: Buffer): Location | undefined {
  if (body.length < 28) return undefined
  const status = body.readUInt32BE(4)
  const items: Location['items'] = []
  let at = 28
  let cut = false
  while (at < body.length) {
    const id = body[at] ?? 0
    const length = body[at + 1]
    if (length === undefined || at + 2 + length > body.length) {
      cut = true
      break
    }
    items.push({ id, value: body.subarray(at + 2, at + 2 + length) })
    at += 2 + length
  }
  return {
    alarm: body.readUInt32BE(0),
    status,
    positioned: bit(status, 1),
    latitude: ((bit(status, 2) ? -1 : 1) * body.readUInt32BE(8)) / 1e6,
    longitude: ((bit(status, 3) ? -1 : 1) * body.readUInt32BE(12)) / 1e6,
    // Altitudes below sea level are two's complement.
    altitude: body.readInt16BE(16),
    speed: body.readUInt16BE(18) / 10,
    direction: body.readUInt16BE(20),
    time: readBcdTime(body.subarray(22, 28)),
    items,
    cut,
  }
}

/** yyMMddHHmmss in GMT+8. */
export function readBcdTime(bytes: Buffer): number | undefined {
  const text = bytes.toString('hex')
  const m = /^(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/.exec(text)
  if (!m) return undefined
  const iso = `20${m[1]}-${m[2]}-${m[3]}T${m[4]}:${m[5]}:${m[6]}`
  const at = Date.parse(`${iso}+08:00`)
  // Rejects dates such as 31 February, which the parser may accept as March.
  return !Number.isNaN(at) && new Date(at + shanghaiOffsetMs).toISOString().startsWith(iso) ? at : undefined
}

export function bcdTime(at: number): Buffer {
  return Buffer.from(new Date(at + shanghaiOffsetMs).toISOString().replace(/\D/g, '').slice(2, 14), 'hex')
}

export interface Batch {
  /** Sent later, because the terminal had no reception. */
  refill: boolean
  locations: Buffer[]
}
export function readBatch(body: Buffer): Batch | undefined {
  if (body.length < 3) return undefined
  const count = body.readUInt16BE(0)
  const locations: Buffer[] = []
  let at = 3
  for (let i = 0; i < count; i++) {
    if (at + 2 > body.length) return undefined
    const length = body.readUInt16BE(at)
    if (at + 2 + length > body.length) return undefined
    locations.push(body.subarray(at + 2, at + 2 + length))
    at += 2 + length
  }
  return at === body.length ? { refill: body[2] === 1, locations } : undefined
}

export interface MediaEvent {
  mediaId: number
  type: number
  format: number
  event: number
  channel: number
}
export function readMediaEvent(body: Buffer): MediaEvent | undefined {
  if (body.length < 8) return undefined
  return { mediaId: body.readUInt32BE(0), type: body[4] ?? 0, format: body[5] ?? 0, event: body[6] ?? 0, channel: body[7] ?? 0 }
}
/** Multimedia data (0x0801): event fields, basic location, and the data itself. */
export function readMedia(body: Buffer): (MediaEvent & { location: Location | undefined; data: Buffer }) | undefined {
  const event = readMediaEvent(body)
  if (!event || body.length < 36) return undefined
  return { ...event, location: readLocation(body.subarray(8, 36)), data: body.subarray(36) }
}

export interface VideoEntry {
  channel: number
  startTime: number
  endTime: number
  /** 64 alarm bits, as hex. */
  alarm: string
  type: number
  stream: number
  storage: number
  size: number
}
export function readVideoList(body: Buffer): { serial: number; entries: VideoEntry[] } | undefined {
  if (body.length < 6) return undefined
  const count = body.readUInt32BE(2)
  if (body.length !== 6 + count * 28) return undefined
  const entries: VideoEntry[] = []
  for (let at = 6; at < body.length; at += 28) {
    const startTime = readBcdTime(body.subarray(at + 1, at + 7))
    const endTime = readBcdTime(body.subarray(at + 7, at + 13))
    if (startTime === undefined || endTime === undefined) continue
    entries.push({
      channel: body[at] ?? 0,
      startTime,
      endTime,
      alarm: body.toString('hex', at + 13, at + 21),
      type: body[at + 21] ?? 0,
      stream: body[at + 22] ?? 0,
      storage: body[at + 23] ?? 0,
      size: body.readUInt32BE(at + 24),
    })
  }
  return { serial: body.readUInt16BE(0), entries }
}

/** 0x0104: values by id (four hex digits), typed by the standard's table; unknown ids as hex digits. */
export function readParameters(body: Buffer): { serial: number; values: Record<string, string | number> } | undefined {
  if (body.length < 3) return undefined
  const values: Record<string, string | number> = {}
  let at = 3
  for (let i = 0; i < (body[2] ?? 0); i++) {
    if (at + 5 > body.length) return undefined
    const id = body.readUInt32BE(at)
    const length = body[at + 4] ?? 0
    const value = body.subarray(at + 5, at + 5 + length)
    if (value.length !== length) return undefined
    values[parameterKey(id)] = parameterValue(terminalParameter(id), value)
    at += 5 + length
  }
  return { serial: body.readUInt16BE(0), values }
}

function parameterValue(parameter: TerminalParameter | undefined, value: Buffer): string | number {
  if (parameter?.type === 'STRING') return trimmedGbk(value)
  // Some terminals send a WORD or BYTE in four bytes.
  const isNumber = parameter !== undefined && parameter.type !== 'BYTES' && value.length >= 1 && value.length <= 4
  return isNumber ? value.readUIntBE(0, value.length) : value.toString('hex')
}

// ---- down

const bytes = (...parts: (number | [value: number, width: 2 | 4] | Buffer)[]): Buffer =>
  Buffer.concat(
    parts.map((part) => {
      if (Buffer.isBuffer(part)) return part
      if (typeof part === 'number') return Buffer.of(part & 0xff)
      const [value, width] = part
      const out = Buffer.alloc(width)
      if (width === 2) out.writeUInt16BE(value & 0xffff)
      else out.writeUInt32BE(value >>> 0)
      return out
    }),
  )

export const generalAnswer = (serial: number, id: number, result: number): Buffer => bytes([serial, 2], [id, 2], result)
export const registerAnswer = (serial: number, result: number, code = ''): Buffer =>
  result === 0 ? bytes([serial, 2], 0, toGbk(code)) : bytes([serial, 2], result)
/** In the 2019 edition the count has two bytes. */
export const resendRequest = (firstSerial: number, indexes: readonly number[], is2019: boolean): Buffer => {
  const list = indexes.slice(0, is2019 ? 500 : 255)
  return bytes([firstSerial, 2], is2019 ? [list.length, 2] : list.length, ...list.map((i): [number, 2] => [i, 2]))
}
export const mediaAnswer = (mediaId: number): Buffer => bytes([mediaId, 4])

/** 0x8103: encodes validated values, each with the length of its type. */
export function setParameters(values: readonly ParameterValue[]): Buffer {
  const parts = values.map(({ parameter, value }) => {
    const content = parameterBytes(parameter, value)
    return bytes([parameter.id, 4], content.length, content)
  })
  return bytes(values.length, ...parts)
}

function parameterBytes(parameter: TerminalParameter, value: number | string): Buffer {
  if (parameter.type === 'STRING') return toGbk(String(value))
  if (parameter.type === 'BYTES') return Buffer.from(String(value), 'hex')
  const out = Buffer.alloc(bytesOf(parameter) ?? 4)
  out.writeUIntBE(Number(value), 0, out.length)
  return out
}
export const control = (word: number, parameters = ''): Buffer => bytes(word, toGbk(parameters))
export const follow = (seconds: number, lastsSeconds: number): Buffer =>
  seconds > 0 ? bytes([seconds, 2], [lastsSeconds, 4]) : bytes([0, 2])
/** Flags: bit 0 urgent, bit 2 display, bit 3 speech. The 2019 edition adds the type of text. */
export const textMessage = (flags: number, text: string, is2019: boolean): Buffer =>
  is2019 ? bytes(flags, 1, toGbk(text)) : bytes(flags, toGbk(text))
export const photo = (channel: number): Buffer => bytes(channel, [1, 2], [0, 2], 0, 1, 5, 0x80, 0x40, 0x40, 0x80)

export interface VideoTarget {
  host: string
  tcpPort: number
  udpPort: number
  channel: number
}
const mediaServer = (target: VideoTarget): Buffer => {
  const host = toGbk(target.host)
  return bytes(host.length, host, [target.tcpPort, 2], [target.udpPort, 2], target.channel)
}
/** Data type 0: audio and video; stream 0: main, 1: sub. */
export const liveVideo = (target: VideoTarget, stream: number): Buffer => bytes(mediaServer(target), 0, stream)
export const liveVideoControl = (channel: number, command: number, closes = 0, stream = 0): Buffer =>
  bytes(channel, command, closes, stream)
export const playback = (target: VideoTarget, from: number, to: number): Buffer =>
  bytes(mediaServer(target), 0, 0, 0, 0, 0, bcdTime(from), bcdTime(to))
export const playbackControl = (channel: number, command: number): Buffer => bytes(channel, command, 0, Buffer.alloc(6))
export const askVideoList = (channel: number, from: number, to: number): Buffer =>
  bytes(channel, bcdTime(from), bcdTime(to), Buffer.alloc(8), 0, 0, 0)
