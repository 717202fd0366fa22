import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { evidenceOf, requireIntact } from './evidence.ts'

const now = Date.UTC(2026, 10, 29, 4)

interface Tag {
  tag: number
  type: 2 | 3 | 4 | 5
  /** Text, or pairs of numerator and denominator, or one integer. */
  value: string | number | readonly (readonly [number, number])[]
}
/** A TIFF directory at `offset`, its values behind it. */
function directory(tags: readonly Tag[], offset: number): Buffer {
  const head = Buffer.alloc(2 + tags.length * 12 + 4)
  head.writeUInt16BE(tags.length, 0)
  const values: Buffer[] = []
  let at = offset + head.length
  for (const [i, { tag, type, value }] of tags.entries()) {
    const entry = 2 + i * 12
    head.writeUInt16BE(tag, entry)
    head.writeUInt16BE(type, entry + 2)
    if (typeof value === 'number') {
      head.writeUInt32BE(1, entry + 4)
      head.writeUInt32BE(value, entry + 8)
      continue
    }
    const data = typeof value === 'string' ? Buffer.from(`${value}\0`, 'latin1') : Buffer.alloc(value.length * 8)
    if (typeof value !== 'string')
      for (const [n, [up, down]] of value.entries()) {
        data.writeUInt32BE(up, n * 8)
        data.writeUInt32BE(down, n * 8 + 4)
      }
    head.writeUInt32BE(typeof value === 'string' ? data.length : value.length, entry + 4)
    if (data.length <= 4) data.copy(head, entry + 8)
    else {
      head.writeUInt32BE(at, entry + 8)
      values.push(data)
      at += data.length
    }
  }
  return Buffer.concat([head, ...values])
}
const text = (tag: number, value: string): Tag => ({ tag, type: 2, value })
/** A JPEG whose EXIF block names a camera, a time and a position. */
function photograph({ time, offset, lat, lng }: { time: string; offset?: string; lat?: number; lng?: number }): Buffer {
  const degrees = (value: number) =>
    [
      [Math.floor(value), 1],
      [Math.floor((value % 1) * 60), 1],
      [Math.round((((value % 1) * 60) % 1) * 60 * 10_000), 10_000],
    ] as const
  const exif = [text(0x9003, time), ...(offset ? [text(0x9011, offset)] : [])]
  const first = (exifAt: number, gpsAt: number): Tag[] => [
    text(0x010f, 'HUAWEI'),
    text(0x0110, 'Mate 60'),
    { tag: 0x8769, type: 4, value: exifAt },
    ...(lat === undefined ? [] : [{ tag: 0x8825, type: 4, value: gpsAt } as const]),
  ]
  const exifAt = 8 + directory(first(0, 0), 8).length
  const exifDirectory = directory(exif, exifAt)
  const gpsAt = exifAt + exifDirectory.length
  const gps =
    lat === undefined || lng === undefined
      ? Buffer.alloc(0)
      : directory([text(1, 'N'), { tag: 2, type: 5, value: degrees(lat) }, text(3, 'E'), { tag: 4, type: 5, value: degrees(lng) }], gpsAt)
  const tiff = Buffer.concat([Buffer.from('4d4d002a00000008', 'hex'), directory(first(exifAt, gpsAt), 8), exifDirectory, gps])
  const block = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
  const size = Buffer.alloc(2)
  size.writeUInt16BE(block.length + 2)
  return Buffer.concat([Buffer.from('ffd8ffe1', 'hex'), size, block, Buffer.from('ffda0004010211ffd9', 'hex')])
}

test('time, position and device are read from the block of the camera', () => {
  const found = evidenceOf(photograph({ time: '2026:11:02 08:12:30', lat: 30.5, lng: 114.25 }), {}, now)
  expect(found).toMatchObject({ takenFrom: 'exif', device: 'HUAWEI Mate 60' })
  expect(found.takenAt?.toISOString()).toBe('2026-11-02T00:12:30.000Z')
  expect(found.lat).toBeCloseTo(30.5, 5)
  expect(found.lng).toBeCloseTo(114.25, 5)
})

test('the zone of the camera counts', () => {
  const { takenAt } = evidenceOf(photograph({ time: '2026:11:02 08:12:30', offset: '+00:00' }), {}, now)
  expect(takenAt?.toISOString()).toBe('2026-11-02T08:12:30.000Z')
})

test('the camera goes before what the device says; the device fills what the camera lacks', () => {
  const sent = { takenAt: String(Date.UTC(2026, 10, 28)), lng: '114.1', lat: '30.4' }
  expect(evidenceOf(photograph({ time: '2026:11:02 08:12:30' }), sent, now)).toMatchObject({ takenFrom: 'exif', lng: 114.1, lat: 30.4 })
  expect(evidenceOf(Buffer.from('no picture'), sent, now)).toMatchObject({
    takenFrom: 'device',
    takenAt: new Date(Date.UTC(2026, 10, 28)),
    lng: 114.1,
    device: null,
  })
})

test.each([
  ['a time to come', { takenAt: String(now + 3_600_000) }],
  ['a camera without a clock', { takenAt: String(Date.UTC(2000, 0, 1)) }],
  ['no number', { takenAt: 'yesterday' }],
  ['no fix', { lng: '0', lat: '0' }],
  ['no place on earth', { lng: '514', lat: '30' }],
  ['half a place', { lng: '114' }],
  ['an empty field', { lng: '', lat: '' }],
])('%s is left out', (_name, fields) => {
  expect(evidenceOf(Buffer.from('x'), fields, now)).toEqual({ takenAt: null, takenFrom: null, lng: null, lat: null, device: null })
})

test('a file damaged on its way is refused', () => {
  const hash = createHash('sha256').update('photo').digest('hex')
  expect(() => requireIntact(undefined, hash)).not.toThrow()
  expect(() => requireIntact(hash.toUpperCase(), hash)).not.toThrow()
  expect(() =>
    requireIntact(
      hash.replace(/^./, (c) => (c === '0' ? '1' : '0')),
      hash,
    ),
  ).toThrow('传输中损坏')
})
