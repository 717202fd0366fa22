import fc from 'fast-check'
import { expect, test } from 'vitest'
import { modbusCrc } from '../modbus-crc.ts'
import { crcText, standardCrc } from './crc.ts'
import { answerFlag, answerTo, type BadFrame, buildFrame, Hj212Decoder, type Hj212Frame, needsAnswer, parseSegment } from './frame.ts'

const check = 'QN=20160801085857223;ST=32;CN=1062;PW=100000;MN=010000A8900016F000169DC0;Flag=5;CP=&&RtdInterval=30&&'

function decode(chunks: Buffer[], options: ConstructorParameters<typeof Hj212Decoder>[0] = {}) {
  const bad: BadFrame[] = []
  const decoder = new Hj212Decoder({ ...options, onBad: (kind) => bad.push(kind) })
  const frames = chunks.flatMap((chunk) => decoder.push(chunk, 0))
  return { frames, bad, decoder }
}

const realtime = (pm10: number | string, more: Partial<Hj212Frame> = {}) =>
  buildFrame({
    qn: '20261121120000123',
    st: '39',
    cn: '2011',
    pw: '123456',
    mn: 'MN00000001',
    flag: 5,
    cp: `DataTime=20261121120000;a34002-Rtd=${pm10},a34002-Flag=N`,
    ...more,
  })

test('the check value of the standard', () => {
  expect(crcText(standardCrc(Buffer.from(check)))).toBe('1C80')
  expect(decode([Buffer.from(`##0101${check}1C80\r\n`)]).frames).toHaveLength(1)
  expect(decode([Buffer.from(`##0101${check}1c80\r\n`)]).frames).toHaveLength(1)
  expect(modbusCrc(Buffer.from(check))).not.toBe(0x1c80)
})

test('frames of all editions', () => {
  const fields = (text: string) => parseSegment(text)
  expect(fields('ST=39;CN=2011;PW=123456;MN=88888880000001;CP=&&DataTime=20261121120000;PM10-Rtd=80;&&')).toMatchObject({
    flag: 0,
    qn: '',
    pairs: [
      ['DataTime', '20261121120000'],
      ['PM10-Rtd', '80'],
    ],
  })
  expect(fields('QN=20261121120000001;ST=39;CN=2011;PW=a;MN=ABCDE;Flag=9;CP=&&a=1, b = 2 ;&&')).toMatchObject({
    flag: 9,
    pairs: [
      ['a', '1'],
      ['b', '2'],
    ],
  })
  expect(fields('QN=20261121120000001;ST=39;CN=2011;PW=a;MN=ABCDE;Flag=7;PNUM=3;PNO=2;CP=&&&&')).toMatchObject({
    pnum: 3,
    pno: 2,
    pairs: [],
  })
  expect(fields('QN=20261121120000001;ST=39;CN=3020;PW=a;MN=ABCDE;Flag=5;CP=&&Info=//停电;检修,明日//&&')?.pairs).toEqual([
    ['Info', '停电;检修,明日'],
  ])
  expect(fields('QN=20261121120000001;ST=39;CN=2011;PW=a;MN=ABCDE;Flag=9;CP=&&9F8E7D6C5B4A&&')?.pairs).toBeUndefined()
  for (const wrong of [
    'ST=39;CN=2011;PW=1;MN=ABCDE;CP=&&a=1&',
    'ST=39;CN=2011;PW=1;MN=ABCDE;CP=&&a=1&&b=2&&',
    'ST=39;CN=20;PW=1;MN=ABCDE;CP=&&&&',
    'ST=39;CN=2011;PW=1;MN=AB;CP=&&&&',
    'ST=39;CN=2011;CN=2012;PW=1;MN=ABCDE;CP=&&&&',
    'ST=39;CN=2011;PW=1;MN=ABCDE;Flag=x;CP=&&&&',
  ])
    expect(fields(wrong), wrong).toBeUndefined()
})

test('the flag of an answer keeps the version', () => {
  expect([5, 9, 7, 1, 0, 3].map(answerFlag)).toEqual([4, 8, 4, 0, 0, 0])
  const [frame] = decode([realtime(1)]).frames
  const answer = decode([answerTo(frame as Hj212Frame, '9014', 'standard')]).frames[0]
  expect(answer).toMatchObject({ qn: '20261121120000123', st: '91', cn: '9014', pw: '123456', mn: 'MN00000001', flag: 4, cp: '' })
})

test('however the bytes are cut, the same frames come out', () => {
  const stream = Buffer.concat([
    realtime(1),
    Buffer.from('noise##12'),
    realtime(2),
    Buffer.from('###'),
    realtime(3),
    Buffer.from(`##0101${check}FFFF\r\n`),
    realtime(4, { cp: 'DataTime=20261121120000;Info=//中文##0020//' }),
    Buffer.from(`##0101${check}1C80\n`),
    realtime(5),
  ])
  const whole = decode([stream])
  expect(whole.frames.map((f) => f.cp)).toHaveLength(6)
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: stream.length - 1 }), { maxLength: 60 }), (cuts) => {
      const at = [0, ...[...new Set(cuts)].sort((a, b) => a - b), stream.length]
      const parts = at.slice(1).map((end, i) => stream.subarray(at[i], end))
      const cut = decode(parts)
      expect(cut.frames).toEqual(whole.frames)
      expect(cut.bad).toEqual(whole.bad)
    }),
  )
})

test('a broken frame costs itself and nothing behind it', () => {
  const good = realtime(7)
  for (const broken of [
    Buffer.from('##0999QN=2026'),
    Buffer.from(`##0101${check}0000\r\n`),
    Buffer.from(`##0101${check}1C80xx`),
    Buffer.from(`##0050${check}1C80\r\n`),
    Buffer.from('##9999'),
    Buffer.from('##00x1'),
  ]) {
    const filler = Buffer.from('.'.repeat(1100))
    const { frames, bad } = decode([broken, good, filler])
    expect(
      frames.map((f) => f.cp),
      broken.toString('latin1', 0, 12),
    ).toEqual([decode([good]).frames[0]?.cp])
    expect(bad.length).toBeGreaterThan(0)
  }
})

test('nothing that arrives makes it throw, and garbage ends the connection', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 40 }), (chunks) => {
      expect(() => decode(chunks.map((c) => Buffer.from(c)))).not.toThrow()
    }),
  )
  expect(decode(Array.from({ length: 9 }, () => Buffer.from('##00xx'))).decoder.isHopeless).toBe(false)
  expect(decode(Array.from({ length: 10 }, () => Buffer.from('##00xx'))).decoder.isHopeless).toBe(true)
  expect(decode([Buffer.alloc(70_000, 0x41)]).decoder.isHopeless).toBe(true)
})

test('an unfinished frame is given up after ten seconds, and one behind it is found', () => {
  const bad: BadFrame[] = []
  const decoder = new Hj212Decoder({ onBad: (kind) => bad.push(kind) })
  decoder.push(Buffer.concat([Buffer.from('##0900QN='), realtime(1)]), 0)
  expect(decoder.expire(9_000)).toEqual([])
  expect(decoder.expire(10_001)).toHaveLength(1)
  expect(bad).toEqual(['timeout'])
})

test('the Modbus check only for devices that are set to it', () => {
  const frame = buildFrame({ qn: '', st: '39', cn: '2011', pw: '1', mn: 'MODBUS01', flag: 4, cp: 'DataTime=20261121120000' }, 'modbus')
  expect(decode([frame]).frames).toHaveLength(0)
  expect(decode([frame], { crcModeOf: (mn) => (mn === 'MODBUS01' ? 'modbus' : 'standard') }).frames).toHaveLength(1)
})

const sealed = (segment: string, tail = '\r\n', crc = crcText(standardCrc(Buffer.from(segment)))) =>
  Buffer.from(`##${String(Buffer.byteLength(segment)).padStart(4, '0')}${segment}${crc}${tail}`)
const filler = Buffer.from('.'.repeat(1100))

test.each<[string, Buffer, BadFrame[]]>([
  ['a letter in the length', Buffer.from('##01x1'), ['length']],
  ['a sign below the digits', Buffer.from('##01/1'), ['length']],
  ['a sign above the digits', Buffer.from('##01:1'), ['length']],
  ['longer than the standard allows', Buffer.from('##1025'), ['length']],
  ['shorter than any frame', Buffer.from('##0009'), ['length']],
  ['another check', sealed(check, '\r\n', 'FFFF'), ['crc']],
  ['no end', sealed(check, 'xx'), ['tail']],
  ['half an end', sealed(check, '\rx'), ['tail']],
  ['a right check over no structure', sealed('ABCDEFGHIJ'), ['structure']],
])('a broken frame is named: %s', (_name, bytes, bad) => {
  const out = decode([bytes, filler])
  expect([out.frames, out.bad]).toEqual([[], bad])
  expect(decode([bytes, sealed(check), filler]).frames).toHaveLength(1)
})

test('a bad frame is shown to whoever asks, up to 256 bytes', () => {
  const shown: number[] = []
  const decoder = new Hj212Decoder({ onBad: (_kind, bytes) => shown.push(bytes.length) })
  decoder.push(Buffer.concat([Buffer.from('##x'), filler]), 0)
  decoder.push(Buffer.from('##y'), 0)
  expect(shown).toEqual([256, 3])
})

test('byte by byte, at the longest and the shortest', () => {
  for (const frame of [sealed(check), sealed(check, '\n')]) {
    const out = decode([...frame].map((byte) => Buffer.of(byte)))
    expect([out.frames.length, out.bad, out.decoder.good]).toEqual([1, [], 1])
  }
  const long = check.replace('RtdInterval=30', `a=${'1'.repeat(1024 - check.length + 12)}`)
  expect(Buffer.byteLength(long)).toBe(1024)
  expect(decode([sealed(long)]).frames).toHaveLength(1)
  expect(decode([sealed(long.replace('a=1', 'a=11'))], { maxLength: 4096 }).frames).toHaveLength(1)
  // Two consecutive frames, the second cut after its carriage return.
  const two = Buffer.concat([sealed(check), sealed(check)])
  expect(decode([two.subarray(0, -1), two.subarray(-1)]).frames).toHaveLength(2)
})

test('noise in front costs nothing, and a lone # at its end may begin a frame', () => {
  const out = decode([Buffer.from('noise#'), sealed(check).subarray(1)])
  expect([out.frames.length, out.bad]).toEqual([1, []])
  expect(decode([Buffer.from('noise'), sealed(check).subarray(1)]).frames).toEqual([])
  expect(decode([Buffer.from('####'), sealed(check)]).frames).toHaveLength(1)
})

test('an unfinished frame is given up after its own ten seconds', () => {
  const begun = sealed(check).subarray(0, 20)
  const at = (now: number) => {
    const { decoder, bad } = decode([])
    decoder.push(begun, 5_000)
    decoder.push(Buffer.from('x'), 9_000)
    decoder.expire(now)
    return bad
  }
  expect([at(15_000), at(15_001)]).toEqual([[], ['timeout']])
  const { decoder, bad } = decode([Buffer.from('noise')])
  expect(decoder.expire(99_000)).toEqual([])
  expect(bad).toEqual([])
  // The time limit of a frame after a good one starts later.
  const second = decode([])
  second.decoder.push(Buffer.concat([sealed(check), begun]), 8_000)
  second.decoder.push(sealed(check).subarray(20), 9_000)
  second.decoder.push(begun, 12_000)
  second.decoder.expire(19_000)
  expect(second.bad).toEqual([])
})

test('64 KiB without a good frame is one byte more than 64 KiB', () => {
  const noise = (bytes: number) => decode([Buffer.alloc(bytes, 0x41)]).decoder.isHopeless
  expect([noise(64 * 1024), noise(64 * 1024 + 1)]).toEqual([false, true])
  const halves = decode([Buffer.concat([Buffer.alloc(40_000, 0x41), sealed(check)]), Buffer.alloc(40_000, 0x41)])
  expect(halves.decoder.isHopeless).toBe(false)
})

test('the check of a station is chosen by its MN, wherever it stands', () => {
  const requested: string[] = []
  const crcModeOf = (mn: string) => {
    requested.push(mn)
    return 'standard' as const
  }
  for (const segment of ['MN=ABCDE;ST=39;CN=2011;PW=1;CP=&&&&', 'ST=39; MN=ABCDE;CN=2011;PW=1;CP=&&&&', 'ST=39;CN=2011;PW=1;CP=&&&&'])
    decode([sealed(segment)], { crcModeOf })
  expect([...new Set(requested)]).toEqual(['ABCDE', ''])
  expect(modbusCrc(Buffer.from('123456789'))).toBe(0x4b37)
})

const segmentOf = (parts: Record<string, string | undefined>, cp = '') =>
  `${Object.entries({ QN: '20261121120000001', ST: '39', CN: '2011', PW: '1', MN: 'ABCDE', Flag: '5', ...parts })
    .flatMap(([k, v]) => (v === undefined ? [] : [`${k}=${v};`]))
    .join('')}CP=&&${cp}&&`

test.each<[string, Record<string, string | undefined>, boolean]>([
  ['as it is', {}, true],
  ['without QN', { QN: undefined }, true],
  ['a short QN of 2005', { QN: '20261121120000' }, true],
  ['a QN whose milliseconds have no leading zeros', { QN: '202611211422307' }, true],
  ['a QN too short', { QN: '2026112112000' }, false],
  ['a QN too long', { QN: '202611211200000000' }, false],
  ['letters in QN', { QN: 'abcdefghijklmn' }, false],
  ['something behind QN', { QN: '20261121120000001x' }, false],
  ['one digit of ST', { ST: '3' }, false],
  ['three of ST', { ST: '391' }, false],
  ['five of CN', { CN: '20111' }, false],
  ['a letter before CN', { CN: 'x2011' }, false],
  ['an MN of 40', { MN: 'M'.repeat(40) }, true],
  ['an MN of 41', { MN: 'M'.repeat(41) }, false],
  ['an MN of 4', { MN: 'MNMN' }, false],
  ['a sign in MN', { MN: 'ABC-DE' }, false],
  ['a password of 32', { PW: 'p'.repeat(32) }, true],
  ['a password of 33', { PW: 'p'.repeat(33) }, false],
  ['Flag 255', { Flag: '255' }, true],
  ['Flag 256', { Flag: '256' }, false],
  ['Flag of five digits', { Flag: '00005' }, false],
  ['Flag with a letter', { Flag: '5x' }, false],
  ['a letter before Flag', { Flag: 'x5' }, false],
])('the head of a segment: %s', (_name, parts, good) => {
  expect(parseSegment(segmentOf(parts)) !== undefined).toBe(good)
})

test('spaces about names and values of the head, packets, and what stands around a segment', () => {
  expect(parseSegment(segmentOf({ ST: ' 39 ', PNUM: '12', PNO: '3' }))).toMatchObject({ st: '39', pnum: 12, pno: 3 })
  expect(parseSegment(segmentOf({ PNUM: '12345', PNO: 'x' }))).toMatchObject({ pnum: 1, pno: 1 })
  expect(parseSegment(`noise ${segmentOf({})}`)).toBeUndefined()
  expect(parseSegment(`1${segmentOf({})}`)).toBeUndefined()
  expect(parseSegment(segmentOf({}).slice(0, -2))).toBeUndefined()
  expect(parseSegment(segmentOf({}).slice(0, -3))).toBeUndefined()
  expect(parseSegment(`${segmentOf({})} `)).toBeUndefined()
  expect(parseSegment('')).toBeUndefined()
})

test('items of a segment: empty ones are none, one without a name makes all of it unreadable, text keeps its signs', () => {
  const pairs = (cp: string) => parseSegment(segmentOf({}, cp))?.pairs
  expect(pairs(' a = 1 ;; b=2, ;')).toEqual([
    ['a', '1'],
    ['b', '2'],
  ])
  expect(pairs('=1')).toBeUndefined()
  expect(pairs('a')).toBeUndefined()
  expect(pairs('a=')).toEqual([['a', '']])
  expect(pairs('Info=//a;b,c//;x=1')).toEqual([
    ['Info', 'a;b,c'],
    ['x', '1'],
  ])
  expect(pairs('u=http://h/x')).toEqual([['u', 'http://h/x']])
  expect(pairs('u=a//b//')).toEqual([['u', 'a//b//']])
  expect(pairs('u=//b//a')).toEqual([['u', '//b//a']])
})

test('which frames want an answer, and what is left out of one that is built', () => {
  expect([0, 1, 4, 5, 9, 255].map(needsAnswer)).toEqual([false, true, false, true, true, true])
  const text = (flag: number | undefined, qn = '') =>
    buildFrame({ qn, st: '39', cn: '2011', pw: '1', mn: 'ABCDE', flag, cp: 'a=1' }).toString('latin1').slice(6, -6)
  expect(text(undefined)).toBe('ST=39;CN=2011;PW=1;MN=ABCDE;CP=&&a=1&&')
  expect(text(0, '20261121120000')).toBe('QN=20261121120000;ST=39;CN=2011;PW=1;MN=ABCDE;Flag=0;CP=&&a=1&&')
  expect(answerTo(parseSegment(segmentOf({})) as Hj212Frame, '9013', 'modbus')).not.toEqual(
    answerTo(parseSegment(segmentOf({})) as Hj212Frame, '9013', 'standard'),
  )
})

test('a whole frame without its line end is taken when the connection ends; a broken one is told of', () => {
  const frame = realtime(51)
  for (const cut of [1, 2]) {
    const { frames, bad, decoder } = decode([frame.subarray(0, frame.length - cut)])
    expect(frames).toEqual([])
    expect(decoder.finish(1).map((one) => one.cn)).toEqual(['2011'])
    expect(bad).toEqual([])
  }
  const { bad, decoder } = decode([frame.subarray(0, frame.length - 12)])
  expect(decoder.finish(1)).toEqual([])
  expect(bad).toEqual(['timeout'])
})
