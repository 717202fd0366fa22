import { familyOf } from '@zhugong/contract/telemetry/families'
import { gateDialectKeys } from '@zhugong/contract/telemetry/gate-dialects'
import { decodeTrial } from './decode-trial.ts'
import { readPush } from './gates/adapters.ts'
import { given } from './gates/given-for-test.ts'
import { crcText, standardCrc } from './hj212/crc.ts'
import { Hj212Decoder, buildFrame as hj212Frame } from './hj212/frame.ts'
import { toReading as toStationReading } from './hj212/values.ts'
import * as body from './jt808/bodies.ts'
import { Jt808Decoder, type Jt808Frame, buildFrame as jt808Frame } from './jt808/frame.ts'
import { buildCjt188, Cjt188Decoder, answerOf as waterAnswerOf } from './meters/cjt188.ts'
import { buildDlt645, Dlt645Decoder, answerOf as meterAnswerOf } from './meters/dlt645.ts'
import { RtuDecoder, rtuFrame, TcpDecoder, tcpFrame } from './meters/modbus.ts'
import { modbusCrc } from './modbus-crc.ts'

/** Small pseudo-random generator (xorshift) with a repeatable sequence. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0 || 1
  return () => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 2 ** 32
  }
}

interface Codec {
  name: string
  /** A good frame. */
  make(random: () => number): Buffer
  /** Opens a decoder for one connection. It returns the number of accepted frames and errors about frames that should have been refused. */
  open(): (chunk: Buffer) => { accepted: number; wrong: string[] }
}

const now = Date.parse('2026-11-21T12:00:00+08:00')
const bytes = (random: () => number, length: number) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)))
const fresh = <D extends { isHopeless: boolean }>(make: () => D) => {
  let decoder = make()
  return () => {
    if (decoder.isHopeless) decoder = make()
    return decoder
  }
}

function readBodies(frame: Jt808Frame): void {
  body.readRegistration(frame.body, frame.is2019)
  body.readAuthentication(frame.body, frame.is2019)
  body.readLocation(frame.body)
  body.readBatch(frame.body)
  body.readMedia(frame.body)
  body.readVideoList(frame.body)
  body.readParameters(frame.body)
  body.readGeneralAnswer(frame.body)
}

export const codecs: readonly Codec[] = [
  {
    name: 'hj212',
    make: (random) =>
      hj212Frame({
        qn: '20261121120000123',
        st: '39',
        cn: '2011',
        pw: '123456',
        mn: 'MN00000001',
        flag: 5,
        cp: `DataTime=20261121120000;a34002-Rtd=${Math.floor(random() * 500)},a34002-Flag=N;LA-Rtd=${(random() * 90).toFixed(1)}`,
      }),
    open() {
      const decoder = fresh(() => new Hj212Decoder())
      const family = familyOf('environment')
      return (chunk) => {
        const frames = decoder().push(chunk, now)
        for (const frame of frames) if (family) toStationReading(frame, family, {}, now)
        return {
          accepted: frames.length,
          wrong: frames.flatMap((f) => (/^\w{5,40}$/.test(f.mn) && /^\d{4}$/.test(f.cn) ? [] : ['structure'])),
        }
      }
    },
  },
  {
    name: 'jt808',
    make: (random) =>
      jt808Frame({
        id: [0x0002, 0x0100, 0x0102, 0x0200, 0x0704, 0x0801][Math.floor(random() * 6)] ?? 2,
        phone: '13912345678',
        serial: Math.floor(random() * 65_536),
        is2019: random() < 0.5,
        body: bytes(random, Math.floor(random() * 80)),
        part: random() < 0.2 ? { total: 3, index: 1 + Math.floor(random() * 3) } : undefined,
      }),
    open() {
      const decoder = fresh(() => new Jt808Decoder())
      return (chunk) => {
        const frames = decoder().push(chunk, now)
        for (const frame of frames) readBodies(frame)
        // Encoding an accepted frame again always yields the same checksum, so the fields are checked instead.
        return {
          accepted: frames.length,
          wrong: frames.flatMap((f) => (/^\d{1,20}$/.test(f.phone) && f.body.length < 1024 ? [] : ['structure'])),
        }
      }
    },
  },
  {
    name: 'modbusRtu',
    make: (random) => {
      const data = bytes(random, 2 * (1 + Math.floor(random() * 20)))
      return rtuFrame(1 + Math.floor(random() * 247), Buffer.concat([Buffer.of(3, data.length), data]))
    },
    open() {
      const decoder = new RtuDecoder()
      return (chunk) => ({ accepted: decoder.push(chunk).length, wrong: [] })
    },
  },
  {
    name: 'modbusTcp',
    make: (random) => {
      const data = bytes(random, 2 * (1 + Math.floor(random() * 20)))
      return tcpFrame(Math.floor(random() * 65_536), 1, Buffer.concat([Buffer.of(3, data.length), data]))
    },
    open() {
      const decoder = new TcpDecoder()
      return (chunk) => ({ accepted: decoder.push(chunk).length, wrong: [] })
    },
  },
  {
    name: 'dlt645',
    make: (random) => buildDlt645('000000000001', 0x91, Buffer.concat([Buffer.from('00000100', 'hex'), bytes(random, 4)])),
    open() {
      const decoder = new Dlt645Decoder()
      return (chunk) => {
        const frames = decoder.push(chunk)
        for (const frame of frames) meterAnswerOf(frame)
        return { accepted: frames.length, wrong: frames.flatMap((f) => (/^\d{12}$/.test(f.address) ? [] : ['address'])) }
      }
    },
  },
  {
    name: 'cjt188',
    make: (random) => buildCjt188(0x10, '00000805000001', 0x81, Buffer.concat([Buffer.from('1f9000', 'hex'), bytes(random, 19)])),
    open() {
      const decoder = new Cjt188Decoder()
      return (chunk) => {
        const frames = decoder.push(chunk)
        for (const frame of frames) waterAnswerOf(frame)
        return { accepted: frames.length, wrong: frames.flatMap((f) => (/^\d{14}$/.test(f.address) ? [] : ['address'])) }
      }
    },
  },
  {
    name: 'gate',
    make: (random) =>
      Buffer.from(
        JSON.stringify({
          deviceKey: 'D1',
          personId: `W${Math.floor(random() * 1e4)}`,
          time: now,
          type: `face_${Math.floor(random() * 3)}`,
        }),
      ),
    open() {
      return (chunk) => {
        let accepted = 0
        const contentType = chunk.length % 2 ? 'application/json' : 'multipart/form-data; boundary=x'
        for (const dialect of gateDialectKeys)
          accepted += readPush(dialect, given(chunk, { contentType, rest: 'iclock/cdata' }))?.passages.length ?? 0
        return { accepted, wrong: [] }
      }
    },
  },
  {
    name: 'trial',
    make: (random) => jt808Frame({ id: 0x0002, phone: '13912345678', serial: Math.floor(random() * 65_536), body: Buffer.alloc(0) }),
    open() {
      return (chunk) => {
        const protocols = ['jt808', 'hj212', 'mqtt']
        const trials = protocols.map((protocol) =>
          decodeTrial(chunk.length % 3 ? chunk.toString('hex') : chunk.toString('latin1'), { protocol }, now),
        )
        return { accepted: trials.filter((t) => t.ok).length, wrong: [] }
      }
    },
  },
]

/** Damages a frame like a bad line would. */
function spoil(frame: Buffer, random: () => number): Buffer {
  const at = Math.floor(random() * frame.length)
  switch (Math.floor(random() * 7)) {
    case 0: {
      const copy = Buffer.from(frame)
      copy[at] = (copy[at] ?? 0) ^ (1 << Math.floor(random() * 8))
      return copy
    }
    case 1:
      return frame.subarray(0, at)
    case 2:
      return Buffer.concat([frame.subarray(0, at), frame.subarray(at + 1)])
    case 3:
      return Buffer.concat([frame.subarray(0, at), bytes(random, 1 + Math.floor(random() * 8)), frame.subarray(at)])
    case 4:
      return Buffer.concat([frame, bytes(random, Math.floor(random() * 64))])
    case 5:
      return bytes(random, Math.floor(random() * 200))
    default:
      return frame
  }
}

/** A frame with exactly one wrong bit must never be accepted by a protocol whose checksum detects all such errors. */
function oneBitCases(random: () => number): string[] {
  const wrong: string[] = []
  for (const codec of codecs.filter((c) => ['jt808', 'modbusRtu'].includes(c.name))) {
    const frame = codec.make(random)
    // The delimiters of JT/T 808 are not part of the checksum.
    const [from, to] = codec.name === 'jt808' ? [1, frame.length - 1] : [0, frame.length]
    const copy = Buffer.from(frame)
    const at = from + Math.floor(random() * (to - from))
    copy[at] = (copy[at] ?? 0) ^ (1 << Math.floor(random() * 8))
    // A new delimiter, or a changed escape sequence, results in a different byte stream.
    if (codec.name === 'jt808' && (frame.includes(0x7d) || copy.subarray(1, -1).includes(0x7e) || copy.includes(0x7d))) continue
    const { accepted } = codec.open()(copy)
    if (accepted) wrong.push(`${codec.name}: one bit wrong and accepted`)
  }
  const segment = Buffer.from(
    'QN=20261121120000123;ST=39;CN=2011;PW=123456;MN=MN00000001;Flag=5;CP=&&DataTime=20261121120000;a34002-Rtd=92&&',
  )
  const wrongCrc = crcText((standardCrc(segment) + 1 + Math.floor(random() * 65_534)) & 0xffff)
  const text = `##${String(segment.length).padStart(4, '0')}${segment}${wrongCrc}\r\n`
  if (new Hj212Decoder().push(Buffer.from(text), now).length) wrong.push('hj212: wrong check accepted')
  if (crcText(modbusCrc(segment)) !== crcText(standardCrc(segment))) {
    const modbus = `##${String(segment.length).padStart(4, '0')}${segment}${crcText(modbusCrc(segment))}\r\n`
    if (new Hj212Decoder().push(Buffer.from(modbus), now).length) wrong.push('hj212: the check of another mode accepted')
  }
  return wrong
}

export interface FuzzReport {
  frames: number
  accepted: Record<string, number>
  wrong: string[]
  grownMb: number
}

/** Feeds damaged and intact frames to every codec, each on a long-lived connection. */
export function fuzz(frames: number, seed: number): FuzzReport {
  const random = randomOf(seed)
  const accepted: Record<string, number> = {}
  const wrong: string[] = []
  const lines = codecs.map((codec) => ({ codec, take: codec.open() }))
  const used = () => {
    globalThis.gc?.()
    return process.memoryUsage().heapUsed
  }
  let before = used()
  let done = 0
  while (done < frames) {
    for (const { codec, take } of lines) {
      try {
        const outcome = take(spoil(codec.make(random), random))
        accepted[codec.name] = (accepted[codec.name] ?? 0) + outcome.accepted
        if (outcome.wrong.length && wrong.length < 20) wrong.push(...outcome.wrong.map((w) => `${codec.name}: ${w}`))
      } catch (error) {
        if (wrong.length < 20) wrong.push(`${codec.name} threw ${String(error)}`)
      }
      done++
    }
    if (done % 80 === 0 && wrong.length < 20) wrong.push(...oneBitCases(random))
    // By this time the code and its caches are loaded; memory must not grow from here on.
    if (done === Math.floor(frames / 10 / codecs.length) * codecs.length) before = used()
  }
  return { frames: done, accepted, wrong, grownMb: (used() - before) / 2 ** 20 }
}
