import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { currentSchema } from '@zhugong/contract/telemetry/families'
import type { Log } from '#kit/log'
import type { Secrets } from '#kit/secret'
import type { Fleet, FleetDevice, Strangers } from '../../equipment/public.ts'
import type { Counters } from '../counters.ts'
import { blanked, type FrameLog, resultOf } from '../frame-log.ts'
import { type Guesses, toldAfter, triesOfConnection, waitHint } from '../guesses.ts'
import type { Origins } from '../origins.ts'
import type { Pipeline } from '../pipeline.ts'
import type { Rejection } from '../sample.ts'
import { provenWithinMs, Unproven } from '../unproven.ts'
import type { Warnings } from '../warnings.ts'
import type { Work } from '../work.ts'
import { firstCommands, type Hj212Downlink, hj212DownlinkOf } from './downlink.ts'
import { type ExchangeOutcome, Exchanges } from './exchanges.ts'
import { answerTo, buildFrame, type CrcMode, Hj212Decoder, type Hj212Frame, needsAnswer, withPlainCp } from './frame.ts'
import { decryptCp, mayBeEncrypted } from './sm4.ts'
import type { Stations } from './stations.ts'
import { formatDataTime, isPeriod, looksLikeEnvironment, type StationWords, toPeriod, toReading } from './values.ts'

export interface Hj212Dependencies {
  host: string
  port: number
  fleet: Fleet
  strangers: Strangers
  secrets: Secrets
  pipeline: Pipeline
  counters: Counters
  stations: Stations
  frames: FrameLog
  guesses: Guesses
  origins: Origins
  warnings: Warnings
  log: Log
  now(): number
}

export interface Hj212Listener {
  readonly port: number
  /** Asks a connected station and waits for its three steps; undefined when it is not connected or the command is none of this protocol. */
  request(device: FleetDevice, command: string, params: Record<string, unknown>, expireAt?: number): Promise<ExchangeOutcome> | undefined
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
const sweepMs = 1_000
/** Taken from a connection before its first good password: a few hours of frames of a station that is not registered yet. */
const maxUnprovenBytes = 64 * 1024

/** A station as it spoke last: requests to it are made alike. */
type Spoken = Pick<Hj212Frame, 'st' | 'pw' | 'mn' | 'flag'>

interface Line {
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

const digest = (text: string) => createHash('sha256').update(text).digest()

/** The device's own words, if somebody has matched its codes. */
const wordsOf = (device: FleetDevice): StationWords => device.access as StationWords

export async function listenHj212(deps: Hj212Dependencies): Promise<Hj212Listener> {
  const { fleet, strangers, secrets, pipeline, counters, stations, frames, guesses, origins, warnings, log, now } = deps
  const unproven = new Unproven()
  const lines = new Set<Line>()
  const lineOf = new Map<string, Line>()
  const exchanges = new Map<string, Exchanges>()

  const crcModeOf = (mn: string): CrcMode => fleet.byKey('hj212', mn)?.access.crcMode ?? 'standard'
  const maxLengthOf = (mn: string): number | undefined => fleet.byKey('hj212', mn)?.access.maxLength

  const server = createServer((socket) => {
    if (lines.size >= maxConnections || !pipeline.isFlowing) {
      socket.destroy()
      return
    }
    const address = socket.remoteAddress ?? ''
    const proven = unproven.enter(address)
    if (!proven) {
      counters.refused('tooManyConnections')
      socket.destroy()
      return
    }
    const line: Line = {
      socket,
      address,
      unprovenBytes: 0,
      wrongPasswords: 0,
      proven,
      openedAt: now(),
      waiting: 0,
      queue: Promise.resolve(),
      stations: new Map(),
      decoder: new Hj212Decoder({ crcModeOf, maxLengthOf, onBad: (kind, bytes, hint) => noteBad(line, kind, bytes, hint) }),
    }
    lines.add(line)
    socket.setNoDelay(true)
    socket.setKeepAlive(true, 60_000)
    socket.setTimeout(idleMs, () => socket.destroy())
    socket.on('data', (chunk: Buffer) => {
      if (line.stations.size === 0) line.unprovenBytes += chunk.length
      if (line.unprovenBytes > maxUnprovenBytes) socket.destroy()
      else takeFrames(line, line.decoder.push(chunk, now()))
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      lines.delete(line)
      line.proven()
      for (const id of line.stations.keys()) {
        if (lineOf.get(id) !== line) continue
        lineOf.delete(id)
        exchanges.get(id)?.close()
      }
    })
  })

  function noteBad(line: Line, kind: string, bytes: Buffer, hint: string): void {
    counters.badFrame('hj212', kind)
    const shown = blanked(bytes.toString('latin1'))
    log.info({ protocol: 'hj212', address: line.address, kind, head: shown }, 'bad frame')
    // A frame too broken to name its station is its who has spoken on this connection, when that was one only.
    const [only, another] = [...line.stations.values()]
    const mn = /(?:^|;)\s*MN=(\w{5,40})/.exec(shown)?.[1] ?? (another ? undefined : only?.mn)
    frames.note({
      time: now(),
      device: mn ? fleet.byKey('hj212', mn) : undefined,
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

  function note(
    line: Line,
    frame: Hj212Frame,
    device: FleetDevice | undefined,
    result: string,
    answer?: string,
    receivedAt?: number,
    decoded?: Record<string, unknown>,
    hint?: string,
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

  function takeFrames(line: Line, list: Hj212Frame[]): void {
    for (const frame of list) {
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

  /** The frame with its data readable; undefined when it is encrypted and the key is not known, or another one. */
  function readable(device: FleetDevice, frame: Hj212Frame): Hj212Frame | undefined {
    if (frame.pairs !== undefined) return frame
    const key = stations.of(device.id)?.key
    const plain = key && mayBeEncrypted(frame.cn) ? decryptCp(frame.cp, key) : undefined
    const read = plain === undefined ? undefined : withPlainCp(frame, plain)
    return read?.pairs ? read : undefined
  }

  /** The device behind a frame, if it is known and its password fits. Otherwise no answer at all: the device repeats, the administrator sees it. */
  async function deviceOf(line: Line, frame: Hj212Frame): Promise<{ device: FleetDevice; plain: Hj212Frame } | undefined> {
    const device = fleet.byKey('hj212', frame.mn) ?? (await fleet.seekByKey('hj212', frame.mn))
    const secret = device ? secrets.open(device.sealedSecret) : null
    const plain = device && readable(device, frame)
    const at = now()
    // The connection on which the station has shown its password does not wait for what others guess.
    const isKnown = device !== undefined && (line.stations.has(device.id) || origins.isKnown(device.id, line.address))
    const waitMs = device && !line.stations.has(device.id) ? guesses.waitMs(device.id, line.address, isKnown, at) : 0
    const reason = !device
      ? 'unregistered'
      : waitMs > 0
        ? 'tooManyTries'
        : !secret || !timingSafeEqual(digest(secret), digest(frame.pw))
          ? 'wrongPassword'
          : !device.inService
            ? 'notInService'
            : 'encryptedNoKey'
    const isOnlyUnread = reason === 'encryptedNoKey'
    if (isOnlyUnread && device && plain) {
      if (!line.stations.has(device.id)) guesses.forgive(device.id, line.address)
      return { device, plain }
    }
    if (device && reason === 'wrongPassword') {
      const tries = guesses.failed(device.id, line.address, isKnown, at)
      if (line.stations.size === 0 && ++line.wrongPasswords >= triesOfConnection) line.socket.destroy()
      if (tries >= toldAfter) warnings.note(device, 'guessing', line.address, `密码连续错 ${tries} 次`, at)
    }
    counters.refused(reason)
    note(line, frame, device, reason, undefined, undefined, undefined, waitMs > 0 ? waitHint(waitMs) : undefined)
    strangers.note(
      {
        identifier: frame.mn,
        protocol: 'hj212',
        address: line.address,
        reason,
        sample: `ST=${frame.st};CN=${frame.cn};Flag=${frame.flag};CP=&&${blanked(frame.cp)}&&`,
        guess: looksLikeEnvironment(frame) ? 'environment' : undefined,
      },
      now(),
    )
    return undefined
  }

  async function take(line: Line, given: Hj212Frame): Promise<void> {
    // What came behind the last allowed password is not looked at.
    if (line.stations.size === 0 && line.wrongPasswords >= triesOfConnection) return settle(line)
    const found = await deviceOf(line, given)
    if (!found) return settle(line)
    const { device, plain: frame } = found
    const receivedAt = now()
    const crcMode = device.access.crcMode ?? 'standard'
    const isFirst = !line.stations.has(device.id)
    origins.note(device.id, line.address, receivedAt)
    line.unprovenBytes = 0
    line.proven()
    line.stations.set(device.id, { st: frame.st, pw: frame.pw, mn: frame.mn, flag: frame.flag })
    lineOf.set(device.id, line)
    stations.spoke(device.id, frame.flag)

    const submit = (
      part: Partial<Pick<Work, 'readings' | 'records' | 'events'>>,
      answer: { cn: string; send: () => void } | undefined,
      reason = 'stored',
      rejected: readonly Rejection[] = [],
    ) => {
      pipeline.submit({
        device,
        receivedAt,
        readings: [],
        records: [],
        events: [],
        ...part,
        done: (error, { duplicated }) => {
          if (!error) {
            answer?.send()
            const stored = part.readings?.length || part.records?.length || part.events?.length
            const result =
              reason !== 'stored' || !stored
                ? reason === 'stored'
                  ? 'accepted'
                  : reason
                : duplicated
                  ? 'duplicate'
                  : resultOf(part.readings?.[0])
            const values = part.readings?.[0]?.values ?? part.records?.[0]?.data
            note(line, frame, device, result, answer?.cn, receivedAt, rejected.length ? { ...values, rejected } : values)
          }
          settle(line)
        },
      })
    }
    const answer = (cn: '9013' | '9014') =>
      needsAnswer(frame.flag) ? { cn, send: () => send(line, answerTo(frame, cn, crcMode)) } : undefined

    const isAnswer = /^901[1-4]$/.test(frame.cn)
    const isExpected = exchanges.get(device.id)?.take(frame, receivedAt) ?? false
    if (isFirst && !isAnswer) greet(device)

    if (frame.cn === '2011') {
      const { reading, rejected } = toReading(frame, device.family, wordsOf(device), receivedAt)
      if (rejected.length) counters.rejected('hj212', rejected.length)
      // What can never be stored is answered too: a repetition would not better it. It stays counted.
      if (reading) counters.received('hj212', 1)
      const reason = !reading ? rejected[0]?.reason : rejected.length ? 'oneRejected' : 'stored'
      return submit({ readings: reading ? [merged(device, frame, reading)] : [] }, answer('9014'), reason, rejected)
    }
    if (isPeriod(frame.cn)) {
      const record = toPeriod(frame, wordsOf(device), receivedAt)
      if (record) counters.received('hj212', 1)
      return submit({ records: record ? [record] : [] }, answer('9014'), record ? 'stored' : 'time')
    }
    if (/^30(15|19|20|22|24)$/.test(frame.cn)) {
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
      return submit(
        {},
        {
          cn: '9013',
          send: () => {
            send(line, answerTo(frame, '9013', crcMode))
            void ask(device, { cn: '1012', cp: `SystemTime=${formatDataTime(now())}` })
          },
        },
      )
    }
    // Answers to requests are never answered; anything else is counted.
    if (!isAnswer && !isExpected) counters.refused(`hj212-${frame.cn}`)
    return submit({}, undefined, isAnswer || isExpected ? 'accepted' : 'ignored')
  }

  let lastQn = 0
  /** A request on the line the station was last heard on. */
  function ask(device: FleetDevice, { cn, cp }: Hj212Downlink, expireAt?: number): Promise<ExchangeOutcome> | undefined {
    const line = lineOf.get(device.id)
    const spoken = line?.stations.get(device.id)
    if (!line || !spoken) return undefined
    const at = now()
    // Two requests of one millisecond are two exchanges.
    lastQn = Math.max(at, lastQn + 1)
    const qn = formatDataTime(lastQn, true)
    const { st, pw, mn } = spoken
    // The version stays; an answer is wanted, packets are not.
    const frame = buildFrame({ qn, st, cn, pw, mn, flag: (spoken.flag & ~3) | 1, cp }, device.access.crcMode ?? 'standard')
    const mine = exchanges.get(device.id) ?? new Exchanges()
    exchanges.set(device.id, mine)
    send(line, frame)
    const text = `QN=${qn};ST=${st};CN=${cn};PW=***;MN=${mn};CP=&&${blanked(cp)}&&`
    frames.note({
      time: at,
      device,
      identifier: mn,
      protocol: 'hj212',
      address: line.address,
      direction: 'down',
      kind: cn,
      result: 'sent',
      length: frame.length,
      body: Buffer.from(text),
      isText: true,
    })
    return mine.begin(qn, frame, at, expireAt)
  }

  /** What its administrator wants a station to be told when it comes, one after the other. */
  function greet(device: FleetDevice): void {
    const commands = firstCommands(stations.of(device.id)?.firstActions ?? {})
    if (commands.length === 0) return
    void (async () => {
      for (const { cmd, params } of commands) {
        const downlink = hj212DownlinkOf(cmd, params, now())
        if (downlink) await ask(device, downlink)
      }
    })()
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
      const isSilent = line.decoder.good === 0 && at - line.openedAt > firstFrameMs
      const isStranger = line.stations.size === 0 && at - line.openedAt > provenWithinMs
      if (isSilent || isStranger) line.socket.destroy()
    }
    for (const [key, report] of reports) if (at - report.at > reportMs) reports.delete(key)
    for (const [id, mine] of exchanges) {
      const line = lineOf.get(id)
      for (const frame of mine.due(at)) if (line) send(line, frame)
    }
  }, sweepMs)

  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(deps.port, deps.host, resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    request(device, command, params, expireAt) {
      const downlink = hj212DownlinkOf(command, params, now())
      return downlink && ask(device, downlink, expireAt)
    },
    async close() {
      clearInterval(sweeper)
      server.close()
      for (const line of lines) line.socket.destroy()
    },
  }
}
