import type { CrcMode } from '@zhugong/contract/protocols/hj212'
import { fromGbk } from '../jt808/gbk.ts'
import { checksumOf, fittingModes } from './crc.ts'
import { explainBad } from './explain.ts'

/**
 * Encoder and decoder of HJ 212 frames, editions 2005, 2017 and 2025. The decoder is pure and never throws. It counts undecodable frames
 * and reports when a connection should be closed.
 */
export interface Hj212Frame {
  qn: string
  st: string
  cn: string
  pw: string
  mn: string
  flag: number
  /** Packet number and number of packets; 1 of 1 for a single packet. */
  pno: number
  pnum: number
  /** Content between the two `&&`. */
  cp: string
  /** Name and value of each pair of CP; undefined if CP has another form, for example because it is encrypted. */
  pairs: readonly (readonly [name: string, value: string])[] | undefined
}

export type BadFrame = 'length' | 'crc' | 'tail' | 'structure' | 'timeout'

export interface DecoderOptions {
  /** Longest data segment in bytes; the standard says 1024, up to 4096 can be configured per MN. */
  maxLength?: number
  maxLengthOf?(mn: string): number | undefined
  /** Checksum type of the device with this MN. */
  crcModeOf?(mn: string): CrcMode
  /** A frame with a wrong checksum, and the settings that would fit it. */
  onWrongChecksum?(mn: string, fitting: CrcMode[]): void
  /** `hint` tells users what was expected and what to change. */
  onBad?(kind: BadFrame, bytes: Buffer, hint: string): void
}

const hash = 0x23
const cr = 0x0d
const lf = 0x0a
const headLength = 6
const crcLength = 4
/** An incomplete frame is dropped after this time. */
const unfinishedMs = 10_000
/** Upper limit of the configurable segment length, and the bytes within which the MN of a frame appears. */
const longest = 4096
const mnWithin = headLength + 250
const badInRow = 10
const bytesWithoutGood = 64 * 1024

export class Hj212Decoder {
  private readonly maxLength: number
  private readonly crcModeOf: (mn: string) => CrcMode
  private readonly maxLengthOf: (mn: string) => number | undefined
  private readonly onWrongChecksum: (mn: string, fitting: CrcMode[]) => void
  private readonly onBad: (kind: BadFrame, bytes: Buffer, hint: string) => void
  private buffered: Buffer = Buffer.alloc(0)
  private begunAt: number | undefined
  private bad = 0
  private unread = 0
  good = 0

  constructor(options: DecoderOptions = {}) {
    this.maxLength = options.maxLength ?? 1024
    this.crcModeOf = options.crcModeOf ?? (() => 'standard')
    this.maxLengthOf = options.maxLengthOf ?? (() => undefined)
    this.onWrongChecksum = options.onWrongChecksum ?? (() => undefined)
    this.onBad = options.onBad ?? (() => undefined)
  }

  /** Ten bad frames in a row, or 64 KiB without a good one: the peer does not speak HJ 212. */
  get isHopeless(): boolean {
    return this.bad >= badInRow || this.unread > bytesWithoutGood
  }

  push(chunk: Buffer, now: number): Hj212Frame[] {
    this.unread += chunk.length
    this.buffered = this.buffered.length ? Buffer.concat([this.buffered, chunk]) : chunk
    return this.read(now)
  }

  /** Drops a frame that stays incomplete. The bytes after its start are searched for another frame. */
  expire(now: number): Hj212Frame[] {
    if (this.begunAt === undefined || now - this.begunAt <= unfinishedMs) return []
    return this.finish(now)
  }

  /**
   * Ends the current frame, at the end of the connection or after a timeout. A frame that lacks only CR LF is accepted, since length and
   * checksum match; any other is reported.
   */
  finish(now: number): Hj212Frame[] {
    if (this.begunAt === undefined) return []
    const given = this.buffered
    this.buffered = Buffer.concat([given.at(-1) === cr ? given.subarray(0, -1) : given, Buffer.of(cr, lf)])
    const outcome = this.tryFrame()
    if (typeof outcome === 'object') return this.read(now)
    this.buffered = given
    this.refuse('timeout', given.length)
    return this.read(now)
  }

  private read(now: number): Hj212Frame[] {
    const frames: Hj212Frame[] = []
    while (!this.isHopeless) {
      const start = this.findStart()
      if (start < 0) {
        this.begunAt = undefined
        break
      }
      if (start > 0) {
        this.buffered = this.buffered.subarray(start)
        this.begunAt = undefined
      }
      this.begunAt ??= now
      const outcome = this.tryFrame()
      if (outcome === 'more') break
      if (typeof outcome === 'string') {
        this.refuse(outcome, this.buffered.length)
        continue
      }
      frames.push(outcome.frame)
      this.buffered = this.buffered.subarray(outcome.end)
      this.begunAt = undefined
      this.bad = 0
      this.unread = this.buffered.length
      this.good++
    }
    return frames
  }

  /** Start of the next frame: the last two of consecutive `#`. A single `#` at the end remains in the buffer. */
  private findStart(): number {
    let at = this.buffered.indexOf('##')
    while (at >= 0 && this.buffered[at + 2] === hash) at++
    if (at < 0) {
      const keep = this.buffered[this.buffered.length - 1] === hash ? 1 : 0
      this.buffered = this.buffered.subarray(this.buffered.length - keep)
    }
    return at
  }

  /** The search continues after the two `#`, not after the frame, because the declared length may be wrong. */
  private refuse(kind: BadFrame, shown: number): void {
    this.bad++
    const mn = mnOf(this.buffered)
    const hint = explainBad(kind, this.buffered, { crcMode: this.crcModeOf(mn), maxLength: this.longestOf(mn) })
    this.onBad(kind, this.buffered.subarray(0, Math.min(shown, 256)), hint)
    this.buffered = this.buffered.subarray(2)
    this.begunAt = undefined
  }

  private longestOf(mn: string): number {
    return Math.min(longest, this.maxLengthOf(mn) ?? this.maxLength)
  }

  private tryFrame(): { frame: Hj212Frame; end: number } | BadFrame | 'more' {
    const { buffered: held } = this
    for (let i = 2; i < Math.min(headLength, held.length); i++) {
      const digit = held[i] ?? 0
      if (digit < 0x30 || digit > 0x39) return 'length'
    }
    if (held.length < headLength) return 'more'
    const length = Number(held.toString('latin1', 2, headLength))
    if (length < 10 || length > longest) return 'length'
    if (length > this.maxLength) {
      // The MN is at the beginning of the frame, so its length limit is known long before the whole frame has arrived.
      if (held.length < Math.min(headLength + length, mnWithin)) return 'more'
      if (length > this.longestOf(mnOf(held))) return 'length'
    }
    const crcAt = headLength + length
    const tailAt = crcAt + crcLength
    if (held.length <= tailAt) return 'more'
    let end: number
    if (held[tailAt] === lf) end = tailAt + 1
    else if (held[tailAt] !== cr) return 'tail'
    else if (held.length <= tailAt + 1) return 'more'
    else if (held[tailAt + 1] === lf) end = tailAt + 2
    else return 'tail'
    const segment = held.subarray(headLength, crcAt)
    const given = held.toString('latin1', crcAt, tailAt).toUpperCase()
    const mn = mnOf(held)
    if (checksumOf(this.crcModeOf(mn), segment) !== given) {
      this.onWrongChecksum(mn, fittingModes(segment, given))
      return 'crc'
    }
    const frame = parseSegment(textOf(segment))
    return frame ? { frame, end } : 'structure'
  }
}

/** The MN of the frame at the start of the buffer, even if the frame cannot be decoded. */
const mnOf = (buffer: Buffer): string => /(?:^|;)\s*MN=(\w{5,40})/.exec(buffer.toString('latin1', headLength, headLength + 400))?.[1] ?? ''

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** Decodes UTF-8; bytes that are not valid UTF-8 are decoded as GBK, which older stations send. */
function textOf(segment: Buffer): string {
  try {
    return utf8.decode(segment)
  } catch {
    return fromGbk(segment)
  }
}

const header = /^(?:[A-Za-z]+=[^;&=]*;)+CP=&&/

/** QN: a time in milliseconds; some stations omit leading zeros of the milliseconds. It only matches a response to its request. */
const exchange = /^\d{14,17}$/
/** Responses to a request. Stations of HJ/T 212-2005 send the request's QN within CP, also when the frame has no QN of its own. */
const answers = /^901[1-4]$/

/** Parses a data segment. The checksum is weak, so the format is validated too. */
export function parseSegment(segment: string): Hj212Frame | undefined {
  const head = header.exec(segment)?.[0]
  if (!head || !segment.endsWith('&&') || segment.length < head.length + 2) return undefined
  const cp = segment.slice(head.length, -2)
  if (cp.includes('&&')) return undefined
  const fields = new Map<string, string>()
  for (const part of head.slice(0, -'CP=&&'.length).split(';')) {
    if (!part) continue
    const at = part.indexOf('=')
    const name = part.slice(0, at).trim()
    if (fields.has(name)) return undefined
    fields.set(name, part.slice(at + 1).trim())
  }
  const field = (name: string) => fields.get(name) ?? ''
  const flagText = field('Flag')
  const number = (name: string) => (/^\d{1,4}$/.test(field(name)) ? Number(field(name)) : undefined)
  const flag = flagText === '' ? 0 : number('Flag')
  if (flag === undefined || flag > 255) return undefined
  if (!/^\d{2}$/.test(field('ST')) || !/^\d{4}$/.test(field('CN')) || !/^\w{5,40}$/.test(field('MN')) || field('PW').length > 32)
    return undefined
  if (field('QN') !== '' && !exchange.test(field('QN'))) return undefined
  const pairs = pairsOf(cp)
  const requested = pairs?.find(([name, value]) => name === 'QN' && exchange.test(value))?.[1]
  const names = answers.test(field('CN')) || field('QN') === '' ? requested : undefined
  return {
    qn: names ?? field('QN'),
    st: field('ST'),
    cn: field('CN'),
    pw: field('PW'),
    mn: field('MN'),
    flag,
    pnum: number('PNUM') ?? 1,
    pno: number('PNO') ?? 1,
    cp,
    pairs: requested === undefined ? pairs : pairs?.filter(([name]) => name !== 'QN'),
  }
}

/** The same frame with decrypted CP. */
export const withPlainCp = (frame: Hj212Frame, cp: string): Hj212Frame => ({ ...frame, cp, pairs: pairsOf(cp) })

/** `;` separates items, `,` the values of one item; both may be trailing. Text between `//` may contain either. */
function pairsOf(cp: string): Hj212Frame['pairs'] {
  const pairs: [string, string][] = []
  for (const part of cp.match(/(?:\/\/.*?\/\/|[^;,])+/g) ?? []) {
    const text = part.trim()
    if (!text) continue
    const at = text.indexOf('=')
    if (at <= 0) return undefined
    pairs.push([
      text.slice(0, at).trim(),
      text
        .slice(at + 1)
        .trim()
        .replace(/^\/\/(.*)\/\/$/, '$1'),
    ])
  }
  return pairs
}

export const needsAnswer = (flag: number): boolean => (flag & 1) === 1
/** Keeps the version bits and clears the two lowest bits. */
export const answerFlag = (flag: number): number => flag & ~3

export function buildFrame(
  fields: { qn: string; st: string; cn: string; pw: string; mn: string; flag: number | undefined; cp: string },
  crcMode: CrcMode = 'standard',
): Buffer {
  const segment = Buffer.from(
    [
      fields.qn && `QN=${fields.qn}`,
      `ST=${fields.st}`,
      `CN=${fields.cn}`,
      `PW=${fields.pw}`,
      `MN=${fields.mn}`,
      fields.flag !== undefined && `Flag=${fields.flag}`,
      `CP=&&${fields.cp}&&`,
    ]
      .filter(Boolean)
      .join(';'),
  )
  return Buffer.concat([
    Buffer.from(`##${String(segment.length).padStart(4, '0')}`),
    segment,
    Buffer.from(`${checksumOf(crcMode, segment)}\r\n`),
  ])
}

/** Response to a frame: same QN, system code 91, empty CP. */
export const answerTo = (frame: Hj212Frame, cn: '9013' | '9014', crcMode: CrcMode): Buffer =>
  buildFrame({ qn: frame.qn, st: '91', cn, pw: frame.pw, mn: frame.mn, flag: answerFlag(frame.flag), cp: '' }, crcMode)
