import { bcdLowFirst, MeterStream, sumOf } from './meter-stream.ts'

/** CJ/T 188, water meters. `68 T A0..A6 C L DATA CS 16`; T 10 = cold water. */
export interface Cjt188Frame {
  type: number
  /** Fourteen digits. */
  address: string
  control: number
  data: Buffer
}

export const coldWater = 0x10
const maxData = 100

export function buildCjt188(type: number, address: string, control: number, data: Buffer): Buffer {
  const frame = Buffer.concat([
    Buffer.of(0x68, type),
    Buffer.from(address.padStart(14, '0'), 'hex').reverse(),
    Buffer.of(control, data.length),
    data,
  ])
  return Buffer.concat([frame, Buffer.of(sumOf(frame), 0x16)])
}
/** Byte order of data id 901F: low byte first as in the standard, or as written, as most installed meters use it. */
export const idOrders = { asWritten: [0x90, 0x1f], lowFirst: [0x1f, 0x90] } as const
export type IdOrder = keyof typeof idOrders

export const readWaterMeter = (address: string, serial = 0, order: IdOrder = 'lowFirst'): Buffer =>
  buildCjt188(coldWater, address, 0x01, Buffer.of(...idOrders[order], serial & 0xff))
const isReading = (data: Buffer): boolean => Object.values(idOrders).some(([first, second]) => data[0] === first && data[1] === second)

export class Cjt188Decoder {
  private readonly stream = new MeterStream({
    lengthOf(buffer) {
      if (buffer.length < 11) return undefined
      const length = buffer[10] ?? 0
      return length > maxData ? 0 : 13 + length
    },
  })
  get bad(): number {
    return this.stream.bad
  }
  reset(): void {
    this.stream.reset()
  }
  push(chunk: Buffer): Cjt188Frame[] {
    return this.stream.push(chunk).flatMap((frame) => {
      const address = bcdLowFirst(frame.subarray(2, 9))
      if (address === undefined) return []
      return [{ type: frame[1] ?? 0, address, control: frame[9] ?? 0, data: Buffer.from(frame.subarray(11, -2)) }]
    })
  }
}

/** Unit codes, in cubic metres. */
const unitsInCubicMetres: Readonly<Record<number, number>> = { 41: 0.001, 44: 1 }
const valves: Readonly<Record<number, string>> = { 0: '0', 1: '1', 3: '3' }

export interface WaterAnswer {
  address: string
  serial: number
  totalVolume: number
  settledVolume: number | undefined
  /** Epoch milliseconds by the meter's clock, taken as +08:00. */
  clock: number | undefined
  /** 0 open, 1 closed, 3 abnormal. */
  valve: string | undefined
  batteryLow: boolean
}

/** Description of a refusal (C1) with its status, if any. */
export const refusalOf = (frame: Cjt188Frame): string | undefined =>
  frame.control === 0xc1
    ? `水表异常应答（C1）${frame.data.length ? `，状态 ${frame.data.subarray(1).toString('hex').toUpperCase()}` : ''}`
    : undefined

/** Whether the frame is a response to a read whose unit is not a known volume unit. */
export const unitUnknown = (frame: Cjt188Frame): boolean =>
  frame.control === 0x81 && frame.data.length >= 8 && unitsInCubicMetres[frame.data[7] ?? 0] === undefined

/** Decodes the response to a read (81): total, settled volume, clock, state. */
export function answerOf(frame: Cjt188Frame): WaterAnswer | undefined {
  const { data } = frame
  if (frame.control !== 0x81 || data.length < 22 || !isReading(data)) return undefined
  const volume = (at: number) => {
    const digits = bcdLowFirst(data.subarray(at, at + 4))
    const factor = unitsInCubicMetres[data[at + 4] ?? 0]
    return digits === undefined || factor === undefined ? undefined : Number(((Number(digits) / 100) * factor).toPrecision(12))
  }
  const total = volume(3)
  if (total === undefined) return undefined
  const state = data[20] ?? 0
  return {
    address: frame.address,
    serial: data[2] ?? 0,
    totalVolume: total,
    settledVolume: volume(8),
    clock: clockOf(data.subarray(13, 20)),
    valve: valves[state & 3],
    batteryLow: (state & 4) !== 0,
  }
}

/** Clock: second, minute, hour, day, month, year; low byte first. */
function clockOf(bytes: Buffer): number | undefined {
  const digits = bcdLowFirst(bytes)
  const m = digits === undefined ? null : /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/.exec(digits)
  if (!m) return undefined
  const at = Date.parse(`${m[1]}-${m[2]}-${m[3]}T${m[4]}:${m[5]}:${m[6]}+08:00`)
  return Number.isNaN(at) ? undefined : at
}
