import { fromGbk } from '../jt808/gbk.ts'
import { crcText, modbusCrc, standardCrc } from './crc.ts'
import { explainBad } from './explain.ts'

/**
 * HJ 212 as bytes and as frames, of the editions 2005, 2017 and 2025. The decoder is pure: bytes in, frames out, nothing thrown. It
 * counts what it could not read and says when a connection is not worth keeping.
 */
export interface Hj212Frame {
  qn: string
  st: string
  cn: string
  pw: string
  mn: string
  flag: number
  /** This packet of so many; 1 of 1 when there is but one. */
  pno: number
  pnum: number
  /** Between the two `&&`. */
  cp: string
  /** Name and value of each pair of CP; undefined when CP is not of that form, as when it is encrypted. */
  pairs: readonly (readonly [name: string, value: string])[] | undefined
}

export type BadFrame = 'length' | 'crc' | 'tail' | 'structure' | 'timeout'
export type CrcMode = 'standard' | 'modbus'

export interface DecoderOptions {
  /** Longest data segment; the standard says 1024, up to 4096 may be set for the device of an MN. */
  maxLength?: number
  maxLengthOf?(mn: string): number | undefined
  /** How the device of an MN computes its check. */
  crcModeOf?(mn: string): CrcMode
  /** `hint` says to people what was expected and what to change. */
  onBad?(kind: BadFrame, bytes: Buffer, hint: string): void
}

const hash = 0x23
const cr = 0x0d
const lf = 0x0a
const headLength = 6
const crcLength = 4
/** An unfinished frame is given up after this long. */
const unfinishedMs = 10_000
/** What may be allowed at most, and where the MN of a frame has come by. */
const longest = 4096
const mnWithin = headLength + 250
const badInRow = 10
const bytesWithoutGood = 64 * 1024

export class Hj212Decoder {
  private readonly maxLength: number
  private readonly crcModeOf: (mn: string) => CrcMode
  private readonly maxLengthOf: (mn: string) => number | undefined
  private readonly onBad: (kind: BadFrame, bytes: Buffer, hint: string) => void
  private held: Buffer = Buffer.alloc(0)
  private begunAt: number | undefined
  private bad = 0
  private unread = 0
  good = 0

  constructor(options: DecoderOptions = {}) {
    this.maxLength = options.maxLength ?? 1024
    this.crcModeOf = options.crcModeOf ?? (() => 'standard')
    this.maxLengthOf = options.maxLengthOf ?? (() => undefined)
    this.onBad = options.onBad ?? (() => undefined)
  }

  /** Ten bad frames in a row, or 64 KiB without a good one: whoever is there does not speak HJ 212. */
  get isHopeless(): boolean {
    return this.bad >= badInRow || this.unread > bytesWithoutGood
  }

  push(chunk: Buffer, now: number): Hj212Frame[] {
    this.unread += chunk.length
    this.held = this.held.length ? Buffer.concat([this.held, chunk]) : chunk
    return this.read(now)
  }

  /** Drops a frame whose end does not come; what stands behind its beginning may hold another. */
  expire(now: number): Hj212Frame[] {
    if (this.begunAt === undefined || now - this.begunAt <= unfinishedMs) return []
    return this.finish(now)
  }

  /** Nothing more comes. A frame that is whole but for CR LF is taken, since its length and check hold; another is told of. */
  finish(now: number): Hj212Frame[] {
    if (this.begunAt === undefined) return []
    const given = this.held
    this.held = Buffer.concat([given.at(-1) === cr ? given.subarray(0, -1) : given, Buffer.of(cr, lf)])
    const outcome = this.tryFrame()
    if (typeof outcome === 'object') return this.read(now)
    this.held = given
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
        this.held = this.held.subarray(start)
        this.begunAt = undefined
      }
      this.begunAt ??= now
      const outcome = this.tryFrame()
      if (outcome === 'more') break
      if (typeof outcome === 'string') {
        this.refuse(outcome, this.held.length)
        continue
      }
      frames.push(outcome.frame)
      this.held = this.held.subarray(outcome.end)
      this.begunAt = undefined
      this.bad = 0
      this.unread = this.held.length
      this.good++
    }
    return frames
  }

  /** Where the next frame may begin; of more than two `#` the last two count. Keeps a lone `#` at the end for what follows it. */
  private findStart(): number {
    let at = this.held.indexOf('##')
    while (at >= 0 && this.held[at + 2] === hash) at++
    if (at < 0) {
      const keep = this.held[this.held.length - 1] === hash ? 1 : 0
      this.held = this.held.subarray(this.held.length - keep)
    }
    return at
  }

  /** On failure the search goes on behind the two `#`, not behind the frame: its length may have been the lie. */
  private refuse(kind: BadFrame, shown: number): void {
    this.bad++
    const mn = mnOf(this.held)
    const hint = explainBad(kind, this.held, { crcMode: this.crcModeOf(mn), maxLength: this.longestOf(mn) })
    this.onBad(kind, this.held.subarray(0, Math.min(shown, 256)), hint)
    this.held = this.held.subarray(2)
    this.begunAt = undefined
  }

  private longestOf(mn: string): number {
    return Math.min(longest, this.maxLengthOf(mn) ?? this.maxLength)
  }

  private tryFrame(): { frame: Hj212Frame; end: number } | BadFrame | 'more' {
    const { held } = this
    for (let i = 2; i < Math.min(headLength, held.length); i++) {
      const digit = held[i] ?? 0
      if (digit < 0x30 || digit > 0x39) return 'length'
    }
    if (held.length < headLength) return 'more'
    const length = Number(held.toString('latin1', 2, headLength))
    if (length < 10 || length > longest) return 'length'
    if (length > this.maxLength) {
      // Whose frame this is stands at its beginning: who may send more is known long before the whole has come.
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
    const crc = this.crcModeOf(mnOf(held)) === 'modbus' ? modbusCrc(segment) : standardCrc(segment)
    if (crcText(crc) !== given) return 'crc'
    const frame = parseSegment(textOf(segment))
    return frame ? { frame, end } : 'structure'
  }
}

/** The MN a frame that begins here names, readable or not. */
const mnOf = (held: Buffer): string => /(?:^|;)\s*MN=(\w{5,40})/.exec(held.toString('latin1', headLength, headLength + 400))?.[1] ?? ''

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** Texts are UTF-8; older stations send them in GBK. Bytes that are no UTF-8 are those. */
function textOf(segment: Buffer): string {
  try {
    return utf8.decode(segment)
  } catch {
    return fromGbk(segment)
  }
}

const header = /^(?:[A-Za-z]+=[^;&=]*;)+CP=&&/

/** A moment to the millisecond; some stations print its milliseconds without leading zeros. It only ties an answer to its question. */
const exchange = /^\d{14,17}$/
/** What answers a request. Stations of HJ/T 212-2005 name the request's QN within CP, as they do where they have none of their own. */
const answers = /^901[1-4]$/

/** The check is weak, so the form is looked at too. */
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
  const asked = pairs?.find(([name, value]) => name === 'QN' && exchange.test(value))?.[1]
  const names = answers.test(field('CN')) || field('QN') === '' ? asked : undefined
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
    pairs: asked === undefined ? pairs : pairs?.filter(([name]) => name !== 'QN'),
  }
}

/** The same frame with its data readable. */
export const withPlainCp = (frame: Hj212Frame, cp: string): Hj212Frame => ({ ...frame, cp, pairs: pairsOf(cp) })

/** `;` between items, `,` between the values of one, both tolerated at the end. Text stands between slashes and may hold either. */
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
/** The version stays, the two lower bits are ours to clear. */
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
  const crc = crcMode === 'modbus' ? modbusCrc(segment) : standardCrc(segment)
  return Buffer.concat([Buffer.from(`##${String(segment.length).padStart(4, '0')}`), segment, Buffer.from(`${crcText(crc)}\r\n`)])
}

/** Our answer to a frame: same exchange, system 91, an empty CP. */
export const answerTo = (frame: Hj212Frame, cn: '9013' | '9014', crcMode: CrcMode): Buffer =>
  buildFrame({ qn: frame.qn, st: '91', cn, pw: frame.pw, mn: frame.mn, flag: answerFlag(frame.flag), cp: '' }, crcMode)
