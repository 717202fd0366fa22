import { expect, test } from 'vitest'
import { type BadFrame, buildFrame, Jt808Decoder } from './frame.ts'

const body = Buffer.from('0102037d', 'hex')
const whole = buildFrame({ id: 0x0200, phone: '13912345678', serial: 1, body })
const changed = (at: number, to: number): Buffer => {
  const copy = Buffer.from(whole)
  copy[at] = to
  return copy
}
function reported(bytes: Buffer) {
  const bad: { kind: BadFrame; hint: string; phone: string }[] = []
  const decoder = new Jt808Decoder({ onBad: (kind, _bytes, hint, phone) => bad.push({ kind, hint, phone }) })
  decoder.push(bytes, 0)
  decoder.expire(11_000)
  return bad[0]
}
/** Content between delimiters with a correct checksum, whatever its header says. */
function framed(hex: string): Buffer {
  const content = Buffer.from(hex, 'hex')
  return Buffer.concat([Buffer.of(0x7e), content, Buffer.of(content.reduce((sum, b) => sum ^ b, 0)), Buffer.of(0x7e)])
}

test.each<[string, Buffer, BadFrame, string]>([
  ['a changed byte', changed(14, 0x55), 'check', '异或应为'],
  ['a byte after 7D that is none', changed(whole.length - 3, 0x05), 'escape', '7D 之后只能是 01 或 02'],
  [
    'a body shorter than said',
    framed('0200000a0139123456780001aabb'),
    'length',
    '消息体声明 10 字节，按2013 版消息头（属性第 14 位为 0）实为 2 字节',
  ],
  ['a phone that is no number', framed('02000000013912345f780001'), 'structure', '不是 BCD 数字'],
  ['half a frame', whole.subarray(0, 10), 'timeout', '10 秒内没有收到帧尾'],
])('%s is explained', (_name, bytes, kind, hint) => {
  const first = reported(bytes)
  expect(first?.kind).toBe(kind)
  expect(first?.hint).toContain(hint)
})

test('a frame that fails its check is still told to be of the phone it names', () => {
  expect(reported(changed(14, 0x55))?.phone).toBe('13912345678')
})
