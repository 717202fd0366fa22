import { crc32, inflateSync } from 'node:zlib'
import { AppError } from '@zhugong/contract/kit/errors'
import type { Item, WorkContext } from './kinds.ts'
import type { Step } from './steps.ts'

/** Larger than any screen's field to sign in. */
const mostPixels = 2_000 * 1_000
const pngHead = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const mostBytes = 49_152

/** Keeps a name drawn by hand, bound to the hash of what was decided: of another document it is no signature. */
export async function keepSignature(ctx: WorkContext, item: Item, step: Step, drawn: string): Promise<string> {
  const image = Buffer.from(drawn.slice(drawn.indexOf(',') + 1), 'base64')
  if (image.length > mostBytes || !isPng(image)) throw new AppError('invalidInput', '签名图片不正确，请重新签名', { field: 'signature' })
  const id = ctx.newId()
  await ctx.db
    .insertInto('workSignature')
    .values({
      id,
      itemId: item.id,
      stepId: step.id,
      userId: ctx.user.id,
      userName: ctx.user.name,
      at: new Date(ctx.clock.now()),
      image,
      hash: item.hash,
    })
    .execute()
  return id
}

/** Whether it is a whole PNG (ISO/IEC 15948) of a screen's size: what is kept is printed years later. */
export function isPng(image: Buffer): boolean {
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
    // Four bytes a pixel and a filter a row.
    return inflateSync(data, { maxOutputLength: mostPixels * 5 }).length > 0
  } catch {
    return false
  }
}
