import { bcdLowFirst, MeterStream, sumOf } from './meter-stream.ts'

/** DL/T 645-2007, electric meters. `68 A0..A5 68 C L DATA CS 16`; 0x33 is added to every byte of DATA on the wire. */
export interface Dlt645Frame {
  /** Twelve digits. */
  address: string
  control: number
  data: Buffer
}

const shift = 0x33
const maxData = 200

export function buildDlt645(address: string, control: number, data: Buffer): Buffer {
  const bytes = Buffer.from(address.padStart(12, '0'), 'hex').reverse()
  const frame = Buffer.concat([
    Buffer.of(0x68),
    bytes,
    Buffer.of(0x68, control, data.length),
    Buffer.from(data.map((byte) => (byte + shift) & 0xff)),
  ])
  return Buffer.concat([frame, Buffer.of(sumOf(frame), 0x16)])
}

/** Data ids are written high byte first and sent low byte first. */
const idBytes = (id: string): Buffer => Buffer.from(id, 'hex').reverse()
export const readMeter = (address: string, id: string): Buffer => buildDlt645(address, 0x11, idBytes(id))
/** Requests the next part of a response that announced more data. */
export const readFollowing = (address: string, id: string, part: number): Buffer =>
  buildDlt645(address, 0x12, Buffer.concat([idBytes(id), Buffer.of(part & 0xff)]))

export class Dlt645Decoder {
  private readonly stream = new MeterStream({
    lengthOf(buffer) {
      if (buffer.length > 7 && buffer[7] !== 0x68) return 0
      if (buffer.length < 10) return undefined
      const length = buffer[9] ?? 0
      return length > maxData ? 0 : 12 + length
    },
  })
  get bad(): number {
    return this.stream.bad
  }
  reset(): void {
    this.stream.reset()
  }
  push(chunk: Buffer): Dlt645Frame[] {
    return this.stream.push(chunk).flatMap((frame) => {
      const address = bcdLowFirst(frame.subarray(1, 7))
      if (address === undefined) return []
      return [{ address, control: frame[8] ?? 0, data: Buffer.from(frame.subarray(10, -2).map((byte) => (byte - shift) & 0xff)) }]
    })
  }
}

interface Item {
  metrics: readonly string[]
  bytes: number
  decimals: number
  /** The highest bit is the sign. */
  signed?: boolean
}
/** Values read from a meter, by data id. Blocks return three phases. */
export const meterItems: Readonly<Record<string, Item>> = {
  '00010000': { metrics: ['totalEnergy'], bytes: 4, decimals: 2 },
  '0201FF00': { metrics: ['voltageA', 'voltageB', 'voltageC'], bytes: 2, decimals: 1 },
  '0202FF00': { metrics: ['currentA', 'currentB', 'currentC'], bytes: 3, decimals: 3, signed: true },
  '02030000': { metrics: ['activePower'], bytes: 3, decimals: 4, signed: true },
  '02060000': { metrics: ['powerFactor'], bytes: 2, decimals: 3, signed: true },
  '02800002': { metrics: ['frequency'], bytes: 2, decimals: 2 },
}

export interface MeterAnswer {
  address: string
  id: string | undefined
  values: Record<string, number>
  /** More data follows (B1). */
  more: boolean
  /** Error byte of the meter (D1). */
  error: number | undefined
}

/** Bits of the error byte in a D1 response. */
const errorBits = ['其他错误', '没有请求的数据', '密码错或未授权', '通信速率不能更改', '年时区数超', '日时段数超', '费率数超']
export const errorText = (error: number): string =>
  errorBits.filter((_, bit) => error & (1 << bit)).join('、') || `错误码 ${error.toString(16).toUpperCase().padStart(2, '0')}`

/** Decodes the response to a read: 91 with data, B1 with data and more to come, D1 refused. */
export function answerOf(frame: Dlt645Frame): MeterAnswer | undefined {
  const { address, control, data } = frame
  if (control === 0xd1 || control === 0xd2) return { address, id: undefined, values: {}, more: false, error: data[0] ?? 0 }
  if ((control !== 0x91 && control !== 0xb1 && control !== 0x92 && control !== 0xb2) || data.length < 4) return undefined
  const id = Buffer.from(data.subarray(0, 4)).reverse().toString('hex').toUpperCase()
  const values: Record<string, number> = {}
  const item = meterItems[id]
  for (const [i, metric] of (item?.metrics ?? []).entries()) {
    const value = item && numberOf(data.subarray(4 + i * item.bytes, 4 + (i + 1) * item.bytes), item)
    if (value !== undefined) values[metric] = value
  }
  return { address, id, values, more: control === 0xb1 || control === 0xb2, error: undefined }
}

function numberOf(bytes: Buffer, item: Item): number | undefined {
  if (bytes.length !== item.bytes) return undefined
  const copy = Buffer.from(bytes)
  const top = copy.length - 1
  const isNegative = item.signed === true && ((copy[top] ?? 0) & 0x80) !== 0
  if (isNegative) copy[top] = (copy[top] ?? 0) & 0x7f
  // All digits are F for a phase that is not connected.
  const digits = bcdLowFirst(copy)
  return digits === undefined ? undefined : ((isNegative ? -1 : 1) * Number(digits)) / 10 ** item.decimals
}
