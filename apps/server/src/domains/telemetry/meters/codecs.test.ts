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
test('CJ/T 188: litres are turned, an unknown unit is not guessed', () => {
  const read = (unit: number) => {
    const [frame] = new cjt.Cjt188Decoder().push(waterAnswer({ unit }))
    return frame && cjt.answerOf(frame)
  }
  expect(read(0x29)?.totalVolume).toBe(1.23456)
  expect(read(0x05)).toBeUndefined()
})

// ---- however a stream is cut
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
