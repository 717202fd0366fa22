import type { Socket } from 'node:net'
import type { FrameLog } from '../frame-log.ts'
import { blanked } from '../frame-log.ts'
import type { IngestContext } from '../ingest/extension.ts'
import type { Hj212Decoder, Hj212Frame } from './frame.ts'

/** What a connection uses of the ingest. */
export type LineContext = Pick<
  IngestContext,
  'fleet' | 'strangers' | 'secrets' | 'pipeline' | 'counters' | 'frames' | 'origins' | 'warnings' | 'log' | 'now'
>

/** Header fields of the station's last frame; requests to it use the same. */
export type Spoken = Pick<Hj212Frame, 'st' | 'pw' | 'mn' | 'flag'>

/** A connection. Several stations may share one. */
export interface Line {
  socket: Socket
  decoder: Hj212Decoder
  address: string
  openedAt: number
  waiting: number
  /** Frames are processed one after the other in the order received. */
  queue: Promise<void>
  stations: Map<string, Spoken>
  /** Bytes received before the first station authenticated. */
  unprovenBytes: number
  /** Wrong passwords received before the first station authenticated. */
  wrongPasswords: number
  proven(): void
}

/** Frames of one connection that may wait for their commit; beyond this number reading from the socket pauses. */
export const maxWaiting = 16
const maxUnsentBytes = 1024 * 1024

/** Call when a frame is processed; resumes reading when few frames are waiting. */
export function settle(line: Line): void {
  line.waiting--
  if (line.waiting <= maxWaiting / 2 && line.socket.isPaused()) line.socket.resume()
}

export function send(line: Line, frame: Buffer): void {
  if (line.socket.destroyed) return
  line.socket.write(frame)
  if (line.socket.writableLength > maxUnsentBytes) line.socket.destroy()
}

/** Log fields of a frame besides the frame itself. */
export interface FrameNote {
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
  { result, answer, receivedAt, decoded, hint }: FrameNote,
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

/** Logs why the server closes a connection, because the device only sees that it is closed. */
export function noteEnd(ctx: LineContext, line: Line, bytes: Buffer, hint: string): void {
  noteBad(ctx, line, 'tooLarge', bytes, hint)
}

/** Logs a frame that could not be decoded. */
export function noteBad(ctx: LineContext, line: Line, kind: string, bytes: Buffer, hint: string): void {
  ctx.counters.badFrame('hj212', kind)
  const shown = blanked(bytes.toString('latin1'))
  ctx.log.info({ protocol: 'hj212', address: line.address, kind, head: shown }, 'bad frame')
  // A frame without a readable MN is attributed to the station of the connection, if there is only one.
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
