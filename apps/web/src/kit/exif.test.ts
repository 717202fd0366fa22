import { expect, test } from 'vitest'
import { exifSegment, uprightSegment, withSegment } from './exif.ts'

const bytes = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (two) => Number.parseInt(two, 16))
const hexOf = (body: Uint8Array) => [...body].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const text = (word: string) => [...word].map((letter) => letter.charCodeAt(0).toString(16).padStart(2, '0')).join('')

/** A real 1 x 1 JPEG as a canvas writes it: JFIF, tables, frame, scan. */
const drawn = bytes(
  'ffd8ffe000104a46494600010100000100010000ffdb004300080606070605080707070909080a0c140d0c0b0b0c1912130f141d1a1f1e1d1a1c1c20242e2720222c231c1c2837292c30313434341f27393d38323c2e333432ffc0000b080001000101011100ffc40014000100000000000000000000000000000009ffc40014100100000000000000000000000000000000ffda0008010100003f0054ffd9',
)
const little = (n: number, size: number) =>
  Array.from({ length: size }, (_, i) => ((n >> (8 * i)) & 255).toString(16).padStart(2, '0')).join('')
const big = (n: number, size: number) => n.toString(16).padStart(size * 2, '0')

/** A camera's block: orientation 6 and DateTimeOriginal, in either byte order, with a link to a preview. */
function camera(order: 'II' | 'MM'): Uint8Array {
  const number = order === 'II' ? little : big
  const entry = (tag: number, type: number, count: number, value: string) => number(tag, 2) + number(type, 2) + number(count, 4) + value
  const time = `${text('2026:11:02 08:12:30')}00`
  const exifAt = 8 + 2 + 2 * 12 + 4
  const short = (n: number) => `${number(n, 2)}0000`
  const first = number(2, 2) + entry(0x0112, 3, 1, short(6)) + entry(0x8769, 4, 1, number(exifAt, 4)) + number(999, 4)
  const exif = number(1, 2) + entry(0x9003, 2, 20, number(exifAt + 2 + 12 + 4, 4)) + number(0, 4) + time
  const tiff = text(order) + number(42, 2) + number(8, 4) + first + exif
  const block = `${text('Exif')}0000${tiff}`
  return bytes(`ffd8ffe1${big(block.length / 2 + 2, 2)}${block}${hexOf(drawn.subarray(2))}`)
}

test.each(['II', 'MM'] as const)('the block of a camera is found, turned upright and put in front, byte order %s', (order) => {
  const segment = exifSegment(camera(order))
  if (!segment) throw new Error('no block')
  const upright = uprightSegment(segment)
  const made = withSegment(drawn, upright)
  expect(hexOf(made.subarray(0, 4))).toBe('ffd8ffe1')
  expect(exifSegment(made)).toEqual(upright)
  expect(hexOf(made)).toContain(text('2026:11:02 08:12:30'))
  expect(hexOf(made.subarray(2 + upright.length))).toBe(hexOf(drawn.subarray(2)))
  // Orientation 6 became 1, the link to the preview is gone, nothing else differs.
  const differing = [...upright].flatMap((byte, i) => (byte === segment[i] ? [] : [i]))
  const view = new DataView(upright.buffer, 10)
  expect(view.getUint16(8 + 2 + 8, order === 'II')).toBe(1)
  expect(view.getUint32(8 + 2 + 24, order === 'II')).toBe(0)
  expect(differing.length).toBeLessThanOrEqual(3)
})

test('the original stays as it was', () => {
  const original = camera('MM')
  const before = hexOf(original)
  uprightSegment(exifSegment(original) ?? new Uint8Array())
  expect(hexOf(original)).toBe(before)
})

test.each([
  ['a drawn picture without a block', drawn],
  ['no JPEG', bytes('89504e470d0a1a0a')],
  ['nothing', new Uint8Array()],
  ['a length beyond the file', bytes('ffd8ffe1ffff4578696600004d4d')],
  ['a length of nothing', bytes('ffd8ffe100004578696600004d4d')],
  ['a broken marker', bytes('ffd800e1000c4578696600004d4d002a')],
])('%s has none', (_name, body) => {
  expect(exifSegment(body)).toBeUndefined()
})

test.each(['ffe1000a457869660000', 'ffe100144578696600004d4d002affffffff00000000', 'ffe100164578696600004d4d002a00000008ffff00000000'])(
  'a block that ends early is left alone: %s',
  (hex) => {
    expect(hexOf(uprightSegment(bytes(hex)))).toBe(hex)
  },
)
