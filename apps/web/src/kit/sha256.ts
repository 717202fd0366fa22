/**
 * SHA-256 (FIPS 180-4) of a file of any size, piece by piece: the browser's own wants the whole file in memory, and only where the page is
 * served securely.
 */
const roundConstants = Uint32Array.from(
  [
    '428a2f9871374491b5c0fbcfe9b5dba53956c25b59f111f1923f82a4ab1c5ed5d807aa9812835b01243185be550c7dc372be5d7480deb1fe9bdc06a7c19bf174',
    'e49b69c1efbe47860fc19dc6240ca1cc2de92c6f4a7484aa5cb0a9dc76f988da983e5152a831c66db00327c8bf597fc7c6e00bf3d5a7914706ca635114292967',
    '27b70a852e1b21384d2c6dfc53380d13650a7354766a0abb81c2c92e92722c85a2bfe8a1a81a664bc24b8b70c76c51a3d192e819d6990624f40e3585106aa070',
    '19a4c1161e376c082748774c34b0bcb5391c0cb34ed8aa4a5b9cca4f682e6ff3748f82ee78a5636f84c878148cc7020890befffaa4506cebbef9a3f7c67178f2',
  ].flatMap((row) => row.match(/.{8}/g) ?? []),
  (word) => Number.parseInt(word, 16),
)
const blockBytes = 64

export class Sha256 {
  private readonly state = Uint32Array.of(0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19)
  private readonly words = new Uint32Array(blockBytes)
  private readonly rest = new Uint8Array(blockBytes)
  private restBytes = 0
  private bytes = 0

  update(piece: Uint8Array): this {
    this.bytes += piece.length
    let at = 0
    if (this.restBytes > 0) {
      at = Math.min(blockBytes - this.restBytes, piece.length)
      this.rest.set(piece.subarray(0, at), this.restBytes)
      this.restBytes += at
      if (this.restBytes < blockBytes) return this
      this.block(new DataView(this.rest.buffer), 0)
      this.restBytes = 0
    }
    const view = new DataView(piece.buffer, piece.byteOffset, piece.byteLength)
    for (; at + blockBytes <= piece.length; at += blockBytes) this.block(view, at)
    this.rest.set(piece.subarray(at))
    this.restBytes = piece.length - at
    return this
  }

  /** The hash in hex; call once. */
  hex(): string {
    const bits = this.bytes * 8
    const padding = new Uint8Array((this.restBytes < 56 ? 56 : 120) - this.restBytes + 8)
    padding[0] = 0x80
    const view = new DataView(padding.buffer)
    view.setUint32(padding.length - 8, Math.floor(bits / 2 ** 32))
    view.setUint32(padding.length - 4, bits >>> 0)
    this.update(padding)
    return [...this.state].map((word) => word.toString(16).padStart(8, '0')).join('')
  }

  private block(view: DataView, from: number): void {
    const { words: w, state } = this
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(from + i * 4)
    for (let i = 16; i < 64; i++) {
      const [a, b] = [w[i - 15] ?? 0, w[i - 2] ?? 0]
      const small0 = ((a >>> 7) | (a << 25)) ^ ((a >>> 18) | (a << 14)) ^ (a >>> 3)
      const small1 = ((b >>> 17) | (b << 15)) ^ ((b >>> 19) | (b << 13)) ^ (b >>> 10)
      w[i] = ((w[i - 16] ?? 0) + small0 + (w[i - 7] ?? 0) + small1) | 0
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
    for (let i = 0; i < 64; i++) {
      const large1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
      const one = (h + large1 + ((e & f) ^ (~e & g)) + (roundConstants[i] ?? 0) + (w[i] ?? 0)) | 0
      const large0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
      const two = (large0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + one) | 0
      d = c
      c = b
      b = a
      a = (one + two) | 0
    }
    for (const [i, add] of [a, b, c, d, e, f, g, h].entries()) state[i] = ((state[i] ?? 0) + add) | 0
  }
}

const pieceBytes = 1024 ** 2

/** The hash of a file in hex, with pauses in which the page stays usable. */
export async function sha256Of(file: Blob, onProgress?: (share: number) => void, signal?: AbortSignal): Promise<string> {
  const hash = new Sha256()
  for (let at = 0; at < file.size; at += pieceBytes) {
    signal?.throwIfAborted()
    hash.update(new Uint8Array(await file.slice(at, at + pieceBytes).arrayBuffer()))
    onProgress?.(Math.min(1, (at + pieceBytes) / file.size))
  }
  return hash.hex()
}
