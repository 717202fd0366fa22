import { contentKind } from './content-type.ts'

/**
 * Removes a picture's metadata (EXIF with position, XMP, IPTC, comments, text chunks) for privacy. Orientation and colours are kept. A
 * file that cannot be parsed completely is returned unchanged.
 */
export function withoutMetadata(body: Buffer, mime = contentKind(body)?.mime): Buffer {
  switch (mime) {
    case 'image/jpeg':
      return plainJpeg(body)
    case 'image/png':
      return plainPng(body)
    case 'image/webp':
      return plainWebp(body)
    default:
      return body
  }
}

const orientationTag = 0x0112
/** JPEG segments that affect the display: JFIF, colour profile, Adobe's transform. */
const jpegKept = (marker: number, segment: Buffer): boolean =>
  marker === 0xe0 ||
  (marker === 0xe2 && segment.toString('latin1', 4, 15) === 'ICC_PROFILE') ||
  (marker === 0xee && segment.toString('latin1', 4, 9) === 'Adobe')

function plainJpeg(body: Buffer): Buffer {
  const out: Buffer[] = [body.subarray(0, 2)]
  let at = 2
  while (at + 4 <= body.length) {
    if (body[at] !== 0xff) return body
    const marker = body[at + 1] ?? 0
    // Fill bytes before a marker.
    if (marker === 0xff) {
      at++
      continue
    }
    // The image data; anything after its end (such as a preview with metadata of its own) is dropped.
    if (marker === 0xda) {
      const end = body.lastIndexOf(Buffer.from([0xff, 0xd9]))
      const first = endOfScan(body, at)
      out.push(body.subarray(at, first ?? (end > at ? end + 2 : body.length)))
      return Buffer.concat(out)
    }
    const length = body.readUInt16BE(at + 2)
    const next = at + 2 + length
    if (length < 2 || next > body.length) return body
    const segment = body.subarray(at, next)
    const isApplication = (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe
    if (!isApplication || jpegKept(marker, segment)) out.push(segment)
    else if (marker === 0xe1 && segment.toString('latin1', 4, 10) === 'Exif\0\0') {
      const turned = orientationIn(segment.subarray(10))
      if (turned !== undefined && turned !== 1) out.push(exifSegment(turned))
    }
    at = next
  }
  return body
}

/** The position after the image's first end marker, behind all scans. */
function endOfScan(body: Buffer, from: number): number | undefined {
  let at = from + 2 + (from + 4 <= body.length ? body.readUInt16BE(from + 2) : 0)
  for (; at + 1 < body.length; at++) {
    if (body[at] !== 0xff) continue
    const marker = body[at + 1] ?? 0
    if (marker === 0xd9) return at + 2
    // Stuffed bytes and restart markers belong to the scan; other markers have a length and are skipped.
    const isData = marker === 0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd7)
    if (!isData && at + 4 <= body.length) at += 1 + body.readUInt16BE(at + 2)
  }
  return undefined
}

/** The orientation of an EXIF block (TIFF), 1 to 8. */
function orientationIn(tiff: Buffer): number | undefined {
  if (tiff.length < 14) return undefined
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (at + 2 <= tiff.length ? (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)) : 0)
  const start = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  for (let n = 0; n < short(start); n++) {
    const at = start + 2 + n * 12
    if (short(at) !== orientationTag) continue
    const value = short(at + 8)
    return value >= 1 && value <= 8 ? value : undefined
  }
  return undefined
}

/** An EXIF segment with the orientation only. */
function exifSegment(orientation: number): Buffer {
  const tiff = tiffOf(orientation)
  const head = Buffer.from([0xff, 0xe1, 0, 0, ...Buffer.from('Exif\0\0', 'latin1')])
  head.writeUInt16BE(2 + 6 + tiff.length, 2)
  return Buffer.concat([head, tiff])
}
function tiffOf(orientation: number): Buffer {
  const tiff = Buffer.alloc(26)
  tiff.write('MM', 0, 'latin1')
  tiff.writeUInt16BE(42, 2)
  tiff.writeUInt32BE(8, 4)
  tiff.writeUInt16BE(1, 8)
  tiff.writeUInt16BE(orientationTag, 10)
  tiff.writeUInt16BE(3, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(orientation, 18)
  return tiff
}

const pngText = new Set(['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME', 'dSIG'])
function plainPng(body: Buffer): Buffer {
  const out: Buffer[] = [body.subarray(0, 8)]
  for (let at = 8; at + 12 <= body.length; ) {
    const length = body.readUInt32BE(at)
    const next = at + 12 + length
    if (next > body.length) return body
    const kind = body.toString('latin1', at + 4, at + 8)
    if (!pngText.has(kind)) out.push(body.subarray(at, next))
    // Data after the end chunk is dropped.
    if (kind === 'IEND') return Buffer.concat(out)
    at = next
  }
  return body
}

const [webpExif, webpXmp] = [0x08, 0x04]
function plainWebp(body: Buffer): Buffer {
  const out: Buffer[] = []
  const end = Math.min(body.length, 8 + body.readUInt32LE(4))
  let turned: number | undefined
  for (let at = 12; at + 8 <= end; ) {
    const size = body.readUInt32LE(at + 4)
    const next = at + 8 + size + (size % 2)
    if (at + 8 + size > end) return body
    const kind = body.toString('latin1', at, at + 4)
    const data = body.subarray(at + 8, at + 8 + size)
    if (kind === 'EXIF') turned = orientationIn(data.toString('latin1', 0, 6) === 'Exif\0\0' ? data.subarray(6) : data)
    else if (kind !== 'XMP ') out.push(Buffer.from(body.subarray(at, Math.min(next, end))))
    at = next
  }
  const keeps = turned !== undefined && turned !== 1
  const [head] = out
  if (head?.toString('latin1', 0, 4) === 'VP8X') head.writeUInt8((head.readUInt8(8) & ~(webpExif | webpXmp)) | (keeps ? webpExif : 0), 8)
  if (keeps) {
    const tiff = tiffOf(turned ?? 1)
    const chunk = Buffer.alloc(8)
    chunk.write('EXIF', 0, 'latin1')
    chunk.writeUInt32LE(tiff.length, 4)
    out.push(chunk, tiff)
  }
  const whole = Buffer.concat([body.subarray(0, 12), ...out])
  whole.writeUInt32LE(whole.length - 8, 4)
  return whole
}
