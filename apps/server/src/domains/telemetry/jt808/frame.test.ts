import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Assembler, AssemblyRoom } from './assembler.ts'
import * as body from './bodies.ts'
import { buildFrame, buildMessage, framesOf, Jt808Decoder, type Jt808Frame, plainPhone, readFrame } from './frame.ts'
import { toGbk, trimmedGbk } from './gbk.ts'

const packet: Jt808Frame = {
  id: 0x0801,
  phone: '139',
  serial: 0,
  is2019: false,
  protocolVersion: 0,
  encryption: 0,
  part: undefined,
  body: Buffer.alloc(0),
}
const decode = (chunks: Buffer[]) => {
  const bad: string[] = []
  const decoder = new Jt808Decoder({ onBad: (kind) => bad.push(kind) })
  return { frames: chunks.flatMap((c) => decoder.push(c, 0)), bad, decoder }
}
const heartbeat = buildFrame({ id: 2, phone: '13912345678', serial: 7, body: Buffer.alloc(0) })

test('a frame written by hand', () => {
  // Heartbeat of 013912345678, serial 5: the checksum is the XOR of all preceding bytes.
  const content = Buffer.from('000200000139123456780005', 'hex')
  const check = content.reduce((sum, b) => sum ^ b, 0)
  const { frames } = decode([Buffer.from([0x7e, ...content, check, 0x7e])])
  expect(frames).toEqual([
    {
      id: 2,
      phone: '13912345678',
      serial: 5,
      is2019: false,
      protocolVersion: 0,
      encryption: 0,
      part: undefined,
      body: Buffer.alloc(0),
    },
  ])
  expect(buildFrame({ id: 2, phone: '13912345678', serial: 5, body: Buffer.alloc(0) })).toEqual(
    Buffer.from([0x7e, ...content, check, 0x7e]),
  )
})

test('escapes, the header of 2019, encryption and packages', () => {
  const whole = buildFrame({
    id: 0x0200,
    phone: '13912345678',
    serial: 0x7e7d,
    body: Buffer.from([0x7e, 0x7d, 0x30, 0x7d, 0x02]),
    is2019: true,
    protocolVersion: 1,
    part: { total: 3, index: 2 },
  })
  expect(whole.subarray(1, -1).includes(0x7e)).toBe(false)
  const [frame] = decode([whole]).frames
  expect(frame).toMatchObject({ phone: '13912345678', serial: 0x7e7d, is2019: true, protocolVersion: 1, part: { total: 3, index: 2 } })
  expect(frame?.body).toEqual(Buffer.from([0x7e, 0x7d, 0x30, 0x7d, 0x02]))
  expect(plainPhone('000013912345678')).toBe('13912345678')
  expect(plainPhone('000')).toBe('0')
})

test('frames share a delimiter, empty ones are skipped, what stands between is one bad frame', () => {
  const inner = heartbeat.subarray(1)
  expect(decode([Buffer.concat([heartbeat, inner, inner])]).frames).toHaveLength(3)
  expect(decode([Buffer.concat([Buffer.from([0x7e, 0x7e, 0x7e]), heartbeat, heartbeat])])).toMatchObject({ bad: [] })
  const { frames, bad } = decode([Buffer.concat([Buffer.from('noise'), heartbeat, Buffer.from('more noise'), heartbeat])])
  expect(frames).toHaveLength(2)
  expect(bad).toEqual(['length'])
})

test.each([
  ['escape', (b: Buffer) => Buffer.concat([b.subarray(0, 3), Buffer.from([0x7d, 0x05]), b.subarray(3)])],
  ['check', (b: Buffer) => Buffer.concat([b.subarray(0, -2), Buffer.from([(b.at(-2) ?? 0) ^ 1, 0x7e])])],
  ['length', (b: Buffer) => Buffer.concat([b.subarray(0, 5), b.subarray(-2)])],
] as const)('a bad frame is named: %s', (kind, spoil) => {
  expect(decode([spoil(heartbeat)]).bad).toEqual([kind])
})

test('the length must match exactly and the phone be digits', () => {
  const build = (content: Buffer) => Buffer.from([...content, content.reduce((sum, b) => sum ^ b, 0)])
  expect(readFrame(build(Buffer.from('000200010139123456780005', 'hex')))).toBe('length')
  expect(readFrame(build(Buffer.from('00020000013912345a780005', 'hex')))).toBe('structure')
  expect(readFrame(build(Buffer.from('00022000013912345678000500030004', 'hex')))).toBe('structure')
})

test('ten bad frames, or 64 KiB of nothing, end it; an unfinished frame is given up', () => {
  const bad = Buffer.from([0x7e, ...Buffer.alloc(20, 1), 0x7e])
  const ten = decode(Array.from({ length: 10 }, () => bad))
  expect(ten.decoder.isHopeless).toBe(true)
  expect(decode([Buffer.alloc(65 * 1024, 1)]).decoder.isHopeless).toBe(true)
  const { decoder } = decode([heartbeat.subarray(0, 8)])
  decoder.expire(5_000)
  decoder.push(Buffer.alloc(0), 5_000)
  decoder.expire(10_001)
  expect(decoder.push(heartbeat, 10_002)).toHaveLength(1)
})

const anyFrame = fc.record({
  id: fc.integer({ min: 0, max: 0xffff }),
  phone: fc.stringMatching(/^[1-9]\d{10}$/),
  serial: fc.integer({ min: 0, max: 0xffff }),
  is2019: fc.boolean(),
  body: fc.uint8Array({ maxLength: 200 }).map((b) => Buffer.from(b)),
})

test('however a stream is cut, the same frames come out', () => {
  fc.assert(
    fc.property(fc.array(anyFrame, { minLength: 1, maxLength: 6 }), fc.array(fc.nat(), { maxLength: 12 }), (list, cuts) => {
      const stream = Buffer.concat(list.map((f) => buildFrame(f)))
      const places = [...new Set(cuts.map((c) => c % (stream.length + 1)))].sort((a, b) => a - b)
      const chunks = [0, ...places].map((from, i) => stream.subarray(from, places[i] ?? stream.length))
      const { frames, bad } = decode(chunks)
      expect(bad).toEqual([])
      expect(frames.map((f) => ({ id: f.id, phone: f.phone, serial: f.serial, is2019: f.is2019, body: f.body }))).toEqual(list)
      expect(framesOf(stream, undefined)).toEqual(frames)
    }),
  )
})

test('long messages are cut into packages and gathered in any order', () => {
  const long = Buffer.from(Array.from({ length: 5_000 }, (_, i) => i & 0xff))
  const packages = buildMessage({ id: 0x0801, phone: '139', serial: 65_534, body: long }).flatMap((b) => decode([b]).frames)
  expect(packages.map((p) => [p.serial, p.part?.index])).toEqual([
    [65_534, 1],
    [65_535, 2],
    [0, 3],
    [1, 4],
    [2, 5],
  ])
  const assembler = new Assembler()
  const order = [4, 1, 1, 0, 3]
  for (const [i, n] of order.entries()) expect(assembler.take(packages[n] as Jt808Frame, i)).toBe(i === 2 ? 'repeated' : 'more')
  const whole = assembler.take(packages[2] as Jt808Frame, 9)
  expect(typeof whole === 'object' && whole.whole.body).toEqual(long)
  expect(assembler.heldBytes).toBe(0)
})

test('missing packages are asked for three times, then given up', () => {
  const packages = buildMessage({ id: 0x0801, phone: '139', serial: 100, body: Buffer.alloc(4_000) }).flatMap((b) => decode([b]).frames)
  const assembler = new Assembler()
  assembler.take(packages[1] as Jt808Frame, 0)
  assembler.take(packages[3] as Jt808Frame, 1_000)
  expect(assembler.overdue(60_999)).toEqual([])
  for (const at of [61_000, 121_000, 181_000]) {
    expect(assembler.overdue(at)).toEqual([{ id: 0x0801, total: 4, givenUp: false, firstSerial: 100, indexes: [1, 3], is2019: false }])
  }
  // The final report, after which the message is given up.
  expect(assembler.overdue(241_000)).toMatchObject([{ givenUp: true, indexes: [1, 3] }])
  expect(assembler.overdue(301_000)).toEqual([])
  expect(assembler.size).toBe(0)
})

test('all terminals together hold no more than there is room for, and give back what they held', () => {
  const room = new AssemblyRoom(3_000)
  const part = (serial: number, index: number, body: number): Jt808Frame => ({
    ...packet,
    serial,
    part: { total: 5, index },
    body: Buffer.alloc(body),
  })
  const [one, other] = [new Assembler(room), new Assembler(room)]
  expect(one.take(part(1, 1, 1_000), 0)).toBe('more')
  expect(one.take(part(2, 2, 1_000), 0)).toBe('more')
  expect(other.take(part(1, 1, 1_000), 0)).toBe('refused')
  expect(room.held).toBe(2_200)
  one.clear()
  expect(room.held).toBe(0)
  expect(other.take(part(1, 1, 1_000), 0)).toBe('more')
  expect([one.size, other.size]).toEqual([0, 1])
})

test('messages begun without a byte are as few as others', () => {
  const assembler = new Assembler()
  for (let i = 0; i < 500; i++) assembler.take({ ...packet, serial: i * 10, part: { total: 5, index: 1 }, body: Buffer.alloc(0) }, 0)
  expect(assembler.size).toBeLessThanOrEqual(16)
})

test('too many packages are refused, too much memory drops the oldest', () => {
  const assembler = new Assembler()
  const frame = (serial: number, total: number, index: number): Jt808Frame => ({
    id: 0x0801,
    phone: '1',
    serial,
    is2019: false,
    protocolVersion: 0,
    encryption: 0,
    part: { total, index },
    body: Buffer.alloc(1023),
  })
  expect(assembler.take(frame(1, 1_001, 1), 0)).toBe('refused')
  for (let message = 0; message < 10; message++)
    for (let i = 1; i <= 900; i++) assembler.take(frame((message * 2_000 + i) & 0xffff, 1_000, i), 0)
  expect(assembler.heldBytes).toBeLessThanOrEqual(4 * 1024 * 1024)
})

test('registrations of the three editions', () => {
  const text = (value: string, length: number) => Buffer.concat([toGbk(value), Buffer.alloc(length)]).subarray(0, length)
  const head = Buffer.from('002a0102', 'hex')
  const old = Buffer.concat([head, text('MAKER', 5), text('MODEL', 8), text('T1', 7), Buffer.of(2), toGbk('鄂A1')])
  expect(body.readRegistration(old, false)).toMatchObject({ edition: '2011', model: 'MODEL', terminalId: 'T1', plate: '鄂A1' })
  const middle = Buffer.concat([head, text('MAKER', 5), text('MODEL', 20), text('T123456', 7), Buffer.of(2), toGbk('鄂A12345')])
  expect(body.readRegistration(middle, false)).toMatchObject({ edition: '2013', terminalId: 'T123456', color: 2, plate: '鄂A12345' })
  const late = Buffer.concat([head, text('MAKER', 11), text('MODEL', 30), text('T123456', 30), Buffer.of(2), toGbk('鄂A12345')])
  expect(body.readRegistration(late, true)).toMatchObject({ edition: '2019', province: 42, plate: '鄂A12345' })
  expect(body.readRegistration(Buffer.alloc(10), true)).toBeUndefined()
  expect(trimmedGbk(Buffer.concat([Buffer.alloc(2), toGbk('筑工'), Buffer.alloc(3)]))).toBe('筑工')
})

test('authentication: the bare code of 2013, the lengths of 2019', () => {
  expect(body.readAuthentication(Buffer.from('abc123'), false)).toEqual({ code: 'abc123' })
  const late = Buffer.concat([Buffer.of(3), Buffer.from('abc'), Buffer.from('123456789012345'), Buffer.alloc(20)])
  expect(body.readAuthentication(late, true)).toMatchObject({ code: 'abc', imei: '123456789012345' })
  expect(body.readAuthentication(Buffer.of(9, 1), true)).toBeUndefined()
})

const position = (more: { status?: number; lat?: number; time?: string; items?: string } = {}) => {
  const b = Buffer.alloc(28)
  b.writeUInt32BE(0x101, 0)
  b.writeUInt32BE(more.status ?? 0x303, 4)
  b.writeUInt32BE(more.lat ?? 30_592_812, 8)
  b.writeUInt32BE(114_305_392, 12)
  b.writeUInt16BE(23, 16)
  b.writeUInt16BE(425, 18)
  b.writeUInt16BE(180, 20)
  b.write(more.time ?? '261121120000', 22, 'hex')
  return Buffer.concat([b, Buffer.from(more.items ?? '', 'hex')])
}

test('positions with their items', () => {
  const read = body.readLocation(position({ items: '0104000007d0' + '300119' + '3001aa' + 'e10201ff' + '31ff01' }))
  expect(read).toMatchObject({
    positioned: true,
    latitude: 30.592812,
    longitude: 114.305392,
    altitude: 23,
    speed: 42.5,
    direction: 180,
    time: Date.parse('2026-11-21T12:00:00+08:00'),
    cut: true,
  })
  expect(read?.items.map((i) => i.id)).toEqual([1, 0x30, 0x30, 0xe1])
  expect(body.readLocation(position({ status: 0x0e }))).toMatchObject({ latitude: -30.592812, longitude: -114.305392 })
  expect(body.readLocation(position({ time: '260231120000' }))?.time).toBeUndefined()
  expect(body.readLocation(position({ time: '26112112000a' }))?.time).toBeUndefined()
  expect(body.readLocation(Buffer.alloc(27))).toBeUndefined()
})

test('batches must fit exactly', () => {
  const one = position()
  const item = Buffer.concat([Buffer.from([0, one.length]), one])
  expect(body.readBatch(Buffer.concat([Buffer.from([0, 2, 1]), item, item]))).toMatchObject({ refill: true, locations: [one, one] })
  expect(body.readBatch(Buffer.concat([Buffer.from([0, 2, 1]), item]))).toBeUndefined()
  expect(body.readBatch(Buffer.concat([Buffer.from([0, 1, 0]), item, Buffer.of(1)]))).toBeUndefined()
})

test('answers downwards', () => {
  expect(body.generalAnswer(0x0102, 0x0200, 0).toString('hex')).toBe('0102020000')
  expect(body.registerAnswer(5, 0, 'abc').toString('hex')).toBe('000500616263')
  expect(body.registerAnswer(5, 3, 'abc').toString('hex')).toBe('000503')
  expect(body.resendRequest(100, [1, 3], false).toString('hex')).toBe('00640200010003')
  expect(body.resendRequest(100, [1, 3], true).toString('hex')).toBe('0064000200010003')
  expect(body.textMessage(12, '停车', false)).toEqual(Buffer.concat([Buffer.of(12), toGbk('停车')]))
})

test('a bad frame between good ones ends nothing; what has been good counts', () => {
  const bad = Buffer.from([0x7e, ...Buffer.alloc(20, 1), 0x7e])
  const nine = Buffer.concat(Array.from({ length: 9 }, () => bad))
  const { decoder, frames } = decode([nine, heartbeat, nine])
  expect([frames.length, decoder.good, decoder.isHopeless]).toEqual([1, 1, false])
  expect(decode([nine, bad, heartbeat])).toMatchObject({ frames: [], decoder: { good: 0, isHopeless: true } })
})

test('64 KiB without a good frame is one byte more than 64 KiB', () => {
  const noise = (bytes: number) => decode([Buffer.alloc(bytes, 1)]).decoder.isHopeless
  expect([noise(64 * 1024), noise(64 * 1024 + 1)]).toEqual([false, true])
  // A good frame restarts the count, including the bytes after it.
  const halves = decode([Buffer.concat([Buffer.alloc(40_000, 1), heartbeat]), Buffer.alloc(40_000, 1)])
  expect(halves.decoder.isHopeless).toBe(false)
  const tail = decode([Buffer.concat([heartbeat, Buffer.alloc(64 * 1024, 1)]), Buffer.of(1)])
  expect(tail.decoder.isHopeless).toBe(true)
})

test('an unfinished frame is told when it is given up, once', () => {
  const { decoder, bad } = decode([heartbeat.subarray(0, 8)])
  decoder.expire(10_000)
  expect(bad).toEqual([])
  decoder.expire(10_001)
  decoder.expire(30_000)
  expect(bad).toEqual(['timeout'])
  // Its end is not the start of a frame.
  expect(decoder.push(heartbeat.subarray(8, -1), 30_000)).toEqual([])
  expect(decoder.push(heartbeat.subarray(-1), 30_000)).toEqual([])
  expect(bad).toEqual(['timeout'])
})

test('a frame longer than any may be is given up where it is too long', () => {
  const longest = (21 + 1023 + 1) * 2
  const { bad } = decode([Buffer.of(0x7e), Buffer.alloc(longest, 1)])
  expect(bad).toEqual([])
  const over = decode([Buffer.of(0x7e), Buffer.alloc(longest + 1, 1), heartbeat])
  expect(over.bad).toEqual(['length'])
  expect(over.frames).toHaveLength(1)
})

test('the longest body is one frame, one byte more is two; phones keep their inner zeros', () => {
  const message = (bytes: number) => buildMessage({ id: 1, phone: '10013', serial: 9, body: Buffer.alloc(bytes, 5) })
  const [whole, ...none] = message(1023).flatMap((b) => decode([b]).frames)
  expect([none.length, whole?.part, whole?.phone]).toEqual([0, undefined, '10013'])
  expect(message(1024).flatMap((b) => decode([b]).frames.map((f) => [f.part, f.body.length, f.serial]))).toEqual([
    [{ total: 2, index: 1 }, 1023, 9],
    [{ total: 2, index: 2 }, 1, 10],
  ])
  // The header holds a limited number of digits: the last ones are kept.
  expect(decode([buildFrame({ id: 1, phone: '99913912345678', serial: 1, body: Buffer.alloc(0) })]).frames[0]?.phone).toBe('913912345678')
  expect(
    decode([buildFrame({ id: 1, phone: '1', serial: 1, body: Buffer.alloc(0), is2019: true, protocolVersion: 3 })]).frames[0],
  ).toMatchObject({
    protocolVersion: 3,
  })
  expect(decode([buildFrame({ id: 1, phone: '1', serial: 1, body: Buffer.alloc(0), is2019: true })]).frames[0]?.protocolVersion).toBe(1)
})

test('a phone that fills its header keeps its zeros', () => {
  const phones = ['910012345678', '000100', '0'].map(
    (phone) => decode([buildFrame({ id: 1, phone, serial: 1, body: Buffer.alloc(0) })]).frames[0]?.phone,
  )
  expect(phones).toEqual(['910012345678', '100', '0'])
})

test('a package has a number from 1 to the total', () => {
  const part = (total: number, index: number) =>
    decode([buildFrame({ id: 1, phone: '1', serial: 1, body: Buffer.of(1), part: { total, index } })])
  expect(part(2, 2).frames).toHaveLength(1)
  expect([part(2, 3).bad, part(2, 0).bad]).toEqual([['structure'], ['structure']])
})

test('bad frames of a datagram are told to whoever asks', () => {
  const bad: string[] = []
  expect(framesOf(Buffer.from([0x7e, ...Buffer.alloc(20, 1), 0x7e]), (kind) => bad.push(kind))).toEqual([])
  expect(bad).toEqual(['length'])
})

test('gathering: a message in one piece, another total under the same serial, other terminals, too large', () => {
  const assembler = new Assembler()
  const frame = (more: Partial<Jt808Frame>): Jt808Frame => ({
    id: 0x0801,
    phone: '1',
    serial: 10,
    is2019: false,
    protocolVersion: 0,
    encryption: 0,
    part: undefined,
    body: Buffer.alloc(10),
    ...more,
  })
  const single = frame({})
  expect(assembler.take(single, 0)).toEqual({ whole: single })
  expect(assembler.take(frame({ part: { total: 1000, index: 1 } }), 0)).toBe('more')
  expect(assembler.take(frame({ part: { total: 3, index: 1 } }), 0)).toBe('more')
  expect([assembler.size, assembler.heldBytes]).toEqual([1, 10])
  expect(assembler.take(frame({ phone: '2', part: { total: 3, index: 1 } }), 0)).toBe('more')
  expect(assembler.take(frame({ id: 0x0900, part: { total: 3, index: 1 } }), 0)).toBe('more')
  expect([assembler.size, assembler.heldBytes]).toEqual([3, 30])
  const large = Buffer.alloc(2 * 1024 * 1024)
  const huge = new Assembler()
  expect(huge.take(frame({ part: { total: 4, index: 1 }, body: large }), 0)).toBe('more')
  expect(huge.take(frame({ serial: 11, part: { total: 4, index: 2 }, body: large }), 0)).toBe('more')
  expect(huge.heldBytes).toBe(4 * 1024 * 1024)
  expect(huge.take(frame({ serial: 12, part: { total: 4, index: 3 }, body: Buffer.of(1) }), 0)).toBe('refused')
  expect([huge.size, huge.heldBytes]).toEqual([0, 0])
  // Of several messages the oldest is dropped, never the one receiving a package.
  const several = new Assembler()
  several.take(frame({ phone: 'old', part: { total: 4, index: 1 }, body: large }), 0)
  several.take(frame({ phone: 'young', part: { total: 4, index: 1 }, body: large }), 1)
  several.take(frame({ phone: 'old', serial: 11, part: { total: 4, index: 2 }, body: Buffer.of(1) }), 2)
  expect([several.size, several.heldBytes]).toEqual([1, 2 * 1024 * 1024 + 1])
})
