import { maxSmallBytes, smallEdge } from '@zhugong/contract/files/endpoints'
import { exifSegment, uprightSegment, withSegment } from './exif.ts'

/** What a photograph may be as it is sent: what a finding shows is seen at this size, and a site's network carries it. */
export const sentEdge = 2560
export const sentBytes = 1.5 * 1024 ** 2

/** Qualities tried one after another until the size fits. */
const largeQualities = [0.86, 0.78, 0.68, 0.55] as const
const smallQualities = [0.75, 0.6, 0.45] as const
const jpeg = 'image/jpeg'

export interface Shrunk {
  /** The file itself if it is small enough, otherwise a JPEG with its EXIF block. */
  file: Blob
  /** For lists; undefined when the file is no larger itself, or cannot be drawn. */
  small: Blob | undefined
}

/**
 * Makes a photograph ready to be sent: at most `sentEdge` pixels and `sentBytes` bytes, with time and place of the camera, and a small
 * picture beside it. A file that the browser cannot draw is returned as it is.
 */
export async function shrunk(file: Blob): Promise<Shrunk> {
  const drawn = await bitmapOf(file)
  if (!drawn) return { file, small: undefined }
  try {
    const small = await smallFrom(drawn, file)
    if (file.size <= sentBytes && longest(drawn) <= sentEdge) return { file, small }
    const segment = exifSegment(new Uint8Array(await file.arrayBuffer()))
    const large = await encode(drawn, sentEdge, largeQualities, sentBytes - (segment?.length ?? 0))
    // Drawing anew made it no smaller.
    if (!large || (large.size >= file.size && file.size <= sentBytes)) return { file, small }
    if (!segment) return { file: large, small }
    const body = withSegment(new Uint8Array(await large.arrayBuffer()), uprightSegment(segment))
    return { file: new Blob([body.buffer as ArrayBuffer], { type: jpeg }), small }
  } finally {
    drawn.close()
  }
}

/** The small picture for lists of a file that is sent as it is; undefined for other files than pictures. */
export async function smallPicture(file: Blob): Promise<Blob | undefined> {
  if (!file.type.startsWith('image/')) return undefined
  const drawn = await bitmapOf(file)
  if (!drawn) return undefined
  try {
    return await smallFrom(drawn, file)
  } finally {
    drawn.close()
  }
}

async function smallFrom(drawn: ImageBitmap, file: Blob): Promise<Blob | undefined> {
  if (longest(drawn) <= smallEdge && file.size <= maxSmallBytes) return undefined
  const small = await encode(drawn, smallEdge, smallQualities, maxSmallBytes)
  return small && small.size <= maxSmallBytes ? small : undefined
}

const longest = ({ width, height }: { width: number; height: number }): number => Math.max(width, height)

/** Pixels as the picture is seen: a turned photograph stands upright. Undefined for what the browser cannot draw, such as HEIC. */
async function bitmapOf(file: Blob): Promise<ImageBitmap | undefined> {
  if (typeof createImageBitmap === 'undefined') return undefined
  try {
    return await createImageBitmap(file, { imageOrientation: 'from-image' })
  } catch {
    return undefined
  }
}

/** Draws on white, because JPEG has no transparency. Returns the first size that fits, or the smallest. */
async function encode(drawn: ImageBitmap, edge: number, qualities: readonly number[], mostBytes: number): Promise<Blob | undefined> {
  const share = Math.min(1, edge / longest(drawn))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(drawn.width * share))
  canvas.height = Math.max(1, Math.round(drawn.height * share))
  const pen = canvas.getContext('2d')
  if (!pen) return undefined
  pen.fillStyle = 'white'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(drawn, 0, 0, canvas.width, canvas.height)
  let made: Blob | null = null
  for (const quality of qualities) {
    made = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, jpeg, quality))
    if (made && made.size <= mostBytes) break
  }
  // Frees the pixels at once: thirty photographs follow one another.
  canvas.width = 0
  return made ?? undefined
}
