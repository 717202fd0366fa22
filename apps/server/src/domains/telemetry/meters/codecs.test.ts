import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as cjt from './cjt188.ts'
import * as dlt from './dlt645.ts'
import {
  planReads,
  type Register,
  RtuDecoder,
  registerValue,
  rtuFrame,
  rtuRead,
  TcpDecoder,
  tcpFrame,
  tcpRead,
  valuesOf,
} from './modbus.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const spaced = (bytes: Buffer) =>
  bytes
    .toString('hex')
    .toUpperCase()
    .replace(/..(?!$)/g, '$& ')

test('Modbus RTU: the check value, low byte first', () => {
  expect(spaced(rtuRead(1, { table: 'holding', address: 0, count: 2 }))).toBe('01 03 00 00 00 02 C4 0B')
  expect(spaced(tcpRead(7, 1, { table: 'input', address: 16, count: 2 }))).toBe('00 07 00 00 00 06 01 04 00 10 00 02')
})

test.each([
  ['u16', 'FFFE', 65_534],
  ['i16', 'FFFE', -2],
  ['u32', '00010002', 65_538],
  ['u32cdab', '00020001', 65_538],
  ['i32', 'FFFFFFFE', -2],
  ['i32cdab', 'FFFEFFFF', -2],
  ['f32', '42280000', 42],
  ['f32cdab', '00004228', 42],
  ['f32', '7FC00000', undefined],
  ['u32', '0001', undefined],
] as const)('%s of %s', (type, bytes, value) => {
  expect(registerValue(hex(bytes), type)).toBe(value)
})

const map: Register[] = [
  { metric: 'frequency', address: 30, type: 'u16', scale: 0.01 },
  { metric: 'voltageA', address: 0, type: 'u16', scale: 0.1 },
  { metric: 'activePower', address: 2, type: 'f32' },
  { metric: 'totalEnergy', address: 4, type: 'u32cdab', scale: 0.01 },
  { metric: 'temperature', address: 0, table: 'input', type: 'i16', scale: 0.1, offset: -40 },
]
test('a register map is read in few pieces', () => {
  const reads = planReads(map)
  expect(reads.map((r) => [r.table, r.address, r.count])).toEqual([
    ['holding', 0, 6],
    ['holding', 30, 1],
    ['input', 0, 1],
  ])
  expect(valuesOf(reads[0] as never, hex('0903 0000 42280000 00020001'.replaceAll(' ', '')))).toEqual({
    voltageA: 230.7,
    activePower: 42,
    totalEnergy: 655.38,
  })
  expect(valuesOf(reads[2] as never, hex('0258'))).toEqual({ temperature: 20 })
  expect(valuesOf(reads[0] as never, hex('0903'))).toEqual({})
  // Longer than one read may be.
  const far = planReads(Array.from({ length: 200 }, (_, i) => ({ metric: `m${i}`, address: i, type: 'u16' as const })))
  expect(far.map((r) => r.count)).toEqual([120, 80])
})

test('DL/T 645: the check values', () => {
  expect(spaced(dlt.readMeter('1', '00010000'))).toBe('68 01 00 00 00 00 00 68 11 04 33 33 34 33 B3 16')
  const answer = hex('FE FE FE FE 68 01 00 00 00 00 00 68 91 08 33 33 34 33 AB 89 67 45 17 16')
  const [frame] = new dlt.Dlt645Decoder().push(answer)
  expect(frame && dlt.answerOf(frame)).toEqual({
    address: '000000000001',
    id: '00010000',
    values: { totalEnergy: 123456.78 },
    more: false,
    error: undefined,
  })
})

test.each([
  ['0201FF00', '612200007623', { voltageA: 226.1, voltageB: 0, voltageC: 237.6 }],
  ['0202FF00', '001203341280FFFFFF', { currentA: 31.2, currentB: -1.234 }],
  ['02030000', '001087', { activePower: -7.1 }],
  ['02060000', '8009', { powerFactor: 0.98 }],
  ['02800002', '0050', { frequency: 50 }],
] as const)('DL/T 645: %s', (id, data, values) => {
  const bytes = Buffer.concat([Buffer.from(id, 'hex').reverse(), hex(data)])
  const [frame] = new dlt.Dlt645Decoder().push(dlt.buildDlt645('123456789012', 0x91, bytes))
  expect(frame && dlt.answerOf(frame)?.values).toEqual(values)
})

test('DL/T 645: more to come, and a refusal', () => {
  const decoder = new dlt.Dlt645Decoder()
  const [more] = decoder.push(dlt.buildDlt645('1', 0xb1, hex('0000010078563412')))
  expect(more && dlt.answerOf(more)).toMatchObject({ more: true, values: { totalEnergy: 123456.78 } })
  const [refused] = decoder.push(dlt.buildDlt645('1', 0xd1, hex('02')))
  expect(refused && dlt.answerOf(refused)).toMatchObject({ error: 2 })
})

const waterAnswer = (more: { unit?: number; state?: number } = {}) =>
  cjt.buildCjt188(
    0x10,
    '00000805000001',
    0x81,
    Buffer.concat([
      hex('1F9000 56341200'),
      Buffer.of(more.unit ?? 0x2c),
      hex('00301200 2C'),
      hex('30 45 12 21 11 26 20'),
      Buffer.of(more.state ?? 0, 0),
    ]),
  )
test('CJ/T 188: the check value and an answer', () => {
  expect(spaced(cjt.readWaterMeter('00000805000001'))).toBe('68 10 01 00 00 05 08 00 00 01 03 1F 90 00 39 16')
  const [frame] = new cjt.Cjt188Decoder().push(waterAnswer())
  expect(frame && cjt.answerOf(frame)).toEqual({
    address: '00000805000001',
    serial: 0,
    totalVolume: 1234.56,
    settledVolume: 1230,
    clock: Date.parse('2026-11-21T12:45:30+08:00'),
    valve: '0',
    batteryLow: false,
  })
})
test.each([
  [0, '0', false],
  [1, '1', false],
  [3, '3', false],
  [5, '1', true],
] as const)('CJ/T 188: state %i', (state, valve, batteryLow) => {
  const [frame] = new cjt.Cjt188Decoder().push(waterAnswer({ state }))
  expect(frame && cjt.answerOf(frame)).toMatchObject({ valve, batteryLow })
})
test('CJ/T 188: the data id as most meters write it is the same', () => {
  expect(spaced(cjt.readWaterMeter('00000805000001', 0, 'asWritten'))).toBe('68 10 01 00 00 05 08 00 00 01 03 90 1F 00 39 16')
  const [frame] = new cjt.Cjt188Decoder().push(
    cjt.buildCjt188(0x10, '805000001', 0x81, hex('901F07 56341200 2C 00301200 2C 30451221112620 00 00')),
  )
  expect(frame && cjt.answerOf(frame)).toMatchObject({ address: '00000805000001', serial: 7, totalVolume: 1234.56, settledVolume: 1230 })
})
test('CJ/T 188: litres are turned, an unknown unit is not guessed', () => {
  const read = (unit: number) => {
    const [frame] = new cjt.Cjt188Decoder().push(waterAnswer({ unit }))
    return frame && cjt.answerOf(frame)
  }
  expect(read(0x29)?.totalVolume).toBe(1.23456)
  expect(read(0x05)).toBeUndefined()
})

// ---- streams cut into arbitrary pieces
function pieces(stream: Buffer, cuts: number[]): Buffer[] {
  const places = [...new Set(cuts.map((c) => c % (stream.length + 1)))].sort((a, b) => a - b)
  return [0, ...places].map((from, i) => stream.subarray(from, places[i] ?? stream.length))
}
const cuts = fc.array(fc.nat(), { maxLength: 10 })
const words = fc.uint8Array({ minLength: 1, maxLength: 60 }).map((b) => Buffer.from([...b, ...b]))
const answers = fc.array(fc.record({ unit: fc.integer({ min: 1, max: 247 }), data: words, tx: fc.integer({ min: 0, max: 0xffff }) }), {
  minLength: 1,
  maxLength: 5,
})
const pduOf = (data: Buffer) => Buffer.concat([Buffer.of(3, data.length), data])

test('Modbus: however the stream is cut, the same answers come out', () => {
  fc.assert(
    fc.property(answers, cuts, (list, places) => {
      const rtu = new RtuDecoder()
      const overRtu = pieces(Buffer.concat(list.map((a) => rtuFrame(a.unit, pduOf(a.data)))), places).flatMap((p) => rtu.push(p))
      expect(overRtu.map((a) => [a.unit, a.data])).toEqual(list.map((a) => [a.unit, a.data]))
      const tcp = new TcpDecoder()
      const overTcp = pieces(Buffer.concat(list.map((a) => tcpFrame(a.tx, a.unit, pduOf(a.data)))), places).flatMap((p) => tcp.push(p))
      expect(overTcp.map((a) => [a.transaction, a.unit, a.data])).toEqual(list.map((a) => [a.tx, a.unit, a.data]))
      expect(rtu.bad + tcp.bad).toBe(0)
    }),
  )
})
test('meters: however the stream is cut, with preambles between, the same answers come out', () => {
  const item = fc.record({
    address: fc.stringMatching(/^\d{12}$/),
    data: fc.uint8Array({ maxLength: 40 }).map((b) => Buffer.from(b)),
    preamble: fc.integer({ min: 0, max: 4 }),
  })
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 5 }), cuts, (list, places) => {
      const electric = new dlt.Dlt645Decoder()
      const stream = Buffer.concat(
        list.map((i) => Buffer.concat([Buffer.alloc(i.preamble, 0xfe), dlt.buildDlt645(i.address, 0x91, i.data)])),
      )
      expect(
        pieces(stream, places)
          .flatMap((p) => electric.push(p))
          .map((f) => [f.address, f.data]),
      ).toEqual(list.map((i) => [i.address, i.data]))
      const water = new cjt.Cjt188Decoder()
      const other = Buffer.concat(
        list.map((i) => Buffer.concat([Buffer.alloc(i.preamble, 0xfe), cjt.buildCjt188(0x10, i.address, 0x81, i.data)])),
      )
      expect(
        pieces(other, places)
          .flatMap((p) => water.push(p))
          .map((f) => [f.address, f.data]),
      ).toEqual(list.map((i) => [i.address.padStart(14, '0'), i.data]))
    }),
  )
})
test('noise and a spoilt frame before a good one are passed over', () => {
  const good = dlt.readMeter('1', '00010000')
  const spoilt = Buffer.from(good)
  spoilt[12] = 0
  const decoder = new dlt.Dlt645Decoder()
  expect(decoder.push(Buffer.concat([hex('686816'), spoilt, good]))).toHaveLength(1)
  expect(decoder.bad).toBeGreaterThan(0)
  const rtu = new RtuDecoder()
  expect(rtu.push(Buffer.concat([hex('00ff01'), rtuFrame(1, pduOf(hex('1234')))]))).toHaveLength(1)
  expect(rtu.push(rtuFrame(1, hex('8302')))).toMatchObject([{ exception: 2, fn: 3 }])
})

test('gaps of eight registers are read over, longer ones and longer reads are not', () => {
  const at = (...addresses: number[]) =>
    planReads(addresses.map((address) => ({ metric: `m${address}`, address, type: 'u16' as const }))).map((r) => [r.address, r.count])
  expect(at(10, 19)).toEqual([[10, 10]])
  expect(at(10, 20)).toEqual([
    [10, 1],
    [20, 1],
  ])
  // A value within another does not shorten the read.
  const nested = planReads([
    { metric: 'a', address: 0, type: 'u32' },
    { metric: 'b', address: 0, type: 'u16' },
  ])
  expect(nested).toMatchObject([{ address: 0, count: 2 }])
  // If the device answers less than requested, nothing is decoded.
  const [read] = planReads([
    { metric: 'a', address: 5, type: 'u16' },
    { metric: 'b', address: 6, type: 'f32' },
  ])
  expect(valuesOf(read as never, hex('000142280000'))).toEqual({ a: 1, b: 42 })
  expect(valuesOf(read as never, hex('00017FC00000'))).toEqual({ a: 1 })
  expect(valuesOf(read as never, hex('0001422800'))).toEqual({})
})

const rtuOf = (text: string) => {
  const bytes = hex(text)
  return rtuFrame(bytes[0] ?? 0, bytes.subarray(1))
}
const rtuAnswers = (bytes: Buffer) => {
  const decoder = new RtuDecoder()
  return [decoder.push(bytes).map((a) => `${a.unit}/${a.fn}/${a.exception ?? a.data.toString('hex')}`), decoder.bad] as const
}
test.each<[string, string, string[]]>([
  ['coils', '01 01 01 05', ['1/1/05']],
  ['inputs', '01 02 01 05', ['1/2/05']],
  ['holding registers', '01 03 02 0102', ['1/3/0102']],
  ['input registers', '01 04 02 0102', ['1/4/0102']],
  ['no function', '01 00 02 0102', []],
  ['a function that writes', '01 05 02 0102', []],
  ['an exception', '01 84 02', ['1/4/2']],
  ['an exception of no function', '01 80 02', []],
  ['an exception of one that writes', '01 85 02', []],
  ['nothing answered', '01 03 00', []],
])('RTU: %s', (_name, text, expected) => {
  const [found, bad] = rtuAnswers(Buffer.concat([rtuOf(text), Buffer.from('ffffffffffff', 'hex')]))
  expect(found).toEqual(expected)
  expect(bad > 0).toBe(true)
})
test('RTU: as long as an answer may be, and byte by byte', () => {
  const full = (count: number) => rtuFrame(1, Buffer.concat([Buffer.of(3, count), Buffer.alloc(count, 7)]))
  expect(rtuAnswers(full(250))[0]).toHaveLength(1)
  expect(rtuAnswers(full(251))[0]).toEqual([])
  for (const frame of [full(2), rtuOf('01 83 02')]) {
    const decoder = new RtuDecoder()
    expect([...frame].flatMap((byte) => decoder.push(Buffer.of(byte)))).toHaveLength(1)
    expect(decoder.bad).toBe(0)
  }
  const decoder = new RtuDecoder()
  decoder.push(full(2).subarray(0, 4))
  decoder.reset()
  expect([decoder.push(full(2)).length, decoder.bad]).toEqual([1, 0])
})

const tcpAnswers = (bytes: Buffer) => {
  const decoder = new TcpDecoder()
  return [
    decoder.push(bytes).map((a) => `${a.transaction}/${a.unit}/${a.fn}/${a.exception ?? a.data.toString('hex')}`),
    decoder.bad,
  ] as const
}
test.each<[string, string, string[], number]>([
  ['an answer', '0007 0000 0005 01 03 02 0102', ['7/1/3/0102'], 0],
  ['coils', '0007 0000 0004 01 01 01 05', ['7/1/1/05'], 0],
  ['input registers', '0007 0000 0005 01 04 02 0102', ['7/1/4/0102'], 0],
  ['nothing answered', '0007 0000 0003 01 03 00', ['7/1/3/'], 0],
  ['an exception', '0007 0000 0003 01 83 02', ['7/1/3/2'], 0],
  ['an exception with more behind it', '0007 0000 0004 01 83 02 00', [], 10],
  ['no function', '0007 0000 0005 01 00 02 0102', [], 11],
  ['a function that writes', '0007 0000 0005 01 05 02 0102', [], 11],
  ['fewer bytes than it says', '0007 0000 0005 01 03 03 0102', [], 11],
  ['more bytes than it says', '0007 0000 0005 01 03 01 0102', [], 11],
  ['another protocol', '0007 0001 0005 01 03 02 0102', [], 11],
  ['too short to be one', '0007 0000 0002 01 03', [], 8],
])('Modbus over TCP: %s', (_name, text, expected, bad) => {
  // The next frame is complete again, however much was skipped.
  const next = '0009 0000 0005 01 03 02 0304'
  const [found] = tcpAnswers(hex(text + next))
  expect(found).toEqual([...expected, '9/1/3/0304'])
  expect(tcpAnswers(hex(text))[1] > 0).toBe(bad > 0)
})
test('Modbus over TCP: as long as an answer may be, byte by byte, and what never ends', () => {
  const full = (count: number) => tcpFrame(1, 1, Buffer.concat([Buffer.of(3, count), Buffer.alloc(count, 7)]))
  expect(tcpAnswers(full(251))[0]).toHaveLength(1)
  expect(tcpAnswers(full(252))[0]).toEqual([])
  const decoder = new TcpDecoder()
  expect([...full(2)].flatMap((byte) => decoder.push(Buffer.of(byte)))).toHaveLength(1)
  decoder.push(full(2).subarray(0, 8))
  decoder.reset()
  expect([decoder.push(full(2)).length, decoder.bad]).toEqual([1, 0])
})

test('DL/T 645: what follows a part, other kinds of answers, and what is none', () => {
  expect(spaced(dlt.readFollowing('1', '00010000', 0x102))).toBe('68 01 00 00 00 00 00 68 12 05 33 33 34 33 35 EA 16')
  const answer = (control: number, data: string) => {
    const [frame] = new dlt.Dlt645Decoder().push(dlt.buildDlt645('1', control, hex(data)))
    return frame && dlt.answerOf(frame)
  }
  expect([0x91, 0x92, 0xb1, 0xb2].map((c) => answer(c, '0000010078563412')?.more)).toEqual([false, false, true, true])
  expect([0xd1, 0xd2].map((c) => answer(c, '04'))).toEqual([
    { address: '000000000001', id: undefined, values: {}, more: false, error: 4 },
    { address: '000000000001', id: undefined, values: {}, more: false, error: 4 },
  ])
  expect(answer(0xd1, '')?.error).toBe(0)
  for (const control of [0x11, 0x12, 0x90, 0x93, 0xb0]) expect(answer(control, '0000010078563412')).toBeUndefined()
  expect(answer(0x91, '000001')).toBeUndefined()
  expect(answer(0x91, '00000100')).toMatchObject({ id: '00010000', values: {} })
  expect(answer(0x91, '0000010078563499')?.values).toEqual({ totalEnergy: 993456.78 })
  expect(answer(0x91, '00000100785634')?.values).toEqual({})
  expect(answer(0x91, '99999999 12')).toMatchObject({ id: '99999999', values: {} })
  // Unsigned items: the highest bit is part of the number.
  expect(answer(0x91, '00FF0102 0080 0100 0200')?.values).toEqual({ voltageA: 800, voltageB: 0.1, voltageC: 0.2 })
  expect(answer(0x91, '00FF0202 000080 010000 020080')?.values).toEqual({ currentA: -0, currentB: 0.001, currentC: -0.002 })
  expect(answer(0x91, '00000602 8089')?.values).toEqual({ powerFactor: -0.98 })
})

test('DL/T 645: as long as a frame may be, byte by byte, given up, and an address that is none', () => {
  const build = (length: number) => dlt.buildDlt645('1', 0x91, Buffer.alloc(length, 1))
  const found = (bytes: Buffer) => new dlt.Dlt645Decoder().push(bytes).length
  expect([found(build(0)), found(build(200)), found(build(201))]).toEqual([1, 1, 0])
  const decoder = new dlt.Dlt645Decoder()
  expect([...build(2)].flatMap((byte) => decoder.push(Buffer.of(byte)))).toHaveLength(1)
  decoder.push(build(8).subarray(0, 12))
  decoder.reset()
  expect([decoder.push(build(2)).length, decoder.bad]).toEqual([1, 0])
  const odd = Buffer.from(build(2))
  odd[1] = 0xaa
  odd[odd.length - 2] = odd.subarray(0, -2).reduce((sum, b) => (sum + b) & 0xff, 0)
  expect(found(odd)).toBe(0)
  const other = Buffer.from(build(2))
  other[7] = 0x69
  other[other.length - 2] = other.subarray(0, -2).reduce((sum, b) => (sum + b) & 0xff, 0)
  expect(found(other)).toBe(0)
})

test('what never becomes a frame is thrown away at 4 KiB', () => {
  const decoder = new dlt.Dlt645Decoder()
  decoder.push(Buffer.alloc(8_000, 0xfe))
  expect(decoder.bad).toBe(0)
  decoder.push(hex('68 01 00 00 00 00 00'))
  expect(decoder.push(dlt.readMeter('1', '00010000').subarray(7))).toHaveLength(1)
  const broken = Buffer.from(dlt.readMeter('1', '00010000'))
  broken[broken.length - 1] = 0
  const spoilt = new dlt.Dlt645Decoder()
  expect(spoilt.push(Buffer.concat([broken, dlt.readMeter('2', '00010000')]))).toMatchObject([{ address: '000000000002' }])
})

test('CJ/T 188: what is no answer to a read, and figures that are none', () => {
  const whole = hex('1F9000 56341200 2C 00301200 2C 30451221112620 00 00')
  const answer = (data: Buffer, control = 0x81) => {
    const [frame] = new cjt.Cjt188Decoder().push(cjt.buildCjt188(0x10, '1', control, data))
    return frame && cjt.answerOf(frame)
  }
  const at = (place: number, value: number) => {
    const data = Buffer.from(whole)
    data[place] = value
    return data
  }
  expect(answer(whole)).toMatchObject({ address: '00000000000001', totalVolume: 1234.56 })
  expect(answer(whole, 0x84)).toBeUndefined()
  expect(answer(whole.subarray(0, 21))).toBeUndefined()
  expect(answer(at(0, 0x1e))).toBeUndefined()
  expect(answer(at(1, 0x91))).toBeUndefined()
  expect(answer(at(2, 9))?.serial).toBe(9)
  expect(answer(at(3, 0xaa))).toBeUndefined()
  expect(answer(at(8, 0xaa))).toMatchObject({ totalVolume: 1234.56, settledVolume: undefined })
  expect(answer(at(12, 0x05))).toMatchObject({ totalVolume: 1234.56, settledVolume: undefined })
  expect(answer(at(13, 0xaa))).toMatchObject({ totalVolume: 1234.56, clock: undefined })
  expect(answer(at(17, 0x13))).toMatchObject({ clock: undefined })
  expect(answer(at(20, 2))).toMatchObject({ valve: undefined })
  expect(cjt.readWaterMeter('1', 0x105)[13]).toBe(5)
})

test('CJ/T 188: as long as a frame may be, byte by byte, given up, other types, and an address that is none', () => {
  const build = (length: number) => cjt.buildCjt188(0x19, '1', 0x81, Buffer.alloc(length, 1))
  const found = (bytes: Buffer) => new cjt.Cjt188Decoder().push(bytes)
  expect([found(build(0)).length, found(build(100)).length, found(build(101)).length]).toEqual([1, 1, 0])
  expect(found(build(1))[0]?.type).toBe(0x19)
  const decoder = new cjt.Cjt188Decoder()
  expect([...build(2)].flatMap((byte) => decoder.push(Buffer.of(byte)))).toHaveLength(1)
  decoder.push(build(8).subarray(0, 12))
  decoder.reset()
  expect([decoder.push(build(2)).length, decoder.bad]).toEqual([1, 0])
  const odd = Buffer.from(build(2))
  odd[2] = 0xaa
  odd[odd.length - 2] = odd.subarray(0, -2).reduce((sum, b) => (sum + b) & 0xff, 0)
  expect(found(odd)).toEqual([])
})

test('an echo of the question is passed over, whole or in pieces; without one the answer is read as ever', () => {
  const question = hex('010300000001840a')
  const answer = rtuFrame(1, pduOf(hex('1234')))
  for (const pieces of [
    [question, answer],
    [Buffer.concat([question, answer])],
    [question.subarray(0, 3), question.subarray(3), answer],
    [answer],
  ]) {
    const rtu = new RtuDecoder()
    rtu.asked(question)
    expect(pieces.flatMap((piece) => rtu.push(piece)).map((one) => one.fn)).toEqual([3])
  }
})
