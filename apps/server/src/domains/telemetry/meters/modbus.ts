import { modbusCrc } from '../modbus-crc.ts'

/** Modbus client: over TCP with its own header, or the serial form (RTU) over a transparent connection. Pure and never throws. */
export type RegisterType = 'u16' | 'i16' | 'u32' | 'u32cdab' | 'i32' | 'i32cdab' | 'f32' | 'f32cdab'
export type RegisterTable = 'holding' | 'input'

/** A metric and its register. Stored value = raw x scale + offset. */
export interface Register {
  metric: string
  address: number
  table?: RegisterTable
  type: RegisterType
  scale?: number
  offset?: number
}

const widths: Readonly<Record<RegisterType, 1 | 2>> = { u16: 1, i16: 1, u32: 2, u32cdab: 2, i32: 2, i32cdab: 2, f32: 2, f32cdab: 2 }
export const functionOf = (table: RegisterTable): number => (table === 'input' ? 4 : 3)

/** Decodes a register. ABCD is the order of the standard; CDAB has the words swapped. */
export function registerValue(bytes: Buffer, type: RegisterType): number | undefined {
  if (bytes.length < widths[type] * 2) return undefined
  if (type === 'u16') return bytes.readUInt16BE(0)
  if (type === 'i16') return bytes.readInt16BE(0)
  const ordered = type.endsWith('cdab') ? Buffer.from([bytes[2] ?? 0, bytes[3] ?? 0, bytes[0] ?? 0, bytes[1] ?? 0]) : bytes
  const value = type.startsWith('u32') ? ordered.readUInt32BE(0) : type.startsWith('i32') ? ordered.readInt32BE(0) : ordered.readFloatBE(0)
  return Number.isFinite(value) ? value : undefined
}

export interface Read {
  table: RegisterTable
  address: number
  count: number
  registers: Register[]
}
const longestRead = 120
const gapBridged = 8

/** Plans as few reads as possible: adjacent registers together, small gaps included. */
export function planReads(registers: readonly Register[]): Read[] {
  const reads: Read[] = []
  const sorted = [...registers].sort((a, b) => (a.table ?? 'holding').localeCompare(b.table ?? 'holding') || a.address - b.address)
  for (const register of sorted) {
    const table = register.table ?? 'holding'
    const end = register.address + widths[register.type]
    const last = reads.at(-1)
    if (last?.table === table && register.address - (last.address + last.count) <= gapBridged && end - last.address <= longestRead) {
      last.count = Math.max(last.count, end - last.address)
      last.registers.push(register)
    } else reads.push({ table, address: register.address, count: end - register.address, registers: [register] })
  }
  return reads
}

/** Extracts the register values from a read response. */
export function valuesOf(read: Read, data: Buffer): Record<string, number> {
  const values: Record<string, number> = {}
  if (data.length < read.count * 2) return values
  for (const { metric, address, type, scale, offset } of read.registers) {
    const raw = registerValue(data.subarray((address - read.address) * 2), type)
    // Rounds to 12 digits, so that 0.1 x 3 yields 0.3 as on the meter's display.
    if (raw !== undefined) values[metric] = Number((raw * (scale ?? 1) + (offset ?? 0)).toPrecision(12))
  }
  return values
}

const readPdu = (table: RegisterTable, address: number, count: number): Buffer => {
  const pdu = Buffer.alloc(5)
  pdu[0] = functionOf(table)
  pdu.writeUInt16BE(address, 1)
  pdu.writeUInt16BE(count, 3)
  return pdu
}

export function rtuFrame(unit: number, pdu: Buffer): Buffer {
  const body = Buffer.concat([Buffer.of(unit), pdu])
  const crc = modbusCrc(body)
  return Buffer.concat([body, Buffer.of(crc & 0xff, crc >> 8)])
}
export const rtuRead = (unit: number, read: Pick<Read, 'table' | 'address' | 'count'>): Buffer =>
  rtuFrame(unit, readPdu(read.table, read.address, read.count))

export function tcpFrame(transaction: number, unit: number, pdu: Buffer): Buffer {
  const header = Buffer.alloc(7)
  header.writeUInt16BE(transaction & 0xffff, 0)
  header.writeUInt16BE(pdu.length + 1, 4)
  header[6] = unit
  return Buffer.concat([header, pdu])
}
export const tcpRead = (transaction: number, unit: number, read: Pick<Read, 'table' | 'address' | 'count'>): Buffer =>
  tcpFrame(transaction, unit, readPdu(read.table, read.address, read.count))

export interface ModbusAnswer {
  transaction: number | undefined
  unit: number
  fn: number
  /** 1 illegal function, 2 illegal address, 3 illegal value, 4 failure...; undefined for an answer with data. */
  exception: number | undefined
  data: Buffer
}

/** Exception codes of the standard, with the likely cause in the register map. */
export const exceptionTexts: Readonly<Record<number, string>> = {
  1: '不支持的功能码：核对寄存器表是保持寄存器还是输入寄存器',
  2: '寄存器地址不存在：核对型号的寄存器表，地址从 0 起还是从 1 起',
  3: '读取数量不允许：减少一次读取的寄存器或核对类型（16 位、32 位）',
  4: '设备故障',
  5: '设备已接受，处理时间较长',
  6: '设备忙，稍后再读',
  10: '网关没有到该从站的通路：核对从站号',
  11: '网关后面的设备没有应答：核对从站号、波特率与接线',
}

/** Decodes the PDU of a read response; undefined for another format. */
function answerOf(pdu: Buffer): Pick<ModbusAnswer, 'fn' | 'exception' | 'data'> | undefined {
  const fn = pdu[0] ?? 0
  if (fn & 0x80) return pdu.length === 2 ? { fn: fn & 0x7f, exception: pdu[1], data: Buffer.alloc(0) } : undefined
  if (fn < 1 || fn > 4 || pdu.length < 2 || pdu.length !== 2 + (pdu[1] ?? 0)) return undefined
  return { fn, exception: undefined, data: Buffer.from(pdu.subarray(2)) }
}

abstract class StreamDecoder {
  protected held: Buffer = Buffer.alloc(0)
  bad = 0

  push(chunk: Buffer): ModbusAnswer[] {
    this.held = this.held.length ? Buffer.concat([this.held, chunk]) : chunk
    const answers: ModbusAnswer[] = []
    for (;;) {
      const step = this.step()
      if (step === 'more') break
      if (step) answers.push(step)
    }
    return answers
  }
  /** Drops an incomplete response, so that it does not corrupt the next one. */
  reset(): void {
    this.held = Buffer.alloc(0)
  }
  protected abstract step(): ModbusAnswer | 'more' | undefined
  protected skip(): undefined {
    this.bad++
    this.held = this.held.subarray(1)
    return undefined
  }
}

/** Decoder of RTU responses. RTU has no start marker, so each offset is tried until the checksum matches. */
export class RtuDecoder extends StreamDecoder {
  private echo: Buffer | undefined

  /** Call after sending a request. RS-485 converters may echo it; the echo is skipped if it arrives first. */
  asked(question: Buffer): void {
    this.reset()
    this.echo = question
  }

  override push(chunk: Buffer): ModbusAnswer[] {
    const { echo } = this
    if (!echo) return super.push(chunk)
    this.held = this.held.length ? Buffer.concat([this.held, chunk]) : chunk
    const together = Math.min(this.held.length, echo.length)
    const isSame = this.held.subarray(0, together).equals(echo.subarray(0, together))
    if (isSame && together < echo.length) return []
    this.echo = undefined
    if (isSame) this.held = this.held.subarray(echo.length)
    return super.push(Buffer.alloc(0))
  }

  protected step(): ModbusAnswer | 'more' | undefined {
    const { held } = this
    if (held.length < 2) return 'more'
    const fn = held[1] ?? 0
    const isException = (fn & 0x80) !== 0
    if ((fn & 0x7f) < 1 || (fn & 0x7f) > 4) return this.skip()
    if (!isException && held.length < 3) return 'more'
    const count = held[2] ?? 0
    if (!isException && (count === 0 || count > 250)) return this.skip()
    const length = isException ? 5 : 5 + count
    if (held.length < length) return 'more'
    const crc = modbusCrc(held.subarray(0, length - 2))
    if (held.readUInt16LE(length - 2) !== crc) return this.skip()
    const answer = answerOf(held.subarray(1, length - 2))
    if (!answer) return this.skip()
    const unit = held[0] ?? 0
    this.held = held.subarray(length)
    return { transaction: undefined, unit, ...answer }
  }
}

export class TcpDecoder extends StreamDecoder {
  protected step(): ModbusAnswer | 'more' | undefined {
    const { held } = this
    if (held.length < 6) return 'more'
    const length = held.readUInt16BE(4)
    if (held.readUInt16BE(2) !== 0 || length < 3 || length > 254) return this.skip()
    if (held.length < 6 + length) return 'more'
    const answer = answerOf(held.subarray(7, 6 + length))
    if (!answer) return this.skip()
    const result = { transaction: held.readUInt16BE(0), unit: held[6] ?? 0, ...answer }
    this.held = held.subarray(6 + length)
    return result
  }
}
