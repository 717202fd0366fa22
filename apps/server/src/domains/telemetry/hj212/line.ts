import type { Socket } from 'node:net'
import type { FrameLog } from '../frame-log.ts'
import { blanked } from '../frame-log.ts'
import type { IngestContext } from '../ingest/extension.ts'
import type { Hj212Decoder, Hj212Frame } from './frame.ts'

/** What a connection needs of the ingest. */
export type LineContext = Pick<
  IngestContext,
  'fleet' | 'strangers' | 'secrets' | 'pipeline' | 'counters' | 'frames' | 'origins' | 'warnings' | 'log' | 'now'
>

/** A station as it spoke last: requests to it are made alike. */
export type Spoken = Pick<Hj212Frame, 'st' | 'pw' | 'mn' | 'flag'>

/** A connection. Several stations may speak over one. */
export interface Line {
  socket: Socket
  decoder: Hj212Decoder
  address: string
  openedAt: number
  waiting: number
  /** Frames are taken one after the other, as they came. */
  queue: Promise<void>
  stations: Map<string, Spoken>
  /** Bytes so far, while no station has shown its password. */
  unprovenBytes: number
  /** Wrong passwords on it, while no station has shown the right one. */
  wrongPasswords: number
  proven(): void
}

/** Frames of one connection that may wait for their commit; beyond it the connection is not read. */
export const maxWaiting = 16
const maxUnsentBytes = 1024 * 1024

/** A frame of the line is done with: it is read on when few wait. */
export function settle(line: Line): void {
  line.waiting--
  if (line.waiting <= maxWaiting / 2 && line.socket.isPaused()) line.socket.resume()
}

export function send(line: Line, frame: Buffer): void {
  if (line.socket.destroyed) return
  line.socket.write(frame)
  if (line.socket.writableLength > maxUnsentBytes) line.socket.destroy()
}

/** What the log says of a frame beside the frame itself. */
export interface Told {
  result: string
  answer?: string | undefined
  receivedAt?: number | undefined
  decoded?: Record<string, unknown> | undefined
  hint?: string | undefined
}

export function noteFrame(
  { frames, now }: { frames: FrameLog; now(): number },
  line: Line,
  frame: Hj212Frame,
  device: Parameters<FrameLog['note']>[0]['device'],
  { result, answer, receivedAt, decoded, hint }: Told,
): void {
  const at = now()
  const text = `QN=${frame.qn};ST=${frame.st};CN=${frame.cn};PW=***;MN=${frame.mn};Flag=${frame.flag};CP=&&${blanked(frame.cp)}&&`
  frames.note({
    time: receivedAt ?? at,
    device,
    identifier: frame.mn,
    protocol: 'hj212',
    address: line.address,
    direction: 'up',
    kind: frame.cn,
    result,
    length: Buffer.byteLength(text),
    body: Buffer.from(text),
    isText: true,
    decoded,
    answer,
    hint,
    delayMs: receivedAt === undefined ? undefined : at - receivedAt,
  })
}

/** Why a connection is given up: whoever is at the box sees no more than that it is closed. */
export function noteEnd(ctx: LineContext, line: Line, bytes: Buffer, hint: string): void {
  noteBad(ctx, line, 'tooLarge', bytes, hint)
}

/** A frame nobody can read, or only so far. */
export function noteBad(ctx: LineContext, line: Line, kind: string, bytes: Buffer, hint: string): void {
  ctx.counters.badFrame('hj212', kind)
  const shown = blanked(bytes.toString('latin1'))
  ctx.log.info({ protocol: 'hj212', address: line.address, kind, head: shown }, 'bad frame')
  // A frame too broken to name its station is its who has spoken on this connection, when that was one only.
  const [only, another] = [...line.stations.values()]
  const mn = /(?:^|;)\s*MN=(\w{5,40})/.exec(shown)?.[1] ?? (another ? undefined : only?.mn)
  ctx.frames.note({
    time: ctx.now(),
    device: mn ? ctx.fleet.byKey('hj212', mn) : undefined,
    identifier: mn ?? line.address,
    hint,
    protocol: 'hj212',
    address: line.address,
    direction: 'up',
    kind: /;CN=(\d{4})/.exec(shown)?.[1] ?? 'frame',
    result: kind,
    length: bytes.length,
    body: Buffer.from(shown),
    isText: true,
  })
}
