/**
 * The EXIF block of a JPEG: when, where and with what it was taken. A picture that is drawn anew loses it; it is copied, because the server
 * reads time and place from it (ISO 10918-1 segments, TIFF 6.0 directories).
 */
const [endOfImageData, application1] = [0xda, 0xe1]
const mark = [0x45, 0x78, 0x69, 0x66, 0, 0]
const orientationTag = 0x0112
/** Bytes before the TIFF header: marker, length, mark. */
const tiffAt = 2 + 2 + mark.length
const entryBytes = 12

const isJpeg = (body: Uint8Array): boolean => body[0] === 0xff && body[1] === 0xd8

/** The whole APP1 segment with the EXIF block, marker and length included; undefined when there is none or the file is no JPEG. */
export function exifSegment(body: Uint8Array): Uint8Array | undefined {
  if (!isJpeg(body)) return undefined
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  for (let at = 2; at + 4 <= body.length; ) {
    if (body[at] !== 0xff) return undefined
    const marker = body[at + 1] ?? 0
    // Fill bytes before a marker.
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === endOfImageData) return undefined
    const next = at + 2 + view.getUint16(at + 2)
    if (next > body.length || next < at + 4) return undefined
    if (marker === application1 && mark.every((byte, i) => body[at + 4 + i] === byte)) return body.slice(at, next)
    at = next
  }
  return undefined
}

/**
 * The segment for a picture whose pixels stand upright: orientation 1, and without the preview, which stands as the camera held it. A block
 * that cannot be read is returned unchanged.
 */
export function uprightSegment(segment: Uint8Array): Uint8Array {
  const copy = segment.slice()
  const view = new DataView(copy.buffer, tiffAt)
  if (view.byteLength < 14) return copy
  const little = view.getUint16(0) === 0x4949
  const start = view.getUint32(4, little)
  if (start + 2 > view.byteLength) return copy
  const count = view.getUint16(start, little)
  const link = start + 2 + count * entryBytes
  if (link + 4 > view.byteLength) return copy
  for (let at = start + 2; at < link; at += entryBytes) {
    if (view.getUint16(at, little) !== orientationTag) continue
    // One SHORT, left-justified in the value field.
    view.setUint16(at + 8, 1, little)
  }
  view.setUint32(link, 0, little)
  return copy
}

/** A JPEG with this EXIF segment in front. */
export function withSegment(body: Uint8Array, segment: Uint8Array): Uint8Array {
  const out = new Uint8Array(body.length + segment.length)
  out.set(body.subarray(0, 2))
  out.set(segment, 2)
  out.set(body.subarray(2), 2 + segment.length)
  return out
}
