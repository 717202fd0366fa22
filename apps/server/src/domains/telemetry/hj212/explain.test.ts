import { expect, test } from 'vitest'
import { toGbk } from '../jt808/gbk.ts'
import { modbusCrc } from '../modbus-crc.ts'
import { crcText, standardCrc } from './crc.ts'
import { type BadFrame, Hj212Decoder } from './frame.ts'

const segment = 'QN=20261121120000123;ST=39;CN=2011;PW=123456;MN=MN00000001;Flag=5;CP=&&DataTime=20261121120000;LA-Rtd=61&&'
function frameOf(text: string | Buffer, more: { length?: string; crc?: string; tail?: string } = {}): Buffer {
  const bytes = Buffer.isBuffer(text) ? text : Buffer.from(text)
  const length = more.length ?? String(bytes.length).padStart(4, '0')
  return Buffer.concat([
    Buffer.from(`##${length}`),
    bytes,
    Buffer.from(more.crc ?? crcText(standardCrc(bytes))),
    Buffer.from(more.tail ?? '\r\n'),
  ])
}
function reported(bytes: Buffer, options: ConstructorParameters<typeof Hj212Decoder>[0] = {}) {
  const bad: { kind: BadFrame; hint: string }[] = []
  const decoder = new Hj212Decoder({ ...options, onBad: (kind, _bytes, hint) => bad.push({ kind, hint }) })
  const frames = [...decoder.push(bytes, 0), ...decoder.expire(11_000)]
  return { frames, first: bad[0] }
}
const swapped = (text: string) => text.slice(2) + text.slice(0, 2)

test.each<[string, Buffer, BadFrame, string]>([
  ['the Modbus check', frameOf(segment, { crc: crcText(modbusCrc(Buffer.from(segment))) }), 'crc', '与Modbus CRC16相符'],
  [
    'the check low byte first',
    frameOf(segment, { crc: swapped(crcText(standardCrc(Buffer.from(segment)))) }),
    'crc',
    '与标准 CRC16，低字节在前相符',
  ],
  ['a changed byte', frameOf(segment.replace('61', '62'), { crc: crcText(standardCrc(Buffer.from(segment))) }), 'crc', '数据在途中被改动'],
  ['a length too short', frameOf(segment, { length: '0100' }), 'tail', `声明长度 0100，数据段实为 ${segment.length} 字节`],
  ['a length too long', frameOf(segment, { length: '0300' }), 'timeout', `声明长度 0300，数据段实为 ${segment.length} 字节`],
  [
    'characters counted instead of bytes',
    frameOf(segment.replace('LA-Rtd=61', 'Info=//传感器故障//'), { length: String([...segment].length + 5).padStart(4, '0') }),
    'tail',
    '按字节计',
  ],
  ['half a frame', frameOf(segment).subarray(0, 60), 'timeout', '10 秒内只收到 54 字节'],
  ['no length', Buffer.from('##QN=1;'), 'length', '4 位十进制长度'],
  ['a segment longer than allowed', Buffer.from(`##1500${segment}${' '.repeat(300)}`), 'length', '超过允许的 1024 字节'],
  ['no end of line', frameOf(segment, { tail: '##' }), 'tail', '回车换行'],
  ['no MN', frameOf(segment.replace('MN=MN00000001;', '')), 'structure', 'MN 应为'],
  ['no data area', frameOf(segment.replace('CP=&&', 'CP=')), 'structure', 'CP=&&'],
])('%s is explained', (_name, bytes, kind, hint) => {
  const { first } = reported(bytes)
  expect(first?.kind).toBe(kind)
  expect(first?.hint).toContain(hint)
})

test('a station set to the Modbus check hears when it sends the standard one', () => {
  expect(reported(frameOf(segment), { crcModeOf: () => 'modbus' }).first?.hint).toContain('与标准 CRC16（HJ 212）相符')
})

test('more than 1024 bytes only from a station that is allowed to, and never more than 4096', () => {
  const long = (n: number) => frameOf(segment.replace('LA-Rtd=61', `LA-Rtd=61;x-Rtd=${'1'.repeat(n)}`))
  const options = { maxLengthOf: (mn: string) => (mn === 'MN00000001' ? 4096 : undefined) }
  expect(reported(long(1_500)).frames).toHaveLength(0)
  expect(reported(long(1_500), options).frames).toHaveLength(1)
  expect(reported(Buffer.concat([long(1_500), frameOf(segment)]), options).frames).toHaveLength(2)
  expect(reported(long(4_100), options).frames).toHaveLength(0)
  // Cut off before its MN, a frame is awaited rather than judged.
  const decoder = new Hj212Decoder(options)
  expect(decoder.push(long(1_500).subarray(0, 30), 0)).toHaveLength(0)
  expect(decoder.push(long(1_500).subarray(30), 0)).toHaveLength(1)
})

test('texts in GBK are read as well as those in UTF-8', () => {
  const text = segment.replace('LA-Rtd=61', 'Info=//传感器故障//')
  for (const bytes of [Buffer.from(text), toGbk(text)])
    expect(reported(frameOf(bytes)).frames[0]?.pairs).toContainEqual(['Info', '传感器故障'])
})
