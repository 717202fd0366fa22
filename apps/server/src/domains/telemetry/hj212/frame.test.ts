import fc from 'fast-check'
import { expect, test } from 'vitest'
import { crcText, modbusCrc, standardCrc } from './crc.ts'
import { answerFlag, answerTo, type BadFrame, buildFrame, Hj212Decoder, type Hj212Frame, parseSegment } from './frame.ts'

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
