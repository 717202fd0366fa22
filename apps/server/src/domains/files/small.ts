import { maxSmallBytes, smallEdge } from '@zhugong/contract/files/endpoints'
import { AppError } from '@zhugong/contract/kit/errors'

const refusal = (message: string) => new AppError('invalidInput', message, { field: 'small' })

/**
 * Checks the small picture that came with a photograph. Its pixels are limited as well as its bytes: a few kilobytes may hold a picture that
 * fills the memory of whoever opens the list.
 * @throws AppError `invalidInput`
 */
export function requireSmall(body: Buffer): void {
  if (body.length > maxSmallBytes) throw refusal(`缩略图最多 ${maxSmallBytes / 1024} KB`)
  const size = jpegSize(body)
  if (!size) throw refusal('缩略图须为 JPG 图片')
  if (size.width > smallEdge || size.height > smallEdge) throw refusal(`缩略图的长边最多 ${smallEdge} 像素`)
}

/** The size of a JPEG in pixels, from its first frame header; undefined for other files. */
export function jpegSize(body: Buffer): { width: number; height: number } | undefined {
  if (body.length < 4 || body.readUInt16BE(0) !== 0xffd8) return undefined
  for (let at = 2; at + 9 <= body.length; ) {
    if (body[at] !== 0xff) return undefined
    const marker = body[at + 1] ?? 0
    if (marker === 0xff) {
      at++
      continue
    }
    // Start of a frame, in any of its codings; the markers between are tables.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { height: body.readUInt16BE(at + 5), width: body.readUInt16BE(at + 7) }
    if (marker === 0xda) return undefined
    at += 2 + Math.max(2, body.readUInt16BE(at + 2))
  }
  return undefined
}
