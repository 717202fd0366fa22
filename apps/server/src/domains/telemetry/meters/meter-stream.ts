/** Finds frames that begin with 68 and end with 16 behind a check sum, as DL/T 645 and CJ/T 188 have them. */
export interface FrameShape {
  /** Length of a frame by its first bytes, never a long one; undefined while they do not suffice, 0 when no frame begins here. */
  lengthOf(held: Buffer): number | undefined
}

const begin = 0x68
const end = 0x16

export const sumOf = (bytes: Buffer): number => bytes.reduce((sum, byte) => (sum + byte) & 0xff, 0)

export class MeterStream {
  private readonly shape: FrameShape
  private held: Buffer = Buffer.alloc(0)
  bad = 0

  constructor(shape: FrameShape) {
    this.shape = shape
  }

  push(chunk: Buffer): Buffer[] {
    this.held = this.held.length ? Buffer.concat([this.held, chunk]) : chunk
    const frames: Buffer[] = []
    for (;;) {
      // Preamble bytes and noise before a beginning.
      const at = this.held.indexOf(begin)
      if (at < 0) {
        this.held = Buffer.alloc(0)
        break
      }
      this.held = this.held.subarray(at)
      const length = this.shape.lengthOf(this.held)
      if (length === 0) {
        this.skip()
        continue
      }
      if (length === undefined || this.held.length < length) break
      const frame = this.held.subarray(0, length)
      if (frame[length - 1] !== end || frame[length - 2] !== sumOf(frame.subarray(0, length - 2))) {
        this.skip()
        continue
      }
      frames.push(Buffer.from(frame))
      this.held = this.held.subarray(length)
    }
    return frames
  }

  reset(): void {
    this.held = Buffer.alloc(0)
  }

  /** The search goes on at the next byte: the length may have been the lie. */
  private skip(): void {
    this.bad++
    this.held = this.held.subarray(1)
  }
}

/** Bytes of binary coded decimals, lowest first; undefined when a digit is none. */
export function bcdLowFirst(bytes: Buffer): string | undefined {
  const text = Buffer.from(bytes).reverse().toString('hex')
  return /^\d*$/.test(text) ? text : undefined
}
