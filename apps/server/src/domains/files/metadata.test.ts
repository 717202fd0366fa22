import { getImage, uploadFile } from '@zhugong/contract/files/endpoints'
import { expect, inject, test } from 'vitest'
import { openCity, settleCity } from '../../../test/city.ts'
import { withoutMetadata } from './metadata.ts'

/** Texts of a camera's metadata, none of which may remain. */
const place = 'GPS 31.0000N 115.0000E'
const words = [place, 'xpacket', 'Photoshop 3.0', 'somebody’s comment', 'Serial 12345', 'GPSLatitude']

const segment = (marker: number, data: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}
/** EXIF with an orientation, the maker's text and a position. */
function exif(orientation: number, little = false): Buffer {
  const tiff = Buffer.alloc(26)
  const [u16, u32] = little
    ? [(v: number, at: number) => tiff.writeUInt16LE(v, at), (v: number, at: number) => tiff.writeUInt32LE(v, at)]
    : [(v: number, at: number) => tiff.writeUInt16BE(v, at), (v: number, at: number) => tiff.writeUInt32BE(v, at)]
  tiff.write(little ? 'II' : 'MM', 0, 'latin1')
  u16(42, 2)
  u32(8, 4)
  u16(1, 8)
  u16(0x0112, 10)
  u16(3, 12)
  u32(1, 14)
  u16(orientation, 18)
  return Buffer.concat([tiff, Buffer.from(`${place} Serial 12345 GPSLatitude`)])
}
const scan = Buffer.from([0xff, 0xda, 0, 4, 1, 2, 0x11, 0xff, 0, 0x22, 0xff, 0xd0, 0x33, 0xff, 0xd9])
const jpeg = (orientation: number, little = false) =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif(orientation, little)])),
    segment(0xe1, Buffer.from('http://ns.adobe.com/xap/1.0/\0<?xpacket begin?>')),
    segment(0xed, Buffer.from('Photoshop 3.0\0 8BIM')),
    segment(0xe2, Buffer.from('ICC_PROFILE\0 colours')),
    segment(0xfe, Buffer.from('somebody’s comment')),
    segment(0xdb, Buffer.from([0, 1, 2, 3])),
    scan,
    // A second picture after the first, as phones write it.
    Buffer.from([0xff, 0xd8]),
    segment(0xe1, Buffer.from(`Exif\0\0${place}`, 'latin1')),
  ])
const pngChunk = (kind: string, data: string) => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(Buffer.byteLength(data), 0)
  head.write(kind, 4, 'latin1')
  return Buffer.concat([head, Buffer.from(data), Buffer.alloc(4)])
}
const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a', 'hex'),
  pngChunk('IHDR', '0123456789abc'),
  pngChunk('tEXt', `Comment\0${place}`),
  pngChunk('iTXt', 'XML:com.adobe.xmp\0 xpacket'),
  pngChunk('eXIf', `MM ${place}`),
  pngChunk('IDAT', 'pixels'),
  pngChunk('IEND', ''),
  Buffer.from(place),
])
const webpChunk = (kind: string, data: Buffer) => {
  const head = Buffer.alloc(8)
  head.write(kind, 0, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}
function webp(orientation: number): Buffer {
  const chunks = Buffer.concat([
    webpChunk('VP8X', Buffer.from([0x0c, 0, 0, 0, 1, 0, 0, 1, 0, 0])),
    webpChunk('VP8 ', Buffer.from('pixels!')),
    webpChunk('EXIF', exif(orientation)),
    webpChunk('XMP ', Buffer.from('<?xpacket begin?>')),
  ])
  const head = Buffer.from('RIFF0000WEBP', 'latin1')
  head.writeUInt32LE(chunks.length + 4, 4)
  return Buffer.concat([head, chunks])
}
const left = (body: Buffer) => words.filter((word) => body.includes(Buffer.from(word)) || body.includes(Buffer.from(word, 'latin1')))

test('a picture loses what its camera wrote, and keeps its pixels, colours and how it is turned', () => {
  for (const little of [false, true]) {
    const plain = withoutMetadata(jpeg(6, little), 'image/jpeg')
    expect(left(plain)).toEqual([])
    expect([plain.includes(scan), plain.includes('ICC_PROFILE'), plain.includes('JFIF')]).toEqual([true, true, true])
    expect(plain.subarray(plain.indexOf('Exif\0\0', 0, 'latin1') + 6 + 18).readUInt16BE(0)).toBe(6)
    expect(withoutMetadata(plain, 'image/jpeg')).toEqual(plain)
  }
  expect(withoutMetadata(jpeg(1), 'image/jpeg').includes('Exif')).toBe(false)
  const flat = withoutMetadata(png, 'image/png')
  expect([left(flat), flat.includes('pixels'), flat.includes('IHDR'), flat.includes('IEND')]).toEqual([[], true, true, true])
  const small = withoutMetadata(webp(8), 'image/webp')
  expect([left(small), small.includes('pixels!'), small.readUInt32LE(4)]).toEqual([[], true, small.length - 8])
  expect(small.subarray(small.indexOf('EXIF') + 8 + 18).readUInt16BE(0)).toBe(8)
})

test('cut short or made of chance it is left as it came, and nothing throws', () => {
  for (const [body, mime] of [
    [jpeg(6), 'image/jpeg'],
    [png, 'image/png'],
    [webp(3), 'image/webp'],
  ] as const)
    for (let end = 12; end < body.length; end++) expect(() => withoutMetadata(Buffer.from(body.subarray(0, end)), mime)).not.toThrow()
  const pdf = Buffer.from(`%PDF-1.7 ${place}`)
  expect(withoutMetadata(pdf, 'application/pdf')).toBe(pdf)
})

test('what is uploaded is served without it', async () => {
  const world = await openCity(inject('postgresUrl'))
  const city = await settleCity(world)
  const caller = await city.as('hospital-pm')
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(jpeg(6))], { type: 'image/jpeg' }), '工资条.jpg')
  const encoded = new Response(form)
  const answer = await world.api.app.inject({
    method: 'POST',
    url: uploadFile.path,
    headers: { token: caller.token, 'content-type': encoded.headers.get('content-type') ?? '' },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  const { data } = answer.json() as { data: { id: string; size: number } }
  const served = await world.api.app.inject({ url: `${getImage.path}?id=${data.id}`, headers: { token: caller.token } })
  expect([served.statusCode, left(served.rawPayload), served.rawPayload.length]).toEqual([200, [], data.size])
  expect(served.rawPayload.includes(scan)).toBe(true)
  await world.close()
})
