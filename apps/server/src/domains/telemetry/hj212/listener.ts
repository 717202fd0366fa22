import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { currentSchema } from '@zhugong/contract/telemetry/families'
import type { Log } from '#kit/log'
import type { Secrets } from '#kit/secret'
import type { Fleet, FleetDevice, Strangers } from '../../equipment/public.ts'
import type { Counters } from '../counters.ts'
import type { Pipeline } from '../pipeline.ts'
import type { Work } from '../work.ts'
import { answerTo, buildFrame, type CrcMode, Hj212Decoder, type Hj212Frame, needsAnswer } from './frame.ts'
import { formatDataTime, isPeriod, looksLikeEnvironment, toPeriod, toReading } from './values.ts'

export interface Hj212Dependencies {
  host: string
  port: number
  fleet: Fleet
  strangers: Strangers
  secrets: Secrets
  pipeline: Pipeline
  counters: Counters
  log: Log
  now(): number
}

export interface Hj212Listener {
  readonly port: number
  close(): Promise<void>
}

/** Frames of one connection that may wait for their commit; beyond it the connection is not read. */
const maxWaiting = 16
const maxUnsentBytes = 1024 * 1024
const maxConnections = 5_000
/** Whoever has not sent one good frame by then is not a station. */
const firstFrameMs = 60_000
/** Longer than the longest interval of the standard: a connection that is dead without knowing it. */
const idleMs = 3 * 3_600_000
const sweepMs = 2_000

interface Line {
  socket: Socket
  decoder: Hj212Decoder
  address: string
  openedAt: number
  waiting: number
  /** Frames are taken one after the other, as they came. */
  queue: Promise<void>
}

const digest = (text: string) => createHash('sha256').update(text).digest()

export async function listenHj212(deps: Hj212Dependencies): Promise<Hj212Listener> {
  const { fleet, strangers, secrets, pipeline, counters, log, now } = deps
  const lines = new Set<Line>()

  const crcModeOf = (mn: string): CrcMode => fleet.byKey('hj212', mn)?.access.crcMode ?? 'standard'

  const server = createServer((socket) => {
    if (lines.size >= maxConnections || !pipeline.isFlowing) {
      socket.destroy()
      return
    }
    const line: Line = {
      socket,
      address: socket.remoteAddress ?? '',
      openedAt: now(),
      waiting: 0,
      queue: Promise.resolve(),
      decoder: new Hj212Decoder({
        crcModeOf,
        onBad: (kind, bytes) => {
          counters.badFrame('hj212', kind)
          log.info({ protocol: 'hj212', address: socket.remoteAddress, kind, head: withoutPassword(bytes.toString('latin1')) }, 'bad frame')
        },
      }),
    }
    lines.add(line)
    socket.setNoDelay(true)
    socket.setKeepAlive(true, 60_000)
    socket.setTimeout(idleMs, () => socket.destroy())
    socket.on('data', (chunk: Buffer) => takeFrames(line, line.decoder.push(chunk, now())))
    socket.on('error', () => undefined)
    socket.on('close', () => lines.delete(line))
  })

  function takeFrames(line: Line, frames: Hj212Frame[]): void {
    for (const frame of frames) {
      line.waiting++
      line.queue = line.queue
        .then(() => take(line, frame))
        .catch((error: unknown) => {
          // The database is away, or a bug: the device is not answered and sends the frame again.
          log.warn({ err: error, protocol: 'hj212' }, 'frame not taken')
          settle(line)
        })
    }
    if (line.waiting > maxWaiting) line.socket.pause()
    if (line.decoder.isHopeless) line.socket.destroy()
  }

  function settle(line: Line): void {
    line.waiting--
    if (line.waiting <= maxWaiting / 2 && line.socket.isPaused()) line.socket.resume()
  }

  function send(line: Line, frame: Buffer): void {
    if (line.socket.destroyed) return
    line.socket.write(frame)
    if (line.socket.writableLength > maxUnsentBytes) line.socket.destroy()
  }

  /** The device behind a frame, if it is known and its password fits. Otherwise no answer at all: the device repeats, the administrator sees it. */
  async function deviceOf(line: Line, frame: Hj212Frame): Promise<FleetDevice | undefined> {
    const device = fleet.byKey('hj212', frame.mn) ?? (await fleet.seekByKey('hj212', frame.mn))
    const secret = device ? secrets.open(device.sealedSecret) : null
    const reason = !device
      ? 'unregistered'
      : !secret || !timingSafeEqual(digest(secret), digest(frame.pw))
        ? 'wrongPassword'
        : !device.inService
          ? 'notInService'
          : frame.pairs === undefined
            ? 'encryptedNoKey'
            : undefined
    if (!reason) return device
    counters.refused(reason)
    strangers.note(
      {
        identifier: frame.mn,
        protocol: 'hj212',
        address: line.address,
        reason,
        sample: `ST=${frame.st};CN=${frame.cn};Flag=${frame.flag};CP=&&${frame.cp}&&`,
        guess: looksLikeEnvironment(frame) ? 'environment' : undefined,
      },
      now(),
    )
    return undefined
  }

  async function take(line: Line, frame: Hj212Frame): Promise<void> {
    const device = await deviceOf(line, frame)
    if (!device) return settle(line)
    const receivedAt = now()
    const crcMode = device.access.crcMode ?? 'standard'
    const submit = (part: Partial<Pick<Work, 'readings' | 'records' | 'events'>>, answer: (() => void) | undefined) => {
      pipeline.submit({
        device,
        receivedAt,
        readings: [],
        records: [],
        events: [],
        ...part,
        done: (error) => {
          if (!error) answer?.()
          settle(line)
        },
      })
    }
    const answer = (cn: '9013' | '9014') => (needsAnswer(frame.flag) ? () => send(line, answerTo(frame, cn, crcMode)) : undefined)
    if (frame.cn === '2011') {
      const { reading, rejected } = toReading(frame, device.family, device.access.units, receivedAt)
      if (rejected.length) counters.rejected('hj212', rejected.length)
      // What can never be stored is answered too: a repetition would not better it. It stays counted.
      if (reading) counters.received('hj212', 1)
      return submit({ readings: reading ? [merged(device, frame, reading)] : [] }, answer('9014'))
    }
    if (isPeriod(frame.cn)) {
      const record = toPeriod(frame, device.access.units, receivedAt)
      if (record) counters.received('hj212', 1)
      return submit({ records: record ? [record] : [] }, answer('9014'))
    }
    if (/^30(15|19|20)$/.test(frame.cn)) {
      const event = {
        type: `hj212-${frame.cn}`,
        state: 'start' as const,
        value: null,
        time: receivedAt,
        receivedAt,
        id: `${frame.cn}:${frame.qn}:${frame.pno}`,
        data: { cp: frame.cp, schema: currentSchema },
      }
      return submit({ events: [event] }, answer('9014'))
    }
    if (frame.cn === '9015') return submit({}, answer('9013'))
    if (frame.cn === '1013') {
      return submit({}, () => {
        send(line, answerTo(frame, '9013', crcMode))
        const at = now()
        const cp = `SystemTime=${formatDataTime(at)}`
        send(
          line,
          buildFrame(
            { qn: formatDataTime(at, true), st: frame.st, cn: '1012', pw: frame.pw, mn: frame.mn, flag: (frame.flag & ~3) | 1, cp },
            crcMode,
          ),
        )
      })
    }
    // Answers to commands are never answered; anything else is counted.
    if (!/^901[1-4]$/.test(frame.cn)) counters.refused(`hj212-${frame.cn}`)
    return submit({}, undefined)
  }

  /** Values of the packets of one report so far, so that the newest reading shows the whole of it. */
  const reports = new Map<string, { at: number; values: Record<string, unknown>; quality: Record<string, string> | null }>()
  const reportMs = 60_000
  function merged<R extends { values: Record<string, unknown>; quality: Record<string, string> | null; time: number }>(
    device: FleetDevice,
    frame: Hj212Frame,
    reading: R,
  ): R {
    if (frame.pnum <= 1) return reading
    const key = `${device.id}/${frame.cn}/${reading.time - Math.max(0, frame.pno - 1)}`
    const before = reports.get(key)
    const values = { ...before?.values, ...reading.values }
    const quality = before?.quality || reading.quality ? { ...before?.quality, ...reading.quality } : null
    reports.set(key, { at: now(), values, quality })
    return { ...reading, values, quality }
  }

  const sweeper = setInterval(() => {
    const at = now()
    for (const line of lines) {
      takeFrames(line, line.decoder.expire(at))
      if (line.decoder.good === 0 && at - line.openedAt > firstFrameMs) line.socket.destroy()
    }
    for (const [key, report] of reports) if (at - report.at > reportMs) reports.delete(key)
  }, sweepMs)

  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(deps.port, deps.host, resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    async close() {
      clearInterval(sweeper)
      server.close()
      for (const line of lines) line.socket.destroy()
    },
  }
}

const withoutPassword = (text: string) => text.replace(/PW=[^;]*/g, 'PW=***')
