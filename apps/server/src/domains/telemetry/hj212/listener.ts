import { createServer, type Socket } from 'node:net'
import { type CrcMode, crcModes } from '@zhugong/contract/protocols/hj212'
import type { FleetDevice } from '../../equipment/public.ts'
import { type Guesses, triesOfConnection } from '../guesses.ts'
import { provenWithinMs, Unproven } from '../unproven.ts'
import { admit } from './admit.ts'
import { ChecksumHabits } from './checksum-habits.ts'
import type { ExchangeOutcome } from './exchanges.ts'
import { Hj212Decoder, type Hj212Frame } from './frame.ts'
import { type Line, type LineContext, maxWaiting, noteBad, noteEnd, settle } from './line.ts'
import { ReportPackets } from './packets.ts'
import { StationRequests } from './requests.ts'
import type { Stations } from './stations.ts'
import { isAnswerFrame, takeHeard } from './take.ts'

export interface Hj212Dependencies extends LineContext {
  host: string
  port: number
  stations: Stations
  guesses: Guesses
}

export interface Hj212Listener {
  readonly port: number
  /** Sends a request to a connected station and waits for its three steps; undefined if it is not connected or the command is unknown. */
  request(device: FleetDevice, command: string, params: Record<string, unknown>, expireAt?: number): Promise<ExchangeOutcome> | undefined
  close(): Promise<void>
}

const maxConnections = 5_000
/** A connection without a valid frame by then is closed. */
const firstFrameMs = 60_000
/** Longer than the longest report interval of the standard; detects dead connections. */
const idleMs = 3 * 3_600_000
const sweepMs = 1_000
/** Bytes accepted before the first valid password: a few hours of frames of a station that is not registered yet. */
const maxUnprovenBytes = 64 * 1024

export async function listenHj212(deps: Hj212Dependencies): Promise<Hj212Listener> {
  const { pipeline, counters, now } = deps
  const unproven = new Unproven()
  const lines = new Set<Line>()
  const ctx = { ...deps, requests: new StationRequests(deps), packets: new ReportPackets(), habits: new ChecksumHabits() }
  const take = (line: Line, list: readonly Hj212Frame[]) => takeFrames(ctx, line, list)

  const server = createServer((socket) => {
    if (lines.size >= maxConnections || !pipeline.isFlowing) {
      socket.destroy()
      return
    }
    const proven = unproven.enter(socket.remoteAddress ?? '')
    if (!proven) {
      counters.refused('tooManyConnections')
      socket.destroy()
      return
    }
    const line = lineOn(ctx, socket, proven)
    lines.add(line)
    socket.on('data', (chunk: Buffer) => {
      if (line.stations.size === 0) line.unprovenBytes += chunk.length
      if (line.unprovenBytes > maxUnprovenBytes) {
        noteEnd(deps, line, chunk, `没有一帧通过密码核对，已收到 ${line.unprovenBytes} 字节（上限 ${maxUnprovenBytes}），连接已断开`)
        socket.destroy()
      } else take(line, line.decoder.push(chunk, now()))
    })
    socket.on('close', () => {
      // Some devices close the connection without sending the last CR LF.
      take(line, line.decoder.finish(now()))
      lines.delete(line)
      line.proven()
      ctx.requests.gone(line)
    })
  })

  const sweeper = setInterval(() => {
    const at = now()
    for (const line of lines) {
      take(line, line.decoder.expire(at))
      const isSilent = line.decoder.good === 0 && at - line.openedAt > firstFrameMs
      const isStranger = line.stations.size === 0 && at - line.openedAt > provenWithinMs
      if (isSilent || isStranger) line.socket.destroy()
    }
    ctx.packets.sweep(at)
    ctx.requests.sweep(at)
  }, sweepMs)

  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(deps.port, deps.host, resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    request: (...requested) => ctx.requests.request(...requested),
    async close() {
      clearInterval(sweeper)
      server.close()
      for (const line of lines) line.socket.destroy()
    },
  }
}

function lineOn(deps: Hj212Dependencies & { habits: ChecksumHabits }, socket: Socket, proven: () => void): Line {
  const { fleet, now } = deps
  const line: Line = {
    socket,
    address: socket.remoteAddress ?? '',
    unprovenBytes: 0,
    wrongPasswords: 0,
    proven,
    openedAt: now(),
    waiting: 0,
    queue: Promise.resolve(),
    stations: new Map(),
    decoder: new Hj212Decoder({
      crcModeOf: (mn) => fleet.byKey('hj212', mn)?.access.crcMode ?? 'standard',
      maxLengthOf: (mn) => fleet.byKey('hj212', mn)?.access.maxLength,
      onWrongChecksum: (mn, fitting) => noteHabit(deps, line, mn, deps.habits.note(mn, fitting)),
      onBad: (kind, bytes, hint) => noteBad(deps, line, kind, bytes, hint),
    }),
  }
  socket.setNoDelay(true)
  socket.setKeepAlive(true, 60_000)
  socket.setTimeout(idleMs, () => socket.destroy())
  socket.on('error', () => undefined)
  return line
}

/** Tells those responsible for a station that it sends another checksum than the one that is set. */
function noteHabit({ fleet, warnings, now }: Hj212Dependencies, line: Line, mn: string, learned: CrcMode | undefined): void {
  const device = learned && fleet.byKey('hj212', mn)
  if (!device) return
  const text = `连续 10 帧的校验都是“${crcModes[learned]}”，设置的是“${crcModes[device.access.crcMode ?? 'standard']}”，数据没有保存：请在设备“接入”中修改校验方式`
  warnings.note(device, 'checksum', line.address, text, now())
}

type ListenContext = Hj212Dependencies & { requests: StationRequests; packets: ReportPackets; habits: ChecksumHabits }

function takeFrames(ctx: ListenContext, line: Line, list: readonly Hj212Frame[]): void {
  for (const frame of list) {
    line.waiting++
    line.queue = line.queue
      .then(() => take(ctx, line, frame))
      .catch((error: unknown) => {
        // The database is unavailable, or there is a bug: without a reply the device sends the frame again.
        ctx.log.warn({ err: error, protocol: 'hj212' }, 'frame not taken')
        settle(line)
      })
  }
  if (line.waiting > maxWaiting) line.socket.pause()
  if (line.decoder.isHopeless && !line.socket.destroyed) {
    noteEnd(ctx, line, Buffer.alloc(0), '连续 10 帧无法读取，或 64 KiB 里没有一个完整的帧，连接已断开：核对设备是否使用 HJ 212 协议')
    line.socket.destroy()
  }
}

async function take(ctx: ListenContext, line: Line, given: Hj212Frame): Promise<void> {
  // After the last allowed wrong password, frames are ignored.
  if (line.stations.size === 0 && line.wrongPasswords >= triesOfConnection) return settle(line)
  const found = await admit(ctx, line, given)
  if (!found) return settle(line)
  const { device, plain: frame } = found
  const receivedAt = ctx.now()
  const isFirst = !line.stations.has(device.id)
  ctx.origins.note(device.id, line.address, receivedAt)
  line.unprovenBytes = 0
  line.proven()
  if (!line.socket.destroyed) ctx.requests.heard(device, line, { st: frame.st, pw: frame.pw, mn: frame.mn, flag: frame.flag })
  ctx.stations.spoke(device.id, frame.flag)
  ctx.habits.forget(frame.mn)
  const isExpected = ctx.requests.take(device, frame, receivedAt)
  if (isFirst && !isAnswerFrame(frame) && !line.socket.destroyed) ctx.requests.greet(device)
  takeHeard(ctx, { line, device, frame, receivedAt }, isExpected)
}
