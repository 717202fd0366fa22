import { explainBad, phoneOf } from './explain.ts'

/**
 * Encoder and decoder of JT/T 808 frames, editions 2011, 2013 and 2019. The decoder is pure and never throws. It counts undecodable frames
 * and reports when a connection should be closed.
 */
export interface Jt808Frame {
  id: number
  /** Digits of the phone field without leading zeros, because the editions pad the same number to different lengths. */
  phone: string
  serial: number
  /** Uses the longer header of 2019 (bit 14 of the attributes). */
  is2019: boolean
  protocolVersion: number
  /** 0 none, 1 RSA. */
  encryption: number
  /** Package number (from 1) and number of packages; undefined for an unsplit message. */
  part: { total: number; index: number } | undefined
  body: Buffer
}

export type BadFrame = 'escape' | 'check' | 'length' | 'structure' | 'timeout'

export interface DecoderOptions {
  /** `hint` tells users what was expected; `phone` is the phone field, empty if it has non-digits. */
  onBad?(kind: BadFrame, bytes: Buffer, hint: string, phone: string): void
}

const flag = 0x7e
const escapeByte = 0x7d
/** Longest frame between its delimiters: header of 2019 with package fields, 1023 bytes, checksum, and every byte escaped. */
const maxEscaped = (21 + 1023 + 1) * 2
const unfinishedMs = 10_000
const badInRow = 10
const bytesWithoutGood = 64 * 1024

export class Jt808Decoder {
  private readonly onBad: NonNullable<DecoderOptions['onBad']>
  private buffer: Buffer = Buffer.alloc(0)
  /** Whether a delimiter was received before the buffered bytes. */
  private open = false
  private begunAt: number | undefined
  private bad = 0
  private unread = 0
  good = 0

  constructor(options: DecoderOptions = {}) {
    this.onBad = options.onBad ?? (() => undefined)
  }

  /** Ten bad frames in a row, or 64 KiB without a good one: the peer does not speak JT/T 808. */
  get isHopeless(): boolean {
    return this.bad >= badInRow || this.unread > bytesWithoutGood
  }

  push(chunk: Buffer, now: number): Jt808Frame[] {
    this.unread += chunk.length
    const frames: Jt808Frame[] = []
    let at = 0
    while (at < chunk.length && !this.isHopeless) {
      const end = chunk.indexOf(flag, at)
      const stop = end < 0 ? chunk.length : end
      if (this.open && stop > at) this.hold(chunk.subarray(at, stop), now)
      if (end < 0) break
      // One delimiter may end a frame and start the next, so the bytes between any two delimiters are decoded.
      if (this.buffer.length > 0) {
        const outcome = readFrame(this.buffer)
        if (typeof outcome === 'string') this.refuse(outcome)
        else {
          frames.push(outcome)
          this.bad = 0
          this.unread = chunk.length - stop - 1
          this.good++
        }
        this.drop()
      }
      this.open = true
      at = end + 1
    }
    return frames
  }

  /** Drops a frame that stays incomplete. */
  expire(now: number): void {
    if (this.begunAt === undefined || now - this.begunAt <= unfinishedMs) return
    this.refuse('timeout')
    this.drop()
    this.open = false
  }

  private hold(part: Buffer, now: number): void {
    this.begunAt ??= now
    // Copies the bytes, because the socket's chunk may be far larger than the part that is retained.
    this.buffer = Buffer.concat([this.buffer, part])
    if (this.buffer.length <= maxEscaped) return
    this.refuse('length')
    this.drop()
    this.open = false
  }

  private drop(): void {
    this.buffer = Buffer.alloc(0)
    this.begunAt = undefined
  }

  private refuse(kind: BadFrame): void {
    this.bad++
    const { hint, phone } = describeBad(kind, this.buffer)
    this.onBad(kind, this.buffer.subarray(0, 256), hint, phone)
  }
}

/** Why a frame could not be decoded, for users, and the phone it probably belongs to. */
export function describeBad(kind: BadFrame, escaped: Buffer): { hint: string; phone: string } {
  const whole = withoutEscapes(escaped)
  const digits = phoneOf(whole)
  return { hint: explainBad(kind, escaped, whole), phone: /^\d+$/.test(digits) ? plainPhone(digits) : '' }
}

/** Decodes the frames of one UDP datagram. */
export function framesOf(datagram: Buffer, onBad: DecoderOptions['onBad']): Jt808Frame[] {
  const decoder = new Jt808Decoder(onBad ? { onBad } : {})
  return decoder.push(datagram, 0)
}

function withoutEscapes(bytes: Buffer): Buffer | undefined {
  if (!bytes.includes(escapeByte)) return bytes
  const plain = Buffer.alloc(bytes.length)
  let length = 0
  for (let i = 0; i < bytes.length; i++) {
    let byte = bytes[i] ?? 0
    if (byte === escapeByte) {
      const code = bytes[++i]
      if (code === 0x02) byte = flag
      else if (code === 0x01) byte = escapeByte
      else return undefined
    }
    plain[length++] = byte
  }
  return plain.subarray(0, length)
}

const checkOf = (bytes: Buffer): number => bytes.reduce((sum, byte) => sum ^ byte, 0)

/** Decodes the bytes between two delimiters. */
export function readFrame(escaped: Buffer): Jt808Frame | BadFrame {
  const whole = withoutEscapes(escaped)
  if (!whole) return 'escape'
  if (whole.length < 13) return 'length'
  const content = whole.subarray(0, -1)
  if (checkOf(content) !== whole[whole.length - 1]) return 'check'
  const attributes = content.readUInt16BE(2)
  const is2019 = (attributes & 0x4000) !== 0
  const hasParts = (attributes & 0x2000) !== 0
  const phoneAt = is2019 ? 5 : 4
  const phoneBytes = is2019 ? 10 : 6
  const serialAt = phoneAt + phoneBytes
  const headerLength = serialAt + 2 + (hasParts ? 4 : 0)
  if (content.length !== headerLength + (attributes & 0x3ff)) return 'length'
  const digits = content.toString('hex', phoneAt, serialAt)
  if (!/^\d+$/.test(digits)) return 'structure'
  let part: Jt808Frame['part']
  if (hasParts) {
    const total = content.readUInt16BE(serialAt + 2)
    const index = content.readUInt16BE(serialAt + 4)
    if (index < 1 || index > total) return 'structure'
    part = { total, index }
  }
  return {
    id: content.readUInt16BE(0),
    phone: plainPhone(digits),
    serial: content.readUInt16BE(serialAt),
    is2019,
    protocolVersion: is2019 ? (content[4] ?? 0) : 0,
    encryption: (attributes >> 10) & 7,
    part,
    body: Buffer.from(content.subarray(headerLength)),
  }
}

/** Removes leading zeros; phones are compared without them. */
export const plainPhone = (digits: string): string => digits.replace(/^0+(?=\d)/, '')

export interface OutgoingFrame {
  id: number
  phone: string
  serial: number
  body: Buffer
  is2019?: boolean
  protocolVersion?: number
  part?: { total: number; index: number } | undefined
}

export function buildFrame(frame: OutgoingFrame): Buffer {
  const is2019 = frame.is2019 ?? false
  const header = Buffer.alloc((is2019 ? 17 : 12) + (frame.part ? 4 : 0))
  header.writeUInt16BE(frame.id, 0)
  header.writeUInt16BE(frame.body.length | (frame.part ? 0x2000 : 0) | (is2019 ? 0x4000 : 0), 2)
  let at = 4
  if (is2019) header[at++] = frame.protocolVersion ?? 1
  const phoneBytes = is2019 ? 10 : 6
  header.write(frame.phone.padStart(phoneBytes * 2, '0').slice(-phoneBytes * 2), at, 'hex')
  at += phoneBytes
  header.writeUInt16BE(frame.serial & 0xffff, at)
  if (frame.part) {
    header.writeUInt16BE(frame.part.total, at + 2)
    header.writeUInt16BE(frame.part.index, at + 4)
  }
  const content = Buffer.concat([header, frame.body])
  const out: number[] = [flag]
  const put = (byte: number) => {
    if (byte === flag) out.push(escapeByte, 0x02)
    else if (byte === escapeByte) out.push(escapeByte, 0x01)
    else out.push(byte)
  }
  for (const byte of content) put(byte)
  put(checkOf(content))
  out.push(flag)
  return Buffer.from(out)
}

const maxBody = 1023

/** Encodes a message as one frame, or as packages with consecutive serial numbers. */
export function buildMessage(message: Omit<OutgoingFrame, 'part'>): Buffer[] {
  const { body } = message
  if (body.length <= maxBody) return [buildFrame(message)]
  const total = Math.ceil(body.length / maxBody)
  return Array.from({ length: total }, (_, i) =>
    buildFrame({
      ...message,
      serial: message.serial + i,
      body: body.subarray(i * maxBody, (i + 1) * maxBody),
      part: { total, index: i + 1 },
    }),
  )
}
