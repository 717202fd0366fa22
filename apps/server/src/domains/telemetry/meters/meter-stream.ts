/** Finds frames that start with 68 and end with a checksum and 16, as in DL/T 645 and CJ/T 188. */
export interface FrameShape {
  /** Length of the frame from its first bytes; undefined if more bytes are needed, 0 if no frame starts here. */
  lengthOf(buffer: Buffer): number | undefined
}

const begin = 0x68
const end = 0x16

export const sumOf = (bytes: Buffer): number => bytes.reduce((sum, byte) => (sum + byte) & 0xff, 0)

export class MeterStream {
  private readonly shape: FrameShape
  private buffer: Buffer = Buffer.alloc(0)
  bad = 0

  constructor(shape: FrameShape) {
    this.shape = shape
  }

  push(chunk: Buffer): Buffer[] {
    this.buffer = this.buffer.length ? Buffer.concat([this.buffer, chunk]) : chunk
    const frames: Buffer[] = []
    for (;;) {
      // Skips preamble bytes and noise before the start byte.
      const at = this.buffer.indexOf(begin)
      if (at < 0) {
        this.buffer = Buffer.alloc(0)
        break
      }
      this.buffer = this.buffer.subarray(at)
      const length = this.shape.lengthOf(this.buffer)
      if (length === 0) {
        this.skip()
        continue
      }
      if (length === undefined || this.buffer.length < length) break
      const frame = this.buffer.subarray(0, length)
      if (frame[length - 1] !== end || frame[length - 2] !== sumOf(frame.subarray(0, length - 2))) {
        this.skip()
        continue
      }
      frames.push(Buffer.from(frame))
      this.buffer = this.buffer.subarray(length)
    }
    return frames
  }

  reset(): void {
    this.buffer = Buffer.alloc(0)
  }

  /** The search continues at the next byte, because the declared length may be wrong. */
  private skip(): void {
    this.bad++
    this.buffer = this.buffer.subarray(1)
  }
}

/** Decodes BCD bytes, lowest first; undefined if a digit is not decimal. */
export function bcdLowFirst(bytes: Buffer): string | undefined {
  const text = Buffer.from(bytes).reverse().toString('hex')
  return /^\d*$/.test(text) ? text : undefined
}
