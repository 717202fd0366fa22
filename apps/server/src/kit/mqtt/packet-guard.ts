/**
 * Result of checking the bytes of an MQTT connection. The check copies nothing: it detects a packet that is too large from its first bytes,
 * before it is collected in memory. It also detects MQTT 5, so that such a client gets a response in its own protocol version.
 */
export type Verdict = 'ok' | 'tooLarge' | 'malformed' | 'version5'

const connectPacket = 0x10
/** Bytes of CONNECT that contain the protocol name and level. */
const headBytes = 9

export class PacketGuard {
  private readonly limit: number
  private lengthBytes = -1
  /** Length of the current packet in bytes. */
  length = 0
  private left = 0
  private first = true
  private head: number[] = []

  constructor(limit: number) {
    this.limit = limit
  }

  /** Checks the next bytes of the connection. Any result but `ok` is final. */
  inspect(chunk: Uint8Array): Verdict {
    let at = 0
    while (at < chunk.length) {
      if (this.left > 0) {
        const step = Math.min(this.left, chunk.length - at)
        if (this.first) {
          for (let i = 0; i < step && this.head.length < headBytes; i++) this.head.push(chunk[at + i] ?? 0)
          if (this.head.length >= 7 && this.isVersion5()) return 'version5'
        }
        this.left -= step
        at += step
        if (this.left === 0) this.first = false
        continue
      }
      const byte = chunk[at++] ?? 0
      if (this.lengthBytes < 0) {
        if (this.first && byte !== connectPacket) return 'malformed'
        this.lengthBytes = 0
        this.length = 0
        continue
      }
      this.length += (byte & 0x7f) * 128 ** this.lengthBytes
      this.lengthBytes++
      if (this.length > this.limit) return 'tooLarge'
      if (byte & 0x80) {
        if (this.lengthBytes === 4) return 'malformed'
        continue
      }
      this.left = this.length
      this.lengthBytes = -1
      if (this.left === 0) this.first = false
    }
    return 'ok'
  }

  /** Whether CONNECT has the protocol name `MQTT` (after two bytes of length) and level 5. */
  private isVersion5(): boolean {
    return this.head[0] === 0 && this.head[1] === 4 && String.fromCharCode(...this.head.slice(2, 6)) === 'MQTT' && this.head[6] === 5
  }
}
