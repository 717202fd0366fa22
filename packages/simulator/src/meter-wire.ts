/** Meter side of Modbus, DL/T 645-2007 and CJ/T 188, written from the standards. */
export type MeterProtocol = 'modbusTcp' | 'modbusRtu' | 'dlt645' | 'cjt188'

/** State of a slave at one address. */
export interface MeterSlave {
  /** Modbus unit, or the address printed on a meter, high digits first. */
  address: string
  /** Values by metric. */
  read(): Readonly<Record<string, number | string | boolean>>
  /** Modbus: register of each metric. */
  registers?: readonly SlaveRegister[]
}

export interface SlaveRegister {
  metric: string
  address: number
  type: 'u16' | 'i16' | 'u32abcd' | 'u32cdab' | 'f32'
  /** Value = register x scale. */
  scale: number
}

/** CRC16 of Modbus; sent low byte first. */
export function modbusCrc(bytes: Uint8Array): number {
  let crc = 0xffff
  for (const byte of bytes) {
    crc ^= byte
    for (let i = 0; i < 8; i++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1
  }
  return crc
}

function words(register: SlaveRegister, value: number): number[] {
  if (register.type === 'f32') {
    const bytes = Buffer.alloc(4)
    bytes.writeFloatBE(value / register.scale)
    return [bytes.readUInt16BE(0), bytes.readUInt16BE(2)]
  }
  const raw = Math.round(value / register.scale)
  if (register.type === 'u16' || register.type === 'i16') return [raw & 0xffff]
  const [high, low] = [Math.floor(raw / 65536) & 0xffff, raw & 0xffff]
  return register.type === 'u32abcd' ? [high, low] : [low, high]
}

const exceptions = { function: 1, address: 2 } as const

/** Answer to one request (unit, function, data); holding and input registers are the same here. */
export function modbusAnswer(slave: MeterSlave, pdu: Buffer): Buffer {
  const fn = pdu[0] ?? 0
  const refuse = (code: number) => Buffer.from([fn | 0x80, code])
  if ((fn !== 3 && fn !== 4) || pdu.length < 5) return refuse(exceptions.function)
  const first = pdu.readUInt16BE(1)
  const count = pdu.readUInt16BE(3)
  const values = slave.read()
  const memory = new Map<number, number>()
  for (const register of slave.registers ?? []) {
    const value = values[register.metric]
    if (typeof value !== 'number') continue
    for (const [i, word] of words(register, value).entries()) memory.set(register.address + i, word)
  }
  if (count < 1 || count > 125 || ![...memory.keys()].some((at) => at >= first && at < first + count)) return refuse(exceptions.address)
  const out = Buffer.alloc(2 + count * 2)
  out[0] = fn
  out[1] = count * 2
  for (let i = 0; i < count; i++) out.writeUInt16BE(memory.get(first + i) ?? 0, 2 + i * 2)
  return out
}

const bcdLowFirst = (digits: string, bytes: number): Buffer =>
  Buffer.from(Buffer.from(digits.padStart(bytes * 2, '0').slice(-bytes * 2), 'hex')).reverse()
const sum = (bytes: Uint8Array): number => bytes.reduce((total, byte) => (total + byte) & 0xff, 0)
const number = (value: number | string | boolean | undefined): number => (typeof value === 'number' ? value : 0)

/** Data of an electric meter by data id, DL/T 645-2007 table A. */
function electricData(id: string, values: ReturnType<MeterSlave['read']>): Buffer | undefined {
  const energy = (kwh: number) => bcdLowFirst(String(Math.round(kwh * 100) % 100_000_000), 4)
  const block = (list: [number, number, number][]) => Buffer.concat(list.map(([value, factor, bytes]) => signed(value * factor, bytes)))
  switch (id) {
    case '00010000':
      return energy(number(values.totalEnergy))
    case '00010100':
      return energy(number(values.peakEnergy))
    case '0201ff00':
      return block([
        [number(values.voltageA), 10, 2],
        [number(values.voltageB), 10, 2],
        [number(values.voltageC), 10, 2],
      ])
    case '0202ff00':
      return block([
        [number(values.currentA), 1000, 3],
        [number(values.currentB), 1000, 3],
        [number(values.currentC), 1000, 3],
      ])
    case '02030000':
      return signed(number(values.activePower) * 10_000, 3)
    case '02060000':
      return signed(number(values.powerFactor) * 1000, 2)
    case '02800002':
      return signed(number(values.frequency) * 100, 2)
    default:
      return undefined
  }
}

/** BCD with the sign in the highest bit, low byte first. */
function signed(value: number, bytes: number): Buffer {
  const out = bcdLowFirst(String(Math.round(Math.abs(value))), bytes)
  if (value < 0) out[bytes - 1] = out[bytes - 1]! | 0x80
  return out
}

function frame645(address: Buffer, control: number, data: Buffer): Buffer {
  const body = Buffer.concat([
    Buffer.from([0x68]),
    address,
    Buffer.from([0x68, control, data.length]),
    Buffer.from(data.map((byte) => (byte + 0x33) & 0xff)),
  ])
  // Some FE bytes in front wake up the receiver, as real meters send them.
  return Buffer.concat([Buffer.from([0xfe, 0xfe]), body, Buffer.from([sum(body), 0x16])])
}

/** Result of parsing a buffer: bytes consumed, and the answer. 0 consumed means incomplete. */
interface Step {
  taken: number
  answer?: Buffer
}

const noSuchData = 0x02

export function step645(buffer: Buffer, slaves: readonly MeterSlave[]): Step {
  const start = buffer.indexOf(0x68)
  if (start < 0) return { taken: buffer.length }
  if (buffer.length < start + 12) return { taken: start }
  if (buffer[start + 7] !== 0x68) return { taken: start + 1 }
  const length = buffer[start + 9]!
  const end = start + 12 + length
  if (buffer.length < end) return { taken: start }
  const body = buffer.subarray(start, end - 2)
  if (buffer[end - 1] !== 0x16 || sum(body) !== buffer[end - 2]) return { taken: start + 1 }
  const address = Buffer.from(buffer.subarray(start + 1, start + 7))
  const data = Buffer.from(buffer.subarray(start + 10, start + 10 + length).map((byte) => (byte - 0x33) & 0xff))
  const slave = slaves.find((s) => bcdLowFirst(s.address, 6).equals(address))
  if (!slave || buffer[start + 8] !== 0x11 || length < 4) return { taken: end }
  const id = Buffer.from(data.subarray(0, 4)).reverse().toString('hex')
  const value = electricData(id, slave.read())
  const answer = value
    ? frame645(address, 0x91, Buffer.concat([data.subarray(0, 4), value]))
    : frame645(address, 0xd1, Buffer.from([noSuchData]))
  return { taken: end, answer }
}

const coldWater = 0x10
const cubicMetres = 0x2c

export function step188(buffer: Buffer, slaves: readonly MeterSlave[]): Step {
  const start = buffer.indexOf(0x68)
  if (start < 0) return { taken: buffer.length }
  if (buffer.length < start + 13) return { taken: start }
  const length = buffer[start + 10]!
  const end = start + 13 + length
  if (length > 64) return { taken: start + 1 }
  if (buffer.length < end) return { taken: start }
  const body = buffer.subarray(start, end - 2)
  if (buffer[end - 1] !== 0x16 || sum(body) !== buffer[end - 2]) return { taken: start + 1 }
  const address = Buffer.from(buffer.subarray(start + 2, start + 9))
  const slave = slaves.find((s) => bcdLowFirst(s.address, 7).equals(address))
  if (!slave || buffer[start + 9] !== 0x01 || length < 3) return { taken: end }
  const values = slave.read()
  const total = bcdLowFirst(String(Math.round(number(values.totalVolume) * 100) % 100_000_000), 4)
  const valve = values.valve === '1' ? 1 : values.valve === '3' ? 3 : 0
  const low = number(values.batteryVoltage) > 0 && number(values.batteryVoltage) < 3.2 ? 1 << 2 : 0
  const clock = Buffer.from(new Date(Date.now() + 8 * 3_600_000).toISOString().replace(/\D/g, '').slice(0, 14), 'hex').reverse()
  const data = Buffer.concat([
    buffer.subarray(start + 11, start + 14),
    total,
    Buffer.from([cubicMetres]),
    total,
    Buffer.from([cubicMetres]),
    clock,
    Buffer.from([valve | low, 0]),
  ])
  const answer = Buffer.concat([Buffer.from([0x68, buffer[start + 1] ?? coldWater]), address, Buffer.from([0x81, data.length]), data])
  return { taken: end, answer: Buffer.concat([Buffer.from([0xfe, 0xfe]), answer, Buffer.from([sum(answer), 0x16])]) }
}

export function stepRtu(buffer: Buffer, slaves: readonly MeterSlave[]): Step {
  if (buffer.length < 8) return { taken: 0 }
  const request = buffer.subarray(0, 6)
  if (modbusCrc(request) !== buffer.readUInt16LE(6)) return { taken: 1 }
  const slave = slaves.find((s) => Number(s.address) === request[0])
  if (!slave) return { taken: 8 }
  const body = Buffer.concat([Buffer.from([request[0]!]), modbusAnswer(slave, request.subarray(1))])
  const check = Buffer.alloc(2)
  check.writeUInt16LE(modbusCrc(body))
  return { taken: 8, answer: Buffer.concat([body, check]) }
}

export function stepTcp(buffer: Buffer, slaves: readonly MeterSlave[]): Step {
  if (buffer.length < 8) return { taken: 0 }
  const length = buffer.readUInt16BE(4)
  if (buffer.readUInt16BE(2) !== 0 || length < 2 || length > 254) return { taken: 1 }
  if (buffer.length < 6 + length) return { taken: 0 }
  const unit = buffer[6]!
  const slave = slaves.find((s) => Number(s.address) === unit)
  if (!slave) return { taken: 6 + length }
  const pdu = modbusAnswer(slave, buffer.subarray(7, 6 + length))
  const head = Buffer.from(buffer.subarray(0, 7))
  head.writeUInt16BE(pdu.length + 1, 4)
  return { taken: 6 + length, answer: Buffer.concat([head, pdu]) }
}

export const steps: Readonly<Record<MeterProtocol, (buffer: Buffer, slaves: readonly MeterSlave[]) => Step>> = {
  modbusTcp: stepTcp,
  modbusRtu: stepRtu,
  dlt645: step645,
  cjt188: step188,
}
