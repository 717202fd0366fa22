import { crc32, inflateSync } from 'node:zlib'

/** Upper limit of a signature image; larger than any screen's signature field. */
const mostPixels = 2_000 * 1_000
const pngHead = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** The bytes of a data URL with a PNG of at most `mostBytes`; undefined when it is no such picture. */
export function drawnPng(dataUrl: string, mostBytes: number): Buffer | undefined {
  const image = Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64')
  return image.length <= mostBytes && isPng(image) ? image : undefined
}

/** Whether the data is a complete PNG (ISO/IEC 15948) of screen size. Signatures are printed years later, so damaged images are refused. */
function isPng(image: Buffer): boolean {
  if (!image.subarray(0, 8).equals(pngHead)) return false
  const data: Buffer[] = []
  for (let at = 8; at + 12 <= image.length; ) {
    const length = image.readUInt32BE(at)
    const body = image.subarray(at + 4, at + 8 + length)
    if (body.length < 4 + length || at + 12 + length > image.length || image.readUInt32BE(at + 8 + length) !== crc32(body)) return false
    const name = body.toString('latin1', 0, 4)
    if (at === 8 && (name !== 'IHDR' || length !== 13 || body.readUInt32BE(4) * body.readUInt32BE(8) > mostPixels)) return false
    if (name === 'IDAT') data.push(body.subarray(4))
    if (name === 'IEND') return inflates(Buffer.concat(data))
    at += 12 + length
  }
  return false
}

function inflates(data: Buffer): boolean {
  try {
    // Four bytes per pixel plus one filter byte per row.
    return inflateSync(data, { maxOutputLength: mostPixels * 5 }).length > 0
  } catch {
    return false
  }
}
